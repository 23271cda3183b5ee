//! What survives a journey through other formats, what is refused, and what is left of damaged files.

use std::time::Duration;

use tesuji_game::{Ending, Formats, Notation, ParsedRecord, Record, Side, tags};
use tesuji_shogi::Shogi;

use super::{BOOK, DIAGRAM, MATE_IN_ONE, SHIFT_JIS, TWO_GAMES, VARIATIONS, format, moves, one, read, whole};

#[test]
fn a_bad_record_does_not_stop_the_next() {
    for (name, file) in [
        ("csa", "PI\n+\n+7777FU\n%TORYO\n/\nPI\n+\n+7776FU\n/\nPX\n/\nV2.2\nPI\n+\n+2726FU\nV2.2\nPI\n+\n"),
        (
            "kif",
            "手合割：平手\n   1 ７七歩(77)\n   2 投了\n先手：A\n   1 ７六歩(77)\n手合割：片手\n先手：B\n   1 ２六歩(27)\n\
                 手合割：平手\n   1 ２六歩(27)\n開始日時：x\n",
        ),
        ("usi", "startpos moves 7g7g\nstartpos moves 7g7f\nsfen x\nstartpos moves 2g2f\nstartpos\n"),
    ] {
        let told: Vec<_> = read(name, file)
            .iter()
            .map(|ParsedRecord { record, fault }| (moves(record), fault.as_ref().map(|fault| fault.mv)))
            .collect();
        let expected = [("", Some(Some(1))), ("7g7f", None), ("", Some(None)), ("2g2f", None), ("", None)];
        assert_eq!(told, expected.map(|(moves, fault)| (moves.to_owned(), fault)), "{name}");
    }
}

#[test]
fn files_look_as_other_programs_expect() {
    let mut record = one("usi", "startpos moves 7g7f 3c3d 8h2b+ 3a2b resign");
    record.set_tag(tags::FIRST, "A");
    record.set_tag(tags::EVENT, "B");
    let csa = Shogi::write(format("csa"), &record).expect("CSA");
    assert_eq!(
        String::from_utf8_lossy(&csa),
        "V2.2\nN+A\n$EVENT:B\nPI\n+\n+7776FU\n-3334FU\n+8822UM\n-3122GI\n%TORYO\n/\n"
    );
    let kif = Shogi::write(format("kif"), &record).expect("KIF");
    assert_eq!(
        String::from_utf8_lossy(&kif),
        "#KIF version=2.0 encoding=UTF-8\n手合割：平手\n先手：A\n棋戦：B\n手数----指手---------消費時間--\n   \
         1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 同　銀(31)\n   5 投了\nまで4手で後手の勝ち\n"
    );
    let mut timed = one("csa", "PI\n+\n+7776FU\nT16\n-3334FU\nT61\n+2726FU\nT3600\n%CHUDAN\n");
    timed.tags.clear();
    let kif = Shogi::write(format("kif"), &timed).expect("KIF");
    let text = String::from_utf8_lossy(&kif);
    assert!(text.contains("   1 ７六歩(77)   ( 0:16/00:00:16)\n   2 ３四歩(33)   ( 1:01/00:01:01)\n"), "{text}");
    assert!(text.contains("   3 ２六歩(27)   (60:00/01:00:16)\n   4 中断\nまで3手で中断\n"), "{text}");
}

/// A record with everything in it.
fn full(start: &str, moves: &str) -> Record<Shogi> {
    let mut record = Record::new(Shogi::parse(start).expect("a position"));
    record.set_tag(tags::FIRST, "あやめ & Co.");
    record.set_tag(tags::SECOND, "Botan, the second");
    record.set_tag(tags::EVENT, "試験");
    record.set_tag(tags::PLACE, "台所");
    record.set_tag(tags::DATE, "2024/05/01 10:00:00");
    record.set_tag(tags::CLOCK, "00:25+10");
    record.set_tag("opening", "矢倉");
    record.set_tag("end", "2024/05/01 11:00:00");
    record.set_tag("NOTE", "a: b");
    record.set_tag("備考", "なし");
    record.comment = "before it began\n* with a star\n30 -3334FU".to_owned();
    for (index, word) in moves.split_whitespace().enumerate() {
        record.push_text(word).expect("a legal move");
        let note = record.note().expect("a move").time(Duration::from_secs(index as u64 * 37));
        let note = if index % 2 == 0 { note.value(12.5 * index as f64 - 20.0) } else { note };
        if index % 3 != 1 {
            note.comment("+7776FU -3334FU").comment(" words: with a colon").comment("&mark");
        }
    }
    record
}

#[test]
fn a_journey_through_the_formats_keeps_everything() {
    let game = "7g7f 3c3d 8h2b+ 3a2b B*4e 2b3c 4e6c+";
    let mut resigned = full("startpos", game);
    let ending = Ending { winner: Some(Side::First), reason: "resignation" };
    resigned.end(ending).expect("an open record");
    let handicap = full("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", "5a4b 7g7f 4b3b");
    let mated = full(MATE_IN_ONE, "G*5b");
    for record in [resigned, full("startpos", game), handicap, mated, full("startpos", "")] {
        for journey in [["csa", "kif"], ["kif", "csa"], ["kif-sjis", "csa"], ["csa", "kif-sjis"]] {
            let mut now = record.clone();
            for name in journey.into_iter().chain(journey) {
                let written = Shogi::write(format(name), &now).expect("everything can be held");
                assert_eq!(Shogi::detect(&written).name, name);
                now = one(name, &written);
                assert_eq!(whole(&now), whole(&record), "{name}: {}", String::from_utf8_lossy(&written));
            }
        }
        for name in ["usi", "ki2"] {
            let written = Shogi::write(format(name), &record).expect("moves can be held");
            assert_eq!(Shogi::detect(&written).name, name);
            let again = one(name, &written);
            assert_eq!((moves(&again), again.ending()), (moves(&record), record.ending()));
            assert_eq!(again.start(), record.start());
        }
    }
}

#[test]
fn what_a_format_cannot_hold_is_refused() {
    let mut record = one("usi", "startpos moves 7g7f");
    record.set_tag(tags::FIRST, "♔");
    let refused = Shogi::write(format("kif-sjis"), &record).expect_err("Shift_JIS has no chess king");
    assert!(refused.contains('♔'), "{refused}");
    assert!(Shogi::write(format("kif"), &record).is_ok());
    for (name, tag) in [("csa", "a:b"), ("kif", "手合割"), ("kif", "まで"), ("kif", "12 "), ("kif", "*")] {
        let mut record = one("usi", "startpos moves 7g7f");
        record.set_tag(tag, "x");
        assert!(Shogi::write(format(name), &record).is_err(), "{tag} in {name}");
    }
    // A resignation out of turn has no word in any of them: a comment tells it, where there are comments.
    let mut record = one("usi", "startpos moves 7g7f");
    record.end(Ending { winner: Some(Side::Second), reason: "resignation" }).expect("an open record");
    for format in Shogi::FORMATS {
        let written = Shogi::write(*format, &record).expect("any ending");
        let ending = record.ending().filter(|_| format.keeps_notes);
        assert_eq!(one(format.name, &written).ending(), ending, "{}", format.name);
    }
}

#[test]
fn damaged_samples_give_what_is_left_of_them() {
    for sample in [TWO_GAMES.as_bytes(), VARIATIONS.as_bytes(), SHIFT_JIS, DIAGRAM.as_bytes(), BOOK.as_bytes()] {
        let lines: Vec<&[u8]> = sample.split_inclusive(|&byte| byte == b'\n').collect();
        let without = (0..lines.len()).map(|at| [lines[..at].concat(), lines[at + 1..].concat()].concat());
        let twice = (0..lines.len()).map(|at| [lines[..=at].concat(), lines[at..].concat()].concat());
        let cut = (0..sample.len()).step_by(5).map(|at| sample[..at].to_vec());
        for file in without.chain(twice).chain(cut) {
            for &format in Shogi::FORMATS {
                tesuji_laws::fuzz::record_file::<Shogi>(format, &file);
            }
        }
    }
}

#[test]
fn formats_are_recognised() {
    for (text, name) in [
        ("startpos moves 7g7f", "usi"),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "usi"),
        ("", "usi"),
        ("V2.2\n", "csa"),
        ("N+A\n", "csa"),
        ("'comment\nPI\n", "csa"),
        ("+7776FU\n", "csa"),
        ("P1-KY-KE\n", "csa"),
        ("手合割：平手\n", "kif"),
        ("# made by hand\n手合割：平手\n▲７六歩", "ki2"),
        ("   1 ７六歩(77)\n", "kif"),
        ("後手の持駒：なし\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n", "kif"),
    ] {
        assert_eq!(Shogi::detect(text.as_bytes()).name, name, "{text}");
    }
}

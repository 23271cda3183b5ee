//! CSA: what is read from files, positions and moves, and what is refused.

use std::time::Duration;

use tesuji_game::{Formats, Game, Notation, Side, tags};
use tesuji_shogi::Shogi;

use super::{TWO_GAMES, fault, format, moves, one, read, won};

#[test]
fn csa_file_of_two_games() {
    for file in [TWO_GAMES.to_owned(), TWO_GAMES.replace('\n', "\r\n"), format!("\u{feff}{TWO_GAMES}\u{1a}")] {
        assert_eq!(Shogi::detect(file.as_bytes()).name, "csa");
        let readings = read("csa", &file);
        assert_eq!(readings.len(), 2);
        assert!(readings.iter().all(|reading| reading.fault.is_none()), "{readings:?}");
        let (first, second) = (&readings[0].record, &readings[1].record);
        assert_eq!(moves(first), "7g7f 3c3d 8h2b+ 3a2b B*5e");
        assert_eq!(first.ending(), won(Side::First, "resignation"));
        assert_eq!(first.tag(tags::FIRST), Some("Ayame, of the north"));
        assert_eq!(first.tag(tags::SECOND), Some("Botan"));
        assert_eq!(first.tag(tags::EVENT), Some("Test match"));
        assert_eq!(first.tag(tags::PLACE), Some("Kitchen table"));
        assert_eq!(first.tag(tags::DATE), Some("2024/05/01 10:00:00"));
        assert_eq!(first.tag(tags::CLOCK), Some("00:25+10"));
        assert_eq!(first.tag("opening"), Some("Static Rook"));
        assert_eq!(first.tag("end"), Some("2024/05/01 10:05:00"));
        assert_eq!(first.comment, "A file of two games, written for this test.\nblack opens the bishop's way");
        let plies = first.plies();
        let times: Vec<_> = plies.iter().map(|ply| ply.time.map(|time| time.as_millis())).collect();
        assert_eq!(times, [Some(12_000), Some(3_000), Some(7_000), Some(1_500), Some(20_000)]);
        // Written as black sees it, kept as the player sees it.
        assert_eq!(
            plies.iter().map(|ply| ply.value).collect::<Vec<_>>(),
            [Some(35.0), Some(-30.0), None, None, Some(12.0)]
        );
        assert_eq!(plies[1].comment, "white too");
        assert_eq!(plies[1].line.iter().map(ToString::to_string).collect::<Vec<_>>(), ["2g2f"]);
        assert_eq!(second.start().print(), "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
        assert_eq!((moves(second).as_str(), second.ending()), ("5a4b 7g7f", None));
    }
}

#[test]
fn csa_positions() {
    let sfen = |text: &str| one("csa", text).start().print();
    let even = Shogi::start().print();
    assert_eq!(sfen("PI\n+\n"), even);
    assert_eq!(sfen("V2\nPI,+,+7776FU,T1"), even);
    assert_eq!(sfen("+7776FU\n"), even);
    let ranks = "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI *  *  *  *  * -KA * \nP3-FU-FU-FU-FU-FU-FU-FU-FU-FU\n\
                 P4 *  *  *  *  *  *  *  *  * \nP5 *  *  *  *  *  *  *  *  *\nP6 * * * * * * * * *\n\
                 P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA *  *  *  *  * +HI * \nP9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n+\n";
    assert_eq!(sfen(ranks), even);
    assert_eq!(sfen("P-51OU\nP+53FU00KI\nP-00AL\n+\n"), "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    for wrong in [
        "PI55FU\n+\n",
        "PI1\n+\n",
        "P1-KY\n+\n",
        "P1-XX-KE-GI-KI-OU-KI-GI-KE-KY\n+\n",
        "P1 *  *  *  *  *  *  *  *  *  * \n+\n",
        "P+00OU\n+\n",
        "P+00TO\n+\n",
        "P+55FU54FU\n+\n",
        "P0\n+\n",
    ] {
        let (mv, text, message) = fault("csa", wrong);
        assert_eq!(mv, None, "{text}: {message}");
    }
}

#[test]
fn csa_moves_that_cannot_be() {
    for (text, number, said, message) in [
        ("+7776FU\n-3334FU\n+7775FU", 3, "+7775FU", "no piece stands on 77"),
        ("+7776FU\n+2726FU", 2, "+2726FU", "it is -'s turn"),
        ("+7776GI", 1, "+7776GI", "the piece on 77 is written FU, or TO promoted"),
        ("+4958TO", 1, "+4958TO", "the piece on 49 is written KI"),
        ("+3334FU", 1, "+3334FU", "the piece on 33 is not +'s"),
        ("+7776TO", 1, "+7776TO", "not a legal move"),
        ("+0055FU", 1, "+0055FU", "+ has no FU in hand"),
        ("+7776XX", 1, "+7776XX", "XX is no piece"),
        ("+7706FU", 1, "+7706FU", "there is no square 06"),
        ("+77", 1, "+77", "a move reads +7776FU"),
        ("+7776FU\nTx", 2, "Tx", "a time is written in seconds"),
        ("+7776FU\n%TORYO\n-3334FU", 2, "-3334FU", "no move may follow %TORYO"),
        ("+7776FU\n%NIGE", 2, "%NIGE", "no CSA ending"),
    ] {
        let (mv, found, told) = fault("csa", &format!("PI\n+\n{text}\n"));
        assert_eq!((mv, found.as_str()), (Some(number), said), "{text}");
        let legal = message == "not a legal move" || told.starts_with(message);
        assert!(legal, "{text}: {told}");
    }
}

#[test]
fn csa_clocks() {
    for (clock, line, version) in [
        ("1500s/10s", "$TIME_LIMIT:00:25+10\n", "V2.2"),
        ("5400s/0s", "$TIME_LIMIT:01:30+00\n", "V2.2"),
        ("300s+2s", "$TIME:300+0+2\n", "V3.0"),
        ("20ms", "$TIME:0+0.02+0\n", "V3.0"),
        ("10s", "$TIME_LIMIT:00:00+10\n", "V2.2"),
        ("by hand", "$TIME_LIMIT:by hand\n", "V2.2"),
    ] {
        let mut record = one("usi", "startpos moves 7g7f");
        record.set_tag(tags::CLOCK, clock);
        let written = String::from_utf8(Shogi::write(format("csa"), &record).expect("CSA")).expect("ASCII");
        assert!(written.contains(line) && written.contains(version), "{clock}: {written}");
        if line.starts_with("$TIME:") {
            assert_eq!(one("csa", &written).tag(tags::CLOCK), Some(clock));
        }
    }
    for (text, tag) in [("300+10+2", "300+10+2"), ("x", "x"), ("-1+0+0", "-1+0+0")] {
        assert_eq!(one("csa", format!("$TIME:{text}\nPI\n+\n")).tag("TIME"), Some(tag));
    }
}

#[test]
fn expected_lines_are_kept_where_they_are_legal() {
    let record = one("csa", "PI\n+\n+7776FU\n'** 30 -3334FU +8822UM\n-3334FU\n'** 50 -3334FU\n");
    let line = |ply: usize| record.plies()[ply].line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    assert_eq!((line(0).as_str(), record.plies()[0].comment.as_str()), ("3c3d 8h2b+", ""));
    assert_eq!((line(1).as_str(), record.plies()[1].comment.as_str()), ("", "-3334FU"));
    let csa = String::from_utf8(Shogi::write(format("csa"), &record).expect("CSA")).expect("ASCII");
    assert!(csa.contains("+7776FU\n'** 30 -3334FU +8822UM\n"), "{csa}");
    let kif = String::from_utf8(Shogi::write(format("kif"), &record).expect("KIF")).expect("UTF-8");
    assert!(kif.contains("**評価値=30\n**読み筋=△３四歩▲２二角成\n"), "{kif}");
    assert_eq!(one("kif", &kif).plies()[0], record.plies()[0]);
}

#[test]
fn fractions_of_a_second_need_the_newer_csa() {
    let mut record = one("usi", "startpos moves 7g7f");
    record.note().expect("a move").time(Duration::from_millis(1_250));
    let written = String::from_utf8(Shogi::write(format("csa"), &record).expect("CSA")).expect("ASCII");
    assert!(written.contains("V3.0\n") && written.contains("T1.250\n"), "{written}");
    assert_eq!(one("csa", &written).plies()[0].time, Some(Duration::from_millis(1_250)));
}

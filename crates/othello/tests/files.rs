//! Record files written by hand and by ourselves: what is right is kept, what is wrong is named.

use std::time::Duration;

use tesuji_game::{Ending, Formats, Game, MoveList, Notation, ParsedRecord, Record, RecordError, Side, tags};
use tesuji_othello::{GGF, Moves, Names, NamesKind, OBF, Othello, TRANSCRIPT, WTHOR, position_at_empties};

fn read(format: tesuji_game::Format, bytes: &[u8]) -> Vec<ParsedRecord<Othello>> {
    Othello::read(format, bytes).collect()
}

fn moves(record: &Record<Othello>) -> String {
    record.moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}

/// A whole game in which move number k is the (k * step)-th of those possible.
fn game(step: usize) -> Record<Othello> {
    let mut record = Record::new(Othello::start());
    let mut list = Moves::default();
    while record.ending().is_none() {
        let mut now = *record.now();
        now.moves(&mut list);
        let choice = record.plies().len() * step % list.len();
        let mv = list.each().nth(choice).expect("an open game has moves");
        record.push(mv).expect("listed moves are legal");
    }
    record
}

#[test]
fn transcripts_come_one_per_line() {
    let start = Othello::start().print();
    let text = format!("# openings\n\nf5d6c3\r\n  1. f5 f6 \nf5 e5\n{start}: c4\n{start}:\n---: f5\n");
    let found = read(TRANSCRIPT, text.as_bytes());
    let shown: Vec<(String, Option<usize>, bool)> = found
        .iter()
        .map(|reading| {
            let fault = reading.fault.as_ref();
            (moves(&reading.record), fault.and_then(|fault| fault.mv), fault.is_some())
        })
        .collect();
    let expected = [
        ("f5 d6 c3", None, false),
        ("f5 f6", None, false),
        ("f5", Some(2), true),
        ("c4", None, false),
        ("", None, false),
        ("", None, true),
    ];
    assert_eq!(shown, expected.map(|(moves, number, wrong)| (moves.to_owned(), number, wrong)));
    assert_eq!(Othello::write(TRANSCRIPT, &found[0].record).unwrap(), b"f5d6c3\n");
    assert_eq!(Othello::write(TRANSCRIPT, &found[4].record).unwrap(), format!("{start}:\n").into_bytes());
}

const SERVED: &str = "1 (;GM[Othello]PC[Test/Room]DT[2024-05-06 07:08]PB[Anna]PW[Bo]RE[+12.000:r]TI[15:00//02:00]\
    TY[8]KM[0.0]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]\
    B[F5/1.5/2.25]W[d6//1:02]B[C3]C[a remark]W[d3/-4];)";

#[test]
fn ggf_keeps_names_values_and_times() {
    assert_eq!(Othello::detect(SERVED.as_bytes()), GGF);
    let found = read(GGF, SERVED.as_bytes());
    assert_eq!(found.len(), 1);
    let record = &found[0].record;
    assert_eq!((found[0].fault.as_ref(), moves(record).as_str()), (None, "f5 d6 c3 d3"));
    let notes: Vec<_> = record.plies().iter().map(|ply| (ply.value, ply.time)).collect();
    let seconds = |seconds| Some(Duration::from_secs_f64(seconds));
    assert_eq!(notes, [(Some(1.5), seconds(2.25)), (None, seconds(62.0)), (None, None), (Some(-4.0), None)]);
    assert_eq!(record.tag(tags::FIRST), Some("Anna"));
    assert_eq!(record.tag(tags::SECOND), Some("Bo"));
    assert_eq!(record.tag(tags::PLACE), Some("Test/Room"));
    assert_eq!(record.tag(tags::CLOCK), Some("15:00//02:00"));
    let ending = record.ending().unwrap();
    assert_eq!((ending.winner, ending.reason), (Some(Side::First), "resignation"));

    let written = Othello::write(GGF, record).unwrap();
    let again = &read(GGF, &written)[0].record;
    assert_eq!((again.plies(), &again.tags, again.ending()), (record.plies(), &record.tags, record.ending()));
    assert_eq!(Othello::write(GGF, again).unwrap(), written);
}

#[test]
fn ggf_is_written_in_its_own_units() {
    let mut record = Record::new(Othello::start());
    for (word, value, millis) in [("f5", 31.05, 1500), ("d6", -0.5, 4), ("c3", 12.0, 62_250)] {
        record.push_text(word).unwrap();
        record.note().unwrap().value(value).time(Duration::from_millis(millis));
    }
    record.note().unwrap().comment("a] remark\non two lines");
    record.set_tag(tags::FIRST, "A");
    record.set_tag(tags::FIRST_RATING, "1837.5");
    record.set_tag(tags::EVENT, "Open");
    for (clock, written) in [
        ("20ms", "0:00.02"),
        ("300s+2s", "5:00/0:02"),
        ("300s/10s", "5:00/0:00/0:10"),
        ("3600s+0s", "60:00"),
        ("15:00//02:00", "15:00//02:00"),
    ] {
        record.set_tag(tags::CLOCK, clock);
        let ggf = String::from_utf8(Othello::write(GGF, &record).unwrap()).unwrap();
        assert_eq!(
            ggf,
            format!(
                "(;GM[Othello]PB[A]RB[1837.5]RE[?]TI[{written}]TY[8]CO[event: Open]\
                 BO[8 ---------------------------O*------*O--------------------------- *]\
                 B[F5/31.05/1.50]W[D6/-0.50/0.004]B[C3/12.00/62.25]CO[a) remark]CO[on two lines];)\n"
            )
        );
        let again = &read(GGF, ggf.as_bytes())[0].record;
        assert_eq!((again.tag(tags::EVENT), again.plies()[1].value), (Some("Open"), Some(-0.5)));
        assert_eq!(again.plies()[2].comment, "a) remark\non two lines");
    }
}

#[test]
fn ggf_tells_every_ending() {
    for (winner, reason, result, comment) in [
        (Some(Side::First), "resignation", "RE[+64.000:r]", ""),
        (Some(Side::Second), "time", "RE[-64.000:t]", ""),
        (None, "agreement", "RE[+0.000:s]", ""),
        (Some(Side::Second), "adjudicated-win", "RE[-64.000:s]", "CO[ending: second adjudicated-win]"),
        (None, "move-limit", "RE[+0.000]", "CO[ending: draw move-limit]"),
    ] {
        let mut record = Record::new(Othello::start());
        record.push_text("f5").unwrap();
        record.end(Ending { winner, reason }).unwrap();
        let ggf = String::from_utf8(Othello::write(GGF, &record).unwrap()).unwrap();
        assert!(ggf.contains(result) && ggf.contains(comment) && ggf.contains("CO[") != comment.is_empty(), "{ggf}");
        assert_eq!(read(GGF, ggf.as_bytes())[0].record.ending(), record.ending());
    }
}

#[test]
fn positions_are_taken_out_of_games() {
    let game = game(3);
    let position = position_at_empties(&game, 20).unwrap();
    let line = String::from_utf8(Othello::write(OBF, &position).unwrap()).unwrap();
    let board = line.split(' ').next().unwrap();
    assert_eq!(board.matches('-').count(), 20);
    let value = position.tag("values").unwrap().split_once(':').unwrap().1.parse::<i32>().unwrap();
    let last = game.now();
    let score = if last.mover() == position.now().mover() { last.score() } else { -last.score() };
    assert_eq!(value, score);
    let again = &read(OBF, line.as_bytes())[0].record;
    assert_eq!((moves(again), again.tag("values")), (moves(&position), position.tag("values")));
    assert!(position_at_empties(&game, 61).is_err());
    assert!(position_at_empties(&position, 30).is_err());
}

#[test]
fn a_broken_ggf_game_does_not_spoil_the_next() {
    let good = "(;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[f5];)";
    let broken = [
        ("(;GM[Othello]B[f5]W[a1];)", Some(2), "a1"),
        ("(;GM[Othello]W[f5];)", Some(1), "f5"),
        ("(;GM[Othello]B[f5/1/2", None, "f5/1/2"),
        ("(;GM[Othello]PB[never closed", None, "never closed"),
        ("(;GM[Othello]B[f5](B[d6];)", None, "(B[d6];)(;GM"),
        ("(;GM[Chess]B[f5];)", None, "Chess"),
        ("(;GM[Othello]B[f5]BO[8 *];)", None, "8 *"),
        ("(;GM[Othello]BO[10 -];)", None, "10 -"),
        ("(;GM[Othello]BO[8 ---];)", None, "---"),
    ];
    for (text, number, word) in broken {
        let found = read(GGF, format!("{text}{good}").as_bytes());
        let fault = found[0].fault.clone().unwrap();
        assert_eq!(found.len(), 2, "{text}");
        assert_eq!((fault.mv, fault.text.as_str()), (number, word), "{text}");
        assert_eq!((found[1].fault.as_ref(), moves(&found[1].record).as_str()), (None, "f5"), "{text}");
    }
    assert_eq!(read(GGF, b" \n").len(), 0);
    assert!(read(GGF, b"f5d6")[0].fault.is_some());
}

#[test]
fn ggf_passes_may_be_written_or_left_out() {
    let board = format!("{:-<64}", "-O*---O*");
    for (text, faulty) in [
        ("B[a1]W[PA]B[f1]", None),
        ("B[a1]W[pass/0/0.1]B[f1]", None),
        ("B[a1]B[f1]", None),
        ("B[a1]W[f1]", Some(2)),
        ("B[a1]B[PA]", Some(2)),
        ("B[a1]W[PA]B[f1]W[PA]", Some(4)),
    ] {
        let found = read(GGF, format!("(;GM[Othello]BO[8 {board} *]{text};)").as_bytes());
        let fault = found[0].fault.as_ref();
        assert_eq!(fault.map(|fault| fault.mv), faulty.map(Some), "{text}: {fault:?}");
        if faulty.is_none() {
            assert_eq!(moves(&found[0].record), "a1 pass f1", "{text}");
        }
    }
}

/// A file of three games with numbers and scores of their own.
fn base() -> Vec<u8> {
    let mut file = vec![20, 24, 5, 6, 3, 0, 0, 0, 0, 0, 0xe8, 7, 8, 0, 24, 0];
    for step in [1, 5, 11] {
        let mut bytes = Othello::write(WTHOR, &game(step)).expect("a whole game");
        bytes[..8].copy_from_slice(&[step as u8, 1, 7, 0, 255, 16, 33, 30 + step as u8]);
        file.extend(bytes);
    }
    file
}

#[test]
fn a_base_is_read_and_written_byte_for_byte() {
    let file = base();
    assert_eq!(Othello::detect(&file), WTHOR);
    let found = read(WTHOR, &file);
    assert_eq!(found.len(), 3);
    let mut written = Othello::head(WTHOR, 3);
    for (reading, step) in found.iter().zip([1, 5, 11]) {
        assert_eq!(reading.fault, None);
        assert_eq!(moves(&reading.record), moves(&game(step)));
        assert_eq!(reading.record.tag(tags::DATE), Some("2024"));
        assert_eq!(reading.record.tag(tags::RESULT), Some("+2"));
        written.extend(Othello::write(WTHOR, &reading.record).unwrap());
    }
    assert_eq!(written[16..], file[16..]);
    // The header knows how many games there are, but no dates.
    assert_eq!(written[4..10], file[4..10]);
    assert_eq!(written[12..16], file[12..16]);
}

#[test]
fn a_damaged_base_says_what_is_damaged() {
    let faults = |bytes: &[u8]| -> Vec<Option<RecordError>> {
        read(WTHOR, bytes).into_iter().map(|reading| reading.fault).collect()
    };
    let file = base();
    let cut = faults(&file[..file.len() - 1]);
    assert_eq!((cut.len(), cut[..2].iter().flatten().count()), (3, 0));
    assert!(cut[2].as_ref().unwrap().message.contains("cut off inside game 3"));

    let mut miscounted = file.clone();
    miscounted[4] = 4;
    let counted = faults(&miscounted);
    assert_eq!((counted.len(), counted[..3].iter().flatten().count()), (4, 0));
    assert!(counted[3].as_ref().unwrap().message.contains("promises 4 games and the file holds 3"));

    let mut illegal = file.clone();
    illegal[16 + 68 + 8 + 4] = illegal[16 + 68 + 8];
    let found = faults(&illegal);
    assert_eq!((found.len(), found[1].as_ref().unwrap().mv), (3, Some(5)));
    illegal[16 + 68 + 8 + 2] = 90;
    let found = faults(&illegal);
    assert_eq!(found[1].as_ref().map(|fault| (fault.mv, fault.text.as_str())), Some((Some(3), "90")));

    let mut large = file.clone();
    large[12] = 10;
    assert_eq!(faults(&large).len(), 1);
    assert_eq!(faults(&file[..15]).len(), 1);
    assert_eq!(faults(&[]).len(), 1);
}

#[test]
fn a_base_refuses_what_it_cannot_hold() {
    let white = Othello::parse(&Othello::start().print().replace(" X", " O")).unwrap();
    assert!(Othello::write(WTHOR, &Record::new(white)).unwrap_err().contains("usual start"));
    let mut record = game(1);
    record.set_tag("wthor-black", "70000");
    assert!(Othello::write(WTHOR, &record).unwrap_err().contains("70000"));
    assert!(Othello::write(WTHOR, &Record::new(Othello::start())).is_ok());
}

#[test]
fn names_are_filled_in_by_number() {
    let mut players = vec![0; 16];
    players[8] = 2;
    players.extend(b"Ren\xe9e\0garbage\0\0\0\0\0\0\0");
    players.extend([b'x'; 20]);
    let names = Names::parse(&players).unwrap();
    assert_eq!((names.kind, names.len(), names.get(0), names.get(2)), (NamesKind::Players, 2, Some("Renée"), None));
    let mut record = Record::new(Othello::start());
    record.set_tag("wthor-black", "1");
    record.set_tag("wthor-white", "0");
    names.fill(&mut record);
    assert_eq!(record.tag(tags::FIRST), Some("xxxxxxxxxxxxxxxxxxxx"));
    assert_eq!(record.tag(tags::SECOND), Some("Renée"));

    let mut tournaments = vec![0; 16 + 26];
    tournaments[8] = 1;
    tournaments[16..20].copy_from_slice(b"Oslo");
    let names = Names::parse(&tournaments).unwrap();
    record.set_tag("wthor-tournament", "0");
    names.fill(&mut record);
    assert_eq!((names.kind, record.tag(tags::EVENT)), (NamesKind::Tournaments, Some("Oslo")));
    assert!(Names::parse(&tournaments[..40]).is_err());
    assert!(Names::parse(&[]).is_err());
}

#[test]
fn problems_keep_values_comments_and_order() {
    let start = Othello::start().print();
    let text =
        format!("% set\n\n{start}; D3:+0; f5:-2; --:-127; % quiet\n{start}\n{start}; a1:+2;\n{start}; d3:x;\nXO\n");
    let found = read(OBF, text.as_bytes());
    assert_eq!(found.len(), 5);
    let record = &found[0].record;
    assert_eq!((record.tag("values"), record.comment.as_str()), (Some("D3:+0; F5:-2"), "quiet"));
    assert_eq!(Othello::write(OBF, record).unwrap(), format!("{start}; D3:+0; F5:-2; % quiet\n").into_bytes());
    assert_eq!(found.iter().filter(|reading| reading.fault.is_some()).count(), 3);
    assert_eq!(found[2].fault.as_ref().unwrap().text, "a1:+2");
    assert_eq!(Othello::detect(text.as_bytes()), OBF);
    assert_eq!(Othello::detect(format!("{start}: f5\n").as_bytes()), TRANSCRIPT);
    assert_eq!(Othello::detect(b"f5d6\n"), TRANSCRIPT);
    assert_eq!(Othello::detect(b""), TRANSCRIPT);
}

#[test]
fn a_position_may_tell_how_it_came_about() {
    let text = Othello::write(OBF, &game(7)).unwrap();
    assert_eq!(moves(&read(OBF, &text)[0].record), moves(&game(7)));
    // A lone carriage return is a blank when it is written again, so it is one when read.
    let text = String::from_utf8(text).unwrap().replace("% moves ", "% moves\r");
    assert_eq!(moves(&read(OBF, text.as_bytes())[0].record), moves(&game(7)));
    // Moves that lead elsewhere are only words.
    let start = Othello::start().print();
    let record = &read(OBF, format!("{start}; % moves f5").as_bytes())[0].record;
    assert_eq!((moves(record).as_str(), record.comment.as_str()), ("", "moves f5"));
}

#[test]
fn every_format_recognises_its_own_writing() {
    let record = game(3);
    for &format in Othello::FORMATS {
        let mut file = Othello::head(format, 1);
        file.extend(Othello::write(format, &record).unwrap());
        assert_eq!(Othello::detect(&file), format, "{}", format.name);
    }
}

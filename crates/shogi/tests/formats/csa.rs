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
        assert_eq!(plies[1].comment, "+2726FU\nwhite too");
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
fn fractions_of_a_second_need_the_newer_csa() {
    let mut record = one("usi", "startpos moves 7g7f");
    record.note().expect("a move").time(Duration::from_millis(1_250));
    let written = String::from_utf8(Shogi::write(format("csa"), &record).expect("CSA")).expect("ASCII");
    assert!(written.contains("V3.0\n") && written.contains("T1.250\n"), "{written}");
    assert_eq!(one("csa", &written).plies()[0].time, Some(Duration::from_millis(1_250)));
}

//! Record formats: what is read from samples and small texts, what is refused, and what survives a journey
//! through other formats. The samples were written for these tests.

use std::time::Duration;

use tesuji_game::{Ending, Format, Formats, Game, Notation, Reading, Record, Side, tags};
use tesuji_shogi::Shogi;

fn format(name: &str) -> Format {
    *Shogi::FORMATS.iter().find(|format| format.name == name).expect("a format of this name")
}

fn read(name: &str, bytes: impl AsRef<[u8]>) -> Vec<Reading<Shogi>> {
    Shogi::read(format(name), bytes.as_ref()).collect()
}

/// The one record in `text`, without fault.
fn one(name: &str, text: impl AsRef<[u8]>) -> Record<Shogi> {
    let mut readings = read(name, text);
    assert_eq!(readings.len(), 1);
    let Reading { record, fault } = readings.remove(0);
    assert_eq!(fault, None);
    record
}

/// The fault of the one record in `text`: move, text, message.
fn fault(name: &str, text: &str) -> (Option<usize>, String, String) {
    let mut readings = read(name, text);
    assert_eq!(readings.len(), 1, "{text}");
    let fault = readings.remove(0).fault.unwrap_or_else(|| panic!("no fault in {text}"));
    (fault.mv, fault.text, fault.message)
}

fn moves(record: &Record<Shogi>) -> String {
    record.moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}

fn won(side: Side, reason: &'static str) -> Option<Ending> {
    Some(Ending { winner: Some(side), reason })
}

fn drawn(reason: &'static str) -> Option<Ending> {
    Some(Ending { winner: None, reason })
}

/// Everything a record holds, for comparison; times in whole seconds.
fn whole(record: &Record<Shogi>) -> String {
    let plies: Vec<_> = record
        .plies()
        .iter()
        .map(|ply| (ply.mv.to_string(), ply.time.map(|time| time.as_secs()), ply.value, &ply.comment))
        .collect();
    let mut tags = record.tags.clone();
    tags.sort();
    format!("{:?} {tags:?} {:?} {plies:?} {:?}", record.start(), record.comment, record.ending())
}

const TWO_GAMES: &str = include_str!("../testdata/records/two_games.csa");
const VARIATIONS: &str = include_str!("../testdata/records/variations.kif");
const SHIFT_JIS: &[u8] = include_bytes!("../testdata/records/shift_jis.kif");
const DIAGRAM: &str = include_str!("../testdata/records/diagram.kif");
const BOOK: &str = include_str!("../testdata/records/book.ki2");

/// Black gives check for ever, white steps aside: the fourth time loses for black.
const CHASE: &str = "sfen k8/9/9/9/9/9/9/9/R7K w - 1";
/// Ten pieces, 28 points with the two pawns.
const ENTERED: &str = "4K4/1GGGG+B+B+R+R/2SS5/9/9/9/9/9/4k4 b 2P 1";
const MATE_IN_ONE: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

#[test]
fn usi_lines() {
    let file = "startpos moves 7g7f 3c3d resign\n\n# none\nposition startpos\r\n\
                sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 5 moves G*5b\n4k4/9/4P4/9/9/9/9/9/4K4 w G 1\n\
                startpos moves 7g7f 7f7e\nstartpos moves 7g7f resign 3c3d\nwhatever\nstartpos moves 7g7f";
    let readings = read("usi", file);
    let told: Vec<_> = readings
        .iter()
        .map(|Reading { record, fault }| {
            (record.plies().len(), record.ending(), fault.as_ref().map(|fault| fault.mv))
        })
        .collect();
    assert_eq!(
        told,
        [
            (2, won(Side::Second, "resignation"), None),
            (0, None, None),
            (1, won(Side::First, "checkmate"), None),
            (0, None, None),
            (1, None, Some(Some(2))),
            (1, won(Side::First, "resignation"), Some(Some(3))),
            (0, None, Some(None)),
            (1, None, None),
        ]
    );
    let written = Shogi::write(format("usi"), &readings[0].record).expect("an ending USI knows");
    assert_eq!(String::from_utf8_lossy(&written), "startpos moves 7g7f 3c3d resign\n");
    let written = Shogi::write(format("usi"), &readings[2].record).expect("a mate");
    assert_eq!(String::from_utf8_lossy(&written), "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 5 moves G*5b\n");
}

#[test]
fn csa_file_of_two_games() {
    for file in [TWO_GAMES.to_owned(), TWO_GAMES.replace('\n', "\r\n"), format!("\u{feff}{TWO_GAMES}\u{1a}")]
    {
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
        assert_eq!(
            first.comment,
            "A file of two games, written for this test.\nblack opens the bishop's way"
        );
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
            .map(|Reading { record, fault }| (moves(record), fault.as_ref().map(|fault| fault.mv)))
            .collect();
        let expected = [("", Some(Some(1))), ("7g7f", None), ("", Some(None)), ("2g2f", None), ("", None)];
        assert_eq!(told, expected.map(|(moves, fault)| (moves.to_owned(), fault)), "{name}");
    }
}

#[test]
fn stated_endings() {
    use Side::{First, Second};
    for (csa, kif, ending) in [
        ("%TORYO", "投了", won(First, "resignation")),
        ("%TIME_UP", "切れ負け", won(First, "time")),
        ("%ILLEGAL_MOVE", "反則負け", won(First, "illegal")),
        ("%-ILLEGAL_ACTION", "反則負け", won(First, "illegal")),
        ("%+ILLEGAL_ACTION", "反則勝ち", won(Second, "illegal")),
        ("%JISHOGI", "持将棋", drawn("impasse")),
        ("%HIKIWAKE", "引き分け", drawn("agreement")),
        ("%MAX_MOVES", "最大手数", drawn("move-limit")),
        ("%CHUDAN", "中断", None),
        ("%MATTA", "中断", None),
        ("%FUZUMI", "不詰", None),
        ("%ERROR", "中断", None),
    ] {
        let from_csa = one("csa", format!("PI\n+\n+7776FU\n{csa}\n"));
        let from_kif = one("kif", format!("手合割：平手\n1 ７六歩(77)\n2 {kif}\n"));
        assert_eq!((from_csa.ending(), from_kif.ending()), (ending, ending), "{csa}");
        for name in ["csa", "kif", "kif-sjis", "ki2"] {
            let written = Shogi::write(format(name), &from_csa).expect("a word for the ending");
            assert_eq!(one(name, &written).ending(), ending, "{csa} in {name}");
        }
    }
    for (kif, ending) in [("不戦勝", won(Second, "forfeit")), ("不戦敗", won(First, "forfeit"))] {
        let record = one("kif", format!("手合割：平手\n1 ７六歩(77)\n2 {kif}\n"));
        assert_eq!(record.ending(), ending);
        let refused = Shogi::write(format("csa"), &record).expect_err("CSA knows no forfeit");
        assert!(refused.contains("forfeit"), "{refused}");
    }
    let timed_out = one("csa", "PI\n+\n+7776FU\n%TIME_UP\n");
    assert!(Shogi::write(format("usi"), &timed_out).is_err());
}

#[test]
fn endings_the_board_does_not_show_are_faults() {
    for (text, said) in [("%TSUMI", "not mated"), ("%SENNICHITE", "1 times"), ("%KACHI", "does not hold")] {
        let (mv, found, message) = fault("csa", &format!("PI\n+\n+7776FU\n{text}\n"));
        assert_eq!((mv, found.as_str()), (Some(2), text));
        assert!(message.contains(said), "{message}");
    }
    for text in ["詰み", "千日手", "入玉勝ち"] {
        assert_eq!(fault("kif", &format!("手合割：平手\n1 ７六歩(77)\n2 {text}\n")).0, Some(2));
    }
    assert_eq!(fault("usi", "startpos moves 7g7f win").0, Some(2));
}

#[test]
fn mate_may_be_stated_in_any_words_that_agree() {
    let start = "P-51OU\nP+53FU59OU00KI\n+\n+0052KI\n";
    for word in ["", "%TSUMI\n", "%TORYO\n", "%CHUDAN\n"] {
        assert_eq!(one("csa", format!("{start}{word}")).ending(), won(Side::First, "checkmate"), "{word}");
    }
    for word in ["%KACHI", "%SENNICHITE", "%JISHOGI", "%+ILLEGAL_ACTION", "-5152OU"] {
        let (mv, text, message) = fault("csa", &format!("{start}{word}\n"));
        assert_eq!((mv, text.as_str()), (Some(2), word));
        assert!(message.contains("checkmate"), "{message}");
    }
}

#[test]
fn the_fourth_occurrence_ends_the_record() {
    let dance = ["5i5h", "5a5b", "5h5i", "5b5a"];
    let thrice: Vec<&str> = dance.iter().cycle().take(12).copied().collect();
    let record = one("usi", format!("startpos moves {}", thrice.join(" ")));
    assert_eq!(record.ending(), drawn("repetition"));
    let (mv, text, _) = fault("usi", &format!("startpos moves {} 7g7f", thrice.join(" ")));
    assert_eq!((mv, text.as_str()), (Some(13), "7g7f"));
    let csa = String::from_utf8(Shogi::write(format("csa"), &record).expect("%SENNICHITE")).expect("ASCII");
    assert!(csa.ends_with("%SENNICHITE\n/\n"), "{csa}");
    assert_eq!(fault("csa", &csa.replace("%SENNICHITE", "+7776FU")).0, Some(13));
    assert_eq!(fault("csa", &csa.replace("%SENNICHITE", "%TORYO")).0, Some(13));
    assert_eq!(one("csa", csa.replace("%SENNICHITE\n", "")).ending(), drawn("repetition"));
}

#[test]
fn perpetual_check_loses() {
    let chase: Vec<&str> = ["9a8a", "9i8i", "8a9a", "8i9i"].iter().cycle().take(12).copied().collect();
    let record = one("usi", format!("{CHASE} moves {}", chase.join(" ")));
    let ending = won(Side::Second, "perpetual-check");
    assert_eq!(record.ending(), ending);
    for (name, word) in [("csa", "%+ILLEGAL_ACTION"), ("kif", "反則勝ち"), ("ki2", "反則勝ち")] {
        let written = Shogi::write(format(name), &record).expect("a foul");
        assert!(String::from_utf8_lossy(&written).contains(word));
        assert_eq!(one(name, &written).ending(), ending, "{name}");
    }
}

#[test]
fn declarations_are_checked() {
    let record = one("usi", format!("sfen {ENTERED} moves win"));
    assert_eq!(record.ending(), won(Side::First, "declaration"));
    for (name, word) in [("csa", "%KACHI"), ("kif", "入玉勝ち"), ("ki2", "先手の入玉勝ち"), ("usi", "win")]
    {
        let written =
            String::from_utf8(Shogi::write(format(name), &record).expect("a declaration")).expect("UTF-8");
        assert!(written.contains(word), "{written}");
        assert_eq!(one(name, &written).ending(), record.ending());
    }
    // Without the pawns in hand two points are missing.
    let (mv, _, message) = fault("usi", &format!("sfen {} moves win", ENTERED.replace("2P", "-")));
    assert_eq!(mv, Some(1));
    assert!(message.contains("28 points"), "{message}");
}

#[test]
fn kif_with_variations_in_both_encodings() {
    assert_eq!(Shogi::detect(VARIATIONS.as_bytes()).name, "kif");
    assert_eq!(Shogi::detect(SHIFT_JIS).name, "kif-sjis");
    let marked = format!("\u{feff}{VARIATIONS}");
    let cut = &SHIFT_JIS[..SHIFT_JIS.len() - 1];
    for file in [VARIATIONS.as_bytes(), marked.as_bytes(), SHIFT_JIS, cut] {
        let readings = read("kif", file);
        assert_eq!(readings.len(), 2);
        assert!(readings.iter().all(|reading| reading.fault.is_none()), "{readings:?}");
        let (first, second) = (&readings[0].record, &readings[1].record);
        assert_eq!(moves(first), "2g2f 3c3d 7g7f 2b8h+ 7i8h B*4e");
        assert_eq!(first.ending(), won(Side::Second, "resignation"));
        assert_eq!((first.tag(tags::FIRST), first.tag(tags::SECOND)), (Some("あやめ"), Some("ぼたん")));
        assert_eq!((first.tag(tags::EVENT), first.tag("備考")), (Some("試験戦"), Some("変化のある棋譜")));
        assert_eq!(first.comment, "開始のことば");
        assert_eq!(first.plies()[1].comment, "よくある手\n&しおり");
        assert_eq!(first.plies()[2].time, Some(Duration::from_secs(61)));
        assert_eq!(first.plies()[5].comment, "");
        assert_eq!(second.start().print(), "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
        assert_eq!((second.tag(tags::FIRST), second.tag(tags::SECOND)), (Some("かえで"), Some("さくら")));
        assert_eq!((moves(second).as_str(), second.ending()), ("7a6b 7g7f", None));
    }
}

#[test]
fn kif_drawn_board() {
    let record = one("kif", DIAGRAM);
    assert_eq!(record.start().print(), "8k/7g1/5+S+N1p/9/9/3+B5/P7P/4+r4/K7+L w B3G2Sr11p 89");
    assert_eq!(moves(&record), "P*9h 9i8i");
    assert_eq!(record.tag(tags::SECOND), Some("つめ"));
    let written = Shogi::write(format("kif"), &record).expect("a drawn board");
    let again = one("kif", &written);
    assert_eq!(again.start(), record.start());
    assert_eq!(moves(&again), moves(&record));
    assert_eq!(again.tags, record.tags);
    let short = DIAGRAM.lines().filter(|line| !line.ends_with("|五")).collect::<Vec<_>>().join("\n");
    assert!(fault("kif", &short).2.contains("not 8"));
}

#[test]
fn kif_handicaps() {
    let lower = "ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    for (name, upper) in [
        ("香落ち", "lnsgkgsn1/1r5b1"),
        ("右香落ち", "1nsgkgsnl/1r5b1"),
        ("角落ち", "lnsgkgsnl/1r7"),
        ("飛車落ち", "lnsgkgsnl/7b1"),
        ("飛香落ち", "lnsgkgsn1/7b1"),
        ("二枚落ち", "lnsgkgsnl/9"),
        ("三枚落ち", "lnsgkgsn1/9"),
        ("四枚落ち", "1nsgkgsn1/9"),
        ("五枚落ち", "2sgkgsn1/9"),
        ("左五枚落ち", "1nsgkgs2/9"),
        ("六枚落ち", "2sgkgs2/9"),
        ("八枚落ち", "3gkg3/9"),
        ("十枚落ち", "4k4/9"),
    ] {
        let record = one("kif", format!("手合割：{name}　\n下手：L\n上手：U\n1 ４二玉(51)\n"));
        assert_eq!(record.start().print(), format!("{upper}/{lower}"), "{name}");
        assert_eq!((record.tag(tags::FIRST), record.tag(tags::SECOND)), (Some("L"), Some("U")));
        for format in Shogi::FORMATS {
            let written = Shogi::write(*format, &record).expect("a handicap game");
            assert_eq!(one(format.name, &written).start(), record.start(), "{name} in {}", format.name);
        }
    }
    assert_eq!(fault("kif", "手合割：片手落ち\n1 ４二玉(51)\n").1, "片手落ち");
}

#[test]
fn kif_is_read_leniently() {
    for text in [
        "手合割:平手\n 1 7六歩(77)\n 2 ３四歩(33)\n",
        "手合割 ： 平手\n１　▲７６歩（７７）\n２　△３四歩(33)(0:01/)\n",
        "1 ７六歩(77)\n2 ３四歩(33)\n*first\n",
        "  26 ７六歩(77)\r\n  27 ３四歩(33)\r\n",
        "# no header\n手数----指手--\n1 ７六歩\n2 ３四歩\n",
    ] {
        assert_eq!(moves(&one("kif", text)), "7g7f 3c3d", "{text}");
    }
    let two = read("kif", "1 ７六歩(77)\n2 ３四歩(33)\n1 ２六歩(27)\n");
    assert_eq!(two.iter().map(|reading| moves(&reading.record)).collect::<Vec<_>>(), ["7g7f 3c3d", "2g2f"]);
    for (text, number, message) in [
        ("1 ７六歩(77)\n3 ３四歩(33)", 2, "number 2 comes next"),
        ("1 ７六銀(77)", 1, "on ７七 stands 歩, not 銀"),
        ("1 ７六歩(76)", 1, "on ７六 stands nothing, not 歩"),
        ("1 ７六歩(33)", 1, "on ３三 stands the other player's 歩, not 歩"),
        ("1 同　歩(77)", 1, "同 needs a move before it"),
        ("1 ５五歩打", 1, "there is no 歩 in hand"),
        ("1 ５八金", 1, "it could be the 金 of"),
        ("1 ７四歩", 1, "no such 歩 can go to ７四"),
        ("1 逃亡", 1, "a move begins with its square"),
        ("1 ７六", 1, "a piece follows the square"),
        ("1 ７六歩(77)\n2 投了\n3 ３四歩(33)", 2, "no move may follow 投了"),
        ("1 ７六歩(77)\n2 投了\nまで1手で後手の勝ち", 0, "the record had ended otherwise"),
    ] {
        let (mv, _, told) = fault("kif", &format!("手合割：平手\n{text}\n"));
        assert_eq!(mv.unwrap_or(0), number, "{text}: {told}");
        assert!(told.starts_with(message), "{text}: {told}");
    }
}

#[test]
fn closing_lines_tell_the_ending_where_no_move_did() {
    for (line, ending) in [
        ("まで1手で先手の勝ち", won(Side::First, "resignation")),
        ("まで、1手で あやめの勝ち", won(Side::First, "resignation")),
        ("まで1手で時間切れにより先手の勝ち", won(Side::First, "time")),
        ("まで1手で後手の反則負け", won(Side::First, "illegal")),
        ("まで1手で持将棋", drawn("impasse")),
        ("まで1手で中断", None),
        ("まで1手で誰かの勝ち", None),
    ] {
        assert_eq!(one("kif", format!("先手：あやめ\n1 ７六歩(77)\n{line}\n")).ending(), ending, "{line}");
    }
}

#[test]
fn ki2_tells_pieces_apart() {
    let record = one("ki2", BOOK);
    assert_eq!(Shogi::detect(BOOK.as_bytes()).name, "ki2");
    assert_eq!(moves(&record), "7g7f 3c3d 8h2b+ 3a2b B*4e 2b3c 4e6c+");
    assert_eq!(record.ending(), won(Side::First, "resignation"));
    assert_eq!(record.plies()[4].comment, "馬を作りに行く");
    for (board, usi, ki2) in [
        // Golds beside, below and above one another.
        ("4k4/9/9/9/9/9/3GGG3/9/4K4 b - 1", "5g5f", "▲５六金直"),
        ("4k4/9/9/9/9/9/3GGG3/9/4K4 b - 1", "6g5f", "▲５六金左"),
        ("4k4/9/9/9/9/9/3GGG3/9/4K4 b - 1", "4g5f", "▲５六金右"),
        ("4k4/9/9/4G4/9/3G5/9/9/4K4 b - 1", "5d5e", "▲５五金引"),
        ("4k4/9/9/4G4/9/3G5/9/9/4K4 b - 1", "6f5e", "▲５五金上"),
        ("4k4/9/9/9/9/3S5/9/3S5/4K4 b - 1", "6h5g", "▲５七銀上"),
        ("4k4/9/9/9/3S1S3/9/3S1S3/9/4K4 b - 1", "6e5f", "▲５六銀左引"),
        ("4k4/9/9/9/3S1S3/9/3S1S3/9/4K4 b - 1", "4g5f", "▲５六銀右上"),
        // Seen from the other side.
        ("4k4/9/3ggg3/9/9/9/9/9/4K4 w - 1", "6c5d", "△５四金右"),
        ("4k4/9/3ggg3/9/9/9/9/9/4K4 w - 1", "5c5d", "△５四金直"),
        // Two dragons are left and right of one another.
        ("4k4/9/9/9/9/9/9/9/+R3K3+R b - 1", "9i8h", "▲８八龍"),
        ("8k/9/9/9/9/9/2+R1+R4/9/4K4 b - 1", "5g6f", "▲６六龍右"),
        ("8k/9/9/9/9/9/2+R1+R4/9/4K4 b - 1", "7g6f", "▲６六龍左"),
        // Dropped where a piece of the board could go, and where none could.
        ("4k4/9/9/9/9/9/4G4/9/4K4 b G 1", "G*5f", "▲５六金打"),
        ("4k4/9/9/9/9/9/4G4/9/4K4 b G 1", "G*1f", "▲１六金"),
        ("4k4/9/9/4S4/9/9/9/9/4K4 b - 1", "5d5c+", "▲５三銀成"),
        ("4k4/9/9/4S4/9/9/9/9/4K4 b - 1", "5d5c", "▲５三銀不成"),
        ("4k4/9/4+S4/9/9/9/9/9/4K4 b - 1", "5c6c", "▲６三成銀"),
    ] {
        let record = one("usi", format!("sfen {board} moves {usi}"));
        let written =
            String::from_utf8(Shogi::write(format("ki2"), &record).expect("a legal move")).expect("UTF-8");
        assert!(
            written.contains(&format!("\n{ki2}　\n")) || written.contains(&format!("\n{ki2}\n")),
            "{ki2}: {written}"
        );
        assert_eq!(moves(&one("ki2", &written)), usi, "{written}");
    }
    assert!(fault("ki2", "▲７六歩 ▲２六歩\n").2.contains('△'));
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
    assert!(
        text.contains("   1 ７六歩(77)   ( 0:16/00:00:16)\n   2 ３四歩(33)   ( 1:01/00:01:01)\n"),
        "{text}"
    );
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
    for (name, tag) in [("csa", "a:b"), ("kif", "手合割"), ("kif", "まで"), ("kif", "12 "), ("kif", "*")]
    {
        let mut record = one("usi", "startpos moves 7g7f");
        record.set_tag(tag, "x");
        assert!(Shogi::write(format(name), &record).is_err(), "{tag} in {name}");
    }
    // A resignation out of turn has no word in any of them.
    let mut record = one("usi", "startpos moves 7g7f");
    record.end(Ending { winner: Some(Side::Second), reason: "resignation" }).expect("an open record");
    for format in Shogi::FORMATS {
        assert!(Shogi::write(*format, &record).is_err(), "{}", format.name);
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

#[test]
fn damaged_samples_give_what_is_left_of_them() {
    for sample in
        [TWO_GAMES.as_bytes(), VARIATIONS.as_bytes(), SHIFT_JIS, DIAGRAM.as_bytes(), BOOK.as_bytes()]
    {
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

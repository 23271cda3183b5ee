//! How records say a game ended, and when the board contradicts.

use tesuji_game::{Formats, Side};
use tesuji_shogi::Shogi;

use super::{CHASE, ENTERED, drawn, fault, format, one, won};

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
        let csa = String::from_utf8(Shogi::write(format("csa"), &record).expect("any ending")).expect("ASCII");
        assert!(csa.contains("\n'summary:forfeit:") && csa.ends_with("%CHUDAN\n/\n"), "{csa}");
        assert_eq!(one("csa", &csa).ending(), ending);
    }
    // USI has no word for it: the moves are written and the ending is not.
    let timed_out = one("csa", "PI\n+\n+7776FU\n%TIME_UP\n");
    assert_eq!(Shogi::write(format("usi"), &timed_out).expect("the moves"), b"startpos moves 7g7f\n");
}

#[test]
fn endings_without_a_word_are_told_by_a_comment() {
    let mut record = one("usi", "startpos moves 7g7f");
    record.set_tag("first", "A");
    record.end(won(Side::First, "adjudicated-win").expect("an ending")).expect("an open record");
    for (name, lines) in [
        ("csa", "+7776FU\n'summary:adjudicated-win:A win:second lose\n%CHUDAN\n/\n"),
        ("kif", "   1 ７六歩(77)\n*ending: first adjudicated-win\n   2 中断\nまで1手で先手の勝ち\n"),
        ("ki2", "▲７六歩　\n*ending: first adjudicated-win\nまで1手で先手の勝ち\n"),
    ] {
        let written = String::from_utf8(Shogi::write(format(name), &record).expect("any ending")).expect("UTF-8");
        assert!(written.ends_with(lines), "{written}");
        let again = one(name, &written);
        assert_eq!((again.ending(), again.comment.as_str()), (record.ending(), ""), "{written}");
    }
    // The summaries of servers have words of their own; the statement beside them counts.
    let served = one("csa", "PI\n+\n+7776FU\n%TORYO\n'summary:toryo:A win:B lose\n");
    assert_eq!(served.ending(), won(Side::First, "resignation"));
    let contradiction = one("csa", "PI\n+\n+7776FU\n'summary:time:A lose:B win\n%TORYO\n");
    assert_eq!(contradiction.ending(), won(Side::First, "resignation"));
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
    for (name, word) in [("csa", "%KACHI"), ("kif", "入玉勝ち"), ("ki2", "先手の入玉勝ち"), ("usi", "win")] {
        let written = String::from_utf8(Shogi::write(format(name), &record).expect("a declaration")).expect("UTF-8");
        assert!(written.contains(word), "{written}");
        assert_eq!(one(name, &written).ending(), record.ending());
    }
    // Without the pawns in hand two points are missing.
    let (mv, _, message) = fault("usi", &format!("sfen {} moves win", ENTERED.replace("2P", "-")));
    assert_eq!(mv, Some(1));
    assert!(message.contains("28 points"), "{message}");
}

/// The board decides, and the word of the source is kept beside it: a player who resigned in a mate is not rewritten.
#[test]
fn the_word_of_the_source_is_kept_beside_the_verdict_of_the_board() {
    let start = "P-51OU\nP+53FU59OU00KI\n+\n+0052KI\n";
    for (word, stated) in [
        ("", None),
        ("%TSUMI\n", Some("checkmate")),
        ("%TORYO\n", Some("resignation")),
        ("%CHUDAN\n", Some("unfinished")),
    ] {
        let record = one("csa", format!("{start}{word}"));
        assert_eq!((record.stated(), record.board_ending()), (stated, won(Side::First, "checkmate")), "{word}");
    }
    let resigned = one("csa", format!("{start}%TORYO\n"));
    for (name, word) in [("csa", "%TORYO"), ("kif", "投了")] {
        let text = String::from_utf8(Shogi::write(format(name), &resigned).unwrap()).unwrap();
        assert!(text.contains(word), "{text}");
        let again = one(name, text);
        assert_eq!((again.stated(), again.ending()), (Some("resignation"), won(Side::First, "checkmate")));
    }
    let early = one("csa", "PI\n+\n+7776FU\n%TORYO\n");
    assert_eq!((early.stated(), early.board_ending()), (Some("resignation"), None));
}

#[test]
fn the_summary_of_a_server_is_a_tag_that_survives() {
    let served =
        one("csa", "PI\n+\n+7776FU\n%TORYO\n'summary:abnormal:A b win:C lose\n'$END_TIME:2016/01/03 20:35:56\n");
    assert_eq!((served.summary(), served.ending()), (Some("abnormal"), won(Side::First, "resignation")));
    for name in ["csa", "kif"] {
        let text = String::from_utf8(Shogi::write(format(name), &served).unwrap()).unwrap();
        let again = one(name, text);
        assert_eq!(again.tag("summary"), Some("abnormal:A b win:C lose"), "{name}");
        assert_eq!(again.ending(), served.ending(), "{name}");
    }
    assert_eq!(one("csa", "PI\n+\n+7776FU\n%TORYO\n").summary(), None);
}

#[test]
fn fields_between_tabs_are_read_as_usi() {
    let line = "cup_1\t%TORYO\t1\tsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\t7g7f";
    assert_eq!(Shogi::detect(line.as_bytes()), format("usi"));
    let record = one("usi", line);
    assert_eq!((record.tag("event"), record.ending()), (Some("cup_1"), won(Side::First, "resignation")));
    // The illegal move is not there; the winner is.
    let foul = one("usi", line.replace("%TORYO\t1", "%ILLEGAL_MOVE\t2"));
    assert_eq!((foul.plies().len(), foul.ending()), (1, won(Side::Second, "illegal")));
    assert_eq!(one("usi", line.replace("%TORYO\t1", "%CHUDAN\t0")).ending(), None);
    assert_eq!(fault("usi", &line.replace("7g7f", "7g7e")).0, Some(1));
    assert_eq!(fault("usi", &line.replace("%TORYO", "%LUCK")).1, "%LUCK");
    assert_eq!(fault("usi", &line.replace("sfen", "nfes")).1, "nfes");
}

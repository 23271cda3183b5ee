//! KIF: both encodings, variations, drawn boards, handicaps, and much leniency.

use std::time::Duration;

use tesuji_game::{Formats, Notation, Record, Side, tags};
use tesuji_shogi::Shogi;

use super::{DIAGRAM, SHIFT_JIS, VARIATIONS, drawn, fault, format, moves, one, read, won};

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
        let lines: Vec<_> = first.variations().iter().map(|line| (line.parent(), line.after())).collect();
        assert_eq!(lines, [(0, 2), (0, 0)]);
        assert_eq!(first.variations()[0].plies()[0].comment, "この変化は読み飛ばされる");
        assert_eq!(line(first, 1), "2g2f 3c3d 2f2e 2b3c");
        assert_eq!(
            (line(first, 2).as_str(), first.variations()[1].ending()),
            ("7g7f", won(Side::First, "resignation"))
        );
        assert_eq!(second.start().print(), "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
        assert_eq!((second.tag(tags::FIRST), second.tag(tags::SECOND)), (Some("かえで"), Some("さくら")));
        assert_eq!((moves(second).as_str(), second.ending()), ("7a6b 7g7f", None));
    }
}

fn line(record: &Record<Shogi>, number: usize) -> String {
    record.line(number).expect("a line").map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn variations_survive_kif_and_ki2() {
    let text = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n4 ８四歩(83)\n5 投了\n\
        変化：4手\n4 ４四歩(43)\n*second\n5 ２五歩(26)\n6 ３三角(22)\n\
        変化：6手\n6 ３二銀(31)\n\
        変化：4手\n4 ３三角(22)\n5 投了\n\
        変化：2手\n2 ８四歩(83)\n3 ２六歩(27)\n";
    let record = one("kif", text);
    let tree = |record: &Record<Shogi>| {
        let lines = record.variations().iter().zip(1..);
        lines
            .map(|(branch, number)| (branch.parent(), branch.after(), line(record, number), branch.ending()))
            .collect::<Vec<_>>()
    };
    let expected = [
        (0, 3, "7g7f 3c3d 2g2f 4c4d 2f2e 2b3c", None),
        (1, 5, "7g7f 3c3d 2g2f 4c4d 2f2e 3a3b", None),
        (0, 3, "7g7f 3c3d 2g2f 2b3c", won(Side::Second, "resignation")),
        (0, 1, "7g7f 8c8d 2g2f", None),
    ];
    assert_eq!(tree(&record), expected.map(|(parent, after, line, ending)| (parent, after, line.to_owned(), ending)));
    for name in ["kif", "kif-sjis", "ki2"] {
        let written = Shogi::write(format(name), &record).expect("variations");
        let again = one(name, &written);
        assert_eq!(tree(&again), tree(&record), "{name}");
        assert_eq!(again.variations()[0].plies()[0].comment, "second");
        assert_eq!((moves(&again), again.ending()), (moves(&record), record.ending()));
    }
    // Added in any order, they are written so that each is read where it belongs.
    let mut built = record.up_to(9);
    for number in [4, 1, 3] {
        let branch = &record.variations()[number - 1];
        built.branch(0, branch.after(), &record.line_up_to(number, 99).expect("a line")).expect("a branch");
    }
    let again = one("kif", Shogi::write(format("kif"), &built).expect("variations"));
    let mut lines: Vec<String> = (1..=3).map(|number| line(&again, number)).collect();
    lines.sort();
    assert_eq!(lines, ["7g7f 3c3d 2g2f 2b3c", "7g7f 3c3d 2g2f 4c4d 2f2e 2b3c", "7g7f 8c8d 2g2f"]);
}

#[test]
fn a_bad_variation_spoils_neither_the_game_nor_the_next() {
    let record = one(
        "kif",
        "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n変化：9手\n9 ２六歩(27)\n変化：2手\n2 ８四歩(83)\n3 ２五歩(27)\n4 ８五歩(84)\n\
         変化：1手\n1 ２六歩(27)\n",
    );
    assert_eq!(moves(&record), "7g7f 3c3d");
    let faults: Vec<_> = record.variations().iter().map(|line| line.fault().map(ToString::to_string)).collect();
    assert_eq!(faults.len(), 3);
    assert!(faults[0].as_ref().is_some_and(|fault| fault.contains("no more than 2 moves")), "{faults:?}");
    assert!(faults[1].as_ref().is_some_and(|fault| fault.starts_with("move 3, ")), "{faults:?}");
    assert_eq!(faults[2], None);
    assert_eq!((line(&record, 2).as_str(), line(&record, 3).as_str()), ("7g7f 8c8d", "2g2f"));
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

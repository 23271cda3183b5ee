//! Hand-made games and positions for every name.

use tesuji_game::Notation;

use super::*;
use crate::Square;

fn record(moves: &str) -> Record<Shogi> {
    let mut record = Record::new(Shogi::start());
    Shogi::read_moves(&mut record, moves).unwrap_or_else(|fault| panic!("{moves}: {fault}"));
    record
}

/// The Japanese names with the side before them.
fn names(moves: &str) -> Vec<String> {
    let side = |side: Option<Side>| side.map_or(String::new(), |side| format!("{side} "));
    Shogi::openings(&record(moves)).iter().map(|name| format!("{}{}", side(name.side), name.native)).collect()
}

#[test]
fn games_show_strategy_and_castle_of_both_sides() {
    let fourth_file = "7g7f 3c3d 6g6f 8c8d 2h6h 8d8e 8h7g 7a6b 7i7h 5a4b 5i4h 4b3b 4h3h 5c5d 3h2h 6a5b 3i3h 1c1d";
    assert_eq!(names(fourth_file), ["first 四間飛車", "first 片美濃囲い", "second 舟囲い"]);
    let mino = format!("{fourth_file} 6i5h 1d1e");
    assert_eq!(names(&mino), ["first 四間飛車", "first 美濃囲い", "second 舟囲い"]);
    // A castle that loses a gold keeps its name.
    let after = format!("{mino} 5h6g 9c9d");
    assert_eq!(names(&after), names(&mino));
    let high = format!("{mino} 4g4f 9c9d 5h4g 9d9e");
    assert_eq!(names(&high), ["first 四間飛車", "first 高美濃囲い", "second 舟囲い"]);
}

#[test]
fn openings_of_static_rook() {
    let yagura = "7g7f 8c8d 7i6h 3c3d 6h7g 7a6b 2g2f 3a4b 3i4h 4b3c 6i7h 4a3b";
    assert_eq!(names(yagura), ["first 矢倉", "second 矢倉"]);
    let exchange = "7g7f 8c8d 2g2f 8d8e 8h7g 3c3d 7i6h 4a3b 6i7h 2b7g+ 6h7g";
    assert_eq!(names(exchange), ["角換わり"]);
    let one_turn_loss = "7g7f 3c3d 2g2f 8c8d 6i7h 4a3b 2f2e 2b8h+ 7i8h";
    assert_eq!(names(one_turn_loss), ["一手損角換わり"]);
    let climbing = format!("{exchange} 3a2b 3i3h 2b3c 3h2g");
    assert_eq!(names(&climbing), ["角換わり", "first 棒銀"]);
    let double_wing = "2g2f 8c8d 2f2e 8d8e 6i7h 4a3b";
    assert_eq!(names(double_wing), ["相掛かり"]);
    let side_pawn = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d";
    assert_eq!(names(side_pawn), ["first 横歩取り"]);
}

#[test]
fn openings_of_ranging_rook() {
    assert_eq!(names("7g7f 3c3d 2g2f 5c5d 2f2e 8b5b"), ["second ゴキゲン中飛車"]);
    assert_eq!(names("7g7f 3c3d 7f7e 8b3b 2h7h"), ["相振り飛車", "first 早石田", "second 三間飛車"]);
    let exchanged = "7g7f 3c3d 2g2f 8b4b 8h2b+ 3a2b";
    assert_eq!(names(exchanged), ["second 角交換四間飛車"]);
}

#[test]
fn nothing_is_named_where_nothing_is_known() {
    assert_eq!(names(""), [""; 0]);
    assert_eq!(names("7g7f 3c3d 2g2f"), [""; 0]);
    // The same castle in a problem is none.
    let problem = Shogi::parse("4k4/9/9/9/9/9/9/4G1SK1/5G3 b - 1").unwrap();
    let mut record = Record::new(problem);
    Shogi::read_moves(&mut record, "2h1h 5a4a 1h2h").unwrap();
    assert_eq!(Shogi::openings(&record), []);
}

/// A board with the first choice of each word of a pattern, seen by one side, as SFEN.
fn board(pattern: &str, side: Side) -> Shogi {
    let mut squares: Vec<(Square, char)> = Vec::new();
    let mut hands = String::new();
    for word in pattern.split_whitespace().filter(|word| !word.starts_with('!')) {
        let choice = word.split('/').next().unwrap();
        let (letter, square) = choice.split_at(1);
        let letter = letter.chars().next().unwrap();
        let letter = if side == Side::First { letter } else { swap(letter) };
        match square {
            "*" => hands.push(letter),
            square => squares.push((turned(Square::parse(square).unwrap(), side), letter)),
        }
    }
    // Both sides need a king, where the pattern has none.
    for (letter, square) in [('K', "5i"), ('k', "5a")] {
        if squares.iter().all(|(_, known)| *known != letter) {
            squares.push((Square::parse(square).unwrap(), letter));
        }
    }
    // A gold shields the other king from a rook on its file.
    let (square, gold) = if side == Side::First { ("5b", 'g') } else { ("5h", 'G') };
    squares.push((Square::parse(square).unwrap(), gold));
    // SFEN writes black's hand first.
    let mut letters: Vec<char> = hands.chars().collect();
    letters.sort_by_key(|letter| letter.is_ascii_lowercase());
    let hands: String = letters.into_iter().collect();
    let rows: Vec<String> = (1..=9)
        .map(|rank| {
            let piece = |file: u8| {
                let square = Square::new(file, rank).unwrap();
                squares
                    .iter()
                    .find(|(known, _)| *known == square)
                    .map_or("1".to_owned(), |(_, letter)| letter.to_string())
            };
            (1..=9).rev().map(piece).collect()
        })
        .collect();
    let hands = if hands.is_empty() { "-".to_owned() } else { hands };
    let text = format!("{} b {hands} 1", rows.join("/"));
    Shogi::parse(&text).unwrap_or_else(|error| panic!("{pattern}: {text}: {error}"))
}

fn swap(letter: char) -> char {
    if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
}

fn turned(square: Square, side: Side) -> Square {
    match side {
        Side::First => square,
        Side::Second => Square::new(10 - square.file(), 10 - square.rank()).unwrap(),
    }
}

#[test]
fn every_pattern_is_found_by_both_sides_and_only_where_it_is() {
    for (table, least) in [(ROOKS, 14), (SILVERS, 8), (CASTLES, 15), (JOINT, 3)] {
        assert!(table.len() >= least);
        for entry in table {
            let pattern = Pattern::parse(entry.pattern).unwrap_or_else(|| panic!("{}", entry.pattern));
            for side in Side::BOTH {
                let there = board(entry.pattern, side);
                assert!(pattern.matches(&there, side), "{} {side}", entry.pattern);
                // What both sides make together may look the same to both.
                let is_joint = entry.pattern.contains("r8b");
                assert!(is_joint || !pattern.matches(&there, !side), "{} {side}", entry.pattern);
            }
            assert!(!pattern.matches(&Shogi::start(), Side::First), "{}", entry.pattern);
        }
    }
    assert!(ROOKS.len() + SILVERS.len() + JOINT.len() + 1 >= 20);
    for wrong in ["K", "X2h", "K2", "Kk2", "K0a"] {
        assert!(Pattern::parse(wrong).is_none(), "{wrong}");
    }
}

//! Boards and results as GTP tells them.

use tesuji_game::{Game, MoveList, Notation, Side};
use tesuji_othello::{Moves, Othello, Square};

/// The name of the game.
pub(super) const GAME: &str = "Othello";

/// The board for people: row 1 on top, as Othello players have it.
pub(super) fn drawn(game: &Othello) -> String {
    let mut text = "  A B C D E F G H\n".to_owned();
    for row in 0..8 {
        text += &format!("{} {}\n", row + 1, signs(game, row));
    }
    text + &format!("{} to move", colour(game.mover()))
}

/// The board as GoGui reads it: the row with the highest number first, because it draws row 1 at the bottom.
pub(super) fn rows(game: &Othello) -> String {
    (0..8).rev().map(|row| signs(game, row)).collect::<Vec<_>>().join("\n")
}

fn signs(game: &Othello, row: u8) -> String {
    let sign = |column| {
        let bit = Square::at(column, row).map_or(0, Square::bit);
        match Side::BOTH.map(|side| game.discs(side) & bit != 0) {
            [true, _] => "X",
            [_, true] => "O",
            _ => ".",
        }
    };
    (0..8).map(sign).collect::<Vec<_>>().join(" ")
}

/// The moves of the mover; nothing when the game is over.
pub(super) fn moves(game: &Othello) -> String {
    let mut list = Moves::default();
    game.clone().moves(&mut list);
    list.each().map(|mv| vertex(&game.print_move(mv))).collect::<Vec<_>>().join(" ")
}

/// A move as GTP writes it: `F5`, `pass`.
pub(super) fn vertex(mv: &str) -> String {
    if mv == "pass" { mv.to_owned() } else { mv.to_ascii_uppercase() }
}

/// `B+12`, `W+4`, `0`; nothing before the end.
pub(super) fn score(game: &Othello) -> Option<String> {
    let black = black(game)?;
    Some(match black {
        0 => "0".to_owned(),
        1.. => format!("B+{black}"),
        _ => format!("W+{}", -black),
    })
}

/// The result for people.
pub(super) fn result(game: &Othello) -> String {
    match black(game) {
        None => "unknown".to_owned(),
        Some(0) => "Draw".to_owned(),
        Some(lead @ 1..) => format!("Black wins by {lead}"),
        Some(lead) => format!("White wins by {}", -lead),
    }
}

/// Black's lead at the end, the empty squares counted for whoever leads.
fn black(game: &Othello) -> Option<i32> {
    let lead = if game.mover() == Side::First { game.score() } else { -game.score() };
    game.is_over().then_some(lead)
}

/// The word for a colour.
pub(super) fn colour(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

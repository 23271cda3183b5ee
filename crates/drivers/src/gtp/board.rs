//! Boards, moves and results as GTP writes them.

use tesuji_game::{Game, MoveList, Notation, Side};
use tesuji_othello::{Moves, Othello, Square};

/// The name of the game.
pub(super) const GAME: &str = "Othello";

/// The board for people, with row 1 on top, as Othello players draw it.
pub(super) fn draw(game: &Othello) -> String {
    let mut text = "  A B C D E F G H\n".to_owned();
    for row in 0..8 {
        text += &format!("{} {}\n", row + 1, row_text(game, row));
    }
    text + &format!("{} to move", colour(game.mover()))
}

/// The board for GoGui, which draws row 1 at the bottom: row 8 comes first.
pub(super) fn rows(game: &Othello) -> String {
    (0..8).rev().map(|row| row_text(game, row)).collect::<Vec<_>>().join("\n")
}

fn row_text(game: &Othello, row: u8) -> String {
    let disc = |column| {
        let bit = Square::at(column, row).map_or(0, Square::bit);
        match Side::BOTH.map(|side| game.discs(side) & bit != 0) {
            [true, _] => "X",
            [_, true] => "O",
            _ => ".",
        }
    };
    (0..8).map(disc).collect::<Vec<_>>().join(" ")
}

/// The legal moves; empty when the game is over.
pub(super) fn moves(game: &Othello) -> String {
    let mut list = Moves::default();
    game.clone().moves(&mut list);
    list.each().map(|mv| vertex(&game.print_move(mv))).collect::<Vec<_>>().join(" ")
}

/// A move as GTP writes it: `F5`, `pass`.
pub(super) fn vertex(mv: &str) -> String {
    if mv == "pass" { mv.to_owned() } else { mv.to_ascii_uppercase() }
}

/// `B+12`, `W+4` or `0`; `None` before the end.
pub(super) fn score(game: &Othello) -> Option<String> {
    let lead = black_lead(game)?;
    Some(match lead {
        0 => "0".to_owned(),
        1.. => format!("B+{lead}"),
        _ => format!("W+{}", -lead),
    })
}

/// The result for people.
pub(super) fn result(game: &Othello) -> String {
    match black_lead(game) {
        None => "unknown".to_owned(),
        Some(0) => "Draw".to_owned(),
        Some(lead @ 1..) => format!("Black wins by {lead}"),
        Some(lead) => format!("White wins by {}", -lead),
    }
}

/// Black's lead at the end of the game. Empty squares count for the winner.
fn black_lead(game: &Othello) -> Option<i32> {
    let lead = if game.mover() == Side::First { game.score() } else { -game.score() };
    game.is_over().then_some(lead)
}

/// The name of a side.
pub(super) fn colour(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

//! The opening book: scores equal those of the reference implementation, damaged files are refused, expansion depends
//! only on the book, and the engine plays book moves.

mod engine;
mod expansion;
mod files;
mod reference;
mod trax;

use tesuji_engines::book::{BookExpander, ExpansionConfig};
use tesuji_engines::othello::{Book, PatternEval};
use tesuji_game::{Game, MoveList};
use tesuji_othello::{Moves, Othello};
use tesuji_search::{CancelToken, Rng};

/// A position after random moves that is not the end of the game.
fn random_position(rng: &mut Rng, plies: usize) -> Othello {
    loop {
        let (mut game, mut list) = (Othello::start(), Moves::default());
        for _ in 0..plies {
            game.moves(&mut list);
            let Some(mv) = list.each().nth(rng.below(list.len().max(1))) else { break };
            game.play(mv);
        }
        if !game.is_over() {
            return game;
        }
    }
}

fn config(positions: usize) -> ExpansionConfig {
    ExpansionConfig { level: 2, plies: 12, positions, threads: 1, hash: None }
}

/// Expands a book to its target.
fn expanded(book: Book, config: ExpansionConfig) -> Book {
    let mut expander = BookExpander::new(book, PatternEval::shipped(), config);
    while expander.step(&CancelToken::new()) {}
    expander.into_book()
}

//! The opening book: worths that a plain recursion finds too, files that are whole or refused, growth that depends on
//! nothing but the book, and an engine that plays what the book says.

mod engine;
mod files;
mod growth;
mod twin;

use tesuji_engines::othello::{Book, Grower, PatternEval, Plan, Strength};
use tesuji_game::{Game, MoveList};
use tesuji_othello::{Moves, Othello};
use tesuji_search::{CancelToken, Rng};

/// A position some moves into a game by chance, and not its end.
fn wander(rng: &mut Rng, plies: usize) -> Othello {
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

fn plan(positions: usize) -> Plan {
    Plan { strength: Strength::new(2), plies: 12, positions, threads: 1 }
}

/// Lets a book grow to its end.
fn grown(book: Book, plan: Plan) -> Book {
    let mut grower = Grower::new(book, PatternEval::shipped(), plan);
    while grower.step(&CancelToken::new()) {}
    grower.into_book()
}

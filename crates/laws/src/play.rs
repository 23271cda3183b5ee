//! Random play: numbers choose moves; proptest generates and shrinks the numbers.

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use tesuji_game::{Game, MoveList};

use crate::PropertyResult;

/// One number per ply; its remainder selects a move.
pub type Choices = Vec<u16>;

/// The longest random game.
const PLIES: usize = 240;

/// Cases per property. `TESUJI_LAWS_CASES` overrides it.
pub fn effort() -> u32 {
    number("TESUJI_LAWS_CASES").unwrap_or(96)
}

fn number(variable: &str) -> Option<u32> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Checks a property on `cases` values of `strategy`.
///
/// The cases are the same on every run, so that failures repeat. `TESUJI_LAWS_SEED` selects others.
///
/// # Panics
/// The property fails; the message has the shrunk case.
pub fn for_all<S: Strategy>(cases: u32, strategy: S, property: impl Fn(S::Value) -> PropertyResult) {
    let seed = number("TESUJI_LAWS_SEED").unwrap_or(0);
    let mut bytes = [0x5e; 32];
    bytes[..4].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 2000, ..Config::default() };
    let outcome =
        TestRunner::new_with_rng(config, rng).run(&strategy, |value| property(value).map_err(TestCaseError::fail));
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

/// Numbers for a whole game.
pub(crate) fn choices() -> impl Strategy<Value = Choices> {
    vec(any::<u16>(), 0..PLIES)
}

/// Plays a random game from `game`. Calls `visit` with every position, including the first, its legal moves and the move
/// that will be played.
pub fn playout<G: Game>(
    mut game: G,
    choices: &[u16],
    mut visit: impl FnMut(&mut G, &G::Moves, Option<G::Move>) -> PropertyResult,
) -> PropertyResult {
    let mut list = G::Moves::default();
    for choice in choices.iter().map(Some).chain([None]) {
        game.moves(&mut list);
        let chosen = choice.and_then(|&choice| list.each().nth(usize::from(choice) % list.len().max(1)));
        visit(&mut game, &list, chosen)?;
        match chosen {
            Some(mv) => drop(game.play(mv)),
            None => break,
        }
    }
    Ok(())
}

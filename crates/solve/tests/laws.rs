//! Property tests of solving: every result agrees with brute force or with a published fact.

#[path = "laws/minimax.rs"]
mod minimax;
#[path = "laws/othello.rs"]
mod othello;
#[path = "laws/query/mod.rs"]
mod query;
#[path = "laws/recurring.rs"]
mod recurring;
#[path = "laws/retrograde/mod.rs"]
mod retrograde;
#[path = "laws/tictactoe.rs"]
mod tictactoe;
#[path = "laws/trax.rs"]
mod trax;

// The example below hands its game to the command line; here nobody is to run that.
extern crate self as tesuji_cli;
#[allow(dead_code, missing_docs, unreachable_pub)]
#[path = "../../../examples/tictactoe.rs"]
mod example;

/// What the example asks for.
#[allow(dead_code)]
pub(crate) struct Entry(&'static str);

impl Entry {
    pub(crate) fn of<G: tesuji_game::Game>(_: &str) -> Entry {
        Entry(G::NAME)
    }
}

/// Runs nothing.
pub(crate) fn run(_: Vec<Entry>) -> std::process::ExitCode {
    std::process::ExitCode::SUCCESS
}

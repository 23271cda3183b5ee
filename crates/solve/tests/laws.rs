//! Property tests of solving: every result agrees with brute force or with a published fact.

#[path = "laws/forced_win.rs"]
mod forced_win;
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

// The example passes its game to the command line. Here its `main` is never called.
extern crate self as tesuji_cli;
extern crate self as tesuji_registry;
#[allow(dead_code, missing_docs, unreachable_pub)]
#[path = "../../../examples/tictactoe.rs"]
mod example;

pub(crate) struct Registry;

impl Registry {
    pub(crate) fn of<G: tesuji_game::Game>(_: &str) -> Registry {
        drop(G::start());
        Registry
    }
}

pub(crate) fn run(_: &Registry) -> std::process::ExitCode {
    std::process::ExitCode::SUCCESS
}

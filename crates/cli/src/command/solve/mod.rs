//! `tesuji solve`: a whole game into a tablebase, or single positions exactly.

mod endgame;
mod mates;
mod progress;
mod tablebase;

use tesuji_registry::GameHandle;

use crate::args;
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(crate) fn run(game: &GameHandle, args: &args::Solve, out: &mut Out) -> Done {
    if game.has_endgame_solver() {
        return endgame::run(game, &args.options()?, out);
    }
    if game.has_mate_solver() {
        return mates::run(game, &args.options()?, out);
    }
    if game.is_solvable() {
        return tablebase::run(game, &args.options()?, out);
    }
    Err(Failure::usage(format!("{} is too large to be solved; `tesuji solve --help` lists what can be", game.name())))
}

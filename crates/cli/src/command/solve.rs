//! `tesuji solve`: a whole game, exactly, into a table.

use tesuji_game::Numbered;

use crate::args;
use crate::entry::Playable;
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(crate) fn run<G: Playable + Numbered>(_args: &args::Solve, _out: &mut Out) -> Done {
    Err(Failure::usage("being built"))
}

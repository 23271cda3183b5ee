//! An external program for tests: plays random legal moves in any protocol and misbehaves as its mode says:
//! `mock PROTOCOL MODE [ARGUMENT]`.

mod gtp;
mod misbehaviour;
mod nboard;
mod trax;
mod usi;

use std::io::{self, BufRead};

use tesuji_game::{Game, MoveList, Record};
use tesuji_search::Rng;

use misbehaviour::Misbehaviour;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let protocol = arguments.next().unwrap_or_default();
    let misbehaviour = Misbehaviour::new(arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
    misbehaviour.at_start();
    let lines = io::stdin().lock().split(b'\n').map_while(Result::ok);
    match protocol.as_str() {
        "usi" => usi::serve(lines, misbehaviour),
        "gtp" => gtp::serve(lines, misbehaviour),
        "nboard" => nboard::serve(lines, misbehaviour),
        "trax" => trax::serve(lines, misbehaviour),
        _ => {
            eprintln!("usage: mock usi|gtp|nboard|trax MODE [ARGUMENT]");
            std::process::exit(2);
        }
    }
}

/// Any legal move, the same one in the same game.
fn any_move<G: Game>(record: &Record<G>) -> Option<G::Move> {
    let mut list = G::Moves::default();
    record.now().clone().moves(&mut list);
    let mut rng = Rng::new(record.now().key() ^ record.plies().len() as u64);
    list.each().nth(rng.below(list.len().max(1)))
}

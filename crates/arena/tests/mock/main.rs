//! A player that plays legal moves by chance, in any protocol, and misbehaves in any way one asks for:
//! `mock PROTOCOL MODE [ARGUMENT]`. Tests play against it; nobody else should.

mod gtp;
mod misdeed;
mod nboard;
mod trax;
mod usi;

use std::io::{self, BufRead};

use tesuji_game::{Game, MoveList, Record};
use tesuji_search::Rng;

use misdeed::Misdeed;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let protocol = arguments.next().unwrap_or_default();
    let misdeed = Misdeed::new(arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
    misdeed.at_start();
    let lines = io::stdin().lock().split(b'\n').map_while(Result::ok);
    match protocol.as_str() {
        "usi" => usi::serve(lines, misdeed),
        "gtp" => gtp::serve(lines, misdeed),
        "nboard" => nboard::serve(lines, misdeed),
        "trax" => trax::serve(lines, misdeed),
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

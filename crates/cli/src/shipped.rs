//! The games that ship with tesuji.

use tesuji_ostle::Ostle;
use tesuji_othello::Othello;
use tesuji_shogi::Shogi;
use tesuji_trax::{EightByEight, Loops, Trax, Unlimited};

use crate::args::Protocol;
use crate::companions::wthor;
use crate::{Entry, Shelf, usi};

/// All of them, in the order they are listed.
pub fn shipped() -> Vec<Entry> {
    const TRAX: &str = "lay tiles until your colour closes a loop or crosses the board";
    vec![
        Shelf::<Othello>::new("turn the other's discs")
            .symmetric()
            .engines()
            .margin()
            .companions(wthor)
            .bench(&[("", 10)])
            .entry(),
        Shelf::<Trax<Unlimited>>::new(TRAX).symmetric().engines().counted().bench(&[("", 5)]).entry(),
        Shelf::<Trax<EightByEight>>::new("Trax on a board of at most 8x8")
            .symmetric()
            .engines()
            .counted()
            .bench(&[("", 5)])
            .entry(),
        Shelf::<Trax<Loops>>::new("Trax where only loops win")
            .symmetric()
            .engines()
            .counted()
            .bench(&[("", 5)])
            .entry(),
        Shelf::<Ostle>::new("push the other's pieces off the board or into the hole")
            .symmetric()
            .engines()
            .bench(&[("", 6)])
            .entry(),
        Shelf::<Shogi>::new("Japanese chess: what is taken may be dropped")
            .claims()
            .engines()
            .speaks(Protocol::Usi, usi::run)
            .bench(SHOGI)
            .entry(),
    ]
}

/// The start, and the middle game known as "matsuri", where drops abound.
const SHOGI: &[(&str, u32)] =
    &[("", 4), ("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 3)];

//! The games that ship with tesuji.

use tesuji_ostle::Ostle;
use tesuji_othello::Othello;

use crate::Entry;
use crate::entry::Shelf;

/// All of them, in the order they are listed.
pub fn shipped() -> Vec<Entry> {
    vec![
        Shelf::<Othello>::new("turn the other's discs").symmetric().margin().bench(&[("", 10)]).entry(),
        Shelf::<Ostle>::new("push the other's pieces off the board or into the hole").symmetric().bench(&[("", 6)]).entry(),
    ]
}

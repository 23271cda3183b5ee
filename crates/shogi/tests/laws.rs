//! The laws every game obeys, and the facts of this one.
#![allow(clippy::unwrap_used)] // Clippy sees tests in `#[test]` functions only, not in what they share.

mod facts;
mod formats;
mod notation;
mod packed;
mod peers;
mod planes;
mod reference;
mod verdict;

use tesuji_shogi::Shogi;

#[test]
fn rules() {
    tesuji_laws::rules::<Shogi>();
}

#[test]
fn perft() {
    tesuji_laws::perft::<Shogi>(3);
}

#[test]
fn text() {
    tesuji_laws::text::<Shogi>();
}

#[test]
fn view() {
    tesuji_laws::view::<Shogi>();
}

#[test]
fn endings() {
    tesuji_laws::endings::<Shogi>(&["csa", "kif", "kif-sjis", "ki2"]);
}

#[test]
fn records() {
    tesuji_laws::records::<Shogi>();
}

#[test]
fn encoding() {
    tesuji_laws::planes::<Shogi>(0);
}

#[test]
fn positions_as_bytes() {
    tesuji_laws::packed::<Shogi>(true);
}

//! The laws every game obeys, and the facts of this one.

mod facts;

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

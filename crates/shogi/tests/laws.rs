//! The laws every game obeys, and the facts of this one.

use tesuji_shogi::Shogi;

#[test]
fn rules() {
    tesuji_laws::rules::<Shogi>();
}

#[test]
fn text() {
    tesuji_laws::text::<Shogi>();
}

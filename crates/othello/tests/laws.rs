//! Property tests, known perft results, and the comparison with the reference implementation.

use tesuji_othello::Othello;

mod edges;
mod facts;
mod files;
mod kernels;
mod reference;

#[test]
fn rules() {
    tesuji_laws::rules::<Othello>();
}

#[test]
fn perft() {
    tesuji_laws::perft::<Othello>(4);
}

#[test]
fn text() {
    tesuji_laws::text::<Othello>();
}

#[test]
fn records() {
    tesuji_laws::records::<Othello>();
}

#[test]
fn endings() {
    tesuji_laws::endings::<Othello>(&["ggf"]);
}

#[test]
fn view() {
    tesuji_laws::view::<Othello>();
}

#[test]
fn symmetry() {
    tesuji_laws::symmetry::<Othello>();
}

#[test]
fn twin() {
    tesuji_laws::reference::<Othello, reference::Reference>();
}

#[test]
fn planes() {
    tesuji_laws::planes::<Othello>(0);
}

#[test]
fn packed() {
    tesuji_laws::packed::<Othello>(true);
}

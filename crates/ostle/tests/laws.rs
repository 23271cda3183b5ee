//! Property tests, known results, and the comparison with the reference implementation.

mod facts;
mod index;
mod reference;
mod sweep;

use tesuji_ostle::Ostle;

#[test]
fn rules() {
    tesuji_laws::rules::<Ostle>();
}

#[test]
fn perft() {
    tesuji_laws::perft::<Ostle>(3);
}

#[test]
fn text() {
    tesuji_laws::text::<Ostle>();
}

#[test]
fn records() {
    tesuji_laws::records::<Ostle>();
}

#[test]
fn annotated() {
    tesuji_laws::annotated::<Ostle>("tagged");
}

#[test]
fn endings() {
    tesuji_laws::endings::<Ostle>(&["tagged"]);
}

#[test]
fn view() {
    tesuji_laws::view::<Ostle>();
}

#[test]
fn symmetry() {
    tesuji_laws::symmetry::<Ostle>();
}

#[test]
fn slow_twin() {
    tesuji_laws::reference::<Ostle, reference::Reference>();
}

#[test]
fn planes() {
    tesuji_laws::planes::<Ostle>(0);
}

#[test]
fn packed() {
    tesuji_laws::packed::<Ostle>(true);
}

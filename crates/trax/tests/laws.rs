//! All tests of Trax in one binary: property tests, the reference implementation, known results and limits.

#![allow(clippy::unwrap_used, reason = "a test that unwraps what is not there fails, as it should")]

#[path = "laws/attacks.rs"]
mod attacks;
#[path = "laws/facts.rs"]
mod facts;
#[path = "laws/keys.rs"]
mod keys;
#[path = "laws/limits.rs"]
mod limits;
#[path = "laws/look.rs"]
mod look;
#[path = "laws/notation.rs"]
mod notation;
mod reference;
#[path = "laws/winning.rs"]
mod winning;

use tesuji_trax::{EightByEight, Loops, Trax, Unlimited};

macro_rules! laws {
    ($name:ident, $variant:ty) => {
        mod $name {
            use super::*;

            #[test]
            fn rules() {
                tesuji_laws::rules::<Trax<$variant>>();
            }

            #[test]
            fn perft() {
                tesuji_laws::perft::<Trax<$variant>>(2);
            }

            #[test]
            fn text() {
                tesuji_laws::text::<Trax<$variant>>();
            }

            #[test]
            fn records() {
                tesuji_laws::records::<Trax<$variant>>();
            }

            #[test]
            fn annotated() {
                tesuji_laws::annotated::<Trax<$variant>>("tagged");
            }

            #[test]
            fn endings() {
                tesuji_laws::endings::<Trax<$variant>>(&["tagged"]);
            }

            #[test]
            fn view() {
                tesuji_laws::view::<Trax<$variant>>();
            }

            #[test]
            fn symmetry() {
                tesuji_laws::symmetry::<Trax<$variant>>();
            }

            #[test]
            fn planes() {
                // A board may outgrow the window.
                tesuji_laws::planes::<Trax<$variant>>(usize::MAX);
            }

            #[test]
            fn packed() {
                // A board may outgrow the window.
                tesuji_laws::packed::<Trax<$variant>>(false);
            }

            #[test]
            fn twin() {
                tesuji_laws::reference::<Trax<$variant>, reference::Reference<$variant>>();
            }
        }
    };
}

laws!(unlimited, Unlimited);
laws!(eight_by_eight, EightByEight);
laws!(loops, Loops);

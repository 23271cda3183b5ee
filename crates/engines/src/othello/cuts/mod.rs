//! How far a shallow search may be from a deeper one: the error model that branches are left out by, fitted to
//! searches of our own by `tesuji train cuts`. What is left out, and how surely, is the search's affair.

mod file;
mod fit;
mod measure;

use std::sync::OnceLock;

pub use file::CutsError;
pub use measure::{Depths, Gap, Study};

/// The parameters that ship: made by the command that `docs/training.md` lists.
static TEXT: &str = include_str!("../../../weights/othello.cuts");

/// The standard deviation of what a shallow search finds about what a deeper one does, as a function of a few
/// parameters.
///
/// Its logarithm is a sum, so that it is positive whatever the parameters are, and so that each cause scales the
/// others: how many plies the shallow search does not see, how many it does, how full the board is, and whether the
/// deeper search sees the end of the game, where there is no evaluation left that the two could be wrong by together.
///
/// Of the forms of at most eight terms that were tried on 648 positions (plies or their logarithms or roots, products of
/// two terms, squares) this one made the differences likeliest. Towards the end the empty squares count by their
/// logarithm, because only the last twenty can be solved in the time there is: a straight line through those would
/// claim eleven discs with thirty, where the logarithm claims less than seven.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cuts {
    parameters: [f64; Cuts::NAMES.len()],
}

impl Cuts {
    /// What the parameters belong to, in their order.
    pub(super) const NAMES: [&'static str; 8] =
        ["constant", "unseen", "seen", "empties", "empties-squared", "empties-seen", "end", "end-empties"];

    /// No deviation is believed to be less or more than this, in discs: beyond what was measured the sum may run away.
    const SANE: [f64; 2] = [0.5, 16.0];

    /// The parameters that ship.
    pub fn shipped() -> Cuts {
        static SHIPPED: OnceLock<Cuts> = OnceLock::new();
        // A test reads this text; without it a program with a spoilt one could not have been made.
        *SHIPPED.get_or_init(|| Cuts::parse(TEXT).unwrap_or(Cuts { parameters: [0.0; Cuts::NAMES.len()] }))
    }

    /// The standard deviation in discs, with so many empty squares, between a search of `shallow` plies and one of
    /// `depth`; to the end of the game when there are as many empty squares.
    ///
    /// It is rounded, because the last digits of a logarithm differ from machine to machine and searches should not.
    pub fn deviation(&self, empties: u32, depth: u32, shallow: u32) -> f32 {
        let terms = terms(empties, depth, shallow);
        let log: f64 = self.parameters.iter().zip(terms).map(|(parameter, term)| parameter * term).sum();
        let [least, most] = Cuts::SANE;
        ((log.exp().clamp(least, most) * 256.0).round() / 256.0) as f32
    }
}

/// What each parameter is multiplied by.
fn terms(empties: u32, depth: u32, shallow: u32) -> [f64; Cuts::NAMES.len()] {
    let unseen = f64::from(depth.saturating_sub(shallow).max(1)).ln();
    let seen = f64::from(shallow + 1).ln();
    // Between 0 and 1, so that no parameter is much smaller than the others.
    let empty = f64::from(empties) / 60.0;
    let end = f64::from(u8::from(depth >= empties));
    let left = f64::from(empties.max(1)).ln();
    [1.0, unseen, seen, empty, empty * empty, empty * seen, end, end * left]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ships_is_whole_and_sane_wherever_branches_are_left_out() {
        let cuts = Cuts::parse(TEXT).unwrap();
        for empties in 4..=60 {
            for depth in 3..=empties {
                let deviation = |shallow| cuts.deviation(empties, depth, shallow);
                let all: Vec<f32> = (0..depth).map(deviation).collect();
                assert!(all.iter().all(|found| (0.5..=16.0).contains(found)), "{empties} {depth} {all:?}");
                assert!(all.windows(2).all(|pair| pair[0] >= pair[1]), "{empties} {depth} {all:?}");
            }
        }
    }
}

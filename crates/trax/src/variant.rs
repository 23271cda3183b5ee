//! The three variants: the size of the bounding box, and whether lines win.

use std::fmt::Debug;
use std::hash::Hash;

/// A variant of Trax. It is a type, so that its rules are constants.
pub trait Variant: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// The name on the command line.
    const NAME: &'static str;
    /// The most columns, and the most rows, that the box of all tiles may have.
    const LONGEST: usize;
    /// Whether a line across the box wins, as a loop does.
    const LINES: bool;
}

/// The standard game and the contest game, on a board without edges.
///
/// A box of more than 16,383 columns or rows, or of more than 1,048,576 cells, is refused, since moves pack
/// into 32 bits and boards lie in memory; no game is known to have come near.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unlimited {}

/// The box may not exceed 8x8. Without a legal move the game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EightByEight {}

/// Only loops win; the board is that of [`Unlimited`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Loops {}

/// The longest side of an "unlimited" box; one more column and row on either side still fit into a move.
pub(crate) const LONGEST: usize = 16_383;

/// The largest "unlimited" box, so that no list of moves can ask for more than some 70 MB.
pub(crate) const LARGEST: usize = 1 << 20;

impl Variant for Unlimited {
    const NAME: &'static str = "trax";
    const LONGEST: usize = LONGEST;
    const LINES: bool = true;
}

impl Variant for EightByEight {
    const NAME: &'static str = "trax-8x8";
    const LONGEST: usize = 8;
    const LINES: bool = true;
}

impl Variant for Loops {
    const NAME: &'static str = "trax-loop";
    const LONGEST: usize = LONGEST;
    const LINES: bool = false;
}

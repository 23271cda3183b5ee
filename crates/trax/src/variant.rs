//! The three ways to play: what the box may grow to, and whether lines win.

use std::fmt::Debug;
use std::hash::Hash;

/// A way to play Trax. A type, so that its rules cost nothing at run time.
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

/// The box may never exceed 8x8; a player who cannot move has drawn.
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

//! Small traits for what only some games have; none names its implementors.

use crate::Game;

/// A board with symmetries: turned, mirrored or with the colours exchanged, it is the same game.
pub trait Symmetric: Game {
    /// How many there are, the identity (number 0) included.
    const SYMMETRIES: usize;

    /// The position under the symmetry of this number.
    fn image(&self, symmetry: usize) -> Self;

    /// The move that does in the image what `mv` does here.
    fn image_move(&self, mv: Self::Move, symmetry: usize) -> Self::Move;

    /// One key for all images of a position.
    fn canonical_key(&self) -> u64 {
        (0..Self::SYMMETRIES).map(|symmetry| self.image(symmetry).key()).fold(u64::MAX, u64::min)
    }
}

/// A game that ends with a score, not only with a winner.
pub trait Margin: Game {
    /// The final score seen by the mover; `None` while the game goes on.
    fn margin(&self) -> Option<i32>;
}

/// A game in which the mover may claim the win instead of moving, as by shogi's declaration.
pub trait Claims: Game {
    /// Whether a claim would be granted now.
    fn claim(&self, rules: &Self::Rules) -> bool;
}

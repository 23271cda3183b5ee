//! The central trait [`Game`], and small traits for what only some games have.

use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::{Ending, Move, MoveList, Outcome, Path, Side, perft};

/// A position of a two-player zero-sum game of perfect information without chance.
///
/// Everything that legality depends on is part of the position, for example Ostle's ko. What only the result
/// depends on, for example shogi's repetition, is part of the [`Path`].
///
/// Two positions are equal when they have the same moves, with the same notation, and the same future. Equal
/// positions have equal keys and equal hashes.
pub trait Game: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// A move. A pass is a move like any other, generated only when compulsory.
    type Move: Move;
    /// The list of legal moves.
    type Moves: MoveList<Move = Self::Move>;
    /// The data that `undo` needs to take a move back; small positions use `Self`.
    type Undo;
    /// Options that only the result depends on, such as a move limit; `()` for most games.
    type Rules: Default + Clone + Debug + Send + Sync + 'static;

    /// The name on the command line, in lower case.
    const NAME: &'static str;
    /// The words by which [`ending`](Game::ending) names its reasons.
    const REASONS: &'static [&'static str] = &["win", "draw"];
    /// Whether a position can repeat; `false` removes all bookkeeping of the path at compile time.
    const RECURS: bool = true;
    /// Whether perft counts a game that ended early as one leaf at every larger depth, as Othello programs do, or
    /// not at all.
    const FINISHED_IS_LEAF: bool = false;

    /// The start position.
    fn start() -> Self;

    /// The side to move.
    fn mover(&self) -> Side;

    /// Replaces the contents of `out` by the legal moves. There are none exactly when `outcome` is `Some`.
    fn moves(&mut self, out: &mut Self::Moves);

    /// The number of legal moves. A game that can count moves without generating them overrides this.
    fn count(&mut self) -> u64 {
        let mut list = Self::Moves::default();
        self.moves(&mut list);
        list.len() as u64
    }

    /// Plays a legal move. The caller guarantees legality; text is checked by [`Notation`](crate::Notation).
    fn play(&mut self, mv: Self::Move) -> Self::Undo;

    /// Takes back the last move played.
    fn undo(&mut self, undo: Self::Undo);

    /// The outcome for the mover; `None` while the game continues. In some games this generates moves: a caller
    /// that needs both generates the moves first.
    fn outcome(&self) -> Option<Outcome>;

    /// A hash of everything that `Eq` compares, the same on every machine. A game with an incremental key, such as
    /// a Zobrist key, overrides this.
    fn key(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }

    /// Whether the mover is in check. The path records it, because perpetual check loses in some games.
    #[inline]
    fn in_check(&self) -> bool {
        false
    }

    /// The result of the game, given its history.
    fn ending(&self, path: &Path<Self>) -> Option<Ending> {
        let _ = path;
        let outcome = self.outcome()?;
        let reason = if outcome == Outcome::Draw { "draw" } else { "win" };
        Some(Ending { winner: outcome.winner(self.mover()), reason })
    }

    /// Perft: the number of leaves of the game tree at `depth`. A game may override this by a faster kernel; a
    /// property test compares the two.
    fn leaves(&mut self, depth: u32) -> u64 {
        perft::walk(self, depth)
    }
}

/// A game with symmetries: rotations, reflections or an exchange of colours.
pub trait Symmetric: Game {
    /// The number of symmetries, including the identity, which is number 0.
    const SYMMETRIES: usize;

    /// The image of the position under a symmetry.
    fn image(&self, symmetry: usize) -> Self;

    /// The image of a move under a symmetry.
    fn image_move(&self, mv: Self::Move, symmetry: usize) -> Self::Move;

    /// A key that all images of a position share.
    fn canonical_key(&self) -> u64 {
        (0..Self::SYMMETRIES).map(|symmetry| self.image(symmetry).key()).fold(u64::MAX, u64::min)
    }
}

/// A game that ends with a score: the side that has more of something wins.
pub trait Margin: Game {
    /// What is counted, in the plural: `discs`.
    const COUNTED: &'static str;

    /// What each side has now, the first mover's first.
    fn counts(&self) -> [u32; 2];

    /// The final score of each side, the first mover's first; `None` while the game continues. It may differ from
    /// [`Margin::counts`]: in Othello the winner gets the empty squares.
    fn final_score(&self) -> Option<[u32; 2]>;

    /// The final score for the mover: by how much it has won; `None` while the game continues.
    fn margin(&self) -> Option<i32> {
        let [first, second] = self.final_score()?;
        let lead = first.cast_signed() - second.cast_signed();
        Some(if self.mover() == Side::First { lead } else { -lead })
    }
}

/// A game in which the mover may claim a win instead of moving, such as shogi's declaration.
pub trait Claims: Game {
    /// Whether a claim is valid now.
    fn claim(&self, rules: &Self::Rules) -> bool;
}

//! The central trait: a position that knows its moves.

use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::{Ending, Move, MoveList, Outcome, Path, Side, perft};

/// A position of a two-player, zero-sum game of perfect information, without chance.
///
/// What legality depends on lives in the position (Ostle's ko is here). What only the verdict depends on
/// (shogi's repetition) lives in the [`Path`].
///
/// Two positions are equal when the players could not tell them apart: same moves, written alike, same
/// future. Equal positions have equal keys and equal hashes.
pub trait Game: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// A move. A pass is a move like any other, generated only when compulsory.
    type Move: Move;
    /// Where legal moves are gathered.
    type Moves: MoveList<Move = Self::Move>;
    /// What `play` overwrites and `undo` needs; small positions use `Self`.
    type Undo;
    /// Options that only the verdict depends on, such as a limit of moves; `()` for most.
    type Rules: Default + Clone + Debug + Send + Sync + 'static;

    /// The name on the command line, in lower case.
    const NAME: &'static str;
    /// Whether a position can recur; `false` compiles all path bookkeeping away.
    const RECURS: bool = true;
    /// Whether perft counts a game that ended early as one leaf of every larger depth (Othello's custom) or
    /// as none.
    const FINISHED_IS_LEAF: bool = false;

    /// The usual starting position.
    fn start() -> Self;

    /// Whose move it is.
    fn mover(&self) -> Side;

    /// Replaces the contents of `out` by the legal moves: none exactly when `outcome` is some.
    fn moves(&mut self, out: &mut Self::Moves);

    /// How many legal moves there are. By default they are listed; a game that can count without writing them
    /// down overrides this.
    fn count(&mut self) -> u64 {
        let mut list = Self::Moves::default();
        self.moves(&mut list);
        list.len() as u64
    }

    /// Plays a legal move. Illegal ones are a defect of the caller; text comes in through `Notation`.
    fn play(&mut self, mv: Self::Move) -> Self::Undo;

    /// Takes back the last move played.
    fn undo(&mut self, undo: Self::Undo);

    /// How the game ended, seen by the mover; `None` while it goes on. Ask for moves first where both are
    /// needed: in some games this has to look for one.
    fn outcome(&self) -> Option<Outcome>;

    /// A hash of everything `Eq` compares, the same on every machine. By default the standard library's; a
    /// game that can keep one in step with its moves overrides this.
    fn key(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }

    /// Whether the mover is in check; the path keeps it because perpetual check loses in some games.
    #[inline]
    fn in_check(&self) -> bool {
        false
    }

    /// How the game ended, given the way it went, in the words of the game.
    fn ending(&self, path: &Path<Self>) -> Option<Ending> {
        let _ = path;
        let outcome = self.outcome()?;
        let reason = if outcome == Outcome::Draw { "draw" } else { "win" };
        Some(Ending { winner: outcome.winner(self.mover()), reason })
    }

    /// The leaves of the game tree `depth` plies down. The default walks; a game may answer with a kernel of
    /// its own, and a law compares the two.
    fn leaves(&mut self, depth: u32) -> u64 {
        perft::walk(self, depth)
    }
}

//! The game as the algorithms see it.

use tesuji_game::{Ending, Game, Outcome, Path, Side};

use crate::board::{LOSSES, MOVER, Ostle};
use crate::moves::{Move, Moves};

impl Game for Ostle {
    type Move = Move;
    type Moves = Moves;
    type Undo = Ostle;
    type Rules = ();

    const NAME: &'static str = "ostle";
    const REASONS: &'static [&'static str] = &["pieces", "suicide"];
    const RECURS: bool = true;

    fn start() -> Ostle {
        Ostle::assemble(0b11111 << 20, 0b11111, 12)
    }

    #[inline]
    fn mover(&self) -> Side {
        self.side()
    }

    #[inline]
    fn moves(&mut self, out: &mut Moves) {
        self.list(out);
    }

    #[inline]
    fn count(&mut self) -> u64 {
        self.mobility()
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Ostle {
        debug_assert!(self.is_legal(mv), "{mv:?} is not legal in {self:?}");
        let before = *self;
        *self = self.after(mv);
        before
    }

    #[inline]
    fn undo(&mut self, undo: Ostle) {
        *self = undo;
    }

    /// A loss when the mover's second piece was taken, a win when the opponent dropped their own.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        match self.0 >> (LOSSES + 2) & 3 {
            0 => None,
            1 => Some(Outcome::Loss),
            _ => Some(Outcome::Win),
        }
    }

    /// No two positions share a key: the mixing can be undone.
    #[inline]
    fn key(&self) -> u64 {
        let mut key = self.0 & !MOVER;
        key = (key ^ key >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        key = (key ^ key >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        key ^ key >> 32
    }

    /// `"pieces"`: the winner took the second piece. `"suicide"`: the loser dropped it.
    fn ending(&self, _path: &Path<Ostle>) -> Option<Ending> {
        let outcome = self.outcome()?;
        let reason = if outcome == Outcome::Loss { "pieces" } else { "suicide" };
        Some(Ending { winner: outcome.winner(self.mover()), reason })
    }

    fn leaves(&mut self, depth: u32) -> u64 {
        leaves(*self, depth)
    }
}

/// As the plain walk, but with all successors of a position made in one sweep.
fn leaves(game: Ostle, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => game.mobility(),
        _ => {
            let mut sum = 0;
            game.successors(|_, next, _| sum += leaves(next, depth - 1));
            sum
        }
    }
}

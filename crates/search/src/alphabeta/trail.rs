//! The path under the node being searched, with a filter in front of it: most positions are new, and that
//! is known from one counter.

use tesuji_game::{Game, Path, Record, Repetition};

/// Counters of the filter; a long game and a deep line together leave most of them at zero.
const COUNTERS: usize = 4096;

/// The positions from the start of the game to the node being expanded. Free of cost when none can recur.
pub(super) struct RepetitionStack<G: Game> {
    path: Path<G>,
    seen: Vec<u32>,
}

#[inline]
fn counter<G: Game>(game: &G, key: u64) -> usize {
    (key as usize ^ game.mover().index()) % COUNTERS
}

impl<G: Game> RepetitionStack<G> {
    /// The trail of a game so far; its last position is the root.
    pub(super) fn new(record: &Record<G>) -> RepetitionStack<G> {
        let mut trail = RepetitionStack { path: record.path().clone(), seen: Vec::new() };
        if G::RECURS {
            trail.seen = vec![0; COUNTERS];
            let mut game = record.start().clone();
            trail.seen[counter(&game, game.key())] += 1;
            for mv in record.moves() {
                game.play(mv);
                trail.seen[counter(&game, game.key())] += 1;
            }
        }
        trail
    }

    /// Whether and how `game`, which is not on the trail yet, has stood there before.
    #[inline]
    pub(super) fn repetition(&mut self, game: &G, key: u64) -> Option<Repetition> {
        if !G::RECURS || self.seen[counter(game, key)] == 0 {
            return None;
        }
        self.path.push(game);
        let repetition = self.path.repetition();
        self.path.pop();
        repetition
    }

    /// Goes on from `game`.
    #[inline]
    pub(super) fn push(&mut self, game: &G, key: u64) {
        if G::RECURS {
            self.seen[counter(game, key)] += 1;
            self.path.push(game);
        }
    }

    /// Comes back to `game`.
    #[inline]
    pub(super) fn pop(&mut self, game: &G, key: u64) {
        if G::RECURS {
            self.seen[counter(game, key)] -= 1;
            self.path.pop();
        }
    }
}

//! Fail-soft alpha-beta, as the textbooks write it.

use tesuji_game::{Game, MoveList, Path};

use super::table::Table;
use super::{Worth, ordered};

/// Between what a worth lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) low: i32,
    pub(super) high: i32,
}

impl Bounds {
    /// Everything is possible. The two are each other's negation.
    pub(super) const ALL: Bounds = Bounds { low: -i32::MAX, high: i32::MAX };
}

/// Smaller trees are searched again sooner than looked up.
const WORTH_KEEPING: u64 = 16;

/// One solving under way.
pub(super) struct Walk<'a, G: Game, W> {
    worth: &'a W,
    table: &'a mut Table<G>,
    representative: Option<fn(&G) -> G>,
    path: Path<G>,
    go_on: &'a dyn Fn() -> bool,
    pub(super) nodes: u64,
    /// Whether the bound of depth was met anywhere.
    pub(super) bounded: bool,
}

impl<'a, G: Game, W: Worth<G>> Walk<'a, G, W> {
    pub(super) fn new(
        worth: &'a W,
        table: &'a mut Table<G>,
        representative: Option<fn(&G) -> G>,
        path: Path<G>,
        go_on: &'a dyn Fn() -> bool,
    ) -> Walk<'a, G, W> {
        Walk { worth, table, representative, path, go_on, nodes: 0, bounded: false }
    }

    /// Whether the latest position has stood on the path before.
    pub(super) fn repeated(&self) -> bool {
        G::RECURS && self.path.repetition().is_some()
    }

    /// Goes on by a move.
    pub(super) fn play(&mut self, game: &mut G, mv: G::Move) -> G::Undo {
        let undo = game.play(mv);
        self.path.push(game);
        undo
    }

    /// The worth to the mover: exact within the window `asked`, and on the right side of it otherwise.
    /// `None` when it is time to stop.
    pub(super) fn value(&mut self, game: &mut G, left: u32, asked: Bounds) -> Option<i32> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) && !(self.go_on)() {
            return None;
        }
        let mut list = G::Moves::default();
        game.moves(&mut list);
        if list.is_empty() {
            return Some(self.worth.over(game));
        }
        if left == 0 {
            self.bounded = true;
            return Some(0);
        }
        let (kept, known) = self.look(game, left);
        let Bounds { low, high } = known;
        if low >= asked.high || low == high {
            return Some(low);
        }
        if high <= asked.low {
            return Some(high);
        }
        let (alpha, beta) = (asked.low.max(low), asked.high.min(high));
        let before = self.nodes;
        let mut best = -i32::MAX;
        for mv in ordered(game, &list) {
            let window = Bounds { low: -beta, high: -alpha.max(best) };
            best = best.max(self.after(game, mv, left, window)?);
            if best >= beta {
                break;
            }
        }
        if let Some(kept) = kept.filter(|_| self.nodes - before >= WORTH_KEEPING) {
            let low = if best > alpha { best } else { low };
            let high = if best < beta { best } else { high };
            self.table.put(kept, left, Bounds { low, high });
        }
        Some(best)
    }

    /// What the table knows of a position, and as what it is to be kept there.
    fn look(&self, game: &G, left: u32) -> (Option<G>, Bounds) {
        if G::RECURS || self.table.is_none() {
            return (None, Bounds::ALL);
        }
        let kept = self.representative.map_or_else(|| game.clone(), |representative| representative(game));
        let known = self.table.get(&kept, left);
        (Some(kept), known)
    }

    /// The worth, to the mover, of making a move; `window` is as the opponent sees it.
    fn after(&mut self, game: &mut G, mv: G::Move, left: u32, window: Bounds) -> Option<i32> {
        let undo = self.play(game, mv);
        let value = if self.repeated() { Some(0) } else { self.value(game, left - 1, window) };
        self.path.pop();
        game.undo(undo);
        value.map(|value| -value)
    }

    /// The moves that keep a worth known to be exact: all of them, or only the first.
    pub(super) fn keeping(&mut self, game: &mut G, left: u32, value: i32, all: bool) -> Option<Vec<G::Move>> {
        let mut list = G::Moves::default();
        game.moves(&mut list);
        let mut keeping = Vec::new();
        for mv in list.each().filter(|_| left > 0) {
            if self.after(game, mv, left, Bounds { low: -value, high: 1 - value })? >= value {
                keeping.push(mv);
                if !all {
                    break;
                }
            }
        }
        Some(keeping)
    }
}

//! The moves of a position with their tablebase values, and the lines of perfect play.

use std::cell::Cell;
use std::path::Path;

use tesuji_game::{HasPerfectIndex, MoveList, Outcome};
use tesuji_search::{Bound, Value};
use tesuji_solve::tablebase::{Tablebase, TablebaseError};

/// The longest line.
const MAX_LINE: usize = 200;
/// The longest line of a draw, which may go on for ever.
const MAX_DRAWN_LINE: usize = 12;

/// A legal move, the position after it, and its result for the side that plays it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProbedMove<G: HasPerfectIndex> {
    pub(super) mv: G::Move,
    pub(super) after: G,
    pub(super) outcome: Outcome,
    /// Plies to the end, this move included; `None` for a draw and in a WDL tablebase.
    pub(super) plies: Option<u16>,
}

impl<G: HasPerfectIndex> ProbedMove<G> {
    /// The value. A result without a distance has the largest one, and so is a bound.
    pub(super) fn value(&self) -> (Value, Bound) {
        match (self.outcome, self.plies) {
            (Outcome::Draw, _) => (Value::DRAW, Bound::Exact),
            (Outcome::Win, Some(plies)) => (Value::win(plies), Bound::Exact),
            (Outcome::Win, None) => (Value::win(Value::FARTHEST), Bound::Lower),
            (Outcome::Loss, Some(plies)) => (Value::loss(plies), Bound::Exact),
            (Outcome::Loss, None) => (Value::loss(Value::FARTHEST), Bound::Upper),
        }
    }
}

/// A tablebase with a count of its probes.
pub(super) struct MoveProber<G: HasPerfectIndex> {
    tablebase: Tablebase<G::Index>,
    probes: Cell<u64>,
}

impl<G: HasPerfectIndex> MoveProber<G> {
    pub(super) fn new(tablebase: Tablebase<G::Index>) -> MoveProber<G> {
        MoveProber { tablebase, probes: Cell::new(0) }
    }

    /// The directory of the tablebase.
    pub(super) fn dir(&self) -> &Path {
        self.tablebase.dir()
    }

    /// The number of probes since the last call.
    pub(super) fn take_probes(&self) -> u64 {
        self.probes.take()
    }

    /// Probes the position after a move. The reply that would take the move back is forbidden there.
    pub(super) fn probe(&self, game: &G, mv: G::Move) -> Result<ProbedMove<G>, TablebaseError> {
        let mut after = *game;
        after.play(mv);
        let (reply, plies) = match after.outcome() {
            Some(outcome) => (outcome, (outcome != Outcome::Draw).then_some(0)),
            None => {
                self.probes.set(self.probes.get() + 1);
                let value = self.tablebase.value(after, after.forbidden())?;
                (value.outcome, value.plies)
            }
        };
        Ok(ProbedMove { mv, after, outcome: -reply, plies: plies.map(|plies| u16::from(plies) + 1) })
    }

    /// Probes every legal move, in the order of move generation.
    pub(super) fn probe_all(&self, game: &G) -> Result<Vec<ProbedMove<G>>, TablebaseError> {
        legal_moves(game).into_iter().map(|mv| self.probe(game, mv)).collect()
    }

    /// The line of perfect play that starts with this move. It ends with the game, where a drawn line repeats, or where
    /// the tablebase has no distances.
    pub(super) fn line(&self, first: &ProbedMove<G>) -> Result<Vec<G::Move>, TablebaseError> {
        let drawn = first.outcome == Outcome::Draw;
        let (mut line, mut positions) = (vec![first.mv], vec![first.after]);
        let mut last = *first;
        while line.len() < if drawn { MAX_DRAWN_LINE } else { MAX_LINE } && last.after.outcome().is_none() {
            let Some(next) = self.best_reply(&last)? else { break };
            if drawn && positions.contains(&next.after) {
                break;
            }
            line.push(next.mv);
            positions.push(next.after);
            last = next;
        }
        Ok(line)
    }

    /// The first reply with the value that the move before it implies.
    fn best_reply(&self, last: &ProbedMove<G>) -> Result<Option<ProbedMove<G>>, TablebaseError> {
        let expected = match (last.outcome, last.plies) {
            (Outcome::Draw, _) => (Outcome::Draw, None),
            (outcome, Some(plies)) => (-outcome, Some(plies.saturating_sub(1))),
            (_, None) => return Ok(None),
        };
        for mv in legal_moves(&last.after) {
            let reply = self.probe(&last.after, mv)?;
            if (reply.outcome, reply.plies) == expected {
                return Ok(Some(reply));
            }
        }
        Ok(None)
    }
}

fn legal_moves<G: HasPerfectIndex>(game: &G) -> Vec<G::Move> {
    let mut list = G::Moves::default();
    let mut game = *game;
    game.moves(&mut list);
    list.each().collect()
}

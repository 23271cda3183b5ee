//! Distances from the start: every one against the boards before it.

use std::time::Instant;

use serde_json::{Value as Json, json};
use tesuji_game::{HasPerfectIndex, NO_MOVE, PerfectIndex};
use tesuji_solve::reachability::{
    self, Distance, DistanceInfo, DistanceMismatch, DistanceStatistics, DistanceTable, UNREACHED,
};

use super::crew::Gauge;
use super::entries::{SHOWN, failed};
use super::{interrupted, tell};
use crate::entry::Playable;
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::think;

/// What became of the distances.
pub(super) struct Reach {
    pub(super) facts: Vec<DistanceInfo>,
    pub(super) boards: u64,
    pub(super) wrong: u64,
    /// The first wrong ones.
    shown: Vec<DistanceMismatch>,
    seconds: f64,
    pub(super) census: Option<DistanceStatistics>,
}

impl Reach {
    /// Derives all distances, and counts them if asked for.
    pub(super) fn of<R: PerfectIndex + Send>(
        distances: &DistanceTable<R>,
        start: R::Board,
        threads: usize,
        census: bool,
        out: &Out,
    ) -> Result<Reach, Failure> {
        let (begun, game) = (Instant::now(), &**distances.game());
        let facts: Vec<DistanceInfo> = distances.info().cloned().collect();
        let gauge = Gauge::new(out, facts.iter().map(|facts| facts.boards).sum());
        let reached = distances.load(threads).map_err(failed)?;
        let watch = |done| gauge.reach(done);
        let (boards, mut shown) =
            reachability::verify(game, start, &reached, threads, &watch).map_err(failed)?;
        let (wrong, seconds) = (shown.len() as u64, begun.elapsed().as_secs_f64());
        shown.truncate(SHOWN);
        if think::interrupted() {
            return Err(interrupted());
        }
        let census = census.then(|| reachability::statistics(game, &reached, threads));
        Ok(Reach { facts, boards, wrong, shown, seconds, census })
    }

    /// A row, and the first distances that are wrong.
    pub(super) fn tell<G: Playable + HasPerfectIndex, R: PerfectIndex<Board = G>>(
        &self,
        game: &R,
        json: bool,
        out: &mut Out,
    ) -> Done {
        let said = |wrong: &DistanceMismatch| {
            let board = game.unrank(wrong.class, wrong.index).map(|board| board.forbidding(NO_MOVE));
            board.map(|board| (board.print(), words(board, wrong.stored), words(board, wrong.derived)))
        };
        let boards: u64 = self.facts.iter().map(|facts| facts.boards).sum();
        if json {
            let wrong = self.shown.iter().map(|wrong| match said(wrong) {
                Some((position, said, right)) => {
                    json!({ "index": wrong.index, "position": position, "said": said, "right": right })
                }
                None => json!({ "index": wrong.index, "position": null }),
            });
            return out.json(
                "verify",
                json!({ "event": "reach", "game": G::NAME, "boards": boards, "entries": self.boards,
                    "wrong": self.wrong, "first_wrong": wrong.collect::<Vec<Json>>(),
                    "proof": "derived", "seconds": self.seconds }),
            );
        }
        tell::row(["all", "reach"], [boards, self.boards, self.wrong], self.seconds, out)?;
        for wrong in &self.shown {
            match said(wrong) {
                Some((position, said, right)) => {
                    out.line(format_args!("  {position}: {said}; right would be: {right}"))?;
                }
                None => out.line(format_args!("  number {} is no board and has no distance", wrong.index))?,
            }
        }
        Ok(())
    }
}

/// `12 plies from the start, c5u after 14`.
fn words<G: Playable + HasPerfectIndex>(board: G, distance: Distance) -> String {
    let Distance { first, mv, second } = distance;
    if first == UNREACHED {
        return "never reached".to_owned();
    }
    let except = match (mv, second) {
        (NO_MOVE.., _) => String::new(),
        (mv, UNREACHED) => format!(", {} never", tell::named(board, mv)),
        (mv, second) => format!(", {} after {second}", tell::named(board, mv)),
    };
    format!("{first} plies from the start{except}")
}

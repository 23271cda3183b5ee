//! Self-play games: a random opening, a midgame by a fast engine, a solved endgame.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use tesuji_game::{Game, Record};
use tesuji_othello::Othello;
use tesuji_search::{CancelToken, Choice, Limits, Rng};

use super::{Labels, empties, random_move};
use crate::othello::{Goal, PatternEval, Solver};
use crate::training::{LabeledPositions, SelfPlayConfig};
use crate::{HasEngines, SpecError};

/// One midgame in this many has a random move, so that moves which the engine never plays occur, too.
const MIDGAME_RANDOM_RATE: usize = 4;
/// One endgame move in this many is random.
const ENDGAME_RANDOM_RATE: usize = 8;
/// Size of the solver's transposition table in MiB.
const TABLE_MIB: usize = 8;
/// The openings end after this many duplicates in a row.
const MAX_DUPLICATES: usize = 1000;

/// Random openings of a seed. No two are the same board under symmetry.
pub(super) struct SelfPlayOpenings {
    rng: Rng,
    plies: RangeInclusive<u32>,
    seen: HashSet<(u64, u64)>,
}

impl SelfPlayOpenings {
    pub(super) fn new(seed: u64, plies: RangeInclusive<u32>) -> SelfPlayOpenings {
        // Games are seeded by numbers derived from the same seed; the constant keeps openings apart from them.
        SelfPlayOpenings { rng: Rng::new(seed ^ 0x6f70_656e_696e_6773), plies, seen: HashSet::new() }
    }

    fn draw(&mut self) -> Record<Othello> {
        let (least, most) = (*self.plies.start(), *self.plies.end());
        let plies = least + self.rng.below((most - least) as usize + 1) as u32;
        let mut record = Record::new(Othello::start());
        for _ in 0..plies {
            // A game may end even in the opening.
            let mv = random_move(record.now(), &mut self.rng);
            let Some(Ok(())) = mv.map(|mv| record.push(mv)) else { break };
        }
        record
    }
}

impl Iterator for SelfPlayOpenings {
    type Item = Record<Othello>;

    fn next(&mut self) -> Option<Record<Othello>> {
        for _ in 0..MAX_DUPLICATES {
            let record = self.draw();
            let board = record.now().canonical();
            if record.ending().is_none() && self.seen.insert((board.own(), board.other())) {
                return Some(record);
            }
        }
        None
    }
}

/// Plays and labels a game. `None` when it was cancelled.
///
/// Perfect play keeps the score, so the solved score at the end of the midgame labels all positions since the last
/// random move. From there on every position has its own exact score.
pub(super) fn play(
    config: &SelfPlayConfig,
    mut record: Record<Othello>,
    number: u32,
    cancel: &CancelToken,
) -> Result<Option<LabeledPositions<Othello>>, SpecError> {
    let mut rng = Rng::new(config.seed.wrapping_add(u64::from(number) << 32));
    let first = play_midgame(config, &mut record, &mut rng, cancel)?;
    let mut labels = Labels::default();
    // A new solver for each game: a used transposition table would influence the choice among equal moves.
    let mut solver = Solver::new(config.hash.unwrap_or(TABLE_MIB), PatternEval::shipped());
    let Some(solved) = solver.solve_until(record.now(), Goal::Score, cancel) else { return Ok(None) };
    label_midgame(&record, first, solved.score, &mut labels);
    let (mut now, mut score, mut line) = (*record.now(), solved.score, solved.pv.into_iter());
    while !now.is_over() {
        labels.add(&now, score);
        let is_random = !now.must_pass() && rng.below(ENDGAME_RANDOM_RATE) == 0;
        if let Some(best) = line.next().filter(|_| !is_random) {
            now.play(best);
            score = -score;
            continue;
        }
        let Some(chosen) = random_move(&now, &mut rng) else { break };
        now.play(chosen);
        let Some(solved) = solver.solve_until(&now, Goal::Score, cancel) else { return Ok(None) };
        (score, line) = (solved.score, solved.pv.into_iter());
    }
    Ok((!cancel.is_cancelled()).then_some(labels.0))
}

/// Plays until few enough squares are empty. Returns the ply after the last random move.
fn play_midgame(
    config: &SelfPlayConfig,
    record: &mut Record<Othello>,
    rng: &mut Rng,
    cancel: &CancelToken,
) -> Result<usize, SpecError> {
    let mut engine = Othello::engine(&config.engine)?;
    // Without the book, which would repeat the same openings.
    let limits = Limits { lines: 1, ignore_book: true, ..Limits::default() };
    let mut first = record.plies().len();
    let left = empties(record.now()).saturating_sub(config.solve) as usize;
    let random_ply = (left > 0 && rng.below(MIDGAME_RANDOM_RATE) == 0).then(|| first + rng.below(left));
    while record.ending().is_none() && empties(record.now()) > config.solve && !cancel.is_cancelled() {
        let mv = if random_ply == Some(record.plies().len()) {
            first = record.plies().len() + 1;
            random_move(record.now(), rng)
        } else {
            match engine.think(record, &limits, cancel, &mut |_| {}) {
                Choice::Move { mv, .. } => Some(mv),
                _ => None,
            }
        };
        let Some(Ok(())) = mv.map(|mv| record.push(mv)) else { break };
    }
    Ok(first)
}

/// Labels the positions from ply `first` to the end of the record, whose last position has this score.
fn label_midgame(record: &Record<Othello>, first: usize, score: i32, labels: &mut Labels) {
    let end = record.now().mover();
    let mut now = *record.start();
    for (ply, mv) in record.moves().enumerate() {
        if ply >= first {
            labels.add(&now, if now.mover() == end { score } else { -score });
        }
        now.play(mv);
    }
}

//! Training data of Othello: positions with scores, from records, self-play and search.

mod records;
mod self_play;

use std::ops::RangeInclusive;
use std::path::Path;

use tesuji_game::{Game, MoveList, Record, Side};
use tesuji_learn::JobError;
use tesuji_othello::{Move, Moves, Othello};
use tesuji_search::{CancelToken, Rng};

use super::pattern::PatternModel;
use super::{Goal, PatternEval, Selectivity, Solver};
use crate::SpecError;
use crate::training::{
    LabelConfig, LabeledPositions, Labeler, RecordConfig, SelfPlayConfig, Trainable, TrainingPosition, UnusableRecord,
};
use self_play::SelfPlayOpenings;

/// Size of the labeler's transposition table in MiB. It is cleared for every position.
const LABELER_TABLE_MIB: usize = 1;

impl Trainable for Othello {
    type Model = PatternModel;

    const BASELINES: &'static [&'static str] = &["classic", "squares"];
    const SELF_PLAY_ENGINE: &'static str = "alphabeta:depth=4,hash=1";

    fn model() -> PatternModel {
        PatternModel::new()
    }

    fn plain_model() -> PatternModel {
        PatternModel::plain()
    }

    fn from_position(&(own, other): &TrainingPosition<Othello>) -> Othello {
        // The sets are disjoint. If they were not, the common squares would be the mover's.
        Othello::new(own, other & !own, Side::First).unwrap_or_else(Othello::start)
    }

    fn label_record(
        record: &Record<Othello>,
        config: RecordConfig,
    ) -> Result<LabeledPositions<Othello>, UnusableRecord> {
        records::label_record(record, config)
    }

    fn openings(seed: u64, plies: RangeInclusive<u32>) -> Box<dyn Iterator<Item = Record<Othello>> + Send> {
        Box::new(SelfPlayOpenings::new(seed, plies))
    }

    fn self_play(
        config: &SelfPlayConfig,
        opening: Record<Othello>,
        number: u32,
        cancel: &CancelToken,
    ) -> Result<Option<LabeledPositions<Othello>>, SpecError> {
        self_play::play(config, opening, number, cancel)
    }

    fn labeler(config: LabelConfig, weights: Option<&Path>) -> Result<Labeler<Othello>, JobError> {
        let eval = load_evaluation(weights)?;
        let mut solver = Solver::new(config.hash.unwrap_or(LABELER_TABLE_MIB), eval);
        let selectivity = Selectivity::at_least(config.sure);
        Ok(Box::new(move |position, cancel: &CancelToken| {
            // Most searches end before they check the token.
            if cancel.is_cancelled() {
                return None;
            }
            let mut labels = Labels::default();
            let mut game = Othello::from_position(position);
            // Seeded by the position, so that the result does not depend on positions before.
            let mut rng = Rng::new(config.seed ^ Rng::new(position.0).draw() ^ position.1);
            if config.random_move_rate > 0
                && rng.below(config.random_move_rate as usize) == 0
                && let Some(mv) = random_move(&game, &mut rng)
            {
                game.play(mv);
            }
            if !game.is_over() {
                solver.clear();
                let solved = if empties(&game) <= config.solve {
                    solver.solve_until(&game, Goal::Score, cancel)?
                } else {
                    solver.search_depth(&game, config.depth, selectivity, cancel)?
                };
                labels.add(&game, solved.score);
            }
            Some(labels.0)
        }))
    }
}

/// The evaluation with the weights of a file, or with those that ship.
pub fn load_evaluation(weights: Option<&Path>) -> Result<PatternEval, JobError> {
    let Some(path) = weights else { return Ok(PatternEval::shipped()) };
    let invalid = |error: String| JobError::field("weights", format_args!("{}: {error}", path.display()));
    PatternEval::load(path).map_err(invalid)
}

/// Labelled positions.
#[derive(Default)]
struct Labels(LabeledPositions<Othello>);

impl Labels {
    /// Adds a position and its score for the mover, in discs. Positions without a legal move are left out.
    fn add(&mut self, game: &Othello, score: i32) {
        if tesuji_othello::mobility(game.own(), game.other()) != 0 {
            // Labels count hundredths; no score is beyond 64 discs.
            self.0.push(((game.own(), game.other()), (score * 100) as i16));
        }
    }
}

/// Number of empty squares.
fn empties(game: &Othello) -> u32 {
    game.empties().count_ones()
}

/// A uniformly random legal move.
fn random_move(game: &Othello, rng: &mut Rng) -> Option<Move> {
    let mut list = Moves::default();
    game.clone().moves(&mut list);
    list.each().nth(rng.below(list.len().max(1)))
}

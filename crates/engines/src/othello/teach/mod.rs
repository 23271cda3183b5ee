//! Othello as it is taught: positions with scores, from records and from our own play.

mod labels;
mod mark;
mod openings;
mod play;
mod record;

use std::ops::RangeInclusive;
use std::path::Path;

use tesuji_game::{Game, Record, Side};
use tesuji_othello::Othello;
use tesuji_search::CancelToken;

use super::pattern::PatternModel;
use crate::{LabelConfig, LabeledPositions, Labeler, SelfPlayConfig, SpecError, Trainable, UnusableRecord};
use openings::Openings;

/// The evaluation that is trained.
type Trained = PatternModel;

/// A position in a data set: the discs of the mover and of the opponent.
type Board = <Trained as tesuji_learn::Model>::Position;

impl Trainable for Othello {
    type Model = Trained;

    const RIVALS: &'static [&'static str] = &["classic", "squares"];
    const PLAYER: &'static str = "alphabeta:depth=4,hash=1";

    fn model() -> Trained {
        Trained::new()
    }

    fn plain() -> Trained {
        Trained::plain()
    }

    fn at(position: &Board) -> Othello {
        let (own, other) = *position;
        // The two never overlap; if they did, the shared squares were the mover's.
        Othello::new(own, other & !own, Side::First).unwrap_or_else(Othello::start)
    }

    fn lesson(record: &Record<Othello>, solve: u32) -> Result<LabeledPositions<Othello>, UnusableRecord> {
        record::lesson(record, solve)
    }

    fn openings(seed: u64, plies: RangeInclusive<u32>) -> Box<dyn Iterator<Item = Record<Othello>> + Send> {
        Box::new(Openings::new(seed, plies))
    }

    fn exercise(
        exercise: &SelfPlayConfig,
        opening: Record<Othello>,
        number: u32,
        stop: &CancelToken,
    ) -> Result<Option<LabeledPositions<Othello>>, SpecError> {
        play::exercise(exercise, opening, number, stop)
    }

    fn marker(marking: LabelConfig, weights: Option<&Path>) -> Result<Labeler<Othello>, SpecError> {
        mark::marker(marking, weights)
    }
}

//! What a game adds so that its evaluation can be trained: positions with labels, from records and from its own play.

use std::ops::RangeInclusive;
use std::path::Path;

use tesuji_game::{Formats, Record};
use tesuji_learn::Model;
use tesuji_search::{CancelToken, Limits};

use crate::limited::limits;
use crate::{HasEngines, Spec, SpecError};

/// Positions with what they are worth, in hundredths, seen by the mover.
pub type LabeledPositions<G> = Vec<(<<G as Trainable>::Model as Model>::Position, i16)>;

/// A game whose evaluation can be trained.
pub trait Trainable: HasEngines + Formats {
    /// Its evaluation.
    type Model: Model;

    /// The evaluations made by hand, to compare trained ones with.
    const RIVALS: &'static [&'static str];

    /// Who plays when nobody asks for another: quick, and the same on every machine.
    const PLAYER: &'static str;

    /// Its evaluation as it is trained.
    fn model() -> Self::Model;

    /// The same with nothing that the files of other programs could not hold.
    fn plain() -> Self::Model {
        Self::model()
    }

    /// The game at a position of a data set.
    fn at(position: &<Self::Model as Model>::Position) -> Self;

    /// What a record teaches, or why it teaches nothing. The last `solve` empty squares, or whatever the game is
    /// solved by, are labelled with the truth.
    fn lesson(record: &Record<Self>, solve: u32) -> Result<LabeledPositions<Self>, UnusableRecord>;

    /// Random openings, no two of them alike; they end when no other can be found.
    fn openings(seed: u64, plies: RangeInclusive<u32>) -> Box<dyn Iterator<Item = Record<Self>> + Send>;

    /// Plays a game from an opening and labels its positions; nothing when it was stopped. It depends only on what
    /// is given here, and not on games before.
    fn exercise(
        exercise: &SelfPlayConfig,
        opening: Record<Self>,
        number: u32,
        stop: &CancelToken,
    ) -> Result<Option<LabeledPositions<Self>>, SpecError>;

    /// Somebody who labels positions by searching them, with weights of a file or those that ship.
    fn marker(marking: LabelConfig, weights: Option<&Path>) -> Result<Labeler<Self>, SpecError>;
}

/// Labels a position by itself, or one that a random move leads to; an empty lesson where there is nothing to learn,
/// and none when it was stopped. It does not depend on positions before.
pub type Labeler<G> = Box<
    dyn FnMut(&<<G as Trainable>::Model as Model>::Position, &CancelToken) -> Option<LabeledPositions<G>>,
>;

/// How positions are labelled by searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LabelConfig {
    /// Plies to look ahead.
    pub depth: u32,
    /// How sure to be of what is not looked at, in per cent.
    pub sure: u32,
    /// From where on positions are labelled with the truth.
    pub solve: u32,
    /// One position in so many is labelled after a random move, as a search meets them; 0 for none.
    pub stray: u32,
    /// What chance begins with.
    pub seed: u64,
}

/// Why a record teaches nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnusableRecord {
    /// It has too few moves.
    Short,
    /// It has no end and no score.
    Unscored,
}

/// How games are played to learn from.
#[derive(Clone, PartialEq, Debug)]
pub struct SelfPlayConfig {
    /// Who plays.
    pub player: Spec,
    /// From where on positions are labelled with the truth.
    pub solve: u32,
    /// What chance begins with.
    pub seed: u64,
}

impl SelfPlayConfig {
    /// Whether the player plays the same moves every time: by a depth, nodes or play-outs, on one thread.
    pub fn check(&self) -> Result<(), SpecError> {
        let Limits { depth, nodes, time, .. } = limits(&self.player)?;
        let counted = depth.is_some() || nodes.is_some() || self.player.name == "random";
        let alone = self.player.number("threads", 1, 1024)?.is_none_or(|threads| threads == 1);
        if counted && alone && time.is_none() {
            return Ok(());
        }
        let message = "it must play the same moves every time: give it a depth, nodes or playouts, and neither time \
                       nor threads";
        Err(SpecError::value("engine", &self.player.to_string(), message))
    }
}

//! The engines of Trax, the same for every variant: values are thousandths of a win, unless an evaluation
//! says otherwise.

mod attack;
mod average;
mod craft;
mod playouts;

use tesuji_search::{Engine, Nothing, Value};
use tesuji_trax::{Trax, Variant};

use crate::build::{engine, evaluation, judged, unknown};
use crate::{Roster, Spec, SpecError};

pub use attack::win_in_one;
pub use average::{AverageThenPlayouts, LeafAverage};
pub use craft::TraxCraft;
pub use playouts::MonteCarlo;

impl<V: Variant> Roster for Trax<V> {
    const EVALUATIONS: &'static [&'static str] = &["none", "leaf-average", "monte-carlo", "leaf-average+mc"];
    const DEFAULT: &'static str = "alphabeta";

    fn engine(spec: &Spec) -> Result<Box<dyn Engine<Trax<V>>>, SpecError> {
        match evaluation::<Trax<V>>(spec)? {
            "leaf-average" => engine(spec, LeafAverage, TraxCraft),
            "monte-carlo" => engine(spec, MonteCarlo::default(), TraxCraft),
            "leaf-average+mc" => engine(spec, AverageThenPlayouts::default(), TraxCraft),
            _ => engine(spec, Nothing, TraxCraft),
        }
    }

    fn judge(evaluation: &str, game: &Trax<V>) -> Result<Value, SpecError> {
        match evaluation {
            "none" => Ok(judged(&Nothing, game)),
            "leaf-average" => Ok(judged(&LeafAverage, game)),
            "monte-carlo" => Ok(judged(&MonteCarlo::default(), game)),
            "leaf-average+mc" => Ok(judged(&AverageThenPlayouts::default(), game)),
            other => Err(unknown("evaluation", other, Self::EVALUATIONS)),
        }
    }
}

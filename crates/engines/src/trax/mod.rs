//! The engines of Trax, the same for every variant. Values are mean results: +1 for a win, -1 for a loss.

mod attack;
mod average;
mod heuristics;
mod playouts;

use tesuji_search::{Engine, NoEval, Value, ValueUnit};
use tesuji_trax::{Trax, Variant};

use crate::factory::{Scales, engine, evaluation, static_eval};
use crate::{HasEngines, Spec, SpecError};

pub use attack::win_in_one;
pub use average::{AverageThenPlayouts, LeafAverage};
pub use heuristics::TraxHeuristics;
pub use playouts::MonteCarlo;

/// One winning move more among fifty is twenty thousandths.
const AVERAGE: Scales = Scales { value: 30.0, policy: 10.0 };
const PLAYOUTS: Scales = Scales { value: 300.0, policy: 100.0 };
const BOTH: Scales = Scales { value: 600.0, policy: 200.0 };

impl<V: Variant> HasEngines for Trax<V> {
    const EVALUATIONS: &'static [&'static str] = &["none", "leaf-average", "monte-carlo", "leaf-average+mc"];
    const DEFAULT: &'static str = "alphabeta";
    const UNIT: ValueUnit = ValueUnit { steps: average::WIN as i16, ..ValueUnit::WINS };

    fn unit(evaluation: &str) -> ValueUnit {
        match evaluation {
            "leaf-average+mc" => ValueUnit { steps: average::WIN_WITH_PLAYOUTS as i16, ..Self::UNIT },
            _ => Self::UNIT,
        }
    }

    fn engine(spec: &Spec) -> Result<Box<dyn Engine<Trax<V>>>, SpecError> {
        match evaluation::<Trax<V>>(spec)? {
            "leaf-average" => engine(spec, LeafAverage, TraxHeuristics, AVERAGE),
            "monte-carlo" => engine(spec, MonteCarlo::default(), TraxHeuristics, PLAYOUTS),
            "leaf-average+mc" => engine(spec, AverageThenPlayouts::default(), TraxHeuristics, BOTH),
            _ => engine(spec, NoEval, TraxHeuristics, AVERAGE),
        }
    }

    fn static_eval(evaluation: &str, game: &Trax<V>) -> Result<Value, SpecError> {
        match evaluation {
            "none" => Ok(static_eval(&NoEval, game)),
            "leaf-average" => Ok(static_eval(&LeafAverage, game)),
            "monte-carlo" => Ok(static_eval(&MonteCarlo::default(), game)),
            "leaf-average+mc" => Ok(static_eval(&AverageThenPlayouts::default(), game)),
            other => Err(SpecError::unknown("evaluation", other, Self::EVALUATIONS)),
        }
    }
}

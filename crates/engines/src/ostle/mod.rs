//! The engines of Ostle: values count pieces, in thousandths.

mod heuristics;
mod material;

use tesuji_ostle::Ostle;
use tesuji_search::{Engine, NoEval, Value, ValueUnit};

use crate::factory::{Scales, engine, evaluation, static_eval};
use crate::{EngineKind, HasEngines, Level, Spec, SpecError, TABLE, from_table, levels};

pub use heuristics::OstleHeuristics;
pub use material::Material;

const SCALES: Scales = Scales { value: 400.0, policy: 150.0 };

impl HasEngines for Ostle {
    const EVALUATIONS: &'static [&'static str] = &["material", "none"];
    const DEFAULT: &'static str = "alphabeta";
    const LEVELS: &'static [Level] = levels::OSTLE;
    /// Who loses two of five pieces has lost.
    const UNIT: ValueUnit =
        ValueUnit { name: "pieces", steps: 1000, decimals: 2, limit: 5, decisive: 2, decided_offset: None };

    const OWN_KINDS: &'static [EngineKind] = &[TABLE];

    fn engine(spec: &Spec) -> Result<Box<dyn Engine<Ostle>>, SpecError> {
        if EngineKind::of(spec, &Self::kinds())?.name == TABLE.name {
            return from_table(spec, Self::engine);
        }
        match evaluation::<Ostle>(spec)? {
            "material" => engine(spec, Material, OstleHeuristics, SCALES),
            _ => engine(spec, NoEval, OstleHeuristics, SCALES),
        }
    }

    fn static_eval(evaluation: &str, game: &Ostle) -> Result<Value, SpecError> {
        match evaluation {
            "material" => Ok(static_eval(&Material, game)),
            "none" => Ok(static_eval(&NoEval, game)),
            other => Err(SpecError::unknown("evaluation", other, Self::EVALUATIONS)),
        }
    }
}

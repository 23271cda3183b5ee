//! Engines for shogi: the evaluation `material` in centipawns and the search heuristics.

mod claim;
pub mod entries;
mod heuristics;
mod king_safety;
mod mate;
mod material;
mod order;
mod piece_square;
mod piece_values;
mod see;
#[cfg(test)]
mod tests;
mod tsume;

use tesuji_search::{Engine, NoEval, NoHeuristics, Value, ValueUnit};
use tesuji_shogi::Shogi;

use crate::factory::{Scales, engine, evaluation, static_eval};
use crate::network::shipped;
use crate::{HasEngines, Spec, SpecError};

pub(crate) use heuristics::ShogiHeuristics;
pub(crate) use material::Material;
pub use tsume::ChecksOnly;

const SCALES: Scales = Scales { value: 600.0, policy: 200.0 };

impl HasEngines for Shogi {
    const EVALUATIONS: &'static [&'static str] = &["material", "none"];
    const DEFAULT: &'static str = "alphabeta";
    /// A lead of 3000 is more than a rook and a bishop: nobody turns such a game round.
    const UNIT: ValueUnit = ValueUnit {
        name: "centipawns",
        steps: 1,
        decimals: 0,
        limit: Value::LIMIT,
        decisive: 3000,
        decided_offset: None,
    };

    const NETWORK: Option<&'static [u8]> = shipped::SHOGI;

    fn engine(spec: &Spec) -> Result<Box<dyn Engine<Shogi>>, SpecError> {
        let engine = match evaluation::<Shogi>(spec)? {
            "material" => engine(spec, Material, ShogiHeuristics::default(), SCALES)?,
            _ => engine(spec, NoEval, NoHeuristics, SCALES)?,
        };
        Ok(Box::new(claim::Claimant { engine }))
    }

    fn static_eval(evaluation: &str, game: &Shogi) -> Result<Value, SpecError> {
        match evaluation {
            "material" => Ok(static_eval(&Material, game)),
            "none" => Ok(static_eval(&NoEval, game)),
            other => Err(SpecError::unknown("evaluation", other, Self::EVALUATIONS)),
        }
    }
}

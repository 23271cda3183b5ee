//! The engines of shogi: the evaluation `material`, in centipawns, and the craft that searches with it.

mod claim;
mod craft;
mod exchange;
mod geometry;
mod king;
mod mate;
mod material;
mod order;
mod places;
#[cfg(test)]
mod tests;
mod worth;

use tesuji_search::{Engine, NoEval, NoHeuristics, Value};
use tesuji_shogi::Shogi;

use crate::build::{Scales, engine, evaluation, judged, unknown};
use crate::{HasEngines, Spec, SpecError};

pub(crate) use craft::Tactics;
pub(crate) use material::Material;

const SCALES: Scales = Scales { value: 600.0, policy: 200.0 };

impl HasEngines for Shogi {
    const EVALUATIONS: &'static [&'static str] = &["material", "none"];
    const DEFAULT: &'static str = "alphabeta";

    fn engine(spec: &Spec) -> Result<Box<dyn Engine<Shogi>>, SpecError> {
        let engine = match evaluation::<Shogi>(spec)? {
            "material" => engine(spec, Material, Tactics::default(), SCALES)?,
            _ => engine(spec, NoEval, NoHeuristics, SCALES)?,
        };
        Ok(Box::new(claim::Claimant { engine }))
    }

    fn judge(evaluation: &str, game: &Shogi) -> Result<Value, SpecError> {
        match evaluation {
            "material" => Ok(judged(&Material, game)),
            "none" => Ok(judged(&NoEval, game)),
            other => Err(unknown("evaluation", other, Self::EVALUATIONS)),
        }
    }
}

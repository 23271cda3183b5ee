//! The engines of shogi: the evaluation `material`, in centipawns, and its search heuristics.

mod claim;
mod exchange;
mod geometry;
mod heuristics;
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

pub(crate) use heuristics::ShogiHeuristics;
pub(crate) use material::Material;

const SCALES: Scales = Scales { value: 600.0, policy: 200.0 };

impl HasEngines for Shogi {
    const EVALUATIONS: &'static [&'static str] = &["material", "none"];
    const DEFAULT: &'static str = "alphabeta";

    fn engine(spec: &Spec) -> Result<Box<dyn Engine<Shogi>>, SpecError> {
        let engine = match evaluation::<Shogi>(spec)? {
            "material" => engine(spec, Material, ShogiHeuristics::default(), SCALES)?,
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

//! The engines of shogi: the evaluation `material` and the craft that searches with it.

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

use tesuji_search::{Engine, Eval, Nothing, Plain, Value};
use tesuji_shogi::Shogi;

use crate::build::{alphabeta, unknown};
use crate::{RandomMover, Roster, Spec, SpecError};

pub(crate) use craft::Tactics;
pub(crate) use material::Material;

impl Roster for Shogi {
    const EVALUATIONS: &'static [&'static str] = &["material", "none"];
    const DEFAULT: &'static str = "alphabeta";

    fn engine(spec: &Spec) -> Result<Box<dyn Engine<Shogi>>, SpecError> {
        let engine = match (spec.name.as_str(), spec.get("eval").unwrap_or("material")) {
            ("random", _) => return Ok(Box::new(RandomMover::new(0))),
            ("alphabeta", "material") => alphabeta(spec, Material, Tactics::default())?,
            ("alphabeta", "none") => alphabeta(spec, Nothing, Plain)?,
            ("alphabeta", other) => return Err(unknown("evaluation", other, Self::EVALUATIONS)),
            (other, _) => return Err(unknown("engine", other, &["random", "alphabeta"])),
        };
        Ok(Box::new(claim::Claimant { engine }))
    }

    fn judge(evaluation: &str, game: &Shogi) -> Result<Value, SpecError> {
        match evaluation {
            "material" => Ok(Material.value(game, &Material.begin(game))),
            "none" => Ok(Value::DRAW),
            other => Err(unknown("evaluation", other, Self::EVALUATIONS)),
        }
    }
}

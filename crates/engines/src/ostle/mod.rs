//! The engines of Ostle.

use tesuji_ostle::Ostle;
use tesuji_search::{Engine, Nothing, Plain, Value};

use crate::build::{alphabeta, unknown};
use crate::{RandomMover, Roster, Spec, SpecError};

impl Roster for Ostle {
    const EVALUATIONS: &'static [&'static str] = &["none"];
    const DEFAULT: &'static str = "alphabeta";

    fn engine(spec: &Spec) -> Result<Box<dyn Engine<Ostle>>, SpecError> {
        match spec.name.as_str() {
            "random" => Ok(Box::new(RandomMover::new(0))),
            "alphabeta" => alphabeta(spec, Nothing, Plain),
            other => Err(unknown("engine", other, &["random", "alphabeta"])),
        }
    }

    fn judge(evaluation: &str, _: &Ostle) -> Result<Value, SpecError> {
        match evaluation {
            "none" => Ok(Value::DRAW),
            other => Err(unknown("evaluation", other, Self::EVALUATIONS)),
        }
    }
}

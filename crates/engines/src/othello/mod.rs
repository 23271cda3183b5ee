//! The engines of Othello.

use tesuji_othello::Othello;
use tesuji_search::{Engine, Nothing, Plain, Value};

use crate::build::{alphabeta, unknown};
use crate::{RandomMover, Roster, Spec, SpecError};

impl Roster for Othello {
    const EVALUATIONS: &'static [&'static str] = &["none"];
    const DEFAULT: &'static str = "alphabeta";

    fn engine(spec: &Spec) -> Result<Box<dyn Engine<Othello>>, SpecError> {
        match spec.name.as_str() {
            "random" => Ok(Box::new(RandomMover::new(0))),
            "alphabeta" => alphabeta(spec, Nothing, Plain),
            other => Err(unknown("engine", other, &["random", "alphabeta"])),
        }
    }

    fn judge(evaluation: &str, _: &Othello) -> Result<Value, SpecError> {
        match evaluation {
            "none" => Ok(Value::DRAW),
            other => Err(unknown("evaluation", other, Self::EVALUATIONS)),
        }
    }
}

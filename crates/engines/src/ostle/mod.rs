//! The engines of Ostle: values are thousandths of a piece.

mod craft;
mod material;

use tesuji_ostle::Ostle;
use tesuji_search::{Engine, Nothing, Value};

use crate::build::{Scales, engine, evaluation, judged, unknown};
use crate::{Kind, Roster, Spec, SpecError, TABLE, from_table};

pub use craft::OstleCraft;
pub use material::Material;

const SCALES: Scales = Scales { value: 400.0, policy: 150.0 };

impl Roster for Ostle {
    const EVALUATIONS: &'static [&'static str] = &["material", "none"];
    const DEFAULT: &'static str = "alphabeta";

    const OWN_KINDS: &'static [Kind] = &[TABLE];

    fn engine(spec: &Spec) -> Result<Box<dyn Engine<Ostle>>, SpecError> {
        if Kind::of(spec, &Self::kinds())?.name == TABLE.name {
            return from_table(spec, Self::engine);
        }
        match evaluation::<Ostle>(spec)? {
            "material" => engine(spec, Material, OstleCraft, SCALES),
            _ => engine(spec, Nothing, OstleCraft, SCALES),
        }
    }

    fn judge(evaluation: &str, game: &Ostle) -> Result<Value, SpecError> {
        match evaluation {
            "material" => Ok(judged(&Material, game)),
            "none" => Ok(judged(&Nothing, game)),
            other => Err(unknown("evaluation", other, Self::EVALUATIONS)),
        }
    }
}

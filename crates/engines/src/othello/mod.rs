//! The engines of Othello: values are hundredths of a disc.

mod classic;
mod craft;
mod endgame;
mod square;
mod squares;
mod teach;
mod worth;

use tesuji_othello::Othello;
use tesuji_search::{Engine, Value};

use crate::build::{Scales, engine, evaluation, judged, unknown};
use crate::{Roster, Spec, SpecError};

pub use classic::Classic;
pub use craft::OthelloCraft;
pub use endgame::{Aim, Rank, Replies, Solved, Solver, Unranked};
pub use squares::Squares;
pub use worth::{Discs, final_margin};

/// Six discs ahead is a game nearly won.
const SCALES: Scales = Scales { value: 500.0, policy: 150.0 };

impl Roster for Othello {
    const EVALUATIONS: &'static [&'static str] = &["classic", "squares", "none"];
    const DEFAULT: &'static str = "alphabeta";

    fn engine(spec: &Spec) -> Result<Box<dyn Engine<Othello>>, SpecError> {
        match evaluation::<Othello>(spec)? {
            "classic" => engine(spec, Classic, OthelloCraft, SCALES),
            "squares" => engine(spec, Squares, OthelloCraft, SCALES),
            _ => engine(spec, Discs, OthelloCraft, SCALES),
        }
    }

    fn judge(evaluation: &str, game: &Othello) -> Result<Value, SpecError> {
        match evaluation {
            "classic" => Ok(judged(&Classic, game)),
            "squares" => Ok(judged(&Squares, game)),
            "none" => Ok(judged(&Discs, game)),
            other => Err(unknown("evaluation", other, Self::EVALUATIONS)),
        }
    }
}

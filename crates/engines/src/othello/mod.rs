//! The engines of Othello: values are hundredths of a disc.

mod book;
mod classic;
mod cuts;
mod expert;
mod heuristics;
mod kind;
mod pattern;
mod square;
mod squares;
mod teach;
mod worth;

use tesuji_othello::Othello;
use tesuji_search::{Engine, Value};

use crate::build::{Scales, engine, evaluation, judged, unknown};
use crate::{HasEngines, Kind, Spec, SpecError};
use kind::{EXPERT, expert};

pub use book::{
    Book, BookError, Choice, Grower, Leaf, Opinion, Plan, Shelved, Source, Sparring, Tally, TextFault,
};
pub use classic::Classic;
pub use cuts::{Cuts, CutsError, Depths, Gap, Study};
pub use expert::{Aim, Expert, Glimpse, Level, Solved, Solver, Strength};
pub use heuristics::OthelloHeuristics;
pub use pattern::{Boards, Freedom, Numbers, Pattern, Patterns, boards};
pub use squares::Squares;
pub use worth::{Discs, final_margin};

/// Six discs ahead is a game nearly won.
const SCALES: Scales = Scales { value: 500.0, policy: 150.0 };

impl HasEngines for Othello {
    const EVALUATIONS: &'static [&'static str] = &["pattern", "classic", "squares", "none"];
    const DEFAULT: &'static str = "expert";

    const OWN_KINDS: &'static [Kind] = &[EXPERT];

    fn engine(spec: &Spec) -> Result<Box<dyn Engine<Othello>>, SpecError> {
        let evaluation = match Kind::of(spec, &Self::kinds())?.name {
            name if name == EXPERT.name => return expert(spec),
            // Chance judges nothing, so there is nothing to load.
            "random" => "none",
            _ => match spec.get("eval").filter(|asked| is_file(asked)) {
                Some(file) => return engine(spec, trained(file)?, OthelloHeuristics, SCALES),
                None => evaluation::<Othello>(spec)?,
            },
        };
        match evaluation {
            "pattern" => engine(spec, Pattern::shipped(), OthelloHeuristics, SCALES),
            "classic" => engine(spec, Classic, OthelloHeuristics, SCALES),
            "squares" => engine(spec, Squares, OthelloHeuristics, SCALES),
            _ => engine(spec, Discs, OthelloHeuristics, SCALES),
        }
    }

    fn judge(evaluation: &str, game: &Othello) -> Result<Value, SpecError> {
        match evaluation {
            "pattern" => Ok(judged(&Pattern::shipped(), game)),
            "classic" => Ok(judged(&Classic, game)),
            "squares" => Ok(judged(&Squares, game)),
            "none" => Ok(judged(&Discs, game)),
            file if is_file(file) => Ok(judged(&trained(file)?, game)),
            other => Err(unknown("evaluation", other, Self::EVALUATIONS)),
        }
    }
}

/// Whether an evaluation is asked for by the name of a file: no other has a dot or a slash in it.
fn is_file(asked: &str) -> bool {
    asked.contains(['.', '/', '\\'])
}

/// The evaluation of a file that `tesuji train othello` made.
fn trained(file: &str) -> Result<Pattern, SpecError> {
    Pattern::load(file).map_err(|error| SpecError::value("eval", file, error))
}

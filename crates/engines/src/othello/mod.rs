//! The evaluations, search, opening book and training of Othello. Values are hundredths of a disc.

pub(crate) mod book;
mod classic;
mod heuristics;
pub(crate) mod pattern;
mod probcut;
mod search;
mod spec;
mod square_weights;
mod terminal;
mod training;

use tesuji_othello::Othello;
use tesuji_search::{Engine, Value, ValueUnit};

use crate::factory::{Scales, engine, evaluation, static_eval};
use crate::{EngineKind, HasEngines, Level, Spec, SpecError, levels};
use spec::{EXPERT, expert};

pub use book::{Book, BookKey};
pub use classic::Classic;
pub use heuristics::OthelloHeuristics;
pub use pattern::{Bitboards, MobilityPair, PatternEval, PatternIndices, PatternModel, bitboards};
pub use probcut::{
    DepthDifferences, DifferenceStats, ProbCutFileError, ProbCutJob, ProbCutOutcome, ProbCutParameters, StudyDepths,
};
pub use search::{
    BestMoves, Goal, IterationReport, MoveValues, OthelloEngine, Selectivity, Solver, SolverResult, Strength,
};
pub use square_weights::SquareWeights;
pub use terminal::TerminalEval;
pub use training::load_evaluation;

/// A lead of six discs nearly wins the game.
const SCALES: Scales = Scales { value: 500.0, policy: 150.0 };

impl HasEngines for Othello {
    const EVALUATIONS: &'static [&'static str] = &["pattern", "classic", "squares", "none"];
    const DEFAULT: &'static str = "expert";
    const LEVELS: &'static [Level] = levels::OTHELLO;

    const UNIT: ValueUnit = terminal::DISCS;

    const OWN_KINDS: &'static [EngineKind] = &[EXPERT];

    fn engine(spec: &Spec) -> Result<Box<dyn Engine<Othello>>, SpecError> {
        let evaluation = match EngineKind::of(spec, &Self::kinds())?.name {
            name if name == EXPERT.name => return expert(spec),
            // The random mover needs no evaluation.
            "random" => "none",
            _ => match spec.get("eval").filter(|asked| is_file(asked)) {
                Some(file) => return engine(spec, trained(file)?, OthelloHeuristics, SCALES),
                None => evaluation::<Othello>(spec)?,
            },
        };
        match evaluation {
            "pattern" => engine(spec, PatternEval::shipped(), OthelloHeuristics, SCALES),
            "classic" => engine(spec, Classic, OthelloHeuristics, SCALES),
            "squares" => engine(spec, SquareWeights, OthelloHeuristics, SCALES),
            _ => engine(spec, TerminalEval, OthelloHeuristics, SCALES),
        }
    }

    fn static_eval(evaluation: &str, game: &Othello) -> Result<Value, SpecError> {
        match evaluation {
            "pattern" => Ok(static_eval(&PatternEval::shipped(), game)),
            "classic" => Ok(static_eval(&Classic, game)),
            "squares" => Ok(static_eval(&SquareWeights, game)),
            "none" => Ok(static_eval(&TerminalEval, game)),
            file if is_file(file) => Ok(static_eval(&trained(file)?, game)),
            other => Err(SpecError::unknown("evaluation", other, Self::EVALUATIONS)),
        }
    }
}

/// Whether an evaluation is a file name: no other has a dot or a slash.
fn is_file(asked: &str) -> bool {
    asked.contains(['.', '/', '\\'])
}

/// Loads a file made by `tesuji train othello`.
fn trained(file: &str) -> Result<PatternEval, SpecError> {
    PatternEval::load(file).map_err(|error| SpecError::value("eval", file, error))
}

//! The engines of Trax, the same for every variant. Values are mean results: +1 for a win, -1 for a loss.

mod average;
pub(crate) mod book;
mod features;
mod heuristics;
pub(crate) mod lines;
mod parts;
mod playouts;
mod root_threats;
mod threats;
mod training;

use tesuji_game::Game;
use tesuji_search::alphabeta::AlphaBeta;
use tesuji_search::{Engine, NoEval, Value, ValueUnit};
use tesuji_trax::{Trax, Variant};

use crate::book::{BookEngine, BookSource};
use crate::factory::{Scales, alphabeta_options, engine, evaluation, static_eval};
use crate::kind::{DEPTH, EVAL, HASH, NODES, THREADS, TIME, setting};
use crate::limited::Limited;
use crate::{EngineKind, HasEngines, Level, Spec, SpecError, levels};
use root_threats::RootThreats;

pub use average::{AverageThenPlayouts, LeafAverage};
pub use book::{BookTurns, LeafSearch};
pub use features::{FEATURES, Scratch, features};
pub use heuristics::TraxHeuristics;
pub use lines::{LOGISTIC, Lines, MODEL};
pub use parts::parts;
pub use playouts::MonteCarlo;
pub use threats::AttacksOnly;

/// One winning move more among fifty is twenty thousandths.
const AVERAGE: Scales = Scales { value: 30.0, policy: 10.0 };
const PLAYOUTS: Scales = Scales { value: 300.0, policy: 100.0 };
const BOTH: Scales = Scales { value: 600.0, policy: 200.0 };
const LINES: Scales = Scales { value: LOGISTIC, policy: 100.0 };

/// Alpha-beta search with weights of its own.
const ALPHABETA: EngineKind = EngineKind {
    name: "alphabeta",
    about: "alpha-beta search",
    settings: &[
        DEPTH,
        NODES,
        TIME,
        EVAL,
        setting("weights", "a file of weights for eval=lines (default: the shipped one)"),
        setting(
            "threats",
            "percent of the time that the search for wins by attacks alone may take, with eval=lines (default 12)",
        ),
        setting("book", "a file made by `tesuji book build trax`, or none, with eval=lines (the shipped one)"),
        HASH,
        THREADS,
    ],
};

impl<V: Variant> HasEngines for Trax<V> {
    const EVALUATIONS: &'static [&'static str] = &["lines", "none", "leaf-average", "monte-carlo", "leaf-average+mc"];
    const DEFAULT: &'static str = "alphabeta";
    const LEVELS: &'static [Level] = levels::TRAX;
    const UNIT: ValueUnit = ValueUnit { steps: average::WIN as i16, ..ValueUnit::WINS };
    const OWN_KINDS: &'static [EngineKind] = &[ALPHABETA];

    fn unit(evaluation: &str) -> ValueUnit {
        match evaluation {
            "leaf-average+mc" => ValueUnit { steps: average::WIN_WITH_PLAYOUTS as i16, ..Self::UNIT },
            _ => Self::UNIT,
        }
    }

    fn engine(spec: &Spec) -> Result<Box<dyn Engine<Trax<V>>>, SpecError> {
        let evaluation = evaluation::<Trax<V>>(spec)?;
        for (key, expected) in [("weights", "only eval=lines has weights"), ("book", "only eval=lines has a book")] {
            if let Some(file) = spec.get(key).filter(|_| evaluation != "lines") {
                return Err(SpecError::value(key, file, expected));
            }
        }
        let plain = TraxHeuristics::<false>;
        match evaluation {
            "lines" if spec.name == ALPHABETA.name => champion(spec),
            "lines" => engine(spec, lines_of(spec)?, TraxHeuristics::<true>, LINES),
            "leaf-average" => engine(spec, LeafAverage, plain, AVERAGE),
            "monte-carlo" => engine(spec, MonteCarlo::default(), plain, PLAYOUTS),
            "leaf-average+mc" => engine(spec, AverageThenPlayouts::default(), plain, BOTH),
            _ => engine(spec, NoEval, plain, AVERAGE),
        }
    }

    fn static_eval(evaluation: &str, game: &Trax<V>) -> Result<Value, SpecError> {
        match evaluation {
            "lines" => Ok(lines_with_attacks(&Lines::shipped(), game)),
            "none" => Ok(static_eval(&NoEval, game)),
            "leaf-average" => Ok(static_eval(&LeafAverage, game)),
            "monte-carlo" => Ok(static_eval(&MonteCarlo::default(), game)),
            "leaf-average+mc" => Ok(static_eval(&AverageThenPlayouts::default(), game)),
            other => Err(SpecError::unknown("evaluation", other, Self::EVALUATIONS)),
        }
    }
}

/// Alpha-beta search with the learned evaluation, the threat search before it, and the opening book before both.
fn champion<V: Variant>(spec: &Spec) -> Result<Box<dyn Engine<Trax<V>>>, SpecError> {
    EngineKind::of(spec, &Trax::<V>::kinds())?;
    let search = AlphaBeta::new(lines_of(spec)?, TraxHeuristics::<true>, alphabeta_options(spec)?);
    let book = BookSource::of_spec(spec)?;
    match spec.number("threats", 0, 100)?.map_or(root_threats::PERCENT, |percent| percent as u32) {
        0 => Limited::of_spec(spec, BookEngine::new(search, book)),
        percent => Limited::of_spec(spec, BookEngine::new(RootThreats::new(search, percent), book)),
    }
}

/// The static evaluation of an attack: above every sum of weights that occurs.
const ATTACK: Value = Value::estimate(20_000);

/// The evaluation of a spec: the weights of a file, or those that ship.
fn lines_of(spec: &Spec) -> Result<Lines, SpecError> {
    match spec.get("weights") {
        None => Ok(Lines::shipped()),
        Some(file) => Lines::load(file).map_err(|error| SpecError::value("weights", file, error)),
    }
}

/// The evaluation `lines` outside of a search. An attack of the mover, which a search sees before it evaluates, counts
/// as nearly won: an evaluation proves nothing.
pub fn lines_with_attacks<V: Variant>(lines: &Lines, game: &Trax<V>) -> Value {
    let mut game = game.clone();
    let side = game.mover();
    match game.win_in_one(side) {
        Some(_) => ATTACK,
        None => static_eval(lines, &game),
    }
}

//! Engines for shogi: the evaluations `nnue` and `material` in centipawns and the search heuristics.

mod book;
mod claim;
mod draw_value;
pub mod entries;
mod heuristics;
mod king_safety;
mod leaf_mate;
mod mate;
mod material;
pub mod nnue;
mod order;
mod parameters;
mod piece_square;
mod piece_values;
mod root_mate;
mod see;
#[cfg(test)]
mod tests;
mod tsume;
mod yaneuraou_book;

use std::path::Path;

use tesuji_search::{Engine, NoEval, NoHeuristics, Value, ValueUnit};
use tesuji_shogi::Shogi;

use crate::book::{BookEngine, BookSource};
use crate::factory::{Scales, engine, static_eval};
use crate::kind::{DEPTH, EVAL, EngineSetting, HASH, NODES, PUCT_SETTINGS, THREADS, TIME, setting};
use crate::network::shipped;
use crate::{EngineKind, HasEngines, Level, Spec, SpecError, levels};

pub use book::{BookPosition, LeafSearch};
pub(crate) use heuristics::ShogiHeuristics;
pub(crate) use material::Material;
pub use tsume::ChecksOnly;
pub use yaneuraou_book::{YaneuraOuBook, YaneuraOuBookError, YaneuraOuMove};

/// Nodes of the mate search at a leaf where nothing else is said.
const LEAF_MATE_NODES: u64 = 0;

const SCALES: Scales = Scales { value: 600.0, policy: 200.0 };

/// The tree search with a mate search beside it.
const PUCT: EngineKind = EngineKind {
    name: "puct",
    about: "Monte-Carlo tree search guided by a network, or by the evaluation where there is none, and a mate search",
    settings: &SETTINGS,
};

/// Alpha-beta search with an opening book.
const ALPHABETA: EngineKind = EngineKind {
    name: "alphabeta",
    about: "alpha-beta search",
    settings: &[
        DEPTH,
        NODES,
        TIME,
        EVAL,
        setting("book", BOOK),
        setting("variety", "draws among book moves that lose at most so many centipawns (default 0: the best)"),
        setting("seed", "of the draws (default 0)"),
        draw_value::SETTINGS[0],
        draw_value::SETTINGS[1],
        HASH,
        THREADS,
    ],
};

/// What its setting `book` may be.
const BOOK: &str = "a file made by `tesuji book build shogi`, or a YaneuraOu .db file (default: none)";

/// Those of every game, and its own.
const SETTINGS: [EngineSetting; PUCT_SETTINGS.len() + 2] = {
    let mate = setting("mate", "nodes of the mate search beside the tree search (default 1000000; 0: none)");
    let mut all = [mate; PUCT_SETTINGS.len() + 2];
    all[PUCT_SETTINGS.len() + 1] =
        setting("leaf-mate", "nodes of a mate search before the network evaluates a leaf (default 0: a mate in three)");
    let mut at = 0;
    while at < PUCT_SETTINGS.len() {
        all[at] = PUCT_SETTINGS[at];
        at += 1;
    }
    all
};

impl HasEngines for Shogi {
    const EVALUATIONS: &'static [&'static str] = &["nnue", "material", "none"];
    const DEFAULT: &'static str = ALPHABETA.name;
    const LEVELS: &'static [Level] = levels::SHOGI;
    /// A lead of 3000 is more than a rook and a bishop: nobody turns such a game round.
    const UNIT: ValueUnit = ValueUnit {
        name: "centipawns",
        steps: 1,
        decimals: 0,
        limit: Value::LIMIT,
        decisive: 3000,
        decided_offset: None,
    };

    const OWN_KINDS: &'static [EngineKind] = &[PUCT, ALPHABETA];

    const NETWORK: Option<&'static [u8]> = shipped::SHOGI;

    fn engine(spec: &Spec) -> Result<Box<dyn Engine<Shogi>>, SpecError> {
        let heuristics = if spec.name == ALPHABETA.name {
            ShogiHeuristics::default()
        } else {
            let nodes = spec.number("leaf-mate", 0, 1_000_000)?.unwrap_or(LEAF_MATE_NODES);
            // Without a network a leaf costs less than a mate search.
            let is_network = spec.name == PUCT.name && spec.get("eval").is_none() && spec.get("net") != Some("none");
            ShogiHeuristics::in_tree(if is_network { nodes } else { 0 })
        };
        let draws = draw_value::Shift::default();
        let engine = match evaluation_of(spec)? {
            Evaluation::Material => engine(spec, draws.evaluation(Material), heuristics, SCALES)?,
            Evaluation::Nnue(nnue::LoadedNnue::Own(network)) => {
                let eval = nnue::Nnue::<nnue::KingBuckets, { nnue::WIDTH }>::new(network);
                engine(spec, draws.evaluation(eval), heuristics, SCALES)?
            }
            Evaluation::Nnue(nnue::LoadedNnue::HalfKp(network)) => {
                let eval = nnue::Nnue::<nnue::halfkp::HalfKp, { nnue::halfkp::WIDTH }>::new(network);
                engine(spec, draws.evaluation(eval), heuristics, SCALES)?
            }
            Evaluation::None => engine(spec, NoEval, NoHeuristics, SCALES)?,
        };
        let engine = if spec.name == PUCT.name { root_mate::RootMate::of_spec(spec, engine)? } else { engine };
        let engine = if spec.name == ALPHABETA.name {
            let engine = draw_value::DrawValueEngine::of_spec(spec, engine, draws)?;
            let variety = spec.number("variety", 0, 30_000)?.unwrap_or(0) as i32;
            let seed = spec.number("seed", 0, u64::MAX)?.unwrap_or(0);
            Box::new(BookEngine::new(engine, BookSource::of_spec(spec)?).varied(variety, seed))
        } else {
            engine
        };
        Ok(Box::new(claim::Claimant { engine }))
    }

    fn static_eval(evaluation: &str, game: &Shogi) -> Result<Value, SpecError> {
        Ok(match Evaluation::of(evaluation)? {
            Evaluation::Material => static_eval(&Material, game),
            Evaluation::Nnue(nnue::LoadedNnue::Own(network)) => {
                static_eval(&nnue::Nnue::<nnue::KingBuckets, { nnue::WIDTH }>::new(network), game)
            }
            Evaluation::Nnue(nnue::LoadedNnue::HalfKp(network)) => {
                static_eval(&nnue::Nnue::<nnue::halfkp::HalfKp, { nnue::halfkp::WIDTH }>::new(network), game)
            }
            Evaluation::None => static_eval(&NoEval, game),
        })
    }
}

/// An evaluation of shogi.
enum Evaluation {
    /// Piece values, piece-square tables and king safety.
    Material,
    /// A network.
    Nnue(nnue::LoadedNnue),
    /// None.
    None,
}

impl Evaluation {
    /// The evaluation of a name, or of the file of a network.
    fn of(name: &str) -> Result<Evaluation, SpecError> {
        match name {
            "material" => Ok(Evaluation::Material),
            "none" => Ok(Evaluation::None),
            "nnue" => match nnue::shipped() {
                Some(network) => Ok(Evaluation::Nnue(nnue::LoadedNnue::Own(network))),
                None => Err(SpecError::value("eval", name, "no network ships with this program: give the file of one")),
            },
            path if path.contains(['/', '\\', '.']) => nnue::load(Path::new(path)).map(Evaluation::Nnue),
            other => Err(SpecError::unknown("evaluation", other, Shogi::EVALUATIONS)),
        }
    }
}

/// The evaluation of a spec. Without one it is the default of alpha-beta; tree searches use `material`.
fn evaluation_of(spec: &Spec) -> Result<Evaluation, SpecError> {
    let default = if spec.name == ALPHABETA.name { Shogi::EVALUATIONS[0] } else { "material" };
    Evaluation::of(spec.get("eval").unwrap_or(default))
}

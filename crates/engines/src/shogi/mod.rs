//! Engines for shogi: the evaluation `material` in centipawns and the search heuristics.

mod claim;
pub mod entries;
mod heuristics;
mod king_safety;
mod mate;
mod material;
mod order;
mod piece_square;
mod piece_values;
mod root_mate;
mod see;
#[cfg(test)]
mod tests;
mod tsume;

use tesuji_search::{Engine, NoEval, NoHeuristics, Value, ValueUnit};
use tesuji_shogi::Shogi;

use crate::factory::{Scales, engine, evaluation, static_eval};
use crate::kind::{EngineSetting, PUCT_SETTINGS, setting};
use crate::network::shipped;
use crate::{EngineKind, HasEngines, Spec, SpecError};

pub(crate) use heuristics::ShogiHeuristics;
pub(crate) use material::Material;
pub use tsume::ChecksOnly;

const SCALES: Scales = Scales { value: 600.0, policy: 200.0 };

/// The tree search with a mate search beside it.
const PUCT: EngineKind = EngineKind {
    name: "puct",
    about: "Monte-Carlo tree search guided by a network, or by the evaluation where there is none, and a mate search",
    settings: &SETTINGS,
};

/// Those of every game, and its own.
const SETTINGS: [EngineSetting; PUCT_SETTINGS.len() + 1] = {
    let mate = setting("mate", "nodes of the mate search beside the tree search (default 1000000; 0: none)");
    let mut all = [mate; PUCT_SETTINGS.len() + 1];
    let mut at = 0;
    while at < PUCT_SETTINGS.len() {
        all[at] = PUCT_SETTINGS[at];
        at += 1;
    }
    all
};

impl HasEngines for Shogi {
    const EVALUATIONS: &'static [&'static str] = &["material", "none"];
    const DEFAULT: &'static str = "alphabeta";
    /// A lead of 3000 is more than a rook and a bishop: nobody turns such a game round.
    const UNIT: ValueUnit = ValueUnit {
        name: "centipawns",
        steps: 1,
        decimals: 0,
        limit: Value::LIMIT,
        decisive: 3000,
        decided_offset: None,
    };

    const OWN_KINDS: &'static [EngineKind] = &[PUCT];

    const NETWORK: Option<&'static [u8]> = shipped::SHOGI;

    fn engine(spec: &Spec) -> Result<Box<dyn Engine<Shogi>>, SpecError> {
        let engine = match evaluation::<Shogi>(spec)? {
            "material" => engine(spec, Material, ShogiHeuristics::default(), SCALES)?,
            _ => engine(spec, NoEval, NoHeuristics, SCALES)?,
        };
        let engine = if spec.name == PUCT.name { root_mate::RootMate::of_spec(spec, engine)? } else { engine };
        Ok(Box::new(claim::Claimant { engine }))
    }

    fn static_eval(evaluation: &str, game: &Shogi) -> Result<Value, SpecError> {
        match evaluation {
            "material" => Ok(static_eval(&Material, game)),
            "none" => Ok(static_eval(&NoEval, game)),
            other => Err(SpecError::unknown("evaluation", other, Self::EVALUATIONS)),
        }
    }
}

//! The players a game can be given to: its own, or those that know no more than the rules.

use tesuji_game::Game;
use tesuji_search::alphabeta::{AlphaBeta, AlphaBetaOptions};
use tesuji_search::mcts::{MctsOptions, Uct, UctOptions};
use tesuji_search::{Engine, NoEval, NoHeuristics, Value};

use crate::limited::{Limited, limits};
use crate::{HasEngines, KINDS, Kind, RandomMover, Spec, SpecError};

/// Makes the engine of a spec.
pub type Maker<G> = fn(&Spec) -> Result<Box<dyn Engine<G>>, SpecError>;

/// The engines and evaluations of a game.
#[derive(Clone, Debug)]
pub struct EngineFactory<G: Game> {
    /// The spec that plays when nobody asks for another.
    pub default: &'static str,
    /// The kinds a spec may name.
    pub kinds: Vec<&'static Kind>,
    /// The evaluations a spec may name, the default first.
    pub evaluations: &'static [&'static str],
    /// The engine of a spec.
    pub make: Maker<G>,
    /// The static value of a position by an evaluation, seen by the mover.
    pub judge: fn(&str, &G) -> Result<Value, SpecError>,
}

impl<G: Game> EngineFactory<G> {
    /// The engines that the game brings along.
    pub fn of_game() -> EngineFactory<G>
    where
        G: HasEngines,
    {
        EngineFactory {
            default: G::DEFAULT,
            kinds: G::kinds(),
            evaluations: G::EVALUATIONS,
            make: G::engine,
            judge: G::judge,
        }
    }

    /// What any game can be played by: chance, and a search for which only results count.
    pub fn generic() -> EngineFactory<G> {
        EngineFactory {
            default: "alphabeta",
            kinds: generic_kinds(),
            evaluations: &["none"],
            make: generic,
            judge,
        }
    }

    /// Sets a key that the spec leaves open, if its kind of engine has such a setting.
    pub fn fill_setting(&self, spec: &mut Spec, key: &str, value: Option<String>) {
        let kind = self.kinds.iter().find(|kind| kind.name == spec.name);
        let known = kind.is_some_and(|kind| kind.settings.iter().any(|setting| setting.key == key));
        if let (true, None, Some(value)) = (known, spec.get(key), value) {
            spec.settings.push((key.to_owned(), value));
        }
    }
}

/// The kinds of engines that need nothing but rules.
const GENERIC: &[&str] = &["random", "alphabeta", "uct"];

fn generic_kinds() -> Vec<&'static Kind> {
    KINDS.iter().filter(|kind| GENERIC.contains(&kind.name)).collect()
}

fn generic<G: Game>(spec: &Spec) -> Result<Box<dyn Engine<G>>, SpecError> {
    let kind = Kind::of(spec, &generic_kinds())?;
    if let Some(asked) = spec.get("eval").filter(|asked| *asked != "none") {
        return Err(SpecError::unknown("evaluation", asked, &["none"]));
    }
    let size = |key, most| spec.number(key, 1, most).map(|number| number.map(|number| number as usize));
    let (hash, threads) = (size("hash", 1 << 20)?, size("threads", 1024)?);
    let seed = spec.number("seed", 0, u64::MAX)?.unwrap_or(0);
    let engine: Box<dyn Engine<G>> = match kind.name {
        "random" => return Ok(Box::new(RandomMover::new(seed))),
        "alphabeta" => {
            let usual = AlphaBetaOptions::default();
            let hash_mib = hash.unwrap_or(usual.hash_mib);
            let options = AlphaBetaOptions { hash_mib, threads: threads.unwrap_or(usual.threads) };
            Box::new(AlphaBeta::new(NoEval, NoHeuristics, options))
        }
        "uct" => {
            let usual = MctsOptions::default();
            let memory_mib = hash.unwrap_or(usual.memory_mib);
            let threads = threads.unwrap_or(usual.threads);
            Box::new(Uct::new(MctsOptions { memory_mib, threads, seed, ..usual }, UctOptions::default()))
        }
        other => return Err(SpecError::unknown("engine", other, GENERIC)),
    };
    Ok(Box::new(Limited::new(engine, limits(spec)?)))
}

fn judge<G: Game>(evaluation: &str, game: &G) -> Result<Value, SpecError> {
    match evaluation {
        "none" => Ok(game.outcome().map_or(Value::DRAW, Value::over)),
        other => Err(SpecError::unknown("evaluation", other, &["none"])),
    }
}

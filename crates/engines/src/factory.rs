//! The engine factory: turns an engine spec into an engine.

use std::marker::PhantomData;

use tesuji_game::{Game, Path, Planes};
use tesuji_search::alphabeta::{AlphaBeta, AlphaBetaOptions};
use tesuji_search::mcts::{
    EvalPolicy, LeafPosition, MctsOptions, PolicyValue, Puct, PuctOptions, Uct, UctOptions, WinRateScale,
};
use tesuji_search::{
    Engine, Eval, Heuristics, NoEval, NoHeuristics, NodeContext, Proven, SearchSetup, Value, ValueUnit,
};

use crate::levels::{self, LEVEL, Level, level_player};
use crate::limited::Limited;
use crate::network::{network_of, policy_player, value_player};
use crate::{EngineKind, KINDS, RandomMover, Spec, SpecError};

/// A game with engines of its own. Implemented once per game, in its folder.
pub trait HasEngines: Planes {
    /// The names of the evaluations, the default first.
    const EVALUATIONS: &'static [&'static str];

    /// The default engine spec.
    const DEFAULT: &'static str;

    /// The unit of values.
    const UNIT: ValueUnit;

    /// Engine kinds that only this game has, such as [`TABLE`](crate::TABLE) for a solved game.
    const OWN_KINDS: &'static [EngineKind] = &[];

    /// The network that ships for the game, as the bytes of a safetensors file.
    const NETWORK: Option<&'static [u8]> = None;

    /// Its levels of play, from 1 to 10.
    const LEVELS: &'static [Level] = levels::GENERIC;

    /// All engine kinds: those of every game, then its own, which replace those of the same name.
    fn kinds() -> Vec<&'static EngineKind> {
        let replaced = |kind: &&EngineKind| Self::OWN_KINDS.iter().any(|own| own.name == kind.name);
        KINDS.iter().filter(|kind| !replaced(kind)).chain(Self::OWN_KINDS).collect()
    }

    /// The unit of the values of an evaluation: [`HasEngines::UNIT`], unless the evaluation has another scale.
    fn unit(evaluation: &str) -> ValueUnit {
        let _ = evaluation;
        Self::UNIT
    }

    /// The engine of a spec. `human` and `process` are not engines of this crate.
    ///
    /// # Errors
    /// The spec names no engine, or has an invalid setting.
    fn engine(spec: &Spec) -> Result<Box<dyn Engine<Self>>, SpecError>;

    /// The static evaluation of a position for the side to move; of a finished game the value of its result.
    ///
    /// # Errors
    /// There is no evaluation of this name.
    fn static_eval(evaluation: &str, game: &Self) -> Result<Value, SpecError>;
}

/// Creates the engine of a spec.
pub type EngineConstructor<G> = fn(&Spec) -> Result<Box<dyn Engine<G>>, SpecError>;

/// The engines and evaluations of a game.
#[derive(Clone, Debug)]
pub struct EngineFactory<G: Game> {
    /// The default engine spec.
    pub default: &'static str,
    /// The engine kinds.
    pub kinds: Vec<&'static EngineKind>,
    /// The names of the evaluations, the default first.
    pub evaluations: &'static [&'static str],
    /// Creates the engine of a spec.
    pub make: EngineConstructor<G>,
    /// The static evaluation of a position by the evaluation of this name, for the side to move.
    pub static_eval: fn(&str, &G) -> Result<Value, SpecError>,
    /// The unit of the values of an evaluation.
    pub unit_of_eval: fn(&str) -> ValueUnit,
    /// The levels of play, from 1 to 10.
    pub levels: &'static [Level],
    /// Whether a network ships for the game.
    pub has_network: bool,
}

impl<G: Game> EngineFactory<G> {
    /// The engines of a game that has its own.
    pub fn of_game() -> EngineFactory<G>
    where
        G: HasEngines,
    {
        EngineFactory {
            default: G::DEFAULT,
            kinds: with_levels(G::kinds()),
            evaluations: G::EVALUATIONS,
            make: of_game::<G>,
            static_eval: G::static_eval,
            unit_of_eval: G::unit,
            levels: G::LEVELS,
            has_network: G::NETWORK.is_some(),
        }
    }

    /// The engines that need nothing but the rules of a game.
    pub fn generic() -> EngineFactory<G> {
        EngineFactory {
            default: "alphabeta",
            kinds: with_levels(generic_kinds()),
            evaluations: &["none"],
            make: generic,
            static_eval: |evaluation, game| match evaluation {
                "none" => Ok(static_eval(&NoEval, game)),
                other => Err(SpecError::unknown("evaluation", other, &["none"])),
            },
            unit_of_eval: |_| ValueUnit::WINS,
            levels: levels::GENERIC,
            has_network: false,
        }
    }

    /// The unit of the game's values, whatever the engine.
    pub fn unit(&self) -> ValueUnit {
        (self.unit_of_eval)(self.evaluations.first().copied().unwrap_or_default())
    }

    /// The unit in which the engine of a spec counts, if not in win rates.
    pub fn unit_of(&self, spec: &Spec) -> ValueUnit {
        spec.get("eval").map_or_else(|| self.unit(), self.unit_of_eval)
    }

    /// The unit in which the engine of a spec reports: tree searches and networks report win rates.
    pub fn reported_unit(&self, spec: &Spec) -> ValueUnit {
        let rates = ["uct", "puct", "policy", "value1"].contains(&spec.name.as_str());
        if rates { ValueUnit::WIN_RATE } else { self.unit_of(spec) }
    }

    /// Adds a setting that the spec does not have, if its engine kind knows the key.
    pub fn fill_setting(&self, spec: &mut Spec, key: &str, value: Option<String>) {
        let kind = self.kinds.iter().find(|kind| kind.name == spec.name);
        let known = kind.is_some_and(|kind| kind.settings.iter().any(|setting| setting.key == key));
        if let (true, None, Some(value)) = (known, spec.get(key), value) {
            spec.settings.push((key.to_owned(), value));
        }
    }
}

/// These kinds and [`LEVEL`].
fn with_levels(mut kinds: Vec<&'static EngineKind>) -> Vec<&'static EngineKind> {
    kinds.push(&LEVEL);
    kinds
}

/// The engine of a spec of a game with its own engines.
fn of_game<G: HasEngines>(spec: &Spec) -> Result<Box<dyn Engine<G>>, SpecError> {
    match EngineKind::of(spec, &with_levels(G::kinds()))?.name {
        name if name == LEVEL.name => level_player(spec, G::LEVELS, G::engine),
        _ => G::engine(spec),
    }
}

/// The kinds of [`EngineFactory::generic`].
fn generic_kinds() -> Vec<&'static EngineKind> {
    KINDS.iter().filter(|kind| ["random", "alphabeta", "uct"].contains(&kind.name)).collect()
}

fn generic<G: Game>(spec: &Spec) -> Result<Box<dyn Engine<G>>, SpecError> {
    let kind = EngineKind::of(spec, &with_levels(generic_kinds()))?;
    if let Some(name) = spec.get("eval").filter(|name| *name != "none") {
        return Err(SpecError::unknown("evaluation", name, &["none"]));
    }
    match kind.name {
        "random" => random(spec),
        "uct" => uct(spec, NoEval, WinRateScale::default()),
        name if name == LEVEL.name => level_player(spec, levels::GENERIC, generic),
        _ => alphabeta(spec, NoEval, NoHeuristics),
    }
}

/// The engine of a spec with this evaluation and these heuristics.
pub(crate) fn engine<G: HasEngines, E: Eval<G> + 'static, H: Heuristics<G, E> + 'static>(
    spec: &Spec,
    eval: E,
    heuristics: H,
    scales: Scales,
) -> Result<Box<dyn Engine<G>>, SpecError> {
    match EngineKind::of(spec, &G::kinds())?.name {
        "random" => random(spec),
        "uct" => uct(spec, eval, WinRateScale::new(scales.value)),
        "puct" => puct(spec, eval, heuristics, scales),
        "policy" => policy_player(spec, WinRateScale::new(scales.value)),
        "value1" => value_player(spec, WinRateScale::new(scales.value)),
        _ => alphabeta(spec, eval, heuristics),
    }
}

/// The name of the evaluation of a spec, or the game's default.
pub(crate) fn evaluation<G: HasEngines>(spec: &Spec) -> Result<&'static str, SpecError> {
    let Some(name) = spec.get("eval") else {
        return Ok(G::EVALUATIONS.first().copied().unwrap_or_default());
    };
    let known = G::EVALUATIONS.iter().copied().find(|&known| known == name);
    known.ok_or_else(|| SpecError::unknown("evaluation", name, G::EVALUATIONS))
}

/// The static evaluation of a position, or the value of a finished game.
pub(crate) fn static_eval<G: Game, E: Eval<G>>(eval: &E, game: &G) -> Value {
    match game.outcome() {
        Some(outcome) => eval.terminal_value(game, outcome),
        None => eval.value(game, &eval.begin(game)),
    }
}

fn random<G: Game>(spec: &Spec) -> Result<Box<dyn Engine<G>>, SpecError> {
    let seed = spec.number("seed", 0, u64::MAX)?.unwrap_or(0);
    Ok(Box::new(RandomMover::new(seed)))
}

fn alphabeta<G: Game, E: Eval<G> + 'static, H: Heuristics<G, E> + 'static>(
    spec: &Spec,
    eval: E,
    heuristics: H,
) -> Result<Box<dyn Engine<G>>, SpecError> {
    Limited::of_spec(spec, AlphaBeta::new(eval, heuristics, alphabeta_options(spec)?))
}

/// The resources of an alpha-beta search.
pub(crate) fn alphabeta_options(spec: &Spec) -> Result<AlphaBetaOptions, SpecError> {
    let default = AlphaBetaOptions::default();
    Ok(AlphaBetaOptions {
        hash_mib: hash_mib(spec)?.unwrap_or(default.hash_mib),
        threads: threads(spec)?.unwrap_or(default.threads),
    })
}

fn uct<G: Game, E: Eval<G> + 'static>(
    spec: &Spec,
    eval: E,
    scale: WinRateScale,
) -> Result<Box<dyn Engine<G>>, SpecError> {
    let engine = Uct::with_eval(eval, mcts_options(spec, scale)?, UctOptions::default());
    Limited::of_spec(spec, engine)
}

fn puct<G: HasEngines, E: Eval<G> + 'static, H: Heuristics<G, E> + 'static>(
    spec: &Spec,
    eval: E,
    heuristics: H,
    scales: Scales,
) -> Result<Box<dyn Engine<G>>, SpecError> {
    let scale = WinRateScale::new(scales.value);
    let (mcts, options) = (mcts_options(spec, scale)?, puct_options(spec)?);
    let mcts = MctsOptions {
        // Noise is for self-play, which learns from all visits.
        early_stop: options.noise == 0.0,
        sampled_plies: spec.number("sample", 0, 10_000)?.map_or(mcts.sampled_plies, |plies| plies as usize),
        resign_below: spec.decimal("resign", 0.0, 1.0)?.unwrap_or(mcts.resign_below),
        ..mcts
    };
    if let Some(network) = network_of::<G>(spec)? {
        let policy = HeuristicPolicy { policy: network, heuristics, node: NETWORK_LEAF, evals: PhantomData };
        let mcts = MctsOptions { prove_children: mcts.prove_children && !H::SEES_WINS_IN_ONE, ..mcts };
        return Limited::of_spec(spec, Puct::new(policy, mcts, options));
    }
    let policy = EvalPolicy::new(eval, scale, WinRateScale::new(scales.policy));
    let policy = HeuristicPolicy { policy, heuristics, node: NodeContext::LEAF, evals: PhantomData };
    Limited::of_spec(spec, Puct::new(policy, mcts, options))
}

fn puct_options(spec: &Spec) -> Result<PuctOptions, SpecError> {
    let default = PuctOptions::default();
    let number = |key: &str, most: f64| Ok(spec.decimal(key, 0.0, most)?.map(|number| number as f32));
    Ok(PuctOptions {
        c_init: number("c", 100.0)?.unwrap_or(default.c_init),
        fpu_reduction: number("fpu", 1.0)?.unwrap_or(default.fpu_reduction),
        temperature: number("temperature", 100.0)?.unwrap_or(default.temperature),
        batch: spec.number("batch", 1, 1024)?.map_or(default.batch, |batch| batch as usize),
        noise: number("noise", 1.0)?.unwrap_or(default.noise),
        ..default
    })
}

fn mcts_options(spec: &Spec, scale: WinRateScale) -> Result<MctsOptions, SpecError> {
    let default = MctsOptions::default();
    Ok(MctsOptions {
        threads: threads(spec)?.unwrap_or(default.threads),
        memory_mib: hash_mib(spec)?.unwrap_or(default.memory_mib),
        seed: spec.number("seed", 0, u64::MAX)?.unwrap_or(default.seed),
        scale,
        ..default
    })
}

fn hash_mib(spec: &Spec) -> Result<Option<usize>, SpecError> {
    Ok(spec.number("hash", 1, 1 << 20)?.map(|mib| mib as usize))
}

fn threads(spec: &Spec) -> Result<Option<usize>, SpecError> {
    Ok(spec.number("threads", 1, 1024)?.map(|threads| threads as usize))
}

/// The units of an evaluation for win rates and policies.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Scales {
    /// Units that multiply the odds of winning by e.
    pub(crate) value: f64,
    /// Units that make a move e times as likely.
    pub(crate) policy: f64,
}

/// A leaf before its evaluation by a network, which takes so long that a mate in three plies is worth a try. The ply
/// stands for any in the tree.
const NETWORK_LEAF: NodeContext = NodeContext { ply: 64, depth: 3, is_pv: false, ..NodeContext::LEAF };

/// A policy and value with the known results of the heuristics.
struct HeuristicPolicy<P, E, H> {
    policy: P,
    heuristics: H,
    /// How much effort a known result is worth.
    node: NodeContext,
    evals: PhantomData<fn() -> E>,
}

impl<G: Game, P: PolicyValue<G>, E: Eval<G>, H: Heuristics<G, E>> PolicyValue<G> for HeuristicPolicy<P, E, H> {
    fn evaluate(&self, batch: &mut [LeafPosition<G>]) {
        self.policy.evaluate(batch);
    }

    fn most_at_once(&self) -> usize {
        self.policy.most_at_once()
    }

    fn prepare(&mut self, path: &Path<G>) -> SearchSetup {
        self.heuristics.prepare(path)
    }

    fn known_result(&self, game: &mut G) -> Option<Proven> {
        self.heuristics.known_result(game, &self.node).and_then(Value::proven)
    }
}

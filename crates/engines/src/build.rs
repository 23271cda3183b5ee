//! Building engines from specs: what is the same for every game.

use tesuji_game::{Game, Path};
use tesuji_search::alphabeta::{AlphaBeta, AlphaBetaOptions};
use tesuji_search::mcts::{
    EvalPolicy, LeafPosition, MctsOptions, PolicyValue, Puct, PuctOptions, Uct, UctOptions, WinRateScale,
};
use tesuji_search::{Engine, Eval, Heuristics, NodeContext, Proven, SearchSetup, Value};

use crate::limited::{Limited, limits};
use crate::roster::Kind;
use crate::{HasEngines, RandomMover, Spec, SpecError};

/// The engine of any kind that a spec names, with this evaluation and craft; `scale` is what a tree of
/// judgements makes of the evaluation.
pub(crate) fn engine<G: HasEngines, E: Eval<G> + 'static, C: Heuristics<G, E> + 'static>(
    spec: &Spec,
    eval: E,
    craft: C,
    scale: Scales,
) -> Result<Box<dyn Engine<G>>, SpecError> {
    match Kind::of(spec, &G::kinds())?.name {
        "random" => random(spec),
        "uct" => uct(spec, eval, scale),
        "puct" => puct(spec, eval, craft, scale),
        _ => alphabeta(spec, eval, craft),
    }
}

/// The name of the evaluation that a spec asks for, or the game's first.
pub(crate) fn evaluation<G: HasEngines>(spec: &Spec) -> Result<&'static str, SpecError> {
    let Some(asked) = spec.get("eval") else {
        return Ok(G::EVALUATIONS.first().copied().unwrap_or_default());
    };
    let found = G::EVALUATIONS.iter().copied().find(|&known| known == asked);
    found.ok_or_else(|| unknown("evaluation", asked, G::EVALUATIONS))
}

/// Any legal move, by the `seed` of the spec.
fn random<G: Game>(spec: &Spec) -> Result<Box<dyn Engine<G>>, SpecError> {
    let seed = spec.number("seed", 0, u64::MAX)?.unwrap_or(0);
    Ok(Box::new(RandomMover::new(seed)))
}

/// An alpha-beta engine of this evaluation and craft, with the options its spec names: `hash`, `threads`.
fn alphabeta<G: Game, E: Eval<G> + 'static, C: Heuristics<G, E> + 'static>(
    spec: &Spec,
    eval: E,
    craft: C,
) -> Result<Box<dyn Engine<G>>, SpecError> {
    let usual = AlphaBetaOptions::default();
    let options = AlphaBetaOptions {
        hash_mib: spec.number("hash", 1, 1 << 20)?.map_or(usual.hash_mib, |mib| mib as usize),
        threads: threads(spec)?.unwrap_or(usual.threads),
    };
    let engine = Box::new(AlphaBeta::new(eval, craft, options));
    Ok(Box::new(Limited::new(engine, limits(spec)?)))
}

/// A tree grown by play-outs; the evaluation judges those that do not end.
fn uct<G: Game, E: Eval<G> + 'static>(
    spec: &Spec,
    eval: E,
    scale: Scales,
) -> Result<Box<dyn Engine<G>>, SpecError> {
    let engine = Box::new(Uct::with_eval(eval, settings(spec, scale)?, UctOptions::default()));
    Ok(Box::new(Limited::new(engine, limits(spec)?)))
}

/// A tree grown by the evaluation, with the verdicts of the craft.
fn puct<G: Game, E: Eval<G> + 'static, C: Heuristics<G, E> + 'static>(
    spec: &Spec,
    eval: E,
    craft: C,
    scale: Scales,
) -> Result<Box<dyn Engine<G>>, SpecError> {
    let judge = EvalPolicy::new(eval, WinRateScale::new(scale.value), WinRateScale::new(scale.policy));
    let provider = Provider { judge, craft };
    let engine = Box::new(Puct::new(provider, settings(spec, scale)?, PuctOptions::default()));
    Ok(Box::new(Limited::new(engine, limits(spec)?)))
}

fn settings(spec: &Spec, scale: Scales) -> Result<MctsOptions, SpecError> {
    let usual = MctsOptions::default();
    Ok(MctsOptions {
        threads: threads(spec)?.unwrap_or(usual.threads),
        memory_mib: spec.number("hash", 1, 1 << 20)?.map_or(usual.memory_mib, |mib| mib as usize),
        seed: spec.number("seed", 0, u64::MAX)?.unwrap_or(usual.seed),
        scale: WinRateScale::new(scale.value),
        ..usual
    })
}

/// How an evaluation's unit becomes a share of points, and a share of the tries.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Scales {
    /// Units that make the odds of winning e times better.
    pub(crate) value: f64,
    /// Units by which a move must be better to look e times as likely.
    pub(crate) policy: f64,
}

/// An evaluation as the judge of a tree, with the craft's verdicts.
struct Provider<E, C> {
    judge: EvalPolicy<E>,
    craft: C,
}

impl<G: Game, E: Eval<G>, C: Heuristics<G, E>> PolicyValue<G> for Provider<E, C> {
    fn evaluate(&self, batch: &mut [LeafPosition<G>]) {
        self.judge.evaluate(batch);
    }

    fn prepare(&mut self, path: &Path<G>) -> SearchSetup {
        self.craft.prepare(path)
    }

    fn known_result(&self, game: &mut G) -> Option<Proven> {
        self.craft.known_result(game, &NodeContext::LEAF).and_then(Value::proven)
    }
}

fn threads(spec: &Spec) -> Result<Option<usize>, SpecError> {
    Ok(spec.number("threads", 1, 1024)?.map(|threads| threads as usize))
}

/// The worth of a position by an evaluation, of a finished game by its result.
pub(crate) fn judged<G: Game, E: Eval<G>>(eval: &E, game: &G) -> Value {
    match game.outcome() {
        Some(outcome) => eval.terminal_value(game, outcome),
        None => eval.value(game, &eval.begin(game)),
    }
}

/// There is no `what` of this name; the nearest one, or all.
pub(crate) fn unknown(what: &'static str, text: &str, known: &[&str]) -> SpecError {
    SpecError::unknown(what, text, known)
}

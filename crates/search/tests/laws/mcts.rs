//! Property tests of UCT and PUCT, on every game.

#[path = "mcts/behaviour.rs"]
mod behaviour;
#[path = "mcts/proof.rs"]
mod proof;
#[path = "mcts/tree.rs"]
mod tree;

use tesuji_game::{Game, MoveList, Outcome, Record};
use tesuji_search::mcts::{EvalPolicy, MctsOptions, Puct, PuctOptions, Uct, UctOptions, WinRateScale};
use tesuji_search::{CancelToken, Choice, Engine, Eval, Limits, Rng, SearchReport, Value};

/// Mobility with noise: an evaluation for every game in which ties are unlikely.
#[derive(Clone, Copy, Debug)]
struct Mobility;

impl<G: Game> Eval<G> for Mobility {
    type Accumulator = ();

    fn begin(&self, _: &G) {}

    fn advance(&self, (): &(), _: G::Move, _: &G::Undo, _: &G, (): &mut ()) {}

    fn value(&self, game: &G, (): &()) -> Value {
        let noise = (game.key() % 7) as i32;
        Value::estimate(10 * game.clone().count() as i32 + noise)
    }
}

fn options() -> MctsOptions {
    MctsOptions { memory_mib: 16, early_stop: false, ..MctsOptions::default() }
}

fn uct<G: Game>(options: MctsOptions) -> Uct<G> {
    Uct::new(options, UctOptions { plies: 60, ..UctOptions::default() })
}

fn puct<G: Game>(options: MctsOptions) -> Puct<G, EvalPolicy<Mobility>> {
    let policy = EvalPolicy::new(Mobility, WinRateScale::new(100.0), WinRateScale::new(30.0));
    Puct::new(policy, options, PuctOptions { batch: 8, ..PuctOptions::default() })
}

fn playouts(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// A random game that avoids moves which end it.
fn random<G: Game>(plies: usize, seed: u64) -> Record<G> {
    let mut rng = Rng::new(seed);
    let mut record = Record::new(G::start());
    let mut list = G::Moves::default();
    for _ in 0..plies {
        record.now().clone().moves(&mut list);
        let start = rng.below(list.len().max(1));
        let mut goes_on = list.each().skip(start).chain(list.each().take(start)).filter_map(|mv| {
            let mut longer = record.clone();
            longer.push(mv).ok()?;
            longer.ending().is_none().then_some(longer)
        });
        let Some(longer) = goes_on.next() else { break };
        record = longer;
    }
    record
}

/// The choice and the last report of a search.
fn think<G: Game>(
    engine: &mut dyn Engine<G>,
    record: &Record<G>,
    limits: &Limits,
) -> (Choice<G::Move>, SearchReport<G::Move>) {
    let mut last = None;
    let choice = engine.think(record, limits, &CancelToken::new(), &mut |report| last = Some(report.clone()));
    (choice, last.expect("every search that chooses a move reports"))
}

fn chosen<M>(choice: Choice<M>) -> M {
    match choice {
        Choice::Move { mv, .. } => mv,
        _ => panic!("no move was chosen"),
    }
}

/// The forced result for the side to move within `plies`, by brute force; none if it is open.
fn brute_force<G: Game>(game: &mut G, plies: u32) -> Option<Outcome> {
    let mut list = G::Moves::default();
    game.moves(&mut list);
    if list.is_empty() {
        return game.outcome();
    }
    if plies == 0 {
        return None;
    }
    let (mut best, mut open) = (None, false);
    for mv in list.each() {
        let undo = game.play(mv);
        let reply = brute_force(game, plies - 1).map(|outcome| -outcome);
        game.undo(undo);
        open |= reply.is_none();
        best = best.max(reply);
        if best == Some(Outcome::Win) {
            return best;
        }
    }
    if open { None } else { best }
}

//! The reference implementation: plain minimax; and random test positions.

use tesuji_game::{Game, MoveList, Path, Record};
use tesuji_search::alphabeta::{AlphaBeta, AlphaBetaOptions};
use tesuji_search::{CancelToken, Choice, Engine, Eval, Heuristics, Limits, Rng, SearchReport, Value};

/// A pseudo-random evaluation that differs from position to position, so that ties hide nothing. It is incremental, so
/// that a wrong accumulator shows at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scrambled {
    /// The number of different values; few make ties.
    pub(crate) values: u64,
}

impl<G: Game> Eval<G> for Scrambled {
    type Accumulator = u64;

    fn begin(&self, game: &G) -> u64 {
        game.key()
    }

    fn advance(&self, _: &u64, _: G::Move, _: &G::Undo, after: &G, next: &mut u64) {
        *next = after.key();
    }

    fn value(&self, _: &G, accumulator: &u64) -> Value {
        let mixed = (accumulator ^ 0x5bd1_e995).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        Value::estimate((mixed % self.values) as i32 - (self.values / 2) as i32)
    }
}

/// The result of minimax.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MinimaxResult {
    pub(crate) value: Value,
    /// Whether a position of the tree repeats on its path.
    pub(crate) repeats: bool,
}

/// Minimax, `depth` plies deep. A repetition is a draw, or a loss by perpetual check, which is proven only if the whole
/// cycle lies inside the tree.
pub(crate) fn minimax<G: Game, E: Eval<G>>(
    eval: &E,
    game: &mut G,
    path: &mut Path<G>,
    depth: u32,
    ply: usize,
) -> MinimaxResult {
    if ply > 0
        && let Some(repetition) = path.repetition()
    {
        let lost = if repetition.since <= ply { Value::loss(0) } else { Value::estimate(i32::MIN) };
        let value = match repetition.checker {
            None => Value::DRAW,
            Some(side) if side == game.mover() => lost,
            Some(_) => -lost,
        };
        return MinimaxResult { value, repeats: true };
    }
    let mut list = G::Moves::default();
    game.moves(&mut list);
    if list.is_empty() {
        let outcome = game.outcome().expect("a game without moves is over");
        return MinimaxResult { value: eval.terminal_value(game, outcome), repeats: false };
    }
    if depth == 0 {
        return MinimaxResult { value: eval.value(game, &eval.begin(game)), repeats: false };
    }
    let mut best = MinimaxResult { value: Value::LEAST, repeats: false };
    for mv in list.each() {
        let undo = game.play(mv);
        path.push(game);
        let child = minimax(eval, game, path, depth - 1, ply + 1);
        path.pop();
        game.undo(undo);
        best = MinimaxResult { value: best.value.max(child.value.to_parent()), repeats: best.repeats | child.repeats };
    }
    best
}

/// Minimax of the end of a record.
pub(crate) fn minimax_of<G: Game, E: Eval<G>>(eval: &E, record: &Record<G>, depth: u32) -> MinimaxResult {
    minimax(eval, &mut record.now().clone(), &mut record.path().clone(), depth, 0)
}

/// The values of all moves at the end of a record, best first.
pub(crate) fn minimax_moves<G: Game, E: Eval<G>>(eval: &E, record: &Record<G>, depth: u32) -> Vec<Value> {
    let (mut game, mut path) = (record.now().clone(), record.path().clone());
    let mut list = G::Moves::default();
    game.moves(&mut list);
    let mut values: Vec<Value> = list
        .each()
        .map(|mv| {
            let undo = game.play(mv);
            path.push(&game);
            let child = minimax(eval, &mut game, &mut path, depth - 1, 1);
            path.pop();
            game.undo(undo);
            child.value.to_parent()
        })
        .collect();
    values.sort_by_key(|&value| std::cmp::Reverse(value));
    values
}

/// Random games of `plies` plies that are not over, one for each of `seeds`.
pub(crate) fn records<G: Game>(start: G, plies: std::ops::Range<usize>, seeds: u64) -> impl Iterator<Item = Record<G>> {
    (0..seeds).filter_map(move |seed| {
        let mut rng = Rng::new(seed);
        let mut record = Record::new(start.clone());
        let mut list = G::Moves::default();
        for _ in 0..plies.start + rng.below(plies.len()) {
            record.now().clone().moves(&mut list);
            let mv = list.each().nth(rng.below(list.len().max(1)))?;
            record.push(mv).ok()?;
        }
        record.ending().is_none().then_some(record)
    })
}

/// An engine with this hash size and number of threads.
pub(crate) fn engine<E, H>(eval: E, heuristics: H, hash_mib: usize, threads: usize) -> AlphaBeta<E, H> {
    AlphaBeta::new(eval, heuristics, AlphaBetaOptions { hash_mib, threads })
}

/// Searches to a depth: the last report and the choice.
pub(crate) fn search<G: Game, E: Eval<G>, H: Heuristics<G, E>>(
    engine: &mut AlphaBeta<E, H>,
    record: &Record<G>,
    limits: &Limits,
) -> (SearchReport<G::Move>, Choice<G::Move>) {
    let mut last = None;
    let choice = engine.think(record, limits, &CancelToken::new(), &mut |report| last = Some(report.clone()));
    (last.expect("one iteration is complete"), choice)
}

/// A depth limit.
pub(crate) fn to_depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), lines: 1, ..Limits::default() }
}

/// The value of the best line.
pub(crate) fn value<M>(report: &SearchReport<M>) -> Value {
    report.lines[0].value
}

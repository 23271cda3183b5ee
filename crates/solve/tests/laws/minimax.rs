//! Reference implementation: plain minimax without cut-offs or tables.

use tesuji_game::{Game, MoveList, Path};
use tesuji_laws::{PropertyResult, hold};
use tesuji_solve::exact::{ExactSolution, ExactSolver, Scoring};

/// The value of a position for the side to move; repetitions and the depth limit are draws.
pub(crate) fn minimax<G: Game>(game: &mut G, worth: &impl Scoring<G>, path: &mut Path<G>, left: u32) -> i32 {
    let mut list = G::Moves::default();
    game.moves(&mut list);
    if list.is_empty() {
        return worth.score(game);
    }
    if left == 0 {
        return 0;
    }
    list.each().map(|mv| after(game, mv, worth, path, left)).max().unwrap_or(0)
}

/// The value of a move for the side that plays it.
fn after<G: Game>(game: &mut G, mv: G::Move, worth: &impl Scoring<G>, path: &mut Path<G>, left: u32) -> i32 {
    let undo = game.play(mv);
    path.push(game);
    let repeated = G::RECURS && path.repetition().is_some();
    let value = if repeated { 0 } else { -minimax(game, worth, path, left - 1) };
    path.pop();
    game.undo(undo);
    value
}

/// Solves `game` and compares the value, the set of best moves and the end of the line with brute force.
pub(crate) fn agrees<G: Game, W: Scoring<G>>(
    exact: &mut ExactSolver<G, W>,
    worth: &W,
    game: &G,
    path: &Path<G>,
    depth: Option<u32>,
) -> PropertyResult {
    let solution = exact.solve_within(game, path, depth, &|| true).ok_or("it stopped by itself")?;
    let (mut now, mut way, left) = (game.clone(), path.clone(), depth.unwrap_or(u32::MAX));
    let value = minimax(&mut now, worth, &mut way, left);
    hold!(solution.value == value, "{game:?} is worth {value}, not {}", solution.value);
    let mut list = G::Moves::default();
    now.moves(&mut list);
    let keeps = |&mv: &G::Move| left > 0 && after(&mut now.clone(), mv, worth, &mut way.clone(), left) == value;
    let best: Vec<G::Move> = list.each().filter(keeps).collect();
    hold!(solution.best == best, "best in {game:?} are {best:?}, not {:?}", solution.best);
    replay(game, path, worth, depth, &solution)
}

/// The line must be legal, begin with the first best move, and end where the value says.
fn replay<G: Game, W: Scoring<G>>(
    game: &G,
    path: &Path<G>,
    worth: &W,
    depth: Option<u32>,
    solution: &ExactSolution<G::Move>,
) -> PropertyResult {
    let ExactSolution { value, best, line, .. } = solution;
    hold!(line.first() == best.first(), "the line in {game:?} begins with {:?}", line.first());
    let (mut now, mut path) = (game.clone(), path.clone());
    let mut list = G::Moves::default();
    for &mv in line {
        now.moves(&mut list);
        hold!(list.has(mv), "{mv:?} is illegal in {now:?}");
        now.play(mv);
        path.push(&now);
    }
    now.moves(&mut list);
    let drawn = depth.is_some_and(|depth| line.len() == depth as usize)
        || G::RECURS && !line.is_empty() && path.repetition().is_some();
    let end = if list.is_empty() { worth.score(&now) } else { 0 };
    hold!(list.is_empty() || drawn, "the line in {game:?} ends too early, in {now:?}");
    let seen = if line.len() % 2 == 0 { end } else { -end };
    hold!(seen == *value, "the line in {game:?} ends with {seen}, not {value}");
    Ok(())
}

//! Forced wins against plain recursion.

use proptest::collection::vec;
use proptest::prelude::any;
use tesuji_game::{Game, MoveList, Notation, Outcome};
use tesuji_laws::{PropertyResult, for_all, hold, playout};
use tesuji_ostle::Ostle;
use tesuji_solve::forced_win::{ForcedWinSolver, Stopped};
use tesuji_task::CancelToken;
use tesuji_trax::{EightByEight, Trax, Unlimited};

/// The plies of the shortest win of the attacker by plain recursion.
fn plain<G: Game>(game: &mut G, most: u32, attacks: bool) -> Option<u32> {
    match game.outcome() {
        Some(outcome) => return (outcome == if attacks { Outcome::Win } else { Outcome::Loss }).then_some(0),
        None if most == 0 => return None,
        None => {}
    }
    let replies = moves(game).into_iter().map(|mv| {
        let undo = game.play(mv);
        let plies = plain(game, most - 1, !attacks);
        game.undo(undo);
        plies.map(|plies| plies + 1)
    });
    if attacks { replies.flatten().min() } else { replies.collect::<Option<Vec<u32>>>()?.into_iter().max() }
}

fn moves<G: Game>(game: &mut G) -> Vec<G::Move> {
    let mut list = G::Moves::default();
    game.moves(&mut list);
    list.each().collect()
}

/// Solves a position and compares everything with plain recursion.
fn agrees<G: Notation>(game: &G, most: u32) -> PropertyResult {
    let mut solver = ForcedWinSolver::new();
    let cancel = CancelToken::new();
    let found = solver.shortest(game, most, u64::MAX, &cancel).map_err(|error| error.to_string())?;
    let mut game = game.clone();
    let expected = if game.outcome().is_some() { None } else { plain(&mut game, most, true) };
    let text = game.print();
    hold!(found.as_ref().map(|win| win.plies) == expected, "{found:?}, not {expected:?} in {text}");
    let Some(win) = found else { return Ok(()) };
    let after = |game: &G, mv| {
        let mut after = game.clone();
        after.play(mv);
        after
    };
    let wins = |&mv: &G::Move| plain(&mut after(&game, mv), win.plies - 1, false).is_some();
    let winning: Vec<G::Move> = moves(&mut game.clone()).into_iter().filter(wins).collect();
    hold!(win.winning == winning, "{:?}, not {winning:?} in {text}", win.winning);
    hold!(win.line.len() == win.plies as usize, "{:?} has not {} plies in {text}", win.line, win.plies);
    let end = win.line.iter().fold(game.clone(), |game, &mv| after(&game, mv));
    let attacker_to_move = end.mover() == game.mover();
    let won = if attacker_to_move { Outcome::Win } else { Outcome::Loss };
    hold!(end.outcome() == Some(won), "{:?} does not win in {text}", win.line);
    let all = solver.winning(&game, win.plies, u64::MAX, &cancel).map_err(|error| error.to_string())?;
    hold!(all == winning, "{all:?}, not {winning:?} in {text}");
    Ok(())
}

/// The last positions of random games: there the wins are.
fn last_positions<G: Notation>(cases: u32, back: usize, most: u32) {
    for_all(cases, (vec(any::<u16>(), 120..=120), 1..=back), |(choices, back)| {
        let mut positions = Vec::new();
        playout(G::start(), &choices, |game, _, _| {
            positions.push(game.clone());
            Ok(())
        })?;
        agrees(&positions[positions.len().saturating_sub(1 + back)], most)
    });
}

#[test]
fn ostle_agrees_with_plain_recursion() {
    last_positions::<Ostle>(48, 6, 4);
}

#[test]
fn trax_agrees_with_plain_recursion() {
    last_positions::<Trax<Unlimited>>(32, 3, 3);
    last_positions::<Trax<EightByEight>>(16, 3, 3);
}

#[test]
fn limits_and_cancellation_end_a_search() {
    let mut solver = ForcedWinSolver::new();
    let start = Ostle::start();
    assert_eq!(solver.shortest(&start, 9, 1000, &CancelToken::new()), Err(Stopped));
    assert!(solver.nodes() <= 1001);
    solver.forget();
    assert_eq!(solver.nodes(), 0);
    let cancelled = CancelToken::new();
    cancelled.cancel();
    assert_eq!(solver.shortest(&start, 9, u64::MAX, &cancelled), Err(Stopped));
}

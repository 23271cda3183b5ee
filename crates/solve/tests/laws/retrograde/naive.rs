//! Brute force: every pair of a board and its predecessor, iterated to a fixed point.

use std::collections::{HashMap, HashSet};

use tesuji_game::{NO_MOVE, Outcome};
use tesuji_solve::retrograde::Solution;

use super::toy::{Listed, Toy};

type State<T> = (<T as Toy>::Board, Option<<T as Toy>::Board>);

/// The DTW of every board, alone and after every predecessor.
fn sweep<T: Toy>(toy: &T) -> HashMap<State<T>, u8> {
    let mut open: Vec<State<T>> = Vec::new();
    for board in toy.boards() {
        open.push((board, None));
        for (_, result) in toy.moves(board) {
            open.extend(result.map(|next| (next, Some(board))));
        }
    }
    let mut values: HashMap<State<T>, u8> = HashMap::new();
    let mut quiet = 0;
    for value in 1..u8::MAX {
        let decided = |&(board, previous): &State<T>| {
            let results = toy.moves(board).into_iter().map(|(_, result)| result);
            let after = |next: T::Board| values.get(&(next, Some(board))).copied().unwrap_or(0);
            let allowed = |result: &Result<T::Board, Outcome>| result.is_err() || result.ok() != previous;
            match value % 2 {
                1 => results.filter(allowed).any(|result| match result {
                    Err(outcome) => outcome == Outcome::Win && value == 1,
                    Ok(next) => value > 1 && after(next) == value - 1,
                }),
                _ => { results }.filter(allowed).all(|result| match result {
                    Err(outcome) => outcome == Outcome::Loss,
                    Ok(next) => after(next) % 2 == 1,
                }),
            }
        };
        let (new, rest): (Vec<_>, Vec<_>) = open.into_iter().partition(decided);
        open = rest;
        quiet = if new.is_empty() { quiet + 1 } else { 0 };
        values.extend(new.into_iter().map(|state| (state, value)));
        if quiet == 2 {
            break;
        }
    }
    values.extend(open.into_iter().map(|state| (state, 0)));
    values
}

/// Compares a solution with brute force; returns the number of states and of exceptions.
pub(crate) fn compare<T: Toy>(game: &Listed<T>, solution: &Solution) -> (usize, usize) {
    use tesuji_game::PerfectIndex;
    let values = sweep(&game.toy);
    let mut exceptions = 0;
    for (&(board, previous), &right) in &values {
        let forbidden = previous.map_or(NO_MOVE, |previous| game.toy.reply(previous, board));
        let said = solution.value(game, board, forbidden);
        assert_eq!(said, Some(right), "{board:?} after {previous:?}, {:?}", game.rank(board));
        exceptions += usize::from(right != values[&(board, None)]);
    }
    (values.len(), exceptions)
}

/// Pairs of a board without a win in one and a predecessor that a reply restores, up to symmetry.
pub(crate) fn pairs<T: Toy>(toy: &T) -> usize {
    let canonical = |board: T::Board| (0..toy.symmetries()).map(|symmetry| toy.image(board, symmetry)).min();
    let mut found = HashSet::new();
    for board in toy.boards() {
        let before = canonical(board);
        for next in toy.moves(board).into_iter().filter_map(|(_, result)| result.ok()) {
            let replies: Vec<_> = toy.moves(next).into_iter().map(|(_, result)| result).collect();
            if toy.reply(board, next) != NO_MOVE && !replies.contains(&Err(Outcome::Win)) {
                found.insert((canonical(next), before));
            }
        }
    }
    found.len()
}

//! Retrograde analysis compared with brute force on small games, and with published facts on a class of
//! Ostle.

mod build;
mod checkpoints;
mod distances;
mod naive;
mod noughts;
mod ostle;
mod reachability;
mod small;
mod tablebase;
mod toy;

use tesuji_game::{NO_MOVE, PerfectIndex};
use tesuji_solve::retrograde::{
    ClassStatistics, ClassValues, Control, RetrogradeError, Solution, SolveResult, SolveSettings, class_statistics,
    solve, verify,
};
use tesuji_task::CancelToken;

use naive::{compare, pairs};
use noughts::Noughts;
use small::Small;
use toy::Listed;

fn plan(threads: usize) -> SolveSettings {
    SolveSettings { threads, stages: usize::MAX, memory: 1 << 32, cancel: CancelToken::new() }
}

fn solved<G: PerfectIndex>(game: &G, threads: usize) -> Solution {
    match solve(game, &plan(threads), None, &mut |_| Control::Continue).expect("nothing goes wrong") {
        SolveResult::Solved(solution) => solution,
        SolveResult::Stopped => panic!("nobody said stop"),
    }
}

fn classes<G: PerfectIndex>(game: &G) -> impl Iterator<Item = u8> + '_ {
    game.stages().iter().flat_map(|classes| classes.iter().copied())
}

fn bytes(values: &ClassValues) -> [&[u8]; 3] {
    [&values.first, &values.mv, &values.second]
}

/// Solves by brute force and by every number of threads, and verifies; returns states, exceptions and the longest win.
fn agrees<T: toy::Toy>(toy: T) -> (usize, usize, u8, ClassStatistics) {
    let game = Listed::new(toy);
    let solution = solved(&game, 1);
    let mut sum = ClassStatistics::default();
    for class in classes(&game) {
        let (boards, wrong) = verify(&game, &solution, class, 1, 2, &|_| true).expect("all classes");
        assert_eq!((boards, &wrong[..]), (u64::from(game.size(class)) - 1, &[][..]));
        let values = solution.class(class).expect("solved");
        sum.add(&class_statistics(&game, class, values, true, 2, &|_| true).expect("not stopped"));
    }
    for threads in [2, 3] {
        let again = solved(&game, threads);
        for class in classes(&game) {
            let of = |solution: &Solution| bytes(solution.class(class).expect("solved")).concat();
            assert!(of(&again) == of(&solution), "class {class}, {threads} threads");
        }
    }
    let (states, exceptions) = compare(&game, &solution);
    let without = sum.boards - sum.wins_at_once - sum.unled;
    let forbidden = sum.nodes.iter().sum::<u64>() - without;
    assert_eq!(forbidden as usize, pairs(&game.toy));
    let longest = sum.first.iter().rposition(|&count| count > 0).expect("a board");
    (states, exceptions, longest as u8, sum)
}

#[test]
fn small_boards_are_worth_what_brute_force_says() {
    let (states, exceptions, longest, sum) = agrees(Small::<3, 3, 2>);
    assert!(states > 5_000 && exceptions > 100 && longest > 8, "{states} {exceptions} {longest}");
    assert!(sum.symmetric > 20 && sum.exceptions > 50, "{sum:?}");
    let (states, exceptions, longest, sum) = agrees(Small::<3, 3, 3>);
    assert!(states > 20_000 && exceptions > 100 && longest > 8, "{states} {exceptions} {longest}");
    assert!(sum.symmetric > 20, "{sum:?}");
    let (states, exceptions, longest, _) = agrees(Small::<4, 3, 2>);
    assert!(states > 20_000 && exceptions > 100 && longest > 8, "{states} {exceptions} {longest}");
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let (states, exceptions, longest, sum) = agrees(Noughts);
    assert_eq!((exceptions, longest), (0, 5));
    assert_eq!(sum.boards, 627, "boards in play up to symmetry");
    assert!(states > 4_520, "{states}");
    let game = Listed::new(Noughts);
    assert_eq!(solved(&game, 2).value(&game, [0; 9], NO_MOVE), Some(0));
}

#[test]
fn what_does_not_fit_is_refused_before_it_begins() {
    let game = Listed::new(Small::<3, 3, 2>);
    let tight = SolveSettings { threads: 2, stages: 3, memory: 1 << 20, cancel: CancelToken::new() };
    let refused = solve(&game, &tight, None, &mut |_| panic!("it began"));
    let Err(error @ RetrogradeError::Memory { .. }) = refused else { panic!("{refused:?}") };
    assert!(error.to_string().contains("and 1 MiB are allowed"), "{error}");
}

#[test]
fn a_proof_needs_all_values() {
    let game = Listed::new(Small::<3, 3, 3>);
    let solution = solved(&game, 1);
    let mut partial = Solution::default();
    let missing = verify(&game, &partial, 0, 1, 1, &|_| true).expect_err("nothing is there");
    assert!(missing.to_string().contains("class 0"), "{missing}");
    // A wrong value is found, and so are those that depend on it.
    let mut values = ClassValues::new(game.size(0) as usize).unwrap();
    let right = solution.class(0).unwrap();
    values.first.copy_from_slice(&right.first);
    values.mv.copy_from_slice(&right.mv);
    values.second.copy_from_slice(&right.second);
    let at = (0..values.len()).find(|&at| values.first[at] == 2).expect("a board that is lost");
    values.first[at] = 4;
    partial.insert(0, values);
    let (boards, wrong) = verify(&game, &partial, 0, 1, 2, &|_| true).unwrap();
    assert_eq!(boards, u64::from(game.size(0)) - 1);
    assert!(wrong.iter().any(|wrong| wrong.index as usize == at && wrong.derived.first == 2), "{wrong:?}");
    // Every other board.
    let (half, _) = verify(&game, &solution, 0, 2, 1, &|_| true).unwrap();
    assert!(half <= boards / 2 + 1 && half >= boards / 2 - 1, "{half} of {boards}");
    let (none, _) = verify(&game, &solution, 0, 1, 1, &|_| false).unwrap();
    assert_eq!(none, boards, "one task is always done");
}

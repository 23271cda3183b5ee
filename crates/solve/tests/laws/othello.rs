//! Othello: endgames by brute force, and the FFO problems.

use proptest::collection::vec;
use proptest::prelude::any;
use tesuji_game::{Game, Notation, Path};
use tesuji_laws::{PropertyResult, for_all, hold, playout};
use tesuji_othello::Othello;
use tesuji_solve::exact::{ByMargin, ByOutcome, ExactSolver};

use crate::minimax::agrees;

/// Checks a property of the first position with at most `empties` empty squares in random games.
fn endgames(cases: u32, empties: u32, law: impl Fn(&Othello) -> PropertyResult) {
    for_all(cases, vec(any::<u16>(), 60..=70), |choices| {
        let mut endgame = None;
        playout(Othello::start(), &choices, |game, _, _| {
            if endgame.is_none() && game.empties().count_ones() <= empties {
                endgame = Some(*game);
            }
            Ok(())
        })?;
        endgame.map_or(Ok(()), |endgame| law(&endgame))
    });
}

#[test]
fn endgames_are_worth_what_brute_force_says() {
    for (empties, cases) in [(8, 24), (7, 48), (6, 96), (3, 96), (0, 8)] {
        endgames(cases, empties, |endgame| {
            let path = Path::new(endgame, ());
            agrees(&mut ExactSolver::new(ByMargin, 1), &ByMargin, endgame, &path, None)
        });
    }
    endgames(32, 7, |endgame| {
        agrees(&mut ExactSolver::new(ByOutcome, 1), &ByOutcome, endgame, &Path::new(endgame, ()), None)
    });
}

#[test]
fn a_bound_of_depth_makes_draws_and_says_so() {
    endgames(48, 9, |endgame| {
        let path = Path::new(endgame, ());
        for depth in 0..4 {
            agrees(&mut ExactSolver::new(ByMargin, 1), &ByMargin, endgame, &path, Some(depth))?;
        }
        let mut exact = ExactSolver::<Othello, _>::new(ByMargin, 1);
        let bounded = exact.solve_within(endgame, &path, Some(2), &|| true).ok_or("stopped")?;
        hold!(bounded.complete == endgame.is_over() || endgame.empties().count_ones() < 3, "{endgame:?}");
        hold!(exact.solve(endgame).complete, "to the end, nothing is missing");
        Ok(())
    });
}

#[test]
fn table_and_symmetry_change_nothing_but_the_work() {
    endgames(32, 11, |endgame| {
        let plain = ExactSolver::new(ByMargin, 0).solve(endgame);
        let mut kept = ExactSolver::new(ByMargin, 4);
        let mut reduced = ExactSolver::new(ByMargin, 4).symmetric();
        for other in [kept.solve(endgame), reduced.solve(endgame), reduced.solve(endgame)] {
            hold!(other.value == plain.value, "{endgame:?}: {} and {}", other.value, plain.value);
            hold!(other.best == plain.best, "{endgame:?}: {:?} and {:?}", other.best, plain.best);
        }
        let again = kept.solve(endgame);
        hold!(again.nodes <= plain.nodes, "{endgame:?}: the table costs nodes");
        Ok(())
    });
}

#[test]
fn ffo_problems_are_solved() {
    let mut solved = 0;
    for problem in include_str!("../../testdata/ffo.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = problem.split('|').map(str::trim).collect();
        let [number, position, score, best] = fields[..] else { panic!("not a problem: {problem}") };
        let game = Othello::parse(position).unwrap();
        let solution = ExactSolver::new(ByMargin, 16).solve(&game);
        let mut names: Vec<String> = solution.best.iter().map(|&mv| game.print_move(mv)).collect();
        names.sort();
        assert_eq!((solution.value, names.join(" ")), (score.parse().unwrap(), best.to_owned()), "#{number}");
        solved += 1;
    }
    assert_eq!(solved, 13);
}

#[test]
fn it_stops_when_told() {
    let game = Othello::start();
    assert_eq!(ExactSolver::new(ByMargin, 1).solve_within(&game, &Path::new(&game, ()), None, &|| false), None);
}

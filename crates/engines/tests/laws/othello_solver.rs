//! The Othello solver against the reference implementation `solve::exact`, and on the FFO positions.

use std::thread;
use std::time::Duration;

use tesuji_engines::othello::{Goal, IterationReport, PatternEval, Selectivity, Solver, SolverResult};
use tesuji_game::{Game, MoveList, Notation, Side};
use tesuji_othello::{Move, Moves, Othello};
use tesuji_search::{CancelToken, Rng};
use tesuji_solve::exact::{ByMargin, ByOutcome, ExactSolver, Scoring};

/// Random play from the start until this many squares are empty or the game is over.
pub(crate) fn random_position(rng: &mut Rng, empties: u32) -> Othello {
    let mut game = Othello::start();
    let mut list = Moves::default();
    while game.empties().count_ones() > empties {
        game.moves(&mut list);
        if list.is_empty() {
            break;
        }
        if let Some(mv) = list.each().nth(rng.below(list.len())) {
            game.play(mv);
        }
    }
    game
}

/// The principal variation is legal and ends with the score.
fn assert_line(game: &Othello, solved: &SolverResult, goal: Goal) {
    let mut end = *game;
    let mut list = Moves::default();
    let mut sign = 1;
    for &mv in &solved.pv {
        end.moves(&mut list);
        assert!(list.has(mv), "{mv} in the line of {}", game.print());
        end.play(mv);
        sign = -sign;
    }
    if goal == Goal::Score {
        assert!(end.is_over(), "the line of {} stops early", game.print());
        assert_eq!(sign * end.score(), solved.score, "the line of {}", game.print());
    }
}

/// The solver finds the score and the best moves of the reference implementation.
fn assert_agreement<W: Scoring<Othello>>(
    solver: &mut Solver,
    reference: &mut ExactSolver<Othello, W>,
    game: &Othello,
    goal: Goal,
) {
    let truth = reference.solve(game);
    let solved = solver.solve(game, goal);
    assert_eq!(solved.score, truth.value, "{goal:?} of {}", game.print());
    assert_eq!(solver.all_best(game, goal, &solved), truth.best, "{goal:?}: best moves in {}", game.print());
    if truth.value >= 0 || goal == Goal::Score {
        assert_eq!(solved.best().is_none(), truth.best.is_empty(), "{goal:?} of {}", game.print());
        assert!(solved.best().is_none_or(|mv| truth.best.contains(&mv)), "{}", game.print());
    }
    assert_line(game, &solved, goal);
}

fn agree(seed: u64, count: u64, empties: std::ops::RangeInclusive<u32>) {
    let mut rng = Rng::new(seed);
    let mut solver = Solver::new(4, PatternEval::untrained());
    let mut scores = ExactSolver::new(ByMargin, 16);
    let mut outcomes = ExactSolver::new(ByOutcome, 16);
    let span = (empties.end() - empties.start() + 1) as usize;
    for _ in 0..count {
        let left = empties.start() + rng.below(span) as u32;
        let game = random_position(&mut rng, left);
        assert_agreement(&mut solver, &mut scores, &game, Goal::Score);
        assert_agreement(&mut solver, &mut outcomes, &game, Goal::Outcome);
    }
}

#[test]
fn up_to_seven_empties_agree_with_the_reference() {
    agree(1, 18_000, 0..=7);
}

#[test]
fn eight_and_nine_empties_agree_with_the_reference() {
    agree(2, 2_000, 8..=9);
}

#[test]
fn ten_to_twelve_empties_agree_with_the_reference() {
    agree(3, 500, 10..=12);
}

/// Random boards that no game reaches: sides without a disc, holes, islands.
#[test]
fn unreachable_boards_agree_with_the_reference() {
    let mut rng = Rng::new(4);
    let mut solver = Solver::new(1, PatternEval::untrained());
    let (mut scores, mut outcomes) = (ExactSolver::new(ByMargin, 16), ExactSolver::new(ByOutcome, 16));
    for round in 0..3_000 {
        let mut empties = 0_u64;
        for _ in 0..rng.below(8) {
            empties |= 1 << rng.below(64);
        }
        let own = match round % 4 {
            0 => 0,
            1 => u64::MAX,
            2 => rng.draw(),
            _ => rng.draw() & rng.draw() & rng.draw(),
        };
        let side = if round % 2 == 0 { Side::First } else { Side::Second };
        let game = Othello::new(own & !empties, !own & !empties, side).unwrap();
        assert_agreement(&mut solver, &mut scores, &game, Goal::Score);
        assert_agreement(&mut solver, &mut outcomes, &game, Goal::Outcome);
    }
}

#[test]
fn finished_games_need_no_search() {
    let mut solver = Solver::new(1, PatternEval::untrained());
    for (own, other, score) in [(0, 0, 0), (1, 0, 64), (0, 1, -64), (u64::MAX, 0, 64), (0xff, 0xff << 56, 0)] {
        let game = Othello::new(own, other, Side::First).unwrap();
        let solved = solver.solve(&game, Goal::Score);
        assert_eq!((solved.score, solved.best()), (score, None), "{own:#x} {other:#x}");
        assert_eq!(solver.solve(&game, Goal::Outcome).score, score.signum());
        assert!(solver.all_best(&game, Goal::Score, &solved).is_empty());
    }
}

#[test]
fn a_forced_pass_is_the_best_move() {
    // Only white can play on: black passes.
    let game = Othello::parse("OX-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX X").unwrap();
    let mut solver = Solver::new(1, PatternEval::untrained());
    let solved = solver.solve(&game, Goal::Score);
    assert_eq!(solved.best(), Some(Move::PASS));
    assert_eq!(solver.all_best(&game, Goal::Score, &solved), [Move::PASS]);
    assert_line(&game, &solved, Goal::Score);
}

/// Every move has the value of the position behind it.
#[test]
fn the_values_of_all_moves_agree_with_the_reference() {
    let mut rng = Rng::new(5);
    let mut solver = Solver::new(1, PatternEval::untrained());
    let (mut scores, mut outcomes) = (ExactSolver::new(ByMargin, 16), ExactSolver::new(ByOutcome, 16));
    for _ in 0..300 {
        let empties = rng.below(9) as u32;
        let game = random_position(&mut rng, empties);
        assert_move_values(&mut solver, &mut scores, &game, Goal::Score);
        assert_move_values(&mut solver, &mut outcomes, &game, Goal::Outcome);
    }
}

fn assert_move_values<W: Scoring<Othello>>(
    solver: &mut Solver,
    reference: &mut ExactSolver<Othello, W>,
    game: &Othello,
    goal: Goal,
) {
    let all = solver.move_values(game, goal, &CancelToken::new(), &mut |_, _| {}).unwrap();
    let mut list = Moves::default();
    (*game).clone().moves(&mut list);
    assert_eq!(all.values.len(), list.len(), "{}", game.print());
    assert!(all.values.is_sorted_by_key(|&(_, score)| -score), "{:?}", all.values);
    for &(mv, score) in &all.values {
        let mut after = *game;
        after.play(mv);
        assert_eq!(score, -reference.solve(&after).value, "{goal:?} of {mv} in {}", game.print());
    }
    let solved = solver.solve(game, goal);
    let best = solver.all_best_until(game, goal, &solved, &CancelToken::new()).unwrap();
    if let Some(&(_, highest)) = all.values.first() {
        assert_eq!(highest, solved.score, "{}", game.print());
        let mut equal: Vec<Move> = all.values.iter().filter(|value| value.1 == highest).map(|value| value.0).collect();
        equal.sort_by_key(|mv| mv.to_string().chars().rev().collect::<String>());
        assert_eq!(best.moves, equal, "{}", game.print());
    }
}

#[test]
fn a_cancelled_token_stops_the_solver() {
    let stop = CancelToken::new();
    stop.cancel();
    let start = Othello::start();
    assert_eq!(Solver::new(1, PatternEval::untrained()).solve_until(&start, Goal::Score, &stop), None);
    let solved = SolverResult { score: 0, pv: Vec::new(), nodes: 0 };
    assert_eq!(Solver::new(1, PatternEval::untrained()).all_best_until(&start, Goal::Score, &solved, &stop), None);
    assert_eq!(Solver::new(1, PatternEval::untrained()).move_values(&start, Goal::Score, &stop, &mut |_, _| {}), None);
}

/// The first FFO positions: number, score, best moves, board and side to move.
const FFO: [(u32, i32, &str, &str); 39] = [
    (1, 18, "g8", "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"),
    (2, 10, "a4", "-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X"),
    (3, 2, "d1", "----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX X"),
    (4, 0, "h8 a5", "-XXXXXX-X-XXXOO-XOXXXOOXXXOXOOOX-OXOOXXX--OOOXXX--OOXX----XOXXO- X"),
    (5, 32, "g8", "-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX-- X"),
    (6, 14, "a1 h3", "--OXXX--OOOXXX--OOOXOXO-OOXOOOX-OOXXXXXXXOOXXOX--OOOOX---XXXXXX- X"),
    (7, 8, "a6", "--OXXO--XOXXXX--XOOOXXXXXOOXXXXXXOOOOXXX-XXXXXXX--XXOOO----XXOO- X"),
    (8, 8, "e1", "---X-X--X-XXXX--XXXXOXXXXXXOOOOOXXOXXXO-XOXXXXO-XOOXXX--XOOXXO-- O"),
    (9, -8, "g7 a4", "--XOXX--O-OOXXXX-OOOXXXX-XOXXXOXXXOXOOOXOXXOXOXX--OXOO----OOOO-- O"),
    (10, 10, "b2", "-XXXX-----OXXX--XOXOXOXXOXOXXOXXOXXOXOOOXXXOXOOX--OXXO---OOOOO-- O"),
    (11, 30, "b3", "---O-XOX----XXOX---XXOOXO-XXOXOXXXXOOXOX-XOOXXXXXOOOXX-XOOOOOOO- O"),
    (12, -8, "b7", "--O--O--X-OOOOX-XXOOOXOOXXOXOXOOXXOXXOOOXXXXOOOO--OXXX---XXXXX-- O"),
    (13, 14, "b7", "--XXXXX--OOOXX---OOOXXXX-OXOXOXXOXXXOXXX--XOXOXX--OXOOO--OOOOO-- X"),
    (14, 18, "a3", "--XXXXX---OOOX---XOOXXXX-OOOOOOOOOOXXXOOOOOXXOOX--XXOO----XXXXX- X"),
    (15, 4, "g3 b8", "----O------OOX---OOOXX-XOOOXOOOOOXXOXXOOOXXXOOOOOXXXOOXO--OOOOOX X"),
    (16, 24, "f8", "-XXXXXX-X-XXXOO-XOXXXOOXXOOXXXOX-OOOXXXX--OOXXXX---OOO----XOX-O- X"),
    (17, 8, "f8", "-OOOOO----OXXO-XXXOOOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOO----XXXX--- X"),
    (18, -2, "g2", "-XXX------OOOX--XOOOOOXXOXOXOOXXOXXOOOOOXXXOXOOX--OXXO---OOOOO-- X"),
    (19, 8, "b6", "--OXXO--XOXXXX--XOOOOXXXXOOOXXXXX-OOOXXX--OOOOXX--XXOOO----XXOO- X"),
    (20, 6, "h5", "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X"),
    (21, 0, "g5", "OOOOOOOOXOOXXX--XXOOXOO-XOXOOO--XOOOOX--XOOXOO--XOOOOO--XXXX---- O"),
    (22, 2, "g8", "--OOOO--X-OOOOO-XXOOXOXXXOXOXXXXXXXOXXXX-XXOXOXX--OXXX-X----X--- O"),
    (23, 4, "a2", "--O-------OOX---OOOXXXO-OOOOXOXXXXXOOXOXXXXXXOOXX-XXXXOX--XXXX-- X"),
    (24, 0, "c3", "--O--O-----OOOX--X-XOXOO--XXXOOOXXXXOOOOXXXOXXOOXXXXXX--XOXX-O-- O"),
    (25, 0, "g1 a5", "----X------XXXO--OOOXXXXXOOOOXXO-XXOOXXOOOXOXXXXOOOXX---X-XXXX-- O"),
    (26, 0, "d8", "-OOOOO----OXXO---OOOOXXO-OOOXOXX-OOXOOXX-XOXXOXX--O-XXXX--O----O X"),
    (27, -2, "b7", "--XO-O----OOOO--OOXOXXO-OOOOXXOOOOOXXOX-OXOXXXXX--XXXX----X-O-X- X"),
    (28, 0, "f1 b2 e1", "--O-------OOO--X-XOOOOXXXXXXOXOX-XXOXOOXXXOXOOXX-OOOOO-X---OOO-- X"),
    (29, 10, "g2", "-OXXXX----OXXO--XXOOXOOOXXXOOXOOXXOOXOOOXXXXOO-XX-XXO----------- X"),
    (30, 0, "g3", "-XXX----X-XOO---XXOXOO--XOXOXO--XOOXOXXXXOOXXOX---OOOOO--XXXXX-- X"),
    (31, -2, "g6", "-OOOOO----OOOO--OXXOOO---XXXOO--XXXXXXO-XXXOOO-OX-OOOO---OOOOO-- X"),
    (32, -4, "g3", "--XX----O-XXOX--OOXOO---OXOXOOO-OOXXOOOXOOXXXOOX--XXXXOX--X--X-X X"),
    (33, -8, "e7 a3", "-XXXXXXX--XOOO----OXOOXX-OOXXOXX-OOOOOXX-X-XOOXX---O-X-X--OOOO-- X"),
    (34, -2, "c2", "-------------O-O-OOOOOOOOOOOOXOOOXXOOOXO-XXXOXOO--XXXOXO--OXXXXO X"),
    (35, 0, "c7", "--XXX-----XXXX-OOOXXOOOOOOOOOOXO-OOXXXXO-OOOXXXO---XOXX---X----- O"),
    (36, 0, "b7", "---X-O----XXXO-XXXXXXXXXXOOXXOOXXOXOOOXXXXOOOO-XX--OOOO--------- O"),
    (37, -20, "g2", "--OOOO--O-OOOO--OXXXOOO-OXXOXO--OOXXOXX-OOXXXX--O-XXX-----XX-O-- X"),
    (38, 4, "b2", "--OOOO----OOOO---XOXXOOXOOXOOOOX-OOOOOXXXOOXXXXX--X-X----------- X"),
    (39, 64, "a8 b1 g1 g5 g6 c8 h3 e8 h4", "O-OOOO--XOXXOX--XOOOXXX-XOOOXX--XOOXOX--XOXXX---X-XX------------ O"),
];

#[test]
fn ffo_positions_have_their_published_scores_and_best_moves() {
    let mut solver = Solver::new(64, PatternEval::shipped());
    for (number, score, best, board) in FFO {
        let game = Othello::parse(board).unwrap();
        let solved = solver.solve(&game, Goal::Score);
        assert_eq!(solved.score, score, "#{number}");
        assert_line(&game, &solved, Goal::Score);
        let moves: Vec<String> = solver.all_best(&game, Goal::Score, &solved).iter().map(ToString::to_string).collect();
        let mut expected: Vec<&str> = best.split(' ').collect();
        expected.sort_unstable_by_key(|name| (name.as_bytes()[1], name.as_bytes()[0]));
        assert_eq!(moves, expected, "#{number}");
        assert_eq!(solver.solve(&game, Goal::Outcome).score, score.signum(), "#{number}");
    }
}

/// Random weights.
fn random_weights(seed: u64) -> PatternEval {
    let mut rng = Rng::new(seed);
    let weights: Vec<i16> = (0..PatternEval::WEIGHTS).map(|_| rng.draw() as i16 / 64).collect();
    PatternEval::new(&weights).unwrap()
}

#[test]
fn the_evaluation_changes_no_result() {
    for threads in [1, 3] {
        let mut solver = Solver::new(16, random_weights(5)).threads(threads);
        for (number, score, _, board) in &FFO[..19] {
            let game = Othello::parse(board).unwrap();
            let solved = solver.solve(&game, Goal::Score);
            assert_eq!(solved.score, *score, "#{number} on {threads} threads");
            assert_line(&game, &solved, Goal::Score);
        }
    }
}

/// More threads than cores test every way to wait at a split point; bad move ordering makes any move of a split point
/// the best. After a cancelled search the same solver still finds the right score.
#[test]
fn the_number_of_threads_changes_no_score() {
    let mut rng = Rng::new(33);
    let mut alone = Solver::new(8, PatternEval::shipped());
    let mut parallel_solvers = [2, 3, 8].map(|threads| Solver::new(8, random_weights(9)).threads(threads));
    for empties in [16, 17, 18].repeat(4) {
        let game = random_position(&mut rng, empties);
        let expected = alone.solve(&game, Goal::Score).score;
        for parallel_solver in &mut parallel_solvers {
            let (stop, wait) = (CancelToken::new(), Duration::from_micros(rng.below(5000) as u64));
            let stopper = stop.clone();
            let stopped = thread::spawn(move || {
                thread::sleep(wait);
                stopper.cancel();
            });
            let found = parallel_solver.solve_until(&game, Goal::Score, &stop);
            stopped.join().unwrap();
            assert!(found.is_none_or(|solved| solved.score == expected), "{}", game.print());
            let solved = parallel_solver.solve(&game, Goal::Score);
            assert_eq!(solved.score, expected, "{}", game.print());
            assert_line(&game, &solved, Goal::Score);
            parallel_solver.clear();
        }
    }
}

#[test]
fn iterations_are_reported_in_order_and_end_with_the_solution() {
    let game = random_position(&mut Rng::new(21), 16);
    let mut reports: Vec<IterationReport> = Vec::new();
    let solved = Solver::new(1, PatternEval::shipped())
        .solve_with_progress(&game, Goal::Score, &CancelToken::new(), &mut |report| reports.push(*report))
        .unwrap();
    let draft = |report: &IterationReport| (report.depth, report.selectivity);
    assert!(reports.len() > 3 && reports.windows(2).all(|pair| draft(&pair[0]) < draft(&pair[1])), "{reports:?}");
    assert!(reports.windows(2).all(|pair| pair[0].nodes < pair[1].nodes), "{reports:?}");
    let (score, best, nodes) = (solved.score, solved.best(), solved.nodes);
    let last = IterationReport { depth: 16, selectivity: Selectivity::EXACT, score, best, nodes };
    assert_eq!(reports.last(), Some(&last));
}

#[test]
fn a_full_depth_search_is_a_solution() {
    let mut rng = Rng::new(6);
    let mut reference = ExactSolver::new(ByMargin, 16);
    for round in 0..300 {
        let game = random_position(&mut rng, 10);
        let mut solver = Solver::new(1, random_weights(round));
        let found = solver.search_depth(&game, 60, Selectivity::EXACT, &CancelToken::new()).unwrap();
        assert_eq!(found.score, reference.solve(&game).value, "{}", game.print());
    }
}

/// Without selectivity a search finds the minimax value.
#[test]
fn a_full_width_search_agrees_with_minimax() {
    fn minimax(eval: &PatternEval, game: &Othello, depth: u32) -> i32 {
        if game.is_over() {
            return game.score();
        }
        if depth == 0 {
            return eval.discs(game);
        }
        let (mut list, mut best) = (Moves::default(), -64);
        game.clone().moves(&mut list);
        for mv in list.each() {
            let mut after = *game;
            after.play(mv);
            let plies = depth - u32::from(mv != Move::PASS);
            best = best.max(-minimax(eval, &after, plies));
        }
        best
    }
    let mut rng = Rng::new(7);
    for round in 0..200 {
        let eval = random_weights(round);
        let empties = 14 + rng.below(40) as u32;
        let game = random_position(&mut rng, empties);
        for depth in 1..=4 {
            let found = Solver::new(1, eval.clone())
                .search_depth(&game, depth, Selectivity::EXACT, &CancelToken::new())
                .unwrap();
            assert_eq!(found.score, minimax(&eval, &game, depth), "{depth} plies from {}", game.print());
        }
    }
}

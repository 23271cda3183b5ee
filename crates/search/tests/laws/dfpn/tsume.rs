//! Tsume: every problem of `testdata/tsume.txt` is solved with its true length.

use tesuji_game::{Game, Notation, Record, Side};
use tesuji_search::dfpn::{AttackPolicy, Dfpn, ForcedWin, ProofQuery, ProofResult};
use tesuji_search::{CancelToken, Limits};
use tesuji_shogi::{IllegalMove, Move, PieceKind, Shogi, Square};

use super::brute_force::BruteForce;
use super::depth;
use super::policy::Checks;

struct Tsume {
    start: Shogi,
    plies: usize,
    first: Move,
    remarks: &'static str,
}

fn problems() -> Vec<Tsume> {
    let lines = include_str!("../../../testdata/tsume.txt").lines().filter(|line| !line.starts_with('#'));
    let problem = |line: &'static str| {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [position, plies, first, remarks] = fields[..] else { panic!("not a problem: {line}") };
        let mut start = Shogi::parse(position).expect(line);
        let first = start.parse_move(first).expect(line);
        Tsume { start, plies: plies.parse().expect(line), first, remarks }
    };
    lines.map(problem).collect()
}

/// The themes of a line, in the words of the data file.
fn remarks(start: &Shogi, line: &[Move]) -> String {
    let mut game = start.clone();
    let mut seen = [false; 3];
    for &mv in line {
        if game.mover() == Side::First {
            let head = game.king(Side::Second).and_then(|king| Square::new(king.file(), king.rank() + 1));
            let drop = head.map(|head| Move::drop(PieceKind::Pawn, head));
            seen[0] |= drop.and_then(|drop| game.why_illegal(drop)) == Some(IllegalMove::PawnDropMate);
            let promoted = mv.from().filter(|_| !mv.promotes()).map(|from| Move::board(from, mv.to(), true));
            seen[2] |= promoted.is_some_and(|promoted| game.why_illegal(promoted).is_none());
        } else {
            seen[1] |= mv.is_drop();
        }
        game.play(mv);
    }
    let words = ["uchifuzume", "interposition", "unpromoted"];
    words.into_iter().zip(seen).filter(|&(_, seen)| seen).map(|(word, _)| word).collect::<Vec<_>>().join(" ")
}

fn solved(result: ProofResult<Move>) -> ForcedWin<Move> {
    match result {
        ProofResult::Proven(proof) => proof,
        other => panic!("no mate: {other:?}"),
    }
}

#[test]
fn every_problem_is_solved_and_replays() {
    let problems = problems();
    assert!(problems.len() >= 30);
    let mut solver = Dfpn::new(Checks, 16);
    let mut met: Vec<&str> = Vec::new();
    for Tsume { start, plies, first, remarks: expected } in problems {
        let mut record = Record::new(start.clone());
        let any = solved(solver.solve(&ProofQuery::of(&record), &Limits::default(), &CancelToken::new()));
        assert!(any.plies >= plies && any.plies == any.line.len(), "{start:?} {any:?}");
        let query = ProofQuery::of(&record).shortest();
        let best = solved(solver.solve(&query, &Limits::default(), &CancelToken::new()));
        assert_eq!((best.plies, best.line[0], best.shortest), (plies, first, true), "{start:?}");
        // Another defence of the same length may lack a theme.
        for theme in remarks(&start, &best.line).split_whitespace() {
            met.extend(expected.split_whitespace().filter(|&word| word == theme));
            assert!(expected.contains(theme), "{theme}: {start:?} {:?}", best.line);
        }
        for mv in best.line {
            record.push(mv).unwrap();
        }
        let ending = record.ending().unwrap();
        assert_eq!((ending.winner, ending.reason), (Some(Side::First), "checkmate"), "{start:?}");
    }
    for theme in ["uchifuzume", "interposition", "unpromoted"] {
        let count = met.iter().filter(|&&word| word == theme).count();
        assert!(count >= 5, "{theme} was met {count} times");
    }
}

/// A table of a few hundred positions loses most entries; that costs time, but no correctness.
#[test]
fn a_tiny_table_is_enough() {
    let mut solver = Dfpn::new(Checks, 0);
    for Tsume { start, plies, first, .. } in problems() {
        let record = Record::new(start.clone());
        let query = ProofQuery::of(&record).shortest();
        let best = solved(solver.solve(&query, &Limits::default(), &CancelToken::new()));
        assert_eq!((best.plies, best.line[0], best.shortest), (plies, first, true), "{start:?}");
    }
}

#[test]
fn no_problem_has_a_shorter_mate_or_another_first_move() {
    let mut solver = Dfpn::new(Checks, 16);
    for Tsume { mut start, plies, first, .. } in problems() {
        let record = Record::new(start.clone());
        let shorter = solver.solve(&ProofQuery::of(&record), &depth(plies as u32 - 1), &CancelToken::new());
        assert_eq!(shorter, ProofResult::Disproven, "{start:?}");
        let mut attacks = Vec::new();
        Checks.attacks(&mut start, &mut attacks);
        for mv in attacks.into_iter().filter(|&mv| mv != first) {
            let mut after = start.clone();
            after.play(mv);
            let record = Record::new(after);
            let query = ProofQuery::of(&record).attacker(Side::First);
            let other = solver.solve(&query, &depth(plies as u32 - 1), &CancelToken::new());
            assert_eq!(other, ProofResult::Disproven, "{start:?} {mv}");
        }
    }
}

#[test]
fn short_problems_agree_with_brute_force() {
    for Tsume { mut start, plies, .. } in problems().into_iter().filter(|problem| problem.plies <= 5) {
        let brute = BruteForce::new(&Checks, Side::First).shortest(&mut start, plies as u32);
        assert_eq!(brute, Some(plies as u32), "{start:?}");
    }
}

#[test]
fn node_counts_are_reproducible() {
    let problems = problems();
    let count = |solver: &mut Dfpn<Checks>| {
        let mut counts = Vec::new();
        for Tsume { start, .. } in &problems {
            solver.forget();
            let record = Record::new(start.clone());
            solved(solver.solve(&ProofQuery::of(&record), &Limits::default(), &CancelToken::new()));
            counts.push(solver.nodes());
        }
        counts
    };
    let mut solver = Dfpn::new(Checks, 2);
    assert_eq!(count(&mut solver), count(&mut solver));
}

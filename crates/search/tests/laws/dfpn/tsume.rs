//! Tsume: every problem of `testdata/tsume.txt` is solved with its true length.

use std::collections::HashMap;

use tesuji_game::{Game, MoveList, Notation, Outcome, Record, Side};
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

/// The themes of best play, in the order of [`THEMES`].
type Themes = [bool; 3];

/// The words of the data file.
const THEMES: [&str; 3] = ["uchifuzume", "interposition", "unpromoted"];

/// The themes of one move.
fn themes(game: &mut Shogi, mv: Move) -> Themes {
    if game.mover() == Side::Second {
        return [false, mv.is_drop(), false];
    }
    let head = game.king(Side::Second).and_then(|king| Square::new(king.file(), king.rank() + 1));
    let drop = head.map(|head| Move::drop(PieceKind::Pawn, head));
    let promoted = mv.from().filter(|_| !mv.promotes()).map(|from| Move::board(from, mv.to(), true));
    [
        drop.and_then(|drop| game.why_illegal(drop)) == Some(IllegalMove::PawnDropMate),
        false,
        promoted.is_some_and(|promoted| game.why_illegal(promoted).is_none()),
    ]
}

/// All lines of best play: the attacker mates as fast as possible, the defender holds out as long as possible.
#[derive(Default)]
struct BestPlay {
    solver: Option<Dfpn<Checks>>,
    known: HashMap<(Shogi, Side), Themes>,
}

impl BestPlay {
    /// Whether there is a mate within so many plies, for either side to move.
    fn mates(&mut self, game: &Shogi, plies: usize) -> bool {
        if plies == 0 {
            return game.outcome() == Some(Outcome::Loss);
        }
        let record = Record::new(game.clone());
        let query = ProofQuery::of(&record).attacker(Side::First);
        let solver = self.solver.get_or_insert_with(|| Dfpn::new(Checks, 16));
        match solver.solve(&query, &depth(plies as u32), &CancelToken::new()) {
            ProofResult::Proven(_) => true,
            ProofResult::Disproven => false,
            ProofResult::Unknown => panic!("{game:?} without a limit"),
        }
    }

    /// The best moves of a position with a mate in this many plies.
    fn moves(&mut self, game: &mut Shogi, plies: usize) -> Vec<Move> {
        let mut list = Vec::new();
        if game.mover() == Side::First {
            Checks.attacks(game, &mut list);
        } else {
            let mut legal = <Shogi as Game>::Moves::default();
            game.moves(&mut legal);
            list.extend(legal.each());
        }
        list.retain(|&mv| {
            let mut after = game.clone();
            after.play(mv);
            match game.mover() {
                Side::First => self.mates(&after, plies - 1),
                // Every defence is mated in time; the best ones not earlier.
                Side::Second => plies == 2 || !self.mates(&after, plies - 3),
            }
        });
        list
    }

    /// The themes of all lines of best play from a position with a mate in this many plies.
    fn themes(&mut self, game: &mut Shogi, plies: usize) -> Themes {
        let key = (game.clone(), game.mover());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let mut seen = [false; 3];
        if plies > 0 {
            let best = self.moves(game, plies);
            assert!(!best.is_empty(), "{game:?} has no mate in {plies}");
            for mv in best {
                let here = themes(game, mv);
                let mut after = game.clone();
                after.play(mv);
                let later = self.themes(&mut after, plies - 1);
                (0..3).for_each(|theme| seen[theme] |= here[theme] || later[theme]);
            }
        }
        self.known.insert(key, seen);
        seen
    }
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
    let (mut counts, mut wrong) = ([0; 3], Vec::new());
    for Tsume { start, plies, first, remarks: expected } in problems {
        let mut record = Record::new(start.clone());
        let any = solved(solver.solve(&ProofQuery::of(&record), &Limits::default(), &CancelToken::new()));
        assert!(any.plies >= plies && any.plies == any.line.len(), "{start:?} {any:?}");
        let query = ProofQuery::of(&record).shortest();
        let best = solved(solver.solve(&query, &Limits::default(), &CancelToken::new()));
        assert_eq!((best.plies, best.line[0], best.shortest), (plies, first, true), "{start:?}");
        // Of several defences that hold out equally long the solver may show any, so every move of its line must be one of
        // best play, and the themes are those of all lines of best play.
        let mut play = BestPlay::default();
        let seen = play.themes(&mut start.clone(), plies);
        let words: Vec<&str> = (0..3).filter(|&theme| seen[theme]).map(|theme| THEMES[theme]).collect();
        if words.join(" ") != expected {
            wrong.push(format!("{} has {expected:?}, best play {words:?}", start.print()));
        }
        (0..3).for_each(|theme| counts[theme] += u32::from(seen[theme]));
        let mut game = start.clone();
        for (ply, &mv) in best.line.iter().enumerate() {
            assert!(play.moves(&mut game, plies - ply).contains(&mv), "{start:?} {:?}: {mv}", best.line);
            game.play(mv);
        }
        for mv in best.line {
            record.push(mv).unwrap();
        }
        let ending = record.ending().unwrap();
        assert_eq!((ending.winner, ending.reason), (Some(Side::First), "checkmate"), "{start:?}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (theme, count) in THEMES.into_iter().zip(counts) {
        assert!(count >= 5, "{theme} occurs {count} times");
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

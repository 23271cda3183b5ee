//! A toy game: a maze of random rooms, doors and results. Null moves, checks and cycles occur within a few plies, where
//! real games take hundreds of positions.

use tesuji_game::{Game, Outcome, Path, Record, Side};
use tesuji_search::alphabeta::RootDriver;
use tesuji_search::{Eval, Heuristics, NoEval, NoHeuristics, NodeContext, ProbCut, Proven, Value};

use crate::minimax::{Scrambled, engine, minimax_of, search, to_depth, value};
use crate::proven::{loses, wins};

const FINE: Scrambled = Scrambled { values: 2001 };

/// A room of maze number `maze`. With `CYCLES`, doors may lead back. Odd mazes have no checks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Maze<const CYCLES: bool> {
    maze: u32,
    level: u8,
    room: u8,
    mover: Side,
}

impl<const CYCLES: bool> Maze<CYCLES> {
    fn new(maze: u32) -> Self {
        Maze { maze, level: 0, room: 1, mover: Side::First }
    }

    /// A pseudo-random number of this room, one for each `purpose`.
    fn random(&self, purpose: u64) -> u64 {
        let seed = u64::from(self.maze) << 32
            | u64::from(self.level) << 24
            | u64::from(self.room) << 16
            | (self.mover.index() as u64) << 8
            | purpose;
        tesuji_search::Rng::new(seed).draw() >> 8
    }

    fn doors(&self) -> u8 {
        if self.random(0).is_multiple_of(8) || self.level > 12 { 0 } else { 1 + (self.random(1) % 4) as u8 }
    }
}

impl<const CYCLES: bool> Game for Maze<CYCLES> {
    type Move = u8;
    type Moves = Vec<u8>;
    type Undo = Self;
    type Rules = ();

    const NAME: &'static str = "maze";
    const RECURS: bool = CYCLES;

    fn start() -> Self {
        Maze::new(0)
    }

    fn mover(&self) -> Side {
        self.mover
    }

    fn moves(&mut self, out: &mut Vec<u8>) {
        out.clear();
        out.extend(0..self.doors());
    }

    fn play(&mut self, mv: u8) -> Self {
        let before = *self;
        let rooms = if CYCLES { 9 } else { 25 };
        self.room = (self.random(2 + u64::from(mv)) % rooms) as u8;
        self.level += u8::from(!CYCLES);
        self.mover = !self.mover;
        before
    }

    fn undo(&mut self, before: Self) {
        *self = before;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.doors() == 0).then(|| match self.random(9) % 5 {
            0 => Outcome::Draw,
            1 | 2 => Outcome::Win,
            _ => Outcome::Loss,
        })
    }

    fn in_check(&self) -> bool {
        self.maze.is_multiple_of(2) && !self.random(10).is_multiple_of(3)
    }
}

/// Null moves, reductions and ProbCut wherever possible.
#[derive(Clone, Copy)]
struct AggressivePruning;

impl<E: Eval<Maze<false>>> Heuristics<Maze<false>, E> for AggressivePruning {
    fn extension(&self, after: &Maze<false>, _: u8, _: &NodeContext) -> u32 {
        u32::from(after.doors() == 1)
    }

    fn late_move_reduction(&self, _: &Maze<false>, _: u8, node: &NodeContext) -> u32 {
        node.move_count / 2
    }

    fn null_move(&self, game: &mut Maze<false>, node: &NodeContext) -> Option<(Maze<false>, u32)> {
        let before = *game;
        let may = node.depth > 1 && game.doors() > 0;
        may.then(|| {
            game.mover = !game.mover;
            (before, 0)
        })
    }

    fn probcut(&self, _: &Maze<false>, node: &NodeContext) -> Option<ProbCut> {
        let shifted = |value: Value, by: i32| Value::estimate(i32::from(value.get()) + by);
        (node.depth > 3).then(|| ProbCut {
            depth: node.depth - 2,
            fail_high: shifted(node.beta, 100),
            fail_low: shifted(node.alpha, -100),
        })
    }
}

#[test]
fn every_search_of_a_maze_equals_minimax() {
    for maze in 0..300 {
        let record = Record::new(Maze::<false>::new(maze));
        if record.ending().is_some() {
            continue;
        }
        for depth in [1, 4, 7] {
            let reference = minimax_of(&FINE, &record, depth).value;
            for (hash, threads) in [(0, 1), (1, 1), (1, 2)] {
                for driver in [RootDriver::Pvs, RootDriver::Mtdf] {
                    let mut engine = engine(FINE, NoHeuristics, hash, threads).with_strict_tt().with_driver(driver);
                    let (report, _) = search(&mut engine, &record, &to_depth(depth));
                    assert_eq!(value(&report), reference, "maze {maze}, {depth} plies, {hash} {driver:?}");
                }
            }
        }
    }
}

/// With cycles and without a transposition table, the value is that of minimax over paths.
#[test]
fn cycles_equal_minimax_over_paths() {
    let mut cycles = 0;
    for maze in 0..400 {
        let mut record = Record::new(Maze::<true>::new(maze));
        for _ in 0..maze % 4 {
            let _ = record.push(0);
        }
        if record.ending().is_some() {
            continue;
        }
        for depth in [2, 5, 7] {
            let reference = minimax_of(&FINE, &record, depth);
            let (report, _) = search(&mut engine(FINE, NoHeuristics, 0, 1), &record, &to_depth(depth));
            assert_eq!(value(&report), reference.value, "maze {maze}, {depth} plies");
            cycles += u32::from(reference.repeats);
        }
    }
    assert!(cycles > 500, "{cycles}");
}

/// With cycles and a transposition table, exactly the results that the rules prove within the depth are proven, as long
/// as there is no perpetual check.
#[test]
fn proofs_in_cyclic_mazes_are_true_and_complete() {
    let mut proven = 0;
    for maze in (1..800).step_by(2) {
        let record = Record::new(Maze::<true>::new(maze));
        if record.ending().is_some() {
            continue;
        }
        let mut game = *record.now();
        let mut engines = [engine(NoEval, NoHeuristics, 1, 1), engine(NoEval, NoHeuristics, 1, 2)];
        for depth in [4, 9] {
            for engine in &mut engines {
                let found = value(&search(engine, &record, &to_depth(depth)).0);
                match found.proven() {
                    Some(Proven::Win(plies)) => {
                        assert!(wins(&mut game, plies.into()), "maze {maze}: {found}");
                    }
                    Some(Proven::Loss(plies)) => {
                        assert!(loses(&mut game, plies.into()), "maze {maze}: {found}");
                    }
                    None => {
                        assert!(!wins(&mut game, depth) && !loses(&mut game, depth), "maze {maze}: {found}");
                    }
                }
                proven += u32::from(found.is_proven());
            }
        }
    }
    assert!(proven > 300, "{proven}");
}

#[test]
fn aggressive_pruning_proves_nothing_false() {
    let mut proven = (0, 0);
    for maze in 0..3000 {
        let record = Record::new(Maze::<false>::new(maze));
        if record.ending().is_some() {
            continue;
        }
        let mut game = *record.now();
        let mut without_eval = engine(NoEval, AggressivePruning, 1, 1);
        let mut fine = engine(FINE, AggressivePruning, 1, 1);
        for depth in [3, 6, 9] {
            let claims = [
                value(&search(&mut without_eval, &record, &to_depth(depth)).0),
                value(&search(&mut fine, &record, &to_depth(depth)).0),
            ];
            for claimed in claims {
                match claimed.proven() {
                    Some(Proven::Win(plies)) => {
                        proven.0 += 1;
                        assert!(wins(&mut game, plies.into()), "maze {maze}: {claimed} is false");
                    }
                    Some(Proven::Loss(plies)) => {
                        proven.1 += 1;
                        assert!(loses(&mut game, plies.into()), "maze {maze}: {claimed} is false");
                    }
                    None => {}
                }
            }
        }
    }
    assert!(proven.0 > 1000 && proven.1 > 1000, "{proven:?}");
}

/// A repetition needs the same side to move.
#[test]
fn a_room_repeats_only_for_the_same_side() {
    let mut path = Path::new(&Maze::<true>::new(1), ());
    let other = Maze::<true> { mover: Side::Second, ..Maze::new(1) };
    path.push(&other);
    assert!(path.repetition().is_none());
    path.push(&Maze::new(1));
    assert!(path.repetition().is_some_and(|repetition| repetition.since == 2));
}

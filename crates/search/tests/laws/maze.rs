//! A game without sense: rooms, doors and results drawn by lot. Every second thought about passing, checking
//! and walking in circles is met here within a few plies, where real games take hundreds of positions.

use tesuji_game::{Game, Outcome, Path, Record, Side};
use tesuji_search::alphabeta::RootDriver;
use tesuji_search::{Eval, Heuristics, NoEval, NoHeuristics, NodeContext, ProbCut, Proven, Value};

use crate::plain::{Scrambled, engine, plain_of, search, to_depth, value};
use crate::proven::{loses, wins};

const FINE: Scrambled = Scrambled { values: 2001 };

/// A room of maze number `maze`. With `ROUND`, doors may lead back. Nobody gives check in odd mazes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Maze<const ROUND: bool> {
    maze: u32,
    level: u8,
    room: u8,
    mover: Side,
}

impl<const ROUND: bool> Maze<ROUND> {
    fn new(maze: u32) -> Self {
        Maze { maze, level: 0, room: 1, mover: Side::First }
    }

    /// A number drawn for this room and question.
    fn lot(&self, question: u64) -> u64 {
        let seed = u64::from(self.maze) << 32
            | u64::from(self.level) << 24
            | u64::from(self.room) << 16
            | (self.mover.index() as u64) << 8
            | question;
        tesuji_search::Rng::new(seed).draw() >> 8
    }

    fn doors(&self) -> u8 {
        if self.lot(0).is_multiple_of(8) || self.level > 12 { 0 } else { 1 + (self.lot(1) % 4) as u8 }
    }
}

impl<const ROUND: bool> Game for Maze<ROUND> {
    type Move = u8;
    type Moves = Vec<u8>;
    type Undo = Self;
    type Rules = ();

    const NAME: &'static str = "maze";
    const RECURS: bool = ROUND;

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
        let rooms = if ROUND { 9 } else { 25 };
        self.room = (self.lot(2 + u64::from(mv)) % rooms) as u8;
        self.level += u8::from(!ROUND);
        self.mover = !self.mover;
        before
    }

    fn undo(&mut self, before: Self) {
        *self = before;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.doors() == 0).then(|| match self.lot(9) % 5 {
            0 => Outcome::Draw,
            1 | 2 => Outcome::Win,
            _ => Outcome::Loss,
        })
    }

    fn in_check(&self) -> bool {
        self.maze.is_multiple_of(2) && !self.lot(10).is_multiple_of(3)
    }
}

/// Passes, reduces and prunes wherever it can.
#[derive(Clone, Copy)]
struct Rash;

impl<E: Eval<Maze<false>>> Heuristics<Maze<false>, E> for Rash {
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
fn every_way_to_search_a_maze_is_minimax() {
    for maze in 0..300 {
        let record = Record::new(Maze::<false>::new(maze));
        if record.ending().is_some() {
            continue;
        }
        for depth in [1, 4, 7] {
            let plainly = plain_of(&FINE, &record, depth).value;
            for (hash, threads) in [(0, 1), (1, 1), (1, 2)] {
                for driver in [RootDriver::Pvs, RootDriver::Mtdf] {
                    let mut engine =
                        engine(FINE, NoHeuristics, hash, threads).with_strict_tt().with_driver(driver);
                    let (report, _) = search(&mut engine, &record, &to_depth(depth));
                    assert_eq!(value(&report), plainly, "maze {maze}, {depth} plies, {hash} {driver:?}");
                }
            }
        }
    }
}

/// Round and round: without a table the value is that of minimax over paths.
#[test]
fn walking_in_circles_is_minimax_over_paths() {
    let mut circles = 0;
    for maze in 0..400 {
        let mut record = Record::new(Maze::<true>::new(maze));
        for _ in 0..maze % 4 {
            let _ = record.push(0);
        }
        if record.ending().is_some() {
            continue;
        }
        for depth in [2, 5, 7] {
            let plainly = plain_of(&FINE, &record, depth);
            let (report, _) = search(&mut engine(FINE, NoHeuristics, 0, 1), &record, &to_depth(depth));
            assert_eq!(value(&report), plainly.value, "maze {maze}, {depth} plies");
            circles += u32::from(plainly.repeats);
        }
    }
    assert!(circles > 500, "{circles}");
}

/// Whoever walks in circles does not come nearer: with a table, what the rules prove within the depth is
/// claimed and nothing else, as long as nobody can lose by checking for ever.
#[test]
fn a_table_proves_in_circles_what_the_rules_prove() {
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
fn rash_pruning_invents_no_way_out() {
    let mut proven = (0, 0);
    for maze in 0..3000 {
        let record = Record::new(Maze::<false>::new(maze));
        if record.ending().is_some() {
            continue;
        }
        let mut game = *record.now();
        let mut nothing = engine(NoEval, Rash, 1, 1);
        let mut fine = engine(FINE, Rash, 1, 1);
        for depth in [3, 6, 9] {
            let claims = [
                value(&search(&mut nothing, &record, &to_depth(depth)).0),
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

/// The path tells rooms apart as the game does.
#[test]
fn a_room_recurs_only_for_the_same_mover() {
    let mut path = Path::new(&Maze::<true>::new(1), ());
    let other = Maze::<true> { mover: Side::Second, ..Maze::new(1) };
    path.push(&other);
    assert!(path.repetition().is_none());
    path.push(&Maze::new(1));
    assert!(path.repetition().is_some_and(|repetition| repetition.since == 2));
}

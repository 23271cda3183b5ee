//! The engine that plays by this search: round after round until the time is up or there is nothing left to find.

use std::time::Instant;

use tesuji_game::{Game, MoveList, Record};
use tesuji_othello::{Move, Moves, Othello};
use tesuji_search::clock::{Budget, Lag};
use tesuji_search::{Bound, Choice, Engine, Limits, Line, Report, Stop, Time, Value};

use super::kernel::Kernel;
use super::rounds::rounds;
use super::spot::Spot;
use super::strength::Strength;
use super::table::Reach;
use super::watch::Watch;
use super::{Solver, Task};
use crate::othello::book::{Book, Shelved, Source};

/// From so many empty squares on the end can be solved in the time of a few moves.
const SOLVABLE: u32 = 16;

/// Plays by the evaluation, and without fault as soon as the end is in sight.
#[derive(Debug)]
pub struct Expert {
    solver: Solver,
    strength: Option<Strength>,
    solve: u32,
    book: Shelved,
}

impl Expert {
    /// An engine that searches with this solver, no further than its level if it has one; from `solve` empty squares on
    /// to the end, whatever the level and the depth.
    pub fn new(solver: Solver, strength: Option<Strength>, solve: u32) -> Expert {
        Expert { solver, strength, solve, book: Shelved::None }
    }

    /// The same with a book at hand: what it knows is played without thinking.
    #[must_use]
    pub fn with(self, book: Shelved) -> Expert {
        Expert { book, ..self }
    }

    /// The line that the book would play, its worth in discs, and how many plies ahead it looks. Where the best move
    /// leads out of the book it is left to the search, unless that would look no further than the book did.
    fn advised(&self, game: &Othello, limits: &Limits) -> Option<(Vec<Move>, i32, u32)> {
        if limits.afresh || limits.lines > 1 {
            return None;
        }
        let (book, opinion): (&Book, _) = self.book.advice(game)?;
        let best = opinion.choices.first()?;
        let enough = match best.source {
            Source::Book => true,
            Source::Leaf(depth, level) => {
                let wanted = self.wanted(game.empties().count_ones(), limits);
                (depth, level) >= (wanted.depth.into(), wanted.level)
            }
        };
        let (line, depth) = book.line(game);
        enough.then_some((line, best.value, depth))
    }

    /// How far to search at most.
    fn wanted(&self, empties: u32, limits: &Limits) -> Reach {
        let whole = Reach::whole(empties);
        if empties <= self.solve {
            return whole;
        }
        let level = self.strength.map_or(whole, |strength| strength.wanted(empties));
        match limits.depth {
            Some(depth) if depth < empties && depth < u32::from(level.depth) => {
                Reach { depth: depth as u8, level: level.level }
            }
            _ => level,
        }
    }
}

/// The time for one move: what is left is shared among the moves until the end can be solved, and a few more.
fn budget(time: Time, empties: u32) -> Budget {
    let moves = empties.saturating_sub(SOLVABLE) / 2 + 3;
    Budget::among(time, Lag::known().margin(), moves)
}

impl Engine<Othello> for Expert {
    fn think(
        &mut self,
        record: &Record<Othello>,
        limits: &Limits,
        stop: &Stop,
        watch: &mut dyn FnMut(&Report<Move>),
    ) -> Choice<Move> {
        let begun = limits.begun.unwrap_or_else(Instant::now);
        let mut list = Moves::default();
        let mut game = *record.now();
        game.moves(&mut list);
        let Some(first) = list.each().next().filter(|_| record.ending().is_none()) else {
            return Choice::Over;
        };
        if let Some((line, score, depth)) = self.advised(&game, limits) {
            let choice =
                Choice::Move { mv: line.first().copied().unwrap_or(first), reply: line.get(1).copied() };
            let lines = vec![told(score, line)];
            watch(&Report { depth, deepest: depth, nodes: 0, time: begun.elapsed(), full: None, lines });
            return choice;
        }
        let empties = game.empties().count_ones();
        let budget = limits.time.map(|time| budget(time, empties));
        let hard = budget.map(|budget| budget.hard);
        let wanted = self.wanted(empties, limits);
        self.solver.table.turn_page(u32::from(wanted.depth));
        let best = self.solver.on_kernel(Think {
            spot: Spot::new(game.own(), game.other()),
            moves: list.len(),
            lines: limits.lines.clamp(1, list.len()),
            wanted,
            watch: &Watch::new(stop).limited(begun, hard, limits.nodes),
            begun,
            budget,
            tell: watch,
        });
        if let Some(hard) = hard {
            Lag::tell(begun.elapsed().saturating_sub(hard));
        }
        Choice::Move { mv: best.first().copied().unwrap_or(first), reply: best.get(1).copied() }
    }

    fn forget(&mut self) {
        self.solver.forget();
    }
}

/// One move to be found.
struct Think<'a> {
    spot: Spot,
    moves: usize,
    lines: usize,
    wanted: Reach,
    watch: &'a Watch<'a>,
    begun: Instant,
    budget: Option<Budget>,
    tell: &'a mut dyn FnMut(&Report<Move>),
}

impl Task for Think<'_> {
    /// The best line of the last round that was complete.
    type Found = Vec<Move>;

    fn run<K: Kernel>(self, kernel: K, solver: &Solver) -> Vec<Move> {
        let Think { spot, moves, lines, wanted, watch, begun, budget, tell } = self;
        let empties = spot.node.empties;
        let mut best: Vec<Move> = Vec::new();
        solver.together(kernel, &spot, watch, |walk| {
            let mut guesses = vec![walk.eval.whole(&spot.numbers, empties); lines];
            let (mut last, mut calm) = (0, 0);
            for reach in rounds(empties, wanted, 1) {
                let mut found: Vec<(i32, Vec<Move>)> = Vec::with_capacity(lines);
                let mut barred = 0;
                for guess in &mut guesses {
                    let mut line = Vec::new();
                    *guess = walk.round(&spot, reach, *guess, (-65, 65), barred, &mut line);
                    if walk.stopped {
                        return;
                    }
                    barred |= line.first().and_then(|mv| mv.square()).map_or(0, |square| square.bit());
                    found.push((*guess, line));
                }
                found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
                let (score, line) = &found[0];
                let falls = *score < last - 2;
                calm = if line.first() == best.first() { calm + 1 } else { 0 };
                (last, best) = (*score, line.clone());
                tell(&Report {
                    depth: u32::from(reach.depth),
                    deepest: u32::from(reach.depth),
                    nodes: walk.nodes,
                    time: begun.elapsed(),
                    full: None,
                    lines: found.into_iter().map(|(score, moves)| told(score, moves)).collect(),
                });
                let enough = |budget: Budget| moves == 1 || budget.enough(begun.elapsed(), calm, falls);
                if budget.is_some_and(enough) {
                    return;
                }
            }
        });
        best
    }
}

/// A line and its worth in hundredths of a disc: certain results on the same scale as estimates, so that what a move gave
/// away can be told wherever the one becomes the other.
fn told(score: i32, moves: Vec<Move>) -> Line<Move> {
    Line { value: Value::estimate(100 * score), bound: Bound::Exact, moves, rate: None }
}

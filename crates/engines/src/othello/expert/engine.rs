//! The engine that plays by this search: round after round until the time is up or there is nothing left to find.

use std::time::Instant;

use tesuji_game::{Game, MoveList, Record};
use tesuji_othello::{Move, Moves, Othello};
use tesuji_search::clock::{Lag, TimeBudget};
use tesuji_search::{CancelToken, Choice, Engine, Limits, SearchReport, Time};

use super::Solver;
use super::rounds::{Outcome, played};
use super::spot::Spot;
use super::strength::Strength;
use super::table::Reach;
use super::think::{Think, told};
use super::watch::Watch;
use crate::othello::book::{Book, Shelved, Source};

/// From so many empty squares on the end can be solved in the time of a few moves.
const SOLVABLE: u32 = 16;

/// Plays by the evaluation, and without fault as soon as the end is in sight.
#[derive(Debug)]
pub struct Expert {
    solver: Solver,
    strength: Option<Strength>,
    solve: u32,
    decide: Option<u32>,
    book: Shelved,
}

impl Expert {
    /// An engine that searches with this solver, no further than its level if it has one.
    pub fn new(solver: Solver, strength: Option<Strength>) -> Expert {
        Expert { solver, strength, solve: 0, decide: None, book: Shelved::None }
    }

    /// The same that from so many empty squares on searches to the end, whatever the level and the depth.
    #[must_use]
    pub fn solve(self, empties: u32) -> Expert {
        Expert { solve: empties, ..self }
    }

    /// The same that from so many empty squares on makes certain who wins, before anything else.
    #[must_use]
    pub fn decide(self, empties: u32) -> Expert {
        Expert { decide: Some(empties), ..self }
    }

    /// The same with a book at hand: what it knows is played without thinking.
    #[must_use]
    pub fn with(self, book: Shelved) -> Expert {
        Expert { book, ..self }
    }

    /// The line that the book would play, its worth in discs, and how many plies ahead it looks. Where the best move
    /// leads out of the book it is left to the search, unless that would look no further than the book did.
    fn advised(&self, game: &Othello, limits: &Limits) -> Option<(Vec<Move>, i32, u32)> {
        if limits.ignore_book || limits.lines > 1 {
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

    /// Whether to ask who wins, with so many empty squares.
    fn outcome(&self, empties: u32, limits: &Limits) -> Outcome {
        let level = self.strength.filter(|_| limits.depth.is_none()).map_or(0, Strength::exact);
        let sooner = || match level.max(self.solve) {
            0 => 0,
            solved => solved + Strength::SOONER,
        };
        if limits.lines > 1 {
            Outcome::Unasked
        } else if empties <= self.decide.unwrap_or_else(sooner) {
            Outcome::AtLast
        } else if limits.time.is_some() {
            Outcome::OnTheWay
        } else {
            Outcome::Unasked
        }
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
fn budget(time: Time, empties: u32) -> TimeBudget {
    let moves = empties.saturating_sub(SOLVABLE) / 2 + 3;
    TimeBudget::for_moves(time, Lag::known().margin(), moves)
}

impl Engine<Othello> for Expert {
    fn think(
        &mut self,
        record: &Record<Othello>,
        limits: &Limits,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&SearchReport<Move>),
    ) -> Choice<Move> {
        let begun = limits.started.unwrap_or_else(Instant::now);
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
            watch(&SearchReport {
                depth,
                seldepth: depth,
                nodes: 0,
                time: begun.elapsed(),
                hashfull: None,
                lines,
            });
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
            rounds: played(empties, wanted, self.outcome(empties, limits)),
            watch: &Watch::new(stop).limited(begun, hard, limits.nodes),
            begun,
            budget,
            tell: watch,
        });
        if let Some(hard) = hard {
            Lag::record(begun.elapsed().saturating_sub(hard));
        }
        Choice::Move { mv: best.first().copied().unwrap_or(first), reply: best.get(1).copied() }
    }

    fn forget(&mut self) {
        self.solver.forget();
    }
}

//! Exact values of single positions near the end of a game.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};
use tesuji_engines::othello::{Goal, IterationReport, PatternEval, Solver};
use tesuji_game::{Game, Notation};
use tesuji_othello::{Move, ObfProblem, Othello};
use tesuji_task::{CancelToken, Context, Progress, cores};

use crate::{Error, Playable, Registration, SideName};

/// Positions to solve.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct EndgameRequest {
    /// The positions, one per line (OBF); empty lines and comments (`%`) are skipped.
    pub positions: String,
    /// Find all best moves.
    pub best: bool,
    /// Find the exact value of every move.
    pub all: bool,
    /// Find only win, loss or draw, which is faster than the score.
    pub wld: bool,
    /// Size of the transposition table in MiB.
    pub hash: u64,
    /// Time limit per position.
    pub time_limit: Option<Duration>,
    /// Threads; all cores when absent.
    pub threads: Option<usize>,
}

/// The result of one position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum EndgameEvent {
    /// It is solved.
    Solved(EndgameSolution),
    /// The time limit ended it.
    Unsolved(UnsolvedEndgame),
}

/// A solved position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EndgameSolution {
    /// The position.
    pub position: String,
    /// The final score for the side to move; `null` when only the outcome was asked for.
    pub score: Option<i32>,
    /// `win`, `draw` or `loss` for the side to move.
    pub outcome: String,
    /// All best moves, if these or all values were asked for.
    pub best: Option<Vec<String>>,
    /// The exact value of every move, the best first, if asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<EndgameMove>>,
    /// The principal variation.
    pub line: Vec<String>,
    /// Nodes searched, also for other best moves and for all values.
    pub nodes: u64,
    /// Wall time.
    pub seconds: f64,
    /// CPU time.
    pub cpu_seconds: f64,
    /// The number of the position, from 0.
    #[serde(skip)]
    pub index: usize,
    /// Empty squares.
    #[serde(skip)]
    pub empties: u32,
    /// The side to move.
    #[serde(skip)]
    pub mover: Option<SideName>,
    /// The best moves found.
    #[serde(skip)]
    pub best_moves: Vec<String>,
    /// The value given with the position, if it differs.
    #[serde(skip)]
    pub expected: Option<i32>,
    /// The values given for single moves that differ, if all values were asked for.
    #[serde(skip)]
    pub expected_moves: Vec<(String, i32)>,
}

/// A move with its exact value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EndgameMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The final score for the side that plays it; `null` when only the outcome was asked for.
    pub score: Option<i32>,
    /// `win`, `draw` or `loss` for that side.
    pub outcome: String,
}

/// A position that was not solved in time.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct UnsolvedEndgame {
    /// The position.
    pub position: String,
    /// `null`.
    pub score: Option<i32>,
    /// Why there is no score.
    pub error: String,
    /// The last estimate.
    pub estimate: Option<EndgameEstimate>,
    /// The number of the position, from 0.
    #[serde(skip)]
    pub index: usize,
    /// Empty squares.
    #[serde(skip)]
    pub empties: u32,
}

/// The estimate of an iteration of the search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EndgameEstimate {
    /// The depth.
    pub depth: u32,
    /// The confidence of selective cuts, in percent.
    pub selectivity: u32,
    /// The score; `null` when only the outcome was asked for.
    pub score: Option<i32>,
    /// `win`, `draw` or `loss`.
    pub outcome: String,
    /// The best move.
    pub best: Option<String>,
    /// Whether the search reached the end of the game.
    #[serde(skip)]
    pub complete: bool,
}

impl EndgameEstimate {
    /// `+24 e1 at 98 %` when the search reached the end, `+3 e1 after 19 plies` before.
    pub fn text(&self) -> String {
        let value = self.score.map_or_else(|| self.outcome.clone(), |score| format!("{score:+}"));
        let best = self.best.as_ref().map_or(String::new(), |mv| format!(" {mv}"));
        match self.complete {
            false => format!("{value}{best} after {} plies", self.depth),
            true => format!("{value}{best} at {} %", self.selectivity),
        }
    }
}

/// Totals over all positions.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct EndgameResponse {
    /// Solved positions.
    pub solved: usize,
    /// Positions that were not solved in time.
    pub unsolved: usize,
    /// Positions whose value differs from the one given.
    pub differing: usize,
    /// Nodes searched for the solved ones.
    pub nodes: u64,
    /// Wall time.
    pub seconds: f64,
    /// CPU time.
    pub cpu_seconds: f64,
}

/// Solves positions.
pub(crate) type EndgameSolver =
    fn(&EndgameRequest, Context<'_>, &mut dyn FnMut(EndgameEvent)) -> Result<EndgameResponse, Error>;

impl<G: Playable> Registration<G> {
    /// Single positions can be solved.
    pub(crate) fn endgame(mut self, solver: EndgameSolver) -> Registration<G> {
        self.endgame = Some(solver);
        self
    }
}

/// Exact values of single positions.
pub trait EndgameApi {
    /// Whether single positions can be solved.
    fn has_endgame_solver(&self) -> bool;

    /// Solves positions one after the other and reports each.
    ///
    /// # Errors
    /// The game has no endgame solver, or a line is not a position. [`Error::Cancelled`] when the token ended it.
    fn solve_endgames(
        &self,
        request: &EndgameRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(EndgameEvent),
    ) -> Result<EndgameResponse, Error>;
}

impl<G: Playable> EndgameApi for Registration<G> {
    fn has_endgame_solver(&self) -> bool {
        self.endgame.is_some()
    }

    fn solve_endgames(
        &self,
        request: &EndgameRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(EndgameEvent),
    ) -> Result<EndgameResponse, Error> {
        let unsupported = || Error::invalid(format!("{} has no endgame solver; othello has", G::NAME));
        self.endgame.ok_or_else(unsupported)?(request, context, events)
    }
}

/// Solves positions of Othello.
pub(crate) fn solve_othello(
    request: &EndgameRequest,
    context: Context<'_>,
    events: &mut dyn FnMut(EndgameEvent),
) -> Result<EndgameResponse, Error> {
    let problems = problems(&request.positions)?;
    let mut solver =
        Solver::new(request.hash as usize, PatternEval::shipped()).threads(request.threads.unwrap_or_else(cores));
    let mut totals = EndgameResponse::default();
    for (index, problem) in problems.iter().enumerate() {
        let at = (index as u64, problems.len() as u64);
        let result = solve(&mut solver, &problem.position, request, context, at);
        context.report(at.0 + 1, at.1);
        if context.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let game = &problem.position;
        let empties = game.empties().count_ones();
        events(match result {
            Err(estimate) => {
                totals.unsolved += 1;
                EndgameEvent::Unsolved(UnsolvedEndgame {
                    position: game.print(),
                    score: None,
                    error: "not solved in time".to_owned(),
                    estimate,
                    index,
                    empties,
                })
            }
            Ok(solved) => {
                let given = |score: i32| if request.wld { score.signum() } else { score };
                let expected = problem.score().map(given).filter(|&expected| expected != solved.score);
                let differs = |&&(mv, score): &&(Move, i32)| {
                    solved.values.iter().any(|&(known, value)| known == mv && value != given(score))
                };
                let expected_moves = problem.values.iter().filter(differs).map(|&(mv, score)| (mv.to_string(), score));
                let expected_moves: Vec<(String, i32)> = expected_moves.collect();
                totals.solved += 1;
                totals.differing += usize::from(expected.is_some() || !expected_moves.is_empty());
                totals.nodes += solved.nodes;
                totals.seconds += solved.seconds;
                totals.cpu_seconds += solved.cpu;
                let exact = |score: i32| (!request.wld).then_some(score);
                let moves = solved.values.iter().map(|&(mv, score)| EndgameMove {
                    mv: mv.to_string(),
                    score: exact(score),
                    outcome: outcome(score).to_owned(),
                });
                EndgameEvent::Solved(EndgameSolution {
                    position: game.print(),
                    score: exact(solved.score),
                    outcome: outcome(solved.score).to_owned(),
                    best: (request.best || request.all).then(|| words(&solved.best)),
                    moves: request.all.then(|| moves.collect()),
                    line: words(&solved.line),
                    nodes: solved.nodes,
                    seconds: solved.seconds,
                    cpu_seconds: solved.cpu,
                    index,
                    empties,
                    mover: Some(game.mover().into()),
                    best_moves: words(&solved.best),
                    expected,
                    expected_moves,
                })
            }
        });
    }
    Ok(totals)
}

/// A position with everything that was asked for.
struct Solved {
    score: i32,
    line: Vec<Move>,
    best: Vec<Move>,
    /// The exact value of every move, if asked for.
    values: Vec<(Move, i32)>,
    nodes: u64,
    seconds: f64,
    cpu: f64,
}

/// The solution; the last estimate if the time limit ended it.
fn solve(
    solver: &mut Solver,
    game: &Othello,
    request: &EndgameRequest,
    context: Context<'_>,
    (done, total): (u64, u64),
) -> Result<Solved, Option<EndgameEstimate>> {
    let (begun, cpu) = (Instant::now(), ProcessTime::now());
    let goal = if request.wld { Goal::Outcome } else { Goal::Score };
    let stop = CancelToken::new();
    let mut last = None;
    let note = |note: &str| (context.progress)(Progress { done, total, note });
    let result = thread::scope(|scope| {
        let (finished, wait) = mpsc::channel::<()>();
        let stop = &stop;
        scope.spawn(move || watch(&wait, request.time_limit, context, stop, (done, total)));
        let solved = solver.solve_with_progress(game, goal, stop, &mut |iteration| {
            let estimate = estimate(game, goal, iteration);
            note(&estimate.text());
            last = Some(estimate);
        });
        let result = solved.and_then(|solved| {
            let (best, values, more) = if request.all {
                let all = solver.move_values(game, goal, stop, &mut |mv, score| note(&format!("{mv} {score:+}")))?;
                let is_best = |value: &&(Move, i32)| value.1 == solved.score;
                (all.values.iter().filter(is_best).map(|value| value.0).collect(), all.values, all.nodes)
            } else if request.best {
                let best = solver.all_best_until(game, goal, &solved, stop)?;
                (best.moves, Vec::new(), best.nodes)
            } else {
                (solved.best().into_iter().collect(), Vec::new(), 0)
            };
            Some(Solved {
                score: solved.score,
                line: solved.pv,
                best,
                values,
                nodes: solved.nodes + more,
                seconds: begun.elapsed().as_secs_f64(),
                cpu: cpu.elapsed().as_secs_f64(),
            })
        });
        drop(finished);
        result
    });
    note(" ");
    result.ok_or(last)
}

/// How often the time limit and the token are polled.
const POLL: Duration = Duration::from_millis(50);

/// Reports progress until the search is finished, and stops it at the time limit or when the operation is cancelled.
fn watch(
    finished: &Receiver<()>,
    limit: Option<Duration>,
    context: Context<'_>,
    stop: &CancelToken,
    (done, total): (u64, u64),
) {
    let begun = Instant::now();
    loop {
        let left = limit.map_or(POLL, |limit| limit.saturating_sub(begun.elapsed()));
        if finished.recv_timeout(left.min(POLL)) != Err(RecvTimeoutError::Timeout) {
            return;
        }
        if context.is_cancelled() || limit.is_some_and(|limit| begun.elapsed() >= limit) {
            stop.cancel();
            return;
        }
        context.report(done, total);
    }
}

/// The positions of a text.
fn problems(text: &str) -> Result<Vec<ObfProblem>, Error> {
    let lines = (1..).zip(text.lines());
    let lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('%'));
    let problems = lines.map(|(number, line)| {
        ObfProblem::parse(line).map_err(|error| Error::invalid(format!("line {number}: {}", error.message)))
    });
    let problems: Vec<ObfProblem> = problems.collect::<Result<_, Error>>()?;
    if problems.is_empty() {
        return Err(Error::invalid("no positions: one a line, 64 squares and a side"));
    }
    Ok(problems)
}

fn estimate(game: &Othello, goal: Goal, iteration: &IterationReport) -> EndgameEstimate {
    EndgameEstimate {
        depth: iteration.depth,
        selectivity: iteration.selectivity.percent(),
        score: (goal == Goal::Score).then_some(iteration.score),
        outcome: outcome(iteration.score).to_owned(),
        best: iteration.best.map(|mv| mv.to_string()),
        complete: iteration.depth >= game.empties().count_ones(),
    }
}

fn words(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

fn outcome(score: i32) -> &'static str {
    ["loss", "draw", "win"][(score.signum() + 1) as usize]
}

//! Forced mates in single positions.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_engines::shogi::ChecksOnly;
use tesuji_game::{Game, Notation, ParsedRecord, Record};
use tesuji_search::dfpn::{Dfpn, ForcedWin, ProofQuery, ProofResult};
use tesuji_search::{CancelToken, Limits, Time};
use tesuji_shogi::{Move, Shogi};
use tesuji_task::{Context, cores};

use crate::{Error, Playable, RecordSource, Registration, SideName};

/// Positions in which to look for a mate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct MateRequest {
    /// The positions, in any record format of the game. Moves that end in mate are a solution to compare with, and the
    /// position before them is solved; other moves are played first.
    pub source: RecordSource,
    /// Take the first mate found instead of the shortest.
    pub any: bool,
    /// The longest mate asked for, in plies.
    pub max: u32,
    /// Time limit per position.
    pub time: Option<Duration>,
    /// Node limit per position.
    pub nodes: Option<u64>,
    /// Size of the tables of all threads in MiB.
    pub hash: u64,
    /// Threads, each with a position of its own; all cores when absent.
    pub threads: Option<usize>,
}

impl Default for MateRequest {
    fn default() -> MateRequest {
        MateRequest {
            source: RecordSource::default(),
            any: false,
            max: 31,
            time: Some(Duration::from_secs(5)),
            nodes: None,
            hash: 256,
            threads: None,
        }
    }
}

/// The result of one position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MateEvent {
    /// It was searched.
    Searched(MateSolution),
    /// It is no position to solve.
    Refused(RefusedMate),
}

/// A record that is no position to solve.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RefusedMate {
    /// The number of the record, from 1.
    pub index: usize,
    /// `null`.
    pub mate: Option<usize>,
    /// `false`.
    pub proven: bool,
    /// What is wrong with it.
    pub error: String,
}

/// What was found in one position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MateSolution {
    /// The position.
    pub position: String,
    /// The length of the mate in plies; `null` when none was found.
    pub mate: Option<usize>,
    /// Whether the mate, or that there is none of at most the plies asked for, is certain.
    pub proven: bool,
    /// Whether every shorter mate is disproven.
    pub shortest: bool,
    /// The mate with the longest defence.
    pub moves: Vec<String>,
    /// The length of the solution given with the position.
    pub given: Option<usize>,
    /// Nodes searched.
    pub nodes: u64,
    /// Wall time.
    pub seconds: f64,
    /// The number of the record, from 1.
    #[serde(skip)]
    pub index: usize,
    /// The side to move.
    #[serde(skip)]
    pub mover: Option<SideName>,
}

/// Totals over all positions.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MateResponse {
    /// Positions with a mate.
    pub mates: usize,
    /// Mates that may not be the shortest.
    pub not_shortest: usize,
    /// Positions without a mate of at most the plies asked for.
    pub without: usize,
    /// Positions that were not decided within the limits.
    pub undecided: usize,
    /// Records that are no positions to solve.
    pub refused: usize,
    /// Mates shorter than the solution given.
    pub shorter: usize,
    /// Mates longer than the solution given.
    pub longer: usize,
    /// Nodes searched.
    pub nodes: u64,
    /// The longest time of a position.
    pub longest_seconds: f64,
    /// Wall time.
    pub seconds: f64,
    /// CPU time.
    pub cpu_seconds: f64,
}

impl MateResponse {
    fn count(&mut self, event: &MateEvent) {
        let solution = match event {
            MateEvent::Searched(solution) => solution,
            MateEvent::Refused(_) => {
                self.refused += 1;
                return;
            }
        };
        match solution.mate {
            Some(plies) => {
                self.mates += 1;
                self.not_shortest += usize::from(!solution.shortest);
                self.shorter += usize::from(solution.given.is_some_and(|given| plies < given));
                self.longer += usize::from(solution.given.is_some_and(|given| plies > given));
            }
            None if solution.proven => self.without += 1,
            None => self.undecided += 1,
        }
        self.nodes += solution.nodes;
        self.longest_seconds = self.longest_seconds.max(solution.seconds);
    }
}

/// Looks for mates.
pub(crate) type MateSolver = fn(&MateRequest, Context<'_>, &mut dyn FnMut(MateEvent)) -> Result<MateResponse, Error>;

impl<G: Playable> Registration<G> {
    /// Forced mates can be found.
    pub(crate) fn mates(mut self, solver: MateSolver) -> Registration<G> {
        self.mates = Some(solver);
        self
    }
}

/// Forced mates in single positions.
pub trait MateApi {
    /// Whether forced mates can be found.
    fn has_mate_solver(&self) -> bool;

    /// Looks for mates and reports every position, in order.
    ///
    /// # Errors
    /// The game has no mate solver, or there is no position. [`Error::Cancelled`] when the token ended it.
    fn solve_mates(
        &self,
        request: &MateRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(MateEvent),
    ) -> Result<MateResponse, Error>;
}

impl<G: Playable> MateApi for Registration<G> {
    fn has_mate_solver(&self) -> bool {
        self.mates.is_some()
    }

    fn solve_mates(
        &self,
        request: &MateRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(MateEvent),
    ) -> Result<MateResponse, Error> {
        let unsupported = || Error::invalid(format!("{} has no mates to solve; shogi has", G::NAME));
        self.mates.ok_or_else(unsupported)?(request, context, events)
    }
}

/// A position to solve, with the length of the solution that came with it.
struct MateProblem {
    record: Record<Shogi>,
    given: Option<usize>,
}

/// The stack of a thread: a search may go thousands of plies deep.
const STACK: usize = 64 << 20;

/// How often the progress is told.
const POLL: Duration = Duration::from_millis(100);

/// Looks for mates in shogi. Every thread takes the next position; the tables are cleared in between, so that no result
/// depends on the number of threads.
pub(crate) fn solve_shogi(
    request: &MateRequest,
    context: Context<'_>,
    events: &mut dyn FnMut(MateEvent),
) -> Result<MateResponse, Error> {
    let problems = problems(&request.source)?;
    let (begun, cpu) = (Instant::now(), ProcessTime::now());
    let threads = request.threads.unwrap_or_else(cores).clamp(1, problems.len());
    let hash = (request.hash as usize / threads).max(1);
    let queue = Mutex::new(problems.iter().enumerate());
    let (send, receive) = channel();
    let mut totals = MateResponse::default();
    let finished: Result<usize, Error> = thread::scope(|scope| {
        for _ in 0..threads {
            let (send, queue) = (send.clone(), &queue);
            let work = move || {
                let mut solver = Dfpn::new(ChecksOnly, hash);
                while !context.is_cancelled() {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((index, problem)) = next else { return };
                    let event = match problem {
                        Ok(problem) => {
                            MateEvent::Searched(solve(&mut solver, problem, index + 1, request, context.cancel))
                        }
                        Err(error) => {
                            let error = error.clone();
                            MateEvent::Refused(RefusedMate { index: index + 1, mate: None, proven: false, error })
                        }
                    };
                    if send.send((index, event)).is_err() {
                        return;
                    }
                }
            };
            let spawned = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            spawned.map_err(|error| Error::failed(format!("cannot start a thread: {error}")))?;
        }
        drop(send);
        let (mut waiting, mut done) = (BTreeMap::new(), 0);
        loop {
            match receive.recv_timeout(POLL) {
                Ok((index, event)) => {
                    waiting.insert(index, event);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(done),
            }
            // A search that was interrupted has no result.
            while let Some(event) = waiting.remove(&done).filter(|_| !context.is_cancelled()) {
                totals.count(&event);
                events(event);
                done += 1;
            }
            context.report(done as u64, problems.len() as u64);
        }
    });
    if finished? < problems.len() {
        return Err(Error::Cancelled);
    }
    totals.seconds = begun.elapsed().as_secs_f64();
    totals.cpu_seconds = cpu.elapsed().as_secs_f64();
    Ok(totals)
}

fn solve(
    solver: &mut Dfpn<ChecksOnly>,
    problem: &MateProblem,
    index: usize,
    request: &MateRequest,
    cancel: &CancelToken,
) -> MateSolution {
    let begun = Instant::now();
    solver.forget();
    let query = ProofQuery::of(&problem.record).within(request.max);
    let query = if request.any { query } else { query.shortest() };
    let limits = Limits { time: request.time.map(Time::Move), nodes: request.nodes, ..Limits::default() };
    let result = solver.solve(&query, &limits, cancel);
    let game = problem.record.now();
    let (proven, win) = match result {
        ProofResult::Proven(win) => (true, Some(win)),
        ProofResult::Disproven => (true, None),
        ProofResult::Unknown => (false, None),
    };
    MateSolution {
        position: game.print(),
        mate: win.as_ref().map(|win| win.plies),
        proven,
        shortest: win.as_ref().is_some_and(|win| win.shortest),
        moves: win.map_or_else(Vec::new, |win: ForcedWin<Move>| game.print_line(&win.line)),
        given: problem.given,
        nodes: solver.nodes(),
        seconds: begun.elapsed().as_secs_f64(),
        index,
        mover: Some(game.mover().into()),
    }
}

/// The positions of a file, or what is wrong with them.
fn problems(source: &RecordSource) -> Result<Vec<Result<MateProblem, String>>, Error> {
    let mut problems = Vec::new();
    source.each::<Shogi>(|_, reading| problems.push(problem(reading)))?;
    match &problems[..] {
        [] => Err(Error::invalid("no positions: one SFEN a line, or records")),
        // What is a single position is named by its error.
        [Err(message)] => Err(Error::invalid(message)),
        _ => Ok(problems),
    }
}

fn problem(ParsedRecord { record, fault }: ParsedRecord<Shogi>) -> Result<MateProblem, String> {
    if let Some(fault) = fault {
        return Err(fault.to_string());
    }
    let played = record.plies().len();
    let mated = record.now().in_check() && record.now().outcome().is_some();
    if mated && played > 0 {
        return Ok(MateProblem { record: Record::new(record.start().clone()), given: Some(played) });
    }
    let king = record.now().king(!record.now().mover());
    if king.is_none() {
        return Err(format!("{:?}: the side to be mated has no king", record.now().print()));
    }
    Ok(MateProblem { record, given: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    const IN_THREE: &str = "9/6B1k/9/9/9/9/9/9/9 b RGPrb3g4s4n4l17p 1";

    fn solve_all(text: &str, request: MateRequest) -> Result<(Vec<MateSolution>, MateResponse), Error> {
        let source = RecordSource { bytes: text.as_bytes().to_vec(), ..RecordSource::default() };
        let (cancel, mut solutions) = (CancelToken::new(), Vec::new());
        let request = MateRequest { source, time: None, hash: 4, ..request };
        let totals = solve_shogi(&request, Context::silent(&cancel), &mut |event| match event {
            MateEvent::Searched(solution) => solutions.push(solution),
            MateEvent::Refused(_) => {}
        })?;
        Ok((solutions, totals))
    }

    #[test]
    fn positions_are_answered_in_order_by_any_number_of_threads() {
        let text = format!("{IN_THREE}\n# a remark\n4k4/9/9/9/9/9/9/9/3R5 b - 1\n4k4/9/4P4/9/9/9/9/9/9 b G 1\n");
        let mut all = Vec::new();
        for threads in [1, 2, 5] {
            let (solutions, totals) =
                solve_all(&text, MateRequest { threads: Some(threads), ..MateRequest::default() }).unwrap();
            assert_eq!((totals.mates, totals.without, totals.undecided), (2, 1, 0));
            let told =
                |solution: &MateSolution| (solution.mate, solution.proven, solution.moves.join(" "), solution.nodes);
            all.push(solutions.iter().map(told).collect::<Vec<_>>());
        }
        assert_eq!((all[0].len(), &all[0], &all[0]), (3, &all[1], &all[2]));
        assert_eq!(all[0][0].2, "G*2c 1b1a R*1b");
        assert_eq!((all[0][1].0, all[0][1].1), (None, true));
        assert_eq!(all[0][2].2, "G*5b");
    }

    #[test]
    fn a_solution_is_compared_and_other_moves_are_played() {
        let solved = format!("{IN_THREE} moves G*2c 1b1a R*1b\n{IN_THREE} moves G*2c 1b1a\n");
        let (solutions, _) = solve_all(&solved, MateRequest::default()).unwrap();
        let found: Vec<_> = solutions.iter().map(|solution| (solution.mate, solution.given)).collect();
        assert_eq!(found, [(Some(3), Some(3)), (Some(1), None)]);
    }

    #[test]
    fn no_longer_mate_is_returned_than_asked_for() {
        let (solutions, totals) = solve_all(IN_THREE, MateRequest { max: 2, ..MateRequest::default() }).unwrap();
        assert_eq!((solutions[0].mate, solutions[0].proven, totals.without), (None, true, 1));
        let (solutions, _) = solve_all(IN_THREE, MateRequest { any: true, ..MateRequest::default() }).unwrap();
        assert!(solutions[0].mate.is_some_and(|plies| plies >= 3));
    }

    #[test]
    fn limits_leave_a_position_undecided() {
        let (solutions, totals) =
            solve_all(IN_THREE, MateRequest { nodes: Some(1), ..MateRequest::default() }).unwrap();
        assert_eq!((solutions[0].mate, solutions[0].proven, totals.undecided), (None, false, 1));
    }

    #[test]
    fn what_is_no_position_is_named() {
        for (text, told) in [
            ("", "no positions"),
            ("9/9/9 b - 1", "\"9/9/9\": a board has 9 ranks"),
            ("9/9/9/9/9/9/9/9/4K4 b G 1", "has no king"),
        ] {
            let error = solve_all(text, MateRequest::default()).unwrap_err();
            assert!(error.to_string().contains(told), "{text:?}: {error}");
        }
    }

    /// The others are still solved.
    #[test]
    fn a_bad_record_among_others_is_refused_alone() {
        let text = format!("{IN_THREE}\n4k4/9/4P4/4P4/9/9/9/9/9 b G 1\n{IN_THREE}\n");
        let source = RecordSource { bytes: text.into_bytes(), ..RecordSource::default() };
        let request = MateRequest { source, hash: 4, ..MateRequest::default() };
        let (cancel, mut told) = (CancelToken::new(), Vec::new());
        let totals = solve_shogi(&request, Context::silent(&cancel), &mut |event| told.push(event)).unwrap();
        assert_eq!((totals.mates, totals.refused), (2, 1));
        let [MateEvent::Searched(_), MateEvent::Refused(refused), MateEvent::Searched(last)] = &told[..] else {
            panic!("{told:?}")
        };
        assert_eq!((refused.index, last.index), (2, 3));
        assert!(refused.error.contains("two unpromoted pawns on file 5 (nifu)"), "{}", refused.error);
    }
}

//! The state of an NBoard conversation: game, clock, engine, and the search under way.

use std::collections::VecDeque;
use std::io::Write;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use tesuji_engines::{EngineFactory, SearchEvent, Spec, spawn_search};
use tesuji_game::{Formats, Game, Record};
use tesuji_othello::{GGF, Move, Othello};
use tesuji_protocol::nboard::{Command, MoveReport, Response};
use tesuji_search::{Choice, Engine, Limits, SearchReport, Time};
use tesuji_task::CancelToken;

use super::clock::NBoardClock;
use super::response::{SOLVED, discs, lines, print_move};
use crate::input::DriverEvent;
use crate::{DriverError, DriverResult, first_move, truncated};

/// How long a search may go on after the end of the input.
const QUIT_TIMEOUT: Duration = Duration::from_secs(60);
/// The most lines of a hint: no position has more moves.
const MAX_LINES: u32 = 64;
/// The time per move without depth, clock or limits in the spec.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// The same for each position of an analysed game.
const ANALYSIS_TIME: Duration = Duration::from_millis(200);

pub(super) type Event = DriverEvent<SearchEvent<Othello>>;

pub(super) struct NBoardSession<'a> {
    engines: &'a EngineFactory<Othello>,
    spec: Spec,
    /// Whether the spec sets limits of its own.
    limited: bool,
    /// The idle engine.
    engine: Option<Box<dyn Engine<Othello>>>,
    record: Record<Othello>,
    clock: NBoardClock,
    depth: Option<u32>,
    search: Option<NBoardSearch>,
    /// Input that came while a search was being stopped.
    queue: VecDeque<Event>,
    sender: SyncSender<Event>,
    events: Receiver<Event>,
    output: &'a mut dyn Write,
}

/// A search under way.
struct NBoardSearch {
    purpose: NBoardTask,
    record: Record<Othello>,
    limits: Limits,
    cancel: CancelToken,
    started: Instant,
    last: Option<SearchReport<Move>>,
}

/// What a search is for.
enum NBoardTask {
    /// Values of the best moves, until the next command.
    Hint,
    /// A move.
    Go,
    /// The value of a game after this many moves. Those after fewer moves follow.
    Analyze(Box<Record<Othello>>, usize),
}

impl NBoardSearch {
    /// Whether only a command would end it.
    fn is_endless(&self, limited: bool) -> bool {
        !limited && self.limits.depth.is_none() && self.limits.time.is_none()
    }
}

impl<'a> NBoardSession<'a> {
    pub(super) fn new(
        engines: &'a EngineFactory<Othello>,
        spec: Option<&str>,
        sender: SyncSender<Event>,
        events: Receiver<Event>,
        output: &'a mut dyn Write,
    ) -> Result<NBoardSession<'a>, DriverError> {
        let spec = Spec::parse(spec.unwrap_or(engines.default))?;
        let engine = Some((engines.make)(&spec)?);
        Ok(NBoardSession {
            engines,
            limited: spec.is_limited(),
            spec,
            engine,
            record: Record::new(Othello::start()),
            clock: NBoardClock::default(),
            depth: None,
            search: None,
            queue: VecDeque::new(),
            sender,
            events,
            output,
        })
    }

    pub(super) fn run(&mut self) -> DriverResult {
        // Once the input has ended: when a search under way is stopped.
        let mut deadline: Option<Instant> = None;
        loop {
            if deadline.is_some() && self.search.is_none() && self.queue.is_empty() {
                return Ok(());
            }
            let event = match (self.queue.pop_front(), deadline) {
                (Some(event), _) => event,
                (None, None) => match self.events.recv() {
                    Ok(event) => event,
                    Err(_) => return Ok(()),
                },
                (None, Some(deadline)) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    match self.events.recv_timeout(left.max(Duration::from_millis(1))) {
                        Ok(event) => event,
                        Err(RecvTimeoutError::Timeout) => {
                            self.search.iter().for_each(|search| search.cancel.cancel());
                            continue;
                        }
                        Err(RecvTimeoutError::Disconnected) => return Ok(()),
                    }
                }
            };
            match event {
                Event::Line(line, _) => match Command::parse(line) {
                    Some(Command::Quit) => deadline = Some(Instant::now()),
                    Some(command) => self.execute(command)?,
                    None => {}
                },
                Event::EndOfInput => {
                    let endless = self.search.as_ref().is_some_and(|search| search.is_endless(self.limited));
                    let timeout = if endless { Duration::ZERO } else { QUIT_TIMEOUT };
                    deadline.get_or_insert(Instant::now() + timeout);
                }
                Event::Search(SearchEvent::Report(report)) => self.report(report)?,
                Event::Search(SearchEvent::Done { engine, choice }) => self.search_done(engine, choice)?,
            }
        }
    }

    fn send(&mut self, response: &Response) -> DriverResult {
        writeln!(self.output, "{response}")?;
        Ok(self.output.flush()?)
    }

    fn status(&mut self, text: impl Into<String>) -> DriverResult {
        self.send(&Response::Status(text.into()))
    }

    fn execute(&mut self, command: Command) -> DriverResult {
        match command {
            Command::NBoard(_) => {
                self.send(&Response::MyName(concat!("tesuji ", env!("CARGO_PKG_VERSION")).to_owned()))
            }
            Command::SetDepth(depth) => {
                self.depth = Some(depth.clamp(1, 200));
                Ok(())
            }
            // Not supported: a draw always counts as a draw.
            Command::SetContempt(_) => Ok(()),
            Command::SetGame(game) => {
                self.abandon_search();
                self.set_game(&game)
            }
            Command::Move(played) => {
                self.abandon_search();
                self.play(&played)
            }
            Command::Hint(count) => {
                self.abandon_search();
                let record = self.record.clone();
                if record.ending().is_some() {
                    return self.status("The game is over");
                }
                let lines = count.clamp(1, MAX_LINES) as usize;
                let limits = Limits { depth: self.depth, lines, ignore_book: true, ..Limits::default() };
                self.start(NBoardTask::Hint, record, limits)
            }
            Command::Go => {
                self.abandon_search();
                self.go()
            }
            Command::Ping(number) => {
                self.abandon_search();
                self.send(&Response::Pong(number))
            }
            Command::Learn => {
                self.status("Books are made by tesuji book, not learned here")?;
                self.send(&Response::Learned)
            }
            Command::Analyze => {
                self.abandon_search();
                let plies = self.record.plies().len();
                self.analyze(self.record.clone(), Some(plies))
            }
            Command::Quit => Ok(()),
        }
    }

    fn set_game(&mut self, game: &str) -> DriverResult {
        let Some(reading) = Othello::read(GGF, game.as_bytes()).next() else {
            return self.status("There is no game in this");
        };
        if let Some(fault) = reading.fault {
            return self.status(format!("Cannot read the game: {fault}"));
        }
        let record = truncated(&reading.record, usize::MAX);
        let before: Vec<Move> = self.record.moves().collect();
        let continues =
            *record.start() == *self.record.start() && record.moves().take(before.len()).eq(before.iter().copied());
        if !continues && let Some(engine) = &mut self.engine {
            engine.forget();
        }
        self.clock = NBoardClock::of(&reading.record);
        self.record = record;
        Ok(())
    }

    fn play(&mut self, played: &MoveReport) -> DriverResult {
        let side = self.record.now().mover();
        if let Err(error) = self.record.push_text(&played.mv) {
            return self.status(format!("Move ignored: {error}"));
        }
        let seconds = played.time.unwrap_or(0.0);
        self.clock.spend(side, Duration::try_from_secs_f64(seconds).unwrap_or_default());
        Ok(())
    }

    fn go(&mut self) -> DriverResult {
        let record = self.record.clone();
        if record.ending().is_some() || record.now().must_pass() {
            return self.send(&Response::Move(MoveReport::new("PA")));
        }
        let clock = self.clock.time(record.now().mover());
        let time = clock.or(self.default_time(DEFAULT_TIME));
        let limits = Limits { depth: self.depth, time, lines: 1, ..Limits::default() };
        self.status("Thinking")?;
        self.start(NBoardTask::Go, record, limits)
    }

    /// Analyses the game after `plies` moves, then after fewer: the values of later positions help with earlier ones.
    fn analyze(&mut self, whole: Record<Othello>, plies: Option<usize>) -> DriverResult {
        let Some(plies) = plies else { return self.status("") };
        let record = truncated(&whole, plies);
        if record.ending().is_some() {
            self.send(&Response::Analysis(plies as u32, f64::from(record.now().score())))?;
            return self.analyze(whole, plies.checked_sub(1));
        }
        let time = self.default_time(ANALYSIS_TIME);
        let limits = Limits { depth: self.depth, time, lines: 1, ignore_book: true, ..Limits::default() };
        self.status(format!("Analyzing move {plies}"))?;
        self.start(NBoardTask::Analyze(Box::new(whole), plies), record, limits)
    }

    /// A time limit where neither the depth nor the spec sets one.
    fn default_time(&self, time: Duration) -> Option<Time> {
        (self.depth.is_none() && !self.limited).then_some(Time::Move(time))
    }

    fn start(&mut self, purpose: NBoardTask, record: Record<Othello>, limits: Limits) -> DriverResult {
        let engine = self.engine.take().or_else(|| (self.engines.make)(&self.spec).ok());
        let Some(engine) = engine else { return self.status("There is no engine") };
        let (cancel, sender, started) = (CancelToken::new(), self.sender.clone(), Instant::now());
        // Sending fails once the session is over.
        let send = move |event| drop(sender.send(Event::Search(event)));
        spawn_search(engine, record.clone(), limits.clone(), cancel.clone(), send);
        self.search = Some(NBoardSearch { purpose, record, limits, cancel, started, last: None });
        Ok(())
    }

    /// Ends the search without an answer, because another command has come.
    fn abandon_search(&mut self) {
        let Some(search) = self.search.take() else { return };
        search.cancel.cancel();
        while let Ok(event) = self.events.recv() {
            match event {
                Event::Search(SearchEvent::Done { engine, .. }) => {
                    self.engine = engine;
                    return;
                }
                Event::Search(SearchEvent::Report(_)) => {}
                input => self.queue.push_back(input),
            }
        }
    }

    fn report(&mut self, report: SearchReport<Move>) -> DriverResult {
        let Some(search) = &mut self.search else { return Ok(()) };
        let lines = match search.purpose {
            NBoardTask::Hint | NBoardTask::Go => lines(search.record.now(), &report, None),
            NBoardTask::Analyze(..) => Vec::new(),
        };
        search.last = Some(report);
        lines.iter().try_for_each(|line| self.send(line))
    }

    fn search_done(&mut self, engine: Option<Box<dyn Engine<Othello>>>, choice: Choice<Move>) -> DriverResult {
        self.engine = engine;
        let Some(search) = self.search.take() else { return Ok(()) };
        let now = search.record.now();
        let eval = search.last.as_ref().and_then(|report| report.lines.first()).map(|line| discs(line.value));
        match search.purpose {
            NBoardTask::Hint => {
                // A search without limits ends before its depth only if all lines are solved.
                let complete = !search.cancel.is_cancelled() && !self.limited;
                let report = search
                    .last
                    .filter(|report| complete && search.limits.depth.is_none_or(|depth| report.depth < depth));
                let Some(report) = report else { return Ok(()) };
                lines(now, &report, Some(SOLVED)).iter().try_for_each(|line| self.send(line))
            }
            NBoardTask::Go => {
                let seconds = (search.started.elapsed().as_secs_f64() * 1e3).round() / 1e3;
                if let Some(report) = &search.last {
                    self.send(&Response::NodeStats(report.nodes, seconds))?;
                }
                let mv = match choice {
                    Choice::Move { mv, .. } => Some(mv),
                    Choice::Claim | Choice::Resign | Choice::Over => first_move(now),
                };
                let mv = mv.map_or_else(|| "PA".to_owned(), |mv| print_move(now, mv));
                self.send(&Response::Move(MoveReport { mv, eval, time: Some(seconds) }))?;
                self.status("")
            }
            NBoardTask::Analyze(whole, plies) => {
                if let Some(eval) = eval {
                    self.send(&Response::Analysis(plies as u32, eval))?;
                }
                if search.cancel.is_cancelled() {
                    return Ok(());
                }
                self.analyze(*whole, plies.checked_sub(1))
            }
        }
    }
}

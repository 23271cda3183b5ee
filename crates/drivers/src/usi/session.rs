//! The state of a USI conversation: options, game, engine, and the search under way.

use std::collections::VecDeque;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::{Duration, Instant};

use tesuji_engines::shogi::ChecksOnly;
use tesuji_engines::{EngineFactory, SearchEvent, Spec, spawn_search};
use tesuji_game::{Game, Notation, Record};
use tesuji_protocol::usi::{Checkmate, ClockTimes, Command, Go, Info, Response};
use tesuji_search::clock::Lag;
use tesuji_search::dfpn::{Dfpn, ProofResult};
use tesuji_search::{Choice, Engine, SearchReport};
use tesuji_shogi::{Move, Shogi};
use tesuji_task::CancelToken;

use super::options::UsiOptions;
use super::response::{any_move, best_move, info, known_answer};
use super::search::{Deadline, GoRequest, MateSolver, UsiSearchEvent, place, reopened, spawn_mate_search};
use super::waiting::waiting_time;
use crate::input::DriverEvent;
use crate::{DriverError, DriverResult};

/// How long a search may take to stop before `quit` leaves without its answer.
const QUIT_TIMEOUT: Duration = Duration::from_millis(50);

pub(super) type Event = DriverEvent<UsiSearchEvent>;

pub(super) struct UsiSession<'a> {
    engines: &'a EngineFactory<Shogi>,
    options: UsiOptions,
    record: Record<Shogi>,
    /// The idle engine with its spec.
    engine: Option<(Spec, Box<dyn Engine<Shogi>>)>,
    solver: Option<MateSolver>,
    search: Option<UsiSearch>,
    /// Requests that wait for the engine.
    queue: VecDeque<GoRequest>,
    /// The start of the game that was searched last, and its moves with the line that the search expects.
    expected: Option<(Shogi, Vec<Move>)>,
    /// The engine has searched since it was last cleared.
    used: bool,
    /// The engine is to be cleared as soon as it is idle, best before `readyok`, when no clock runs.
    clear: bool,
    events: SyncSender<Event>,
    output: &'a mut dyn Write,
}

/// A search under way, or one that is done and must not answer yet.
struct UsiSearch {
    request: GoRequest,
    /// The game that is searched, which a ponder search may cut.
    searched: Record<Shogi>,
    cancel: CancelToken,
    spec: Option<Spec>,
    last: Option<SearchReport<Move>>,
    /// When `info` was last sent.
    info_sent: Option<Instant>,
    /// `last` has not been sent yet.
    info_pending: bool,
    /// The search is done: what to answer as soon as that is allowed.
    response: Option<Response>,
    /// `ponderhit` has come: start again with a clock when the search ends.
    restart: bool,
    /// When it is answered at the latest.
    deadline: Option<Deadline>,
    /// It was answered before it had ended. Nothing but the engine is expected of it.
    answered: bool,
}

impl UsiSearch {
    /// Whether it must not answer before `stop` or `ponderhit`.
    fn is_held(&self) -> bool {
        !self.request.stopped && (self.request.go.infinite || self.request.go.ponder)
    }
}

impl<'a> UsiSession<'a> {
    pub(super) fn new(
        engines: &'a EngineFactory<Shogi>,
        spec: Option<&str>,
        events: SyncSender<Event>,
        output: &'a mut dyn Write,
    ) -> Result<UsiSession<'a>, DriverError> {
        let spec = spec.unwrap_or(engines.default);
        (engines.make)(&Spec::parse(spec)?)?;
        Ok(UsiSession {
            engines,
            options: UsiOptions::new(spec, &engines.kinds),
            record: Record::new(Shogi::start()),
            engine: None,
            solver: None,
            search: None,
            queue: VecDeque::new(),
            expected: None,
            used: false,
            clear: false,
            events,
            output,
        })
    }

    /// Handles an event; breaks at `quit` and at the end of the input.
    pub(super) fn handle(&mut self, event: Event) -> Result<ControlFlow<()>, DriverError> {
        match event {
            Event::EndOfInput => return Ok(ControlFlow::Break(())),
            Event::Line(line, received) => match Command::parse(line) {
                Some(Command::Quit) => return Ok(ControlFlow::Break(())),
                Some(command) => self.execute(command, received)?,
                None => {}
            },
            Event::Search(UsiSearchEvent::Engine(SearchEvent::Report(report))) => self.report(report)?,
            Event::Search(UsiSearchEvent::Engine(SearchEvent::Done { engine, choice })) => {
                self.search_done(engine, choice)?;
            }
            Event::Search(UsiSearchEvent::Mate(solver, answer)) => self.mate_search_done(solver, answer)?,
        }
        Ok(ControlFlow::Continue(()))
    }

    fn execute(&mut self, command: Command, received: Instant) -> DriverResult {
        match command {
            Command::Usi => {
                self.send(&Response::Name(concat!("tesuji ", env!("CARGO_PKG_VERSION")).to_owned()))?;
                self.send(&Response::Author("the tesuji authors".to_owned()))?;
                let options: Vec<Response> = self.options.all().cloned().map(Response::Option).collect();
                options.iter().try_for_each(|option| self.send(option))?;
                self.send(&Response::UsiOk)
            }
            Command::IsReady => {
                self.prepare_engine()?;
                self.send(&Response::ReadyOk)
            }
            Command::SetOption { name, value } => {
                self.options.set(&name, value.as_deref().unwrap_or_default());
                Ok(())
            }
            Command::NewGame => {
                self.clear |= self.used;
                self.prepare_engine()
            }
            Command::Position(placement) => match place(&placement, &self.options) {
                Ok(record) => {
                    self.record = record;
                    Ok(())
                }
                Err(message) => self.info_string(&format!("position ignored: {message}")),
            },
            Command::Go(go) => self.go(go, received),
            Command::Stop => {
                self.queue.iter_mut().for_each(|request| request.stopped = true);
                self.stop()
            }
            Command::PonderHit(clock) => self.ponder_hit(clock, received),
            Command::GameOver(_) => {
                self.clear |= self.used;
                self.stop()
            }
            Command::Quit => Ok(()),
        }
    }

    fn send(&mut self, response: &Response) -> DriverResult {
        writeln!(self.output, "{response}")?;
        Ok(self.output.flush()?)
    }

    fn info_string(&mut self, text: &str) -> DriverResult {
        self.send(&Response::Info(Info::text(text)))
    }

    /// Makes an engine with the present options, unless there is one or it is searching.
    fn prepare_engine(&mut self) -> DriverResult {
        if self.search.is_some() {
            return Ok(());
        }
        let mut spec = match Spec::parse(self.options.spec()) {
            Ok(spec) => spec,
            Err(error) => return self.info_string(&format!("option Engine: {error}")),
        };
        self.engines.fill_setting(&mut spec, "threads", Some(self.options.threads().to_string()));
        self.engines.fill_setting(&mut spec, "hash", Some(self.options.hash().to_string()));
        for (key, value) in self.options.engine_settings() {
            self.engines.fill_setting(&mut spec, key, Some(value));
        }
        if self.engine.as_ref().is_none_or(|(known, _)| *known != spec) {
            // Free the old transposition table before a new one is allocated.
            let old = self.engine.take().map(|(spec, _)| spec);
            match (self.engines.make)(&spec) {
                Ok(engine) => {
                    self.engine = Some((spec, engine));
                    // Clearing touches the memory of the table, which takes a while.
                    self.clear = true;
                }
                Err(error) => {
                    self.info_string(&format!("engine {}: {error}", spec.name))?;
                    let usual = old.or_else(|| Spec::parse(self.engines.default).ok());
                    self.engine = usual.and_then(|spec| Some((spec.clone(), (self.engines.make)(&spec).ok()?)));
                }
            }
        }
        if std::mem::take(&mut self.clear)
            && let Some((_, engine)) = &mut self.engine
        {
            // A thread that waits long for a core while it clears memory will wait as long when a clock runs.
            Lag::raise(waiting_time(|| engine.forget()));
            self.used = false;
        }
        Ok(())
    }

    fn go(&mut self, go: Go, received: Instant) -> DriverResult {
        Lag::raise(received.elapsed());
        let record = reopened(self.record.clone());
        let mut request = GoRequest { go, record, received, stopped: false, deadline: None };
        if self.search.is_none() {
            return self.start(request);
        }
        request.deadline = self.deadline_of(&request);
        // A second `go` ends the first, which is answered before the second begins.
        self.stop()?;
        self.queue.push_back(request);
        self.start_next()
    }

    fn deadline_of(&self, request: &GoRequest) -> Option<Deadline> {
        Deadline::new(request.limits(&self.options).time, request.received, Lag::known().margin())
    }

    fn start(&mut self, request: GoRequest) -> DriverResult {
        let cancel = CancelToken::new();
        if request.stopped {
            cancel.cancel();
        }
        let searched = request.searched(&self.options);
        let mut search = UsiSearch {
            request,
            searched,
            cancel,
            spec: None,
            last: None,
            info_sent: None,
            info_pending: false,
            response: None,
            restart: false,
            deadline: None,
            answered: false,
        };
        let (record, events) = (&search.searched, self.events.clone());
        if let Some(mate) = search.request.go.mate {
            let limits = search.request.mate_limits(mate, &self.options);
            let new = || Box::new(Dfpn::new(ChecksOnly, self.options.hash() as usize));
            let solver = self.solver.take().unwrap_or_else(new);
            spawn_mate_search(solver, record.clone(), limits, search.cancel.clone(), events);
            self.search = Some(search);
            return Ok(());
        }
        if let Some(response) = known_answer(record) {
            search.response = Some(response);
        } else {
            self.prepare_engine()?;
            match self.engine.take() {
                Some((spec, engine)) => {
                    let limits = search.request.limits(&self.options);
                    search.deadline = self.deadline_of(&search.request);
                    search.spec = Some(spec);
                    self.used = true;
                    // Sending fails once the session is over.
                    let send = move |event| drop(events.send(Event::Search(UsiSearchEvent::Engine(event))));
                    spawn_search(engine, record.clone(), limits, search.cancel.clone(), send);
                }
                None => search.response = Some(any_move(record)),
            }
        }
        self.search = Some(search);
        self.answer()
    }

    /// Stops the search, which answers as soon as possible.
    fn stop(&mut self) -> DriverResult {
        let Some(search) = &mut self.search else { return Ok(()) };
        search.request.stopped = true;
        search.restart = false;
        search.cancel.cancel();
        self.answer()
    }

    fn ponder_hit(&mut self, clock: ClockTimes, received: Instant) -> DriverResult {
        // Behind a search that was answered before it had ended, the one that is meant still waits.
        if let Some(mut request) = self.queue.pop_back() {
            if request.go.ponder {
                request.ponder_hit(clock, received);
                request.deadline = self.deadline_of(&request);
            }
            self.queue.push_back(request);
            return Ok(());
        }
        let Some(search) = self.search.as_mut().filter(|search| search.request.go.ponder) else {
            return Ok(());
        };
        search.request.ponder_hit(clock, received);
        if search.response.is_none() && !search.request.stopped {
            search.restart = true;
            search.cancel.cancel();
        }
        self.answer()
    }

    fn report(&mut self, report: SearchReport<Move>) -> DriverResult {
        let interval = self.options.info_interval();
        let is_tree = self.search.as_ref().and_then(|search| search.spec.as_ref()).is_some_and(|spec| {
            // A full transposition table replaces entries; a full tree does not grow.
            ["uct", "puct"].contains(&spec.name.as_str())
        });
        let full = |report: &SearchReport<Move>| report.hashfull.is_some_and(|used| used >= 1000);
        let before = self.search.as_ref().and_then(|search| search.last.as_ref()).is_some_and(full);
        if is_tree && full(&report) && !before {
            self.info_string("the tree is full and does not grow any more: raise USI_Hash")?;
        }
        let Some(search) = self.search.as_mut().filter(|search| !search.answered) else { return Ok(()) };
        search.last = Some(report);
        search.info_pending = true;
        if search.info_sent.is_none_or(|sent| sent.elapsed() >= interval) { self.send_pending_info() } else { Ok(()) }
    }

    /// Sends the last report unless it was sent before.
    fn send_pending_info(&mut self) -> DriverResult {
        let Some(search) = &mut self.search else { return Ok(()) };
        if !std::mem::take(&mut search.info_pending) {
            return Ok(());
        }
        search.info_sent = Some(Instant::now());
        let Some(report) = &search.last else { return Ok(()) };
        let now = search.searched.now();
        let lines: Vec<Response> =
            report.lines.iter().enumerate().map(|(index, line)| info(now, report, index, line)).collect();
        lines.iter().try_for_each(|line| self.send(line))
    }

    fn search_done(&mut self, engine: Option<Box<dyn Engine<Shogi>>>, choice: Choice<Move>) -> DriverResult {
        if self.search.as_ref().is_some_and(|search| !search.answered) {
            self.send_pending_info()?;
        }
        let Some(mut search) = self.search.take() else { return Ok(()) };
        self.engine = search.spec.take().zip(engine);
        if search.answered {
            return self.start_next();
        }
        if search.restart {
            return self.start(search.request);
        }
        search.response = Some(best_move(&search.searched, choice, search.last.as_ref(), &self.options));
        self.expect(&search);
        self.search = Some(search);
        self.answer()
    }

    /// Remembers what a search expects.
    fn expect(&mut self, search: &UsiSearch) {
        let record = &search.searched;
        let line = search.last.as_ref().and_then(|report| report.lines.first());
        if let Some(line) = line {
            self.expected = Some((record.start().clone(), record.moves().chain(line.moves.iter().copied()).collect()));
        }
    }

    /// The choice where no search has said anything yet: the move that the last search expected here.
    fn expected_choice(&self, record: &Record<Shogi>) -> Choice<Move> {
        let line = self.expected.as_ref().filter(|(start, _)| start == record.start()).map(|(_, line)| line);
        let played = record.plies().len();
        let next = line.filter(|line| line.len() > played && record.moves().eq(line[..played].iter().copied()));
        next.map_or(Choice::Over, |line| Choice::Move { mv: line[played], reply: line.get(played + 1).copied() })
    }

    /// When [`check_deadline`](UsiSession::check_deadline) is due.
    pub(super) fn due(&self) -> Option<Instant> {
        let search = self.search.as_ref()?;
        if search.answered {
            return self.queue.front()?.deadline.map(|deadline| deadline.answer);
        }
        let Deadline { cancel, answer } = search.deadline?;
        Some(if search.cancel.is_cancelled() { answer } else { cancel })
    }

    /// Cancels a search whose time is over; plays the best move so far if that does not end it. A request that waits for
    /// such a search is answered without one.
    pub(super) fn check_deadline(&mut self) -> DriverResult {
        let now = Instant::now();
        let Some(due) = self.due().filter(|&due| due <= now) else { return Ok(()) };
        Lag::raise(now - due);
        let Some(search) = &mut self.search else { return Ok(()) };
        if search.answered {
            let Some(request) = self.queue.pop_front() else { return Ok(()) };
            let record = request.searched(&self.options);
            let choice = self.expected_choice(&record);
            let response = known_answer(&record).unwrap_or_else(|| best_move(&record, choice, None, &self.options));
            return self.send(&response);
        }
        search.cancel.cancel();
        if search.restart || search.deadline.is_none_or(|deadline| now < deadline.answer) {
            return Ok(());
        }
        self.send_pending_info()?;
        let Some(mut search) = self.search.take() else { return Ok(()) };
        let choice = if search.last.is_none() { self.expected_choice(&search.searched) } else { Choice::Over };
        let response = best_move(&search.searched, choice, search.last.as_ref(), &self.options);
        self.expect(&search);
        search.answered = true;
        self.search = Some(search);
        self.send(&response)
    }

    fn mate_search_done(&mut self, solver: Option<MateSolver>, answer: ProofResult<Move>) -> DriverResult {
        let Some(search) = &mut self.search else { return Ok(()) };
        self.solver = solver;
        search.response = Some(Response::Checkmate(match answer {
            ProofResult::Proven(proof) => Checkmate::Found(search.request.record.now().print_line(&proof.line)),
            ProofResult::Disproven => Checkmate::None,
            ProofResult::Unknown => Checkmate::Timeout,
        }));
        self.answer()
    }

    /// Answers if the search is done and may answer; then starts the next one.
    fn answer(&mut self) -> DriverResult {
        let Some(search) = &mut self.search else { return Ok(()) };
        if search.is_held() {
            return Ok(());
        }
        let Some(response) = search.response.take() else { return Ok(()) };
        self.search = None;
        self.send(&response)?;
        self.start_next()
    }

    fn start_next(&mut self) -> DriverResult {
        if self.search.is_some() {
            return Ok(());
        }
        let Some(request) = self.queue.pop_front() else { return Ok(()) };
        // A request behind this one would have stopped it.
        let stopped = request.stopped || !self.queue.is_empty();
        self.start(GoRequest { stopped, ..request })
    }

    /// Ends the conversation. A search under way is stopped and answered if that takes no time.
    pub(super) fn quit(mut self, events: &Receiver<Event>) -> DriverResult {
        let deadline = Instant::now() + QUIT_TIMEOUT;
        self.queue.clear();
        self.stop()?;
        while self.search.is_some() {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(event) = events.recv_timeout(left) else { break };
            if matches!(event, Event::Search(_)) {
                // Only `quit` and the end of the input break.
                let _ = self.handle(event)?;
            }
        }
        Ok(())
    }
}

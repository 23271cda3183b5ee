//! The state of a conversation: the game, our side, and the search that is under way.

use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use tesuji_engines::{EngineFactory, SearchEvent, Spec, spawn_search};
use tesuji_game::{MoveList, Notation, Record, Side};
use tesuji_protocol::trax::Command;
use tesuji_search::clock::Lag;
use tesuji_search::{Choice, Engine, Limits, Time};
use tesuji_task::CancelToken;

use super::answer_times::AnswerTimes;
use super::{TraxEvent, TraxPlayer};
use crate::input::{DriverEvent, QUEUE, spawn_reader};
use crate::{DriverError, DriverResult, first_move, truncated};

/// Longer lines are cut where they are told.
const SHOWN: usize = 200;

/// The safety margin of a search on a machine without pauses.
const QUIET: Duration = Duration::from_millis(10);
/// The time of the search before the first game.
const WARM_UP: Duration = Duration::from_millis(100);

type Event<G> = DriverEvent<SearchEvent<G>>;

/// A move that was asked for.
struct PendingAnswer<M> {
    began: Instant,
    times: AnswerTimes,
    cancel: CancelToken,
    /// Whether the search that runs is for this answer.
    searching: bool,
    /// The best move so far.
    best: Option<M>,
}

pub(super) struct TraxSession<'a, G: Notation> {
    engines: &'a EngineFactory<G>,
    spec: Spec,
    player: &'a TraxPlayer,
    output: &'a mut dyn Write,
    report: &'a mut dyn FnMut(TraxEvent<'_, G>),
    to: SyncSender<Event<G>>,
    from: Receiver<Event<G>>,
    /// Absent while it searches.
    engine: Option<Box<dyn Engine<G>>>,
    /// Whether the engine has searched nothing since it was made or cleared.
    fresh: bool,
    record: Record<G>,
    /// Our side, once it is known.
    side: Option<Side>,
    /// Whether the end of this game was told.
    told: bool,
    /// A game was loaded and waits for our colour.
    loaded: bool,
    pending: Option<PendingAnswer<G::Move>>,
    /// The input has ended.
    ended: bool,
}

impl<'a, G: Notation> TraxSession<'a, G> {
    pub(super) fn new(
        engines: &'a EngineFactory<G>,
        player: &'a TraxPlayer,
        output: &'a mut dyn Write,
        report: &'a mut dyn FnMut(TraxEvent<'_, G>),
    ) -> Result<TraxSession<'a, G>, DriverError> {
        let spec = Spec::parse(player.engine.as_deref().unwrap_or(engines.default))?;
        let mut engine = (engines.make)(&spec)?;
        warm_up(engine.as_mut());
        let (to, from) = sync_channel(QUEUE);
        Ok(TraxSession {
            engines,
            spec,
            player,
            output,
            report,
            to,
            from,
            engine: Some(engine),
            fresh: true,
            record: Record::new(G::start()),
            side: None,
            told: false,
            loaded: false,
            pending: None,
            ended: false,
        })
    }

    pub(super) fn run(mut self, input: impl BufRead + Send + 'static) -> DriverResult {
        spawn_reader(input, self.to.clone())?;
        let result = self.converse();
        if let Some(pending) = self.pending.take() {
            pending.cancel.cancel();
        }
        self.tell_end();
        result
    }

    fn converse(&mut self) -> DriverResult {
        while !(self.ended && self.pending.is_none()) {
            match self.next_event() {
                Some(DriverEvent::Line(bytes, at)) => {
                    let text = shown(&bytes);
                    (self.report)(TraxEvent::Received(&text));
                    if !self.command(&bytes, at)? {
                        return Ok(());
                    }
                }
                Some(DriverEvent::EndOfInput) if self.player.answers_at_end => self.ended = true,
                Some(DriverEvent::EndOfInput) => return Ok(()),
                Some(DriverEvent::Search(event)) => self.search_event(event)?,
                None => self.check_times()?,
            }
        }
        Ok(())
    }

    /// The next event; `None` when a time has come.
    fn next_event(&self) -> Option<Event<G>> {
        let Some(pending) = &self.pending else { return self.from.recv().ok().or(Some(DriverEvent::EndOfInput)) };
        let due = if pending.cancel.is_cancelled() { pending.times.answer } else { pending.times.cancel };
        match self.from.recv_timeout(due.saturating_duration_since(Instant::now())) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(DriverEvent::EndOfInput),
        }
    }

    /// Executes a command; whether the conversation goes on.
    fn command(&mut self, line: &[u8], at: Instant) -> Result<bool, DriverError> {
        let Some(command) = Command::parse(line) else {
            if !line.trim_ascii().is_empty() {
                self.warn(format!("{:?} is no command", shown(line)));
            }
            return Ok(true);
        };
        match command {
            Command::Team => self.send(&self.player.team.clone())?,
            Command::Name => self.send("tesuji")?,
            Command::White => self.start(Side::First, at)?,
            Command::Red => self.start(Side::Second, at)?,
            Command::Init => self.abandon(),
            Command::Load(moves) => self.load(&moves),
            Command::Move(text) => self.opponent_move(&text, at)?,
            Command::Make(text) => drop(self.play_text(&text)),
            Command::Undo => self.undo(),
            Command::Judge => self.judge()?,
            Command::Exit => return Ok(false),
        }
        Ok(true)
    }

    /// Our colour: the first word of a game, unless one was loaded.
    fn start(&mut self, side: Side, at: Instant) -> DriverResult {
        if !std::mem::take(&mut self.loaded) {
            self.abandon();
        }
        self.side = Some(side);
        (self.report)(TraxEvent::Started(side));
        if self.record.now().mover() == side { self.ask(at) } else { Ok(()) }
    }

    /// Forgets the game.
    fn abandon(&mut self) {
        self.drop_pending();
        self.tell_end();
        (self.side, self.loaded, self.told) = (None, false, false);
        self.record = Record::new(G::start());
        // To clear a large table takes time that a turn may not have: a new game on a new engine needs none of it.
        if !self.fresh
            && let Some(engine) = &mut self.engine
        {
            engine.forget();
            self.fresh = true;
        }
    }

    fn load(&mut self, moves: &[String]) {
        self.abandon();
        for text in moves {
            if !self.play_text(text) {
                self.record = Record::new(G::start());
                return;
            }
        }
        self.loaded = true;
    }

    fn opponent_move(&mut self, text: &str, at: Instant) -> DriverResult {
        if self.pending.is_some() {
            self.warn(format!("{text} came in our turn and is ignored"));
            return Ok(());
        }
        // A loaded game goes on by itself if nobody names our colour.
        self.loaded = false;
        if self.play_text(text) { self.ask(at) } else { Ok(()) }
    }

    /// Plays a move; a wrong one is told and changes nothing.
    fn play_text(&mut self, text: &str) -> bool {
        let played = if self.is_over() { Err("the game is over".to_owned()) } else { Ok(()) };
        let played = played.and_then(|()| self.record.push_text(text).map_err(|error| error.to_string()));
        if let Err(error) = &played {
            self.warn(format!("{text} cannot be played: {error}"));
        } else if self.is_over() {
            self.tell_end();
        }
        played.is_ok()
    }

    fn undo(&mut self) {
        self.drop_pending();
        self.told = false;
        self.record = truncated(&self.record, self.record.plies().len().saturating_sub(1));
    }

    /// Tells how the game stands: `white`, `red`, `draw`, or `none` while it goes on.
    fn judge(&mut self) -> DriverResult {
        let winner = self.record.ending().map(|ending| ending.winner);
        let word = match winner {
            Some(Some(Side::First)) => "white",
            Some(Some(Side::Second)) => "red",
            Some(None) => "draw",
            None if self.is_over() => "draw",
            None => "none",
        };
        self.send(word)
    }

    fn is_over(&self) -> bool {
        self.record.ending().is_some() || self.record.plies().len() >= self.player.longest
    }

    /// A move of ours is due; the turn began when the line was read.
    fn ask(&mut self, began: Instant) -> DriverResult {
        if self.is_over() {
            return Ok(());
        }
        self.side.get_or_insert(self.record.now().mover());
        let mut list = G::Moves::default();
        self.record.now().clone().moves(&mut list);
        if let (1, Some(only)) = (list.len(), list.each().next()) {
            return self.answer(only);
        }
        // The line was read, but not at once executed.
        Lag::record(began.elapsed());
        let times = AnswerTimes::new(began, self.player.time, Lag::known().margin().saturating_sub(QUIET));
        let cancel = CancelToken::new();
        self.pending = Some(PendingAnswer { began, times, cancel, searching: false, best: None });
        self.search();
        Ok(())
    }

    /// Starts the search for the answer, as soon as the engine is free.
    fn search(&mut self) {
        let Some(pending) = self.pending.as_mut() else { return };
        let Some(engine) = self.engine.take() else { return };
        pending.searching = true;
        self.fresh = false;
        let time = Some(pending.times.limit(Lag::known().margin()));
        let limits = Limits { time, lines: 1, started: Some(pending.began), ..Limits::default() };
        let to = self.to.clone();
        spawn_search(engine, self.record.clone(), limits, pending.cancel.clone(), move |event| {
            // The conversation may have ended.
            let _ = to.send(DriverEvent::Search(event));
        });
    }

    fn search_event(&mut self, event: SearchEvent<G>) -> DriverResult {
        let pending = self.pending.as_mut().filter(|pending| pending.searching);
        match event {
            SearchEvent::Report(report) => {
                if let (Some(pending), Some(line)) = (pending, report.lines.first()) {
                    pending.best = line.moves.first().copied().or(pending.best);
                }
                Ok(())
            }
            SearchEvent::Done { engine, choice } => {
                let asked = pending.is_some();
                if engine.is_none() {
                    self.warn("the engine panicked and is made anew".to_owned());
                }
                self.engine = match engine {
                    Some(engine) => Some(engine),
                    None => Some((self.engines.make)(&self.spec)?),
                };
                match choice {
                    Choice::Move { mv, .. } if asked => self.answer(mv),
                    _ if asked => self.answer_best(),
                    // A search for an answer that nobody waits for any more.
                    _ => {
                        self.search();
                        Ok(())
                    }
                }
            }
        }
    }

    /// Cancels a search whose time is over; plays the best move so far if it does not return.
    fn check_times(&mut self) -> DriverResult {
        let Some(pending) = &self.pending else { return Ok(()) };
        let due = if pending.cancel.is_cancelled() { pending.times.answer } else { pending.times.cancel };
        Lag::record(due.elapsed());
        if Instant::now() < pending.times.answer {
            pending.cancel.cancel();
            return Ok(());
        }
        self.warn("the search did not return in time; the best move so far is played".to_owned());
        self.answer_best()
    }

    /// Plays the best move so far, or any.
    fn answer_best(&mut self) -> DriverResult {
        let best = self.pending.as_ref().and_then(|pending| pending.best);
        match best.or_else(|| first_move(self.record.now())) {
            Some(mv) => self.answer(mv),
            None => {
                self.drop_pending();
                Ok(())
            }
        }
    }

    fn answer(&mut self, mv: G::Move) -> DriverResult {
        self.drop_pending();
        let text = self.record.now().print_move(mv);
        if let Err(error) = self.record.push(mv) {
            self.warn(format!("{text} cannot be played: {error}"));
            return Ok(());
        }
        self.send(&text)?;
        if self.is_over() {
            self.tell_end();
        }
        Ok(())
    }

    /// Ends the search; its result is ignored.
    fn drop_pending(&mut self) {
        if let Some(pending) = self.pending.take() {
            pending.cancel.cancel();
        }
    }

    /// Tells the end of a game, once.
    fn tell_end(&mut self) {
        if let Some(side) = self.side.filter(|_| !self.told) {
            self.told = true;
            (self.report)(TraxEvent::Ended(side, &self.record));
        }
    }

    fn send(&mut self, line: &str) -> DriverResult {
        // One write, so that the line travels in one piece.
        self.output.write_all(format!("{line}\n").as_bytes())?;
        self.output.flush()?;
        (self.report)(TraxEvent::Sent(line));
        Ok(())
    }

    fn warn(&mut self, message: String) {
        (self.report)(TraxEvent::Warning(message));
    }
}

/// A short search before any clock runs: it loads what the first move would have to wait for, and measures the pauses
/// of the machine.
fn warm_up<G: Notation>(engine: &mut dyn Engine<G>) {
    let time = Some(Time::Move(WARM_UP));
    let limits = Limits { nodes: Some(100_000), time, lines: 1, ignore_book: true, ..Limits::default() };
    engine.think(&Record::new(G::start()), &limits, &CancelToken::new(), &mut |_| {});
    engine.forget();
}

/// A line as it can be told: cut, without control characters.
fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(&line[..line.len().min(SHOWN)]);
    text.trim_end().chars().map(|c| if c.is_control() { '.' } else { c }).collect()
}

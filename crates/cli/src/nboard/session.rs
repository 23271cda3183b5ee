//! The state of a conversation with a board: the game, what is being searched for, and what is to be said.

mod searches;

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use tesuji_engines::{EngineFactory, Spec};
use tesuji_game::{Formats, Game, Record};
use tesuji_othello::{GGF, Move, Othello};
use tesuji_protocol::nboard::{Answer, Command, Played};
use tesuji_search::{CancelToken, Engine, Limits, Report};

use super::Event;
use super::clock::Clock;
use crate::failure::{Done, Failure};
use crate::out::Out;

/// How long the work goes on when nobody can say any more that it is not wanted.
const PATIENCE: Duration = Duration::from_secs(60);
/// More moves than this no position has.
const MOST_LINES: u32 = 64;

pub(super) struct Session<'a> {
    engines: &'a EngineFactory<Othello>,
    spec: Spec,
    /// Whether the spec ends the thinking by itself.
    limited: bool,
    /// The engine while it rests.
    engine: Option<Box<dyn Engine<Othello>>>,
    record: Record<Othello>,
    clock: Clock,
    depth: Option<u32>,
    search: Option<Search>,
    /// Lines that came while a search was being stopped.
    waiting: VecDeque<Event>,
    to: SyncSender<Event>,
    from: Receiver<Event>,
    out: &'a mut Out,
}

/// A search under way.
struct Search {
    task: Task,
    record: Record<Othello>,
    limits: Limits,
    stop: CancelToken,
    begun: Instant,
    last: Option<Report<Move>>,
}

/// What a search is for.
enum Task {
    /// Values of the best moves, until somebody says otherwise.
    Hint,
    /// A move.
    Go,
    /// The value of a game after so many moves; those after fewer follow.
    Analyze(Box<Record<Othello>>, usize),
}

impl Search {
    fn is_endless(&self, limited: bool) -> bool {
        !limited && self.limits.depth.is_none() && self.limits.time.is_none()
    }
}

impl<'a> Session<'a> {
    pub(super) fn new(
        engines: &'a EngineFactory<Othello>,
        spec: Option<&str>,
        to: SyncSender<Event>,
        from: Receiver<Event>,
        out: &'a mut Out,
    ) -> Result<Session<'a>, Failure> {
        let wrong = |error| Failure::usage(format!("--engine: {error}"));
        let spec = Spec::parse(spec.unwrap_or(engines.default)).map_err(wrong)?;
        let engine = Some((engines.make)(&spec).map_err(wrong)?);
        Ok(Session {
            engines,
            limited: spec.is_limited(),
            spec,
            engine,
            record: Record::new(Othello::start()),
            clock: Clock::default(),
            depth: None,
            search: None,
            waiting: VecDeque::new(),
            to,
            from,
            out,
        })
    }

    pub(super) fn run(&mut self) -> Done {
        // Once the input has ended: until when what was asked for is still worked on.
        let mut ending: Option<Instant> = None;
        loop {
            if ending.is_some() && self.search.is_none() && self.waiting.is_empty() {
                return Ok(());
            }
            let event = match (self.waiting.pop_front(), ending) {
                (Some(event), _) => event,
                (None, None) => match self.from.recv() {
                    Ok(event) => event,
                    Err(_) => return Ok(()),
                },
                (None, Some(until)) => {
                    let left = until.saturating_duration_since(Instant::now());
                    match self.from.recv_timeout(left.max(Duration::from_millis(1))) {
                        Ok(event) => event,
                        Err(RecvTimeoutError::Timeout) => {
                            self.hurry();
                            continue;
                        }
                        Err(RecvTimeoutError::Disconnected) => return Ok(()),
                    }
                }
            };
            match event {
                Event::Line(line) => match Command::parse(line) {
                    Some(Command::Quit) => ending = Some(Instant::now()),
                    Some(command) => self.obey(command)?,
                    None => {}
                },
                Event::End => {
                    // A search that nothing but a command would end must not outlive its board.
                    let endless = self.search.as_ref().is_some_and(|search| search.is_endless(self.limited));
                    let patience = if endless { Duration::ZERO } else { PATIENCE };
                    ending.get_or_insert(Instant::now() + patience);
                }
                Event::News(report) => self.news(report)?,
                Event::Found(engine, choice) => self.found(engine, choice)?,
            }
        }
    }

    fn say(&mut self, answer: &Answer) -> Done {
        self.out.line(answer)
    }

    fn status(&mut self, words: impl Into<String>) -> Done {
        self.say(&Answer::Status(words.into()))
    }

    fn obey(&mut self, command: Command) -> Done {
        match command {
            Command::NBoard(_) => {
                self.say(&Answer::MyName(concat!("tesuji ", env!("CARGO_PKG_VERSION")).to_owned()))
            }
            Command::SetDepth(depth) => {
                self.depth = Some(depth.clamp(1, 200));
                Ok(())
            }
            // A draw is a draw.
            Command::SetContempt(_) => Ok(()),
            Command::SetGame(game) => {
                self.halt();
                self.place(&game)
            }
            Command::Move(played) => {
                self.halt();
                self.play(&played)
            }
            Command::Hint(count) => {
                self.halt();
                let lines = count.clamp(1, MOST_LINES) as usize;
                let record = self.record.clone();
                if record.ending().is_some() {
                    return self.status("The game is over");
                }
                let limits = Limits { depth: self.depth, lines, afresh: true, ..Limits::default() };
                self.begin(Task::Hint, record, limits)
            }
            Command::Go => {
                self.halt();
                self.go()
            }
            Command::Ping(number) => {
                self.halt();
                self.say(&Answer::Pong(number))
            }
            Command::Learn => {
                self.status("There is no book to learn into")?;
                self.say(&Answer::Learned)
            }
            Command::Analyze => {
                self.halt();
                let plies = self.record.plies().len();
                self.analyze(self.record.clone(), Some(plies))
            }
            Command::Quit => Ok(()),
        }
    }

    /// `set game`.
    fn place(&mut self, game: &str) -> Done {
        let Some(reading) = Othello::read(GGF, game.as_bytes()).next() else {
            return self.status("There is no game in this");
        };
        if let Some(fault) = reading.fault {
            return self.status(format!("Cannot read the game: {fault}"));
        }
        let record = played_on(&reading.record, usize::MAX);
        let before: Vec<Move> = self.record.moves().collect();
        let goes_on = *record.start() == *self.record.start()
            && record.moves().take(before.len()).eq(before.iter().copied());
        if !goes_on && let Some(engine) = &mut self.engine {
            engine.forget();
        }
        self.clock = Clock::of(&reading.record);
        self.record = record;
        Ok(())
    }

    /// `move`.
    fn play(&mut self, played: &Played) -> Done {
        let side = self.record.now().mover();
        if let Err(refusal) = self.record.push_text(&played.mv) {
            return self.status(format!("Move ignored: {refusal}"));
        }
        let seconds = played.time.unwrap_or(0.0);
        self.clock.spend(side, Duration::try_from_secs_f64(seconds).unwrap_or_default());
        Ok(())
    }
}

/// The first so many plies, open even if the record says that somebody gave up.
fn played_on(record: &Record<Othello>, plies: usize) -> Record<Othello> {
    let mut short = Record::new(*record.start());
    for mv in record.moves().take(plies) {
        if short.push(mv).is_err() {
            break;
        }
    }
    short
}

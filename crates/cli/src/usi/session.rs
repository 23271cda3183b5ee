//! The state of a conversation: what is set, where the game stands, and who is thinking.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::{Duration, Instant};

use tesuji_engines::{EngineFactory, Spec};
use tesuji_game::{Claims, Game, Notation, Record};
use tesuji_protocol::usi::{Answer, BestMove, Checkmate, Clock, Command, Go, News};
use tesuji_search::dfpn::{Answer as Verdict, Dfpn};
use tesuji_search::{CancelToken, Engine, Report};
use tesuji_shogi::{Move, Shogi};

use super::Event;
use super::limits::{limits, mate_limits};
use super::mate::Checks;
use super::options::Options;
use super::position::{any_move, open, place};
use super::speech::{best, chosen, info};
use super::worker::{self, Found};
use crate::failure::{Done, Failure};
use crate::out::Out;

/// How long a search that was told to stop may take before the process ends without its answer.
const PATIENCE: Duration = Duration::from_millis(50);

/// Whether the conversation goes on.
pub(super) enum Next {
    Go,
    Leave,
}

pub(super) struct Session<'a> {
    engines: &'a EngineFactory<Shogi>,
    options: Options,
    record: Record<Shogi>,
    /// The engine while it rests, and the spec it was made from.
    engine: Option<(Spec, Box<dyn Engine<Shogi>>)>,
    solver: Option<Box<Dfpn<Checks>>>,
    thinking: Option<Thinking>,
    /// What to think about when the present search has answered.
    waiting: VecDeque<Asked>,
    /// The engine has thought since it last forgot, and must not remember in another game.
    used: bool,
    /// It is to forget as soon as it rests: best when nobody waits, which is before `readyok`.
    forget: bool,
    to: SyncSender<Event>,
    out: &'a mut Out,
}

/// A `go`, and the game it was about.
pub(super) struct Asked {
    pub(super) go: Go,
    pub(super) record: Record<Shogi>,
    pub(super) at: Instant,
    /// `stop` came before the search could begin.
    stopped: bool,
}

/// A search under way, or one that is done and must not answer yet.
struct Thinking {
    asked: Asked,
    stop: CancelToken,
    spec: Option<Spec>,
    last: Option<Report<Move>>,
    /// When something was last told, and whether `last` has been.
    told: Option<Instant>,
    untold: bool,
    /// Done: what to answer as soon as that is allowed.
    ready: Option<Answer>,
    /// `ponderhit` has come: when the search ends it is to go on with a clock.
    again: bool,
}

impl Thinking {
    /// No answer before `stop` or `ponderhit`.
    fn held(&self) -> bool {
        !self.asked.stopped && (self.asked.go.infinite || self.asked.go.ponder)
    }
}

impl<'a> Session<'a> {
    pub(super) fn new(
        engines: &'a EngineFactory<Shogi>,
        spec: Option<&str>,
        to: SyncSender<Event>,
        out: &'a mut Out,
    ) -> Result<Session<'a>, Failure> {
        let spec = spec.unwrap_or(engines.default);
        let wrong = |error| Failure::usage(format!("--engine: {error}"));
        (engines.make)(&Spec::parse(spec).map_err(wrong)?).map_err(wrong)?;
        Ok(Session {
            engines,
            options: Options::new(spec),
            record: Record::new(Shogi::start()),
            engine: None,
            solver: None,
            thinking: None,
            waiting: VecDeque::new(),
            used: false,
            forget: false,
            to,
            out,
        })
    }

    pub(super) fn hear(&mut self, event: Event) -> Result<Next, Failure> {
        match event {
            Event::End => return Ok(Next::Leave),
            Event::Line(line, at) => match Command::parse(line) {
                Some(Command::Quit) => return Ok(Next::Leave),
                Some(command) => self.obey(command, at)?,
                None => {}
            },
            Event::News(report) => self.news(report)?,
            Event::Found(found) => self.found(found)?,
        }
        Ok(Next::Go)
    }

    fn obey(&mut self, command: Command, at: Instant) -> Done {
        match command {
            Command::Usi => {
                self.say(&Answer::Name(concat!("tesuji ", env!("CARGO_PKG_VERSION")).to_owned()))?;
                self.say(&Answer::Author("the tesuji authors".to_owned()))?;
                let offers: Vec<Answer> = self.options.offers().cloned().map(Answer::Option).collect();
                offers.iter().try_for_each(|offer| self.say(offer))?;
                self.say(&Answer::UsiOk)
            }
            Command::IsReady => {
                self.rest_engine()?;
                self.say(&Answer::ReadyOk)
            }
            Command::SetOption { name, value } => {
                self.options.set(&name, value.as_deref().unwrap_or_default());
                Ok(())
            }
            Command::NewGame => {
                self.forget |= self.used;
                self.rest_engine()
            }
            Command::Position(placement) => match place(&placement, &self.options) {
                Ok(record) => {
                    self.record = record;
                    Ok(())
                }
                Err(message) => self.remark(&format!("position ignored: {message}")),
            },
            Command::Go(go) => {
                let asked = Asked { go, record: open(self.record.clone()), at, stopped: false };
                if self.thinking.is_none() {
                    return self.begin(asked);
                }
                // A second `go` ends the first, which has its answer before the second begins.
                self.halt()?;
                self.waiting.push_back(asked);
                self.next()
            }
            Command::Stop => {
                self.waiting.iter_mut().for_each(|asked| asked.stopped = true);
                self.halt()
            }
            Command::PonderHit(clock) => self.ponder_hit(clock, at),
            Command::GameOver(_) => {
                self.forget |= self.used;
                self.halt()
            }
            Command::Quit => Ok(()),
        }
    }

    fn say(&mut self, answer: &Answer) -> Done {
        self.out.line(answer)
    }

    fn remark(&mut self, words: &str) -> Done {
        self.say(&Answer::Info(News::words(words)))
    }

    /// Makes sure that an engine with the present options is there, if none is thinking.
    fn rest_engine(&mut self) -> Done {
        if self.thinking.is_some() {
            return Ok(());
        }
        let mut spec = match Spec::parse(self.options.spec()) {
            Ok(spec) => spec,
            Err(error) => return self.remark(&format!("option Engine: {error}")),
        };
        self.engines.fill_setting(&mut spec, "threads", Some(self.options.threads().to_string()));
        self.engines.fill_setting(&mut spec, "hash", Some(self.options.hash().to_string()));
        if self.engine.as_ref().is_none_or(|(known, _)| *known != spec) {
            // The old table goes before the new one comes.
            let old = self.engine.take().map(|(spec, _)| spec);
            match (self.engines.make)(&spec) {
                Ok(engine) => {
                    self.engine = Some((spec, engine));
                    // To forget is to get the memory, which nobody should wait for in a game.
                    self.forget = true;
                }
                Err(error) => {
                    self.remark(&format!("option Engine: {error}"))?;
                    let usual = old.or_else(|| Spec::parse(self.engines.default).ok());
                    self.engine =
                        usual.and_then(|spec| Some((spec.clone(), (self.engines.make)(&spec).ok()?)));
                }
            }
        }
        if std::mem::take(&mut self.forget)
            && let Some((_, engine)) = &mut self.engine
        {
            engine.forget();
            self.used = false;
        }
        Ok(())
    }

    fn begin(&mut self, asked: Asked) -> Done {
        let stop = CancelToken::new();
        if asked.stopped {
            stop.cancel();
        }
        let mut thinking = Thinking {
            asked,
            stop,
            spec: None,
            last: None,
            told: None,
            untold: false,
            ready: None,
            again: false,
        };
        let record = &thinking.asked.record;
        if let Some(mate) = thinking.asked.go.mate {
            let limits = mate_limits(&self.options, mate, thinking.asked.at);
            let solver = self.solver.take();
            let solver = solver.unwrap_or_else(|| Box::new(Dfpn::new(Checks, self.options.hash() as usize)));
            worker::solve(solver, record.clone(), limits, thinking.stop.clone(), self.to.clone());
            self.thinking = Some(thinking);
            return Ok(());
        }
        if record.ending().is_some() {
            thinking.ready = Some(Answer::BestMove(BestMove::Resign));
        } else if record.now().claim(&record.path().rules) {
            thinking.ready = Some(Answer::BestMove(BestMove::Win));
        } else {
            self.rest_engine()?;
            match self.engine.take() {
                Some((spec, engine)) => {
                    let limits = limits(&self.options, &thinking.asked);
                    thinking.spec = Some(spec);
                    self.used = true;
                    worker::think(engine, record.clone(), limits, thinking.stop.clone(), self.to.clone());
                }
                None => thinking.ready = Some(best(any_move(record))),
            }
        }
        self.thinking = Some(thinking);
        self.answer()
    }

    /// `stop`: answer as soon as possible.
    fn halt(&mut self) -> Done {
        let Some(thinking) = &mut self.thinking else { return Ok(()) };
        thinking.asked.stopped = true;
        thinking.again = false;
        thinking.stop.cancel();
        self.answer()
    }

    fn ponder_hit(&mut self, clock: Clock, at: Instant) -> Done {
        let Some(thinking) = self.thinking.as_mut().filter(|thinking| thinking.asked.go.ponder) else {
            return Ok(());
        };
        thinking.asked.go.ponder = false;
        thinking.asked.at = at;
        if !clock.is_empty() {
            thinking.asked.go.clock = clock;
        }
        if thinking.ready.is_none() && !thinking.asked.stopped {
            thinking.again = true;
            thinking.stop.cancel();
        }
        self.answer()
    }

    fn news(&mut self, report: Report<Move>) -> Done {
        let pause = self.options.pause();
        let Some(thinking) = &mut self.thinking else { return Ok(()) };
        thinking.last = Some(report);
        thinking.untold = true;
        if thinking.told.is_none_or(|told| told.elapsed() >= pause) { self.tell() } else { Ok(()) }
    }

    /// Tells what was last reported, if it was not told yet.
    fn tell(&mut self) -> Done {
        let Some(thinking) = &mut self.thinking else { return Ok(()) };
        if !std::mem::take(&mut thinking.untold) {
            return Ok(());
        }
        thinking.told = Some(Instant::now());
        let Some(report) = &thinking.last else { return Ok(()) };
        let now = thinking.asked.record.now();
        let lines: Vec<Answer> =
            report.lines.iter().enumerate().map(|(index, line)| info(now, report, index, line)).collect();
        lines.iter().try_for_each(|line| self.say(line))
    }

    fn found(&mut self, found: Found) -> Done {
        self.tell()?;
        let Some(thinking) = &mut self.thinking else { return Ok(()) };
        match found {
            Found::Choice(engine, choice) => {
                let spec = thinking.spec.take();
                self.engine = spec.zip(engine);
                if thinking.again {
                    let again = self.thinking.take();
                    return again.map_or(Ok(()), |thinking| self.begin(thinking.asked));
                }
                thinking.ready =
                    Some(chosen(&thinking.asked.record, choice, thinking.last.as_ref(), &self.options));
            }
            Found::Mate(solver, verdict) => {
                self.solver = solver;
                let now = thinking.asked.record.now();
                thinking.ready = Some(Answer::Checkmate(match verdict {
                    Verdict::Proven(proof) => Checkmate::Found(now.print_line(&proof.line)),
                    Verdict::Disproven => Checkmate::None,
                    Verdict::Unknown => Checkmate::Timeout,
                }));
            }
        }
        self.answer()
    }

    /// Answers if there is something to answer and it is allowed; then goes on to the next `go`.
    fn answer(&mut self) -> Done {
        let Some(thinking) = &mut self.thinking else { return Ok(()) };
        if thinking.held() {
            return Ok(());
        }
        let Some(answer) = thinking.ready.take() else { return Ok(()) };
        self.thinking = None;
        self.say(&answer)?;
        self.next()
    }

    fn next(&mut self) -> Done {
        match self.waiting.pop_front() {
            Some(asked) if self.thinking.is_none() => {
                // Another one behind it would have ended it.
                let stopped = asked.stopped || !self.waiting.is_empty();
                self.begin(Asked { stopped, ..asked })
            }
            Some(asked) => {
                self.waiting.push_front(asked);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// The end: whoever still waits for an answer gets it, if it comes at once.
    pub(super) fn leave(mut self, from: &Receiver<Event>) -> Done {
        let end = Instant::now() + PATIENCE;
        self.waiting.clear();
        self.halt()?;
        while self.thinking.is_some() {
            let Ok(event) = from.recv_timeout(end.saturating_duration_since(Instant::now())) else { break };
            if matches!(event, Event::News(_) | Event::Found(_)) {
                self.hear(event)?;
            }
        }
        Ok(())
    }
}

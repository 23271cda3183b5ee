//! Searches for a board: how they begin, what they tell, and how they end.

use std::time::{Duration, Instant};

use tesuji_engines::{SearchEvent, spawn_search};
use tesuji_game::{Game, MoveList, Record};
use tesuji_othello::{Move, Moves, Othello};
use tesuji_protocol::nboard::{Answer, Played};
use tesuji_search::{CancelToken, Choice, Engine, Limits, Report, Time};

use super::{Search, Session, Task, played_on};
use crate::failure::Done;
use crate::nboard::Event;
use crate::nboard::speech::{SOLVED, discs, lines, of_move};

/// What a move gets when neither depth nor clock nor spec says anything.
const USUAL: Duration = Duration::from_secs(1);
/// The same for each position of a game that is analysed.
const GLANCE: Duration = Duration::from_millis(200);

impl Session<'_> {
    pub(super) fn go(&mut self) -> Done {
        let record = self.record.clone();
        if record.ending().is_some() || record.now().must_pass() {
            return self.say(&Answer::Move(Played::new("PA")));
        }
        let clock = self.clock.time(record.now().mover());
        let free = self.depth.is_none() && !self.limited;
        let time = clock.or(free.then_some(Time::Move(USUAL)));
        let limits = Limits { depth: self.depth, time, lines: 1, ..Limits::default() };
        self.status("Thinking")?;
        self.begin(Task::Go, record, limits)
    }

    /// Judges the game after `plies` moves and before; the last position first, whose values help the others.
    pub(super) fn analyze(&mut self, whole: Record<Othello>, plies: Option<usize>) -> Done {
        let Some(plies) = plies else { return self.status("") };
        let record = played_on(&whole, plies);
        if record.ending().is_some() {
            self.say(&Answer::Analysis(plies as u32, f64::from(record.now().score())))?;
            return self.analyze(whole, plies.checked_sub(1));
        }
        let free = self.depth.is_none() && !self.limited;
        let time = free.then_some(Time::Move(GLANCE));
        let limits = Limits { depth: self.depth, time, lines: 1, afresh: true, ..Limits::default() };
        self.status(format!("Analyzing move {plies}"))?;
        self.begin(Task::Analyze(Box::new(whole), plies), record, limits)
    }

    pub(super) fn begin(&mut self, task: Task, record: Record<Othello>, limits: Limits) -> Done {
        let engine = self.engine.take().or_else(|| (self.engines.make)(&self.spec).ok());
        let Some(engine) = engine else { return self.status("There is no engine") };
        let (stop, to, begun) = (CancelToken::new(), self.to.clone(), Instant::now());
        spawn_search(engine, record.clone(), limits.clone(), stop.clone(), move |heard| {
            // Nobody reads along once the session is over.
            let _ = to.send(match heard {
                SearchEvent::Report(report) => Event::News(report),
                SearchEvent::Done { engine, choice } => Event::Found(engine, choice),
            });
        });
        self.search = Some(Search { task, record, limits, stop, begun, last: None });
        Ok(())
    }

    /// The search is to end soon, with its answer.
    pub(super) fn hurry(&mut self) {
        if let Some(search) = &self.search {
            search.stop.cancel();
        }
    }

    /// Ends the search without a word: whatever it found belongs to what was asked before.
    pub(super) fn halt(&mut self) {
        let Some(search) = self.search.take() else { return };
        search.stop.cancel();
        while let Ok(event) = self.from.recv() {
            match event {
                Event::Found(engine, _) => {
                    self.engine = engine;
                    return;
                }
                Event::News(_) => {}
                line => self.waiting.push_back(line),
            }
        }
    }

    pub(super) fn news(&mut self, report: Report<Move>) -> Done {
        let Some(search) = &mut self.search else { return Ok(()) };
        let told = match search.task {
            Task::Hint | Task::Go => lines(search.record.now(), &report, None),
            Task::Analyze(..) => Vec::new(),
        };
        search.last = Some(report);
        told.iter().try_for_each(|line| self.say(line))
    }

    pub(super) fn found(&mut self, engine: Option<Box<dyn Engine<Othello>>>, choice: Choice<Move>) -> Done {
        self.engine = engine;
        let Some(search) = self.search.take() else { return Ok(()) };
        match search.task {
            Task::Hint => {
                // Nothing but the end of the game on all lines ends a search before its depth.
                let whole = !search.stop.is_cancelled() && !self.limited;
                let report = search
                    .last
                    .filter(|report| whole && search.limits.depth.is_none_or(|depth| report.depth < depth));
                let Some(report) = report else { return Ok(()) };
                let told = lines(search.record.now(), &report, Some(SOLVED));
                told.iter().try_for_each(|line| self.say(line))
            }
            Task::Go => {
                let seconds = (search.begun.elapsed().as_secs_f64() * 1e3).round() / 1e3;
                if let Some(report) = &search.last {
                    self.say(&Answer::NodeStats(report.nodes, seconds))?;
                }
                let now = search.record.now();
                let eval = search.last.as_ref().and_then(|report| report.lines.first());
                let eval = eval.map(|line| discs(line.value));
                let mv = match choice {
                    Choice::Move { mv, .. } => Some(mv),
                    Choice::Claim | Choice::Resign | Choice::Over => any(now),
                };
                let mv = mv.map_or_else(|| "PA".to_owned(), |mv| of_move(now, mv));
                self.say(&Answer::Move(Played { mv, eval, time: Some(seconds) }))?;
                self.status("")
            }
            Task::Analyze(whole, plies) => {
                if let Some(line) = search.last.as_ref().and_then(|report| report.lines.first()) {
                    self.say(&Answer::Analysis(plies as u32, discs(line.value)))?;
                }
                if search.stop.is_cancelled() {
                    return Ok(());
                }
                self.analyze(*whole, plies.checked_sub(1))
            }
        }
    }
}

/// The first move there is.
fn any(now: &Othello) -> Option<Move> {
    let mut list = Moves::default();
    now.clone().moves(&mut list);
    list.each().next()
}

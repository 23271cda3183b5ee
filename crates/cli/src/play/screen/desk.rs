//! What the screen shows and what the keys change: the sitting, the position looked at, the text typed.

use tesuji_game::{MoveList, Record};
use tesuji_search::{Choice, Limits, SearchReport};

use super::run::{Finished, Purpose, Run};
use crate::draw::Marks;
use crate::entry::Playable;
use crate::play::sitting::Sitting;
use crate::think::value_words;

/// How many moves are valued at once.
const LINES: usize = 5;

pub(super) struct Desk<G: Playable> {
    pub(super) sitting: Sitting<G>,
    pub(super) colored: bool,
    /// The position looked at, by the plies before it; none for the latest.
    pub(super) looking: Option<usize>,
    /// That position with its legal moves, kept until it changes.
    pub(super) shown: Record<G>,
    pub(super) legal: Vec<(G::Move, String)>,
    pub(super) input: String,
    /// What was typed before Tab completed it.
    pub(super) stem: Option<String>,
    pub(super) message: String,
    pub(super) help: bool,
    pub(super) values: bool,
    /// EngineFactory wait.
    pub(super) paused: bool,
    pub(super) run: Option<Run<G>>,
    /// Values that are final, and the stamp they belong to.
    settled: Option<(u64, SearchReport<G::Move>)>,
    pub(super) assist: bool,
    pub(super) hint: bool,
    /// Counts changes, so that no search speaks for a position that is gone.
    stamp: u64,
    pub(super) leaving: bool,
    /// How far the board is moved under its window, in columns and lines, from where it would lie by itself.
    pub(super) shift: (i32, i32),
}

impl<G: Playable> Desk<G> {
    pub(super) fn new(sitting: Sitting<G>, colored: bool) -> Desk<G> {
        let shown = sitting.record.clone();
        let legal = Sitting::legal(&shown);
        Desk {
            sitting,
            colored,
            looking: None,
            shown,
            legal,
            input: String::new(),
            stem: None,
            message: "type a move, or Tab to go through them; ? for help".to_owned(),
            help: false,
            values: false,
            paused: false,
            run: None,
            settled: None,
            assist: false,
            hint: false,
            stamp: 0,
            leaving: false,
            shift: (0, 0),
        }
    }

    /// Whether an earlier position is looked at.
    pub(super) fn looks_back(&self) -> bool {
        self.looking.is_some()
    }

    /// The plies before the position looked at.
    pub(super) fn ply(&self) -> usize {
        self.looking.unwrap_or(self.sitting.record.plies().len())
    }

    /// The final values of this position.
    fn settled(&self) -> Option<&SearchReport<G::Move>> {
        self.settled.as_ref().filter(|(stamp, _)| *stamp == self.stamp).map(|(_, news)| news)
    }

    /// What is known of this position, and whether its lines are to be shown: a player need not see what the
    /// other one plans.
    pub(super) fn news(&self) -> Option<(&SearchReport<G::Move>, bool)> {
        match &self.run {
            Some(run) => run.news.as_ref().map(|news| (news, run.purpose == Purpose::Values)),
            None => self.settled().filter(|_| self.values).map(|news| (news, true)),
        }
    }

    /// The position looked at has changed.
    pub(super) fn refresh(&mut self) {
        self.stamp += 1;
        self.shown = match self.looking {
            Some(ply) => self.sitting.at(ply),
            None => self.sitting.record.clone(),
        };
        self.legal = Sitting::legal(&self.shown);
        self.clear_input();
        self.hint = false;
        self.assist = false;
    }

    /// Hears from the engine at work and sets the next one to work.
    pub(super) fn tick(&mut self) {
        let wanted = self.sitting_wants();
        if let Some(run) = &mut self.run
            && (run.stamp != self.stamp || Some(run.purpose) != wanted)
        {
            run.dropped = true;
            run.stop.cancel();
        }
        let finished = self.run.as_mut().and_then(Run::hear);
        if let Some(finished) = finished
            && let Some(run) = self.run.take()
        {
            self.take(run, finished);
        }
        if self.run.is_none()
            && let Some(purpose) = self.sitting_wants()
        {
            self.start(purpose);
        }
    }

    /// What should be thought about now.
    fn sitting_wants(&self) -> Option<Purpose> {
        if self.looking.is_none() && self.sitting.awaits_engine() && !self.paused {
            return Some(Purpose::Move);
        }
        if self.shown.ending().is_some() {
            return None;
        }
        match (self.assist, self.hint, self.values) {
            (true, ..) => Some(Purpose::Assist),
            (_, true, _) => Some(Purpose::Hint),
            (_, _, true) => self.settled().is_none().then_some(Purpose::Values),
            _ => None,
        }
    }

    fn start(&mut self, purpose: Purpose) {
        let (side, seat) = match purpose {
            Purpose::Move => (Some(self.sitting.mover()), self.sitting.seat()),
            _ => (None, &mut self.sitting.helper),
        };
        let limits = match purpose {
            Purpose::Values => Limits { lines: LINES, ..Limits::default() },
            _ => seat.limits(),
        };
        match seat.lend() {
            Some(engine) => {
                self.run = Some(Run::start(purpose, side, self.stamp, engine, self.shown.clone(), limits));
            }
            None => {
                self.message = "the engine cannot be had".to_owned();
                (self.paused, self.values, self.hint, self.assist) = (true, false, false, false);
            }
        }
    }

    fn take(&mut self, run: Run<G>, finished: Finished<G>) {
        let Finished { engine, choice } = finished;
        let broken = engine.is_none();
        match run.side {
            Some(side) => self.sitting.seats[side.index()].back(engine),
            None => self.sitting.helper.back(engine),
        }
        if broken {
            self.message = "the engine broke down; Enter lets it try again".to_owned();
            self.paused = true;
            return;
        }
        if run.dropped {
            return;
        }
        let line = run.news.as_ref().and_then(|news| news.lines.first());
        match run.purpose {
            Purpose::Values => self.settled = run.news.map(|news| (run.stamp, news)),
            Purpose::Hint => {
                self.hint = false;
                if let Choice::Move { mv, .. } = choice {
                    let value = line.map(|line| format!(" ({})", value_words(line))).unwrap_or_default();
                    self.input = self.shown.now().print_move(mv);
                    self.message = format!("hint: {}{value}; Enter plays it", self.input);
                }
            }
            Purpose::Move | Purpose::Assist => {
                let value = line.map(|line| f64::from(line.value.get()));
                let mover = crate::command::player::<G>(self.sitting.mover());
                let done = match choice {
                    Choice::Move { mv, .. } => {
                        self.message = format!("{mover} played {}", self.shown.now().print_move(mv));
                        self.sitting.play(mv, run.begun.elapsed(), value)
                    }
                    Choice::Claim => self.sitting.declare(),
                    Choice::Resign => self.sitting.resign(),
                    Choice::Over => Err("the engine found no move".to_owned()),
                };
                self.changed(done);
            }
        }
    }

    /// The game went on, or why not.
    pub(super) fn changed(&mut self, done: Result<(), String>) {
        if let Err(message) = done {
            self.message = message;
            self.paused = true;
        }
        self.looking = None;
        self.shift = (0, 0);
        self.refresh();
        if let Some(verdict) = self.sitting.verdict() {
            self.message = verdict;
        }
    }

    /// What to point out on the board.
    pub(super) fn marks(&self) -> Marks {
        let mut list = G::Moves::default();
        if self.shown.ending().is_none() {
            self.shown.now().clone().moves(&mut list);
        }
        let picked = self.picked().filter(|&mv| list.has(mv));
        Marks { picked: picked.map_or(Vec::new(), |mv| self.shown.now().cells(mv)), small: false }
    }
}

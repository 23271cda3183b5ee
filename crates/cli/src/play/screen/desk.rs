//! What the screen shows and what the keys change: the sitting, the position looked at, the text typed.

use tesuji_game::{MoveList, Record};
use tesuji_search::{Choice, Limits, Report};

use super::run::{Finished, Purpose, Run};
use crate::command::show::marks;
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
    looking: Option<usize>,
    /// That position with its legal moves, kept until it changes.
    pub(super) shown: Record<G>,
    pub(super) legal: Vec<(G::Move, String)>,
    pub(super) input: String,
    /// What was typed before Tab completed it.
    stem: Option<String>,
    pub(super) message: String,
    pub(super) help: bool,
    pub(super) values: bool,
    /// Engines wait.
    pub(super) paused: bool,
    pub(super) run: Option<Run<G>>,
    /// Values that are final, and the stamp they belong to.
    settled: Option<(u64, Report<G::Move>)>,
    assist: bool,
    hint: bool,
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
    fn settled(&self) -> Option<&Report<G::Move>> {
        self.settled.as_ref().filter(|(stamp, _)| *stamp == self.stamp).map(|(_, news)| news)
    }

    /// What is known of this position, and whether its lines are to be shown: a player need not see what the
    /// other one plans.
    pub(super) fn news(&self) -> Option<(&Report<G::Move>, bool)> {
        match &self.run {
            Some(run) => run.news.as_ref().map(|news| (news, run.purpose == Purpose::Values)),
            None => self.settled().filter(|_| self.values).map(|news| (news, true)),
        }
    }

    /// The position looked at has changed.
    fn refresh(&mut self) {
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
            run.stop.raise();
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
    fn changed(&mut self, done: Result<(), String>) {
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

    /// Enter: plays what is typed; with nothing typed, an engine moves now.
    pub(super) fn enter(&mut self) {
        let text = self.input.trim().to_owned();
        if let Some(command) = text.strip_prefix(':') {
            self.clear_input();
            return self.command(command);
        }
        if text.is_empty() {
            return self.engine_now();
        }
        if self.looking.is_some() {
            self.message =
                "this is an earlier position: End goes back to the game, u goes on from here".to_owned();
            return;
        }
        if self.sitting.awaits_engine() && !self.paused {
            self.message = "it is the engine's move: Enter alone hurries it, Esc stops it".to_owned();
            return;
        }
        match self.sitting.enter(&text) {
            Ok(()) => {
                self.message.clear();
                self.changed(Ok(()));
            }
            Err(message) => self.message = message,
        }
    }

    fn engine_now(&mut self) {
        if self.sitting.over() || self.looking.is_some() {
            return;
        }
        match &self.run {
            Some(run) if matches!(run.purpose, Purpose::Move | Purpose::Assist) => run.stop.raise(),
            _ if self.sitting.awaits_engine() => self.paused = false,
            _ => self.assist = true,
        }
    }

    /// A command by its name.
    pub(super) fn command(&mut self, text: &str) {
        let (verb, rest) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        match verb {
            "q" | "quit" => self.leaving = true,
            "u" | "undo" => self.undo(),
            "redo" => self.redo(),
            "h" | "hint" => self.ask_hint(),
            "v" | "values" => self.toggle_values(),
            "?" | "help" => self.help = true,
            "resign" => self.resign(),
            "declare" | "win" => {
                let done = self.sitting.declare();
                if done.is_ok() { self.changed(done) } else { self.message = done.err().unwrap_or_default() }
            }
            "save" | "w" => self.save(rest.trim()),
            other => self.message = format!("there is no command {other:?}; ? shows them"),
        }
    }

    pub(super) fn undo(&mut self) {
        let done = match self.looking {
            Some(ply) => self.sitting.cut(ply),
            None => self.sitting.undo().map(|_| ()),
        };
        match done {
            Ok(()) => {
                self.message = "taken back; U plays it again".to_owned();
                self.paused = true;
                self.changed(Ok(()));
            }
            Err(message) => self.message = message,
        }
    }

    pub(super) fn redo(&mut self) {
        match self.sitting.redo() {
            Ok(()) => self.changed(Ok(())),
            Err(message) => self.message = message,
        }
    }

    pub(super) fn resign(&mut self) {
        if self.sitting.awaits_human() {
            let done = self.sitting.resign();
            self.changed(done);
        } else {
            self.message = "only who is to move can give up".to_owned();
        }
    }

    pub(super) fn ask_hint(&mut self) {
        if self.sitting.awaits_human() && self.looking.is_none() {
            self.hint = true;
            self.message = "looking for a hint …".to_owned();
        }
    }

    pub(super) fn toggle_values(&mut self) {
        self.values = !self.values;
    }

    fn save(&mut self, file: &str) {
        if !file.is_empty() {
            match crate::play::Keeper::at::<G>(file) {
                Ok(keeper) => self.sitting.keeper = Some(keeper),
                Err(_) => {
                    self.message = format!("{file:?} is a folder; name a file in it");
                    return;
                }
            }
        }
        let path = |keeper: &crate::play::Keeper| keeper.path().map(|path| path.display().to_string());
        self.message = match self.sitting.keep() {
            Ok(()) => {
                let path = self.sitting.keeper.as_ref().and_then(path);
                format!("the game is kept in {}", path.unwrap_or_default())
            }
            Err(message) => message,
        };
    }

    /// Looks at the position after so many plies.
    pub(super) fn look(&mut self, ply: usize) {
        let last = self.sitting.record.plies().len();
        self.looking = (ply < last).then_some(ply);
        self.shift = (0, 0);
        self.refresh();
        self.message = match self.looking {
            Some(ply) => format!("move {ply} of {last}: arrows go on, End to the game, u goes on from here"),
            None => String::new(),
        };
    }

    /// Esc: one thing after the other: help, typed text, a search.
    pub(super) fn escape(&mut self) {
        if self.help {
            self.help = false;
        } else if !self.input.is_empty() {
            self.clear_input();
        } else if self.looking.is_some() {
            self.look(usize::MAX);
        } else if let Some(run) = &self.run {
            match run.purpose {
                Purpose::Move => {
                    self.paused = true;
                    self.message = "the engine waits; Enter lets it move, or move for it".to_owned();
                }
                _ => (self.values, self.hint, self.assist) = (false, false, false),
            }
        }
    }

    pub(super) fn clear_input(&mut self) {
        self.input.clear();
        self.stem = None;
    }

    pub(super) fn type_text(&mut self, letter: char) {
        self.stem = None;
        if self.input.len() < 200 {
            self.input.push(letter);
        }
    }

    pub(super) fn rub_out(&mut self) {
        self.stem = None;
        self.input.pop();
    }

    /// The legal moves that begin as typed.
    pub(super) fn fitting(&self) -> impl Iterator<Item = &(G::Move, String)> {
        let stem = self.stem.as_ref().unwrap_or(&self.input).to_ascii_lowercase();
        self.legal.iter().filter(move |(_, text)| text.to_ascii_lowercase().starts_with(&stem))
    }

    /// Puts the next, or the previous, fitting move into the input.
    pub(super) fn cycle(&mut self, forward: bool) {
        let fitting: Vec<String> = self.fitting().map(|(_, text)| text.clone()).collect();
        if fitting.is_empty() {
            return;
        }
        let at = fitting.iter().position(|text| *text == self.input).filter(|_| self.stem.is_some());
        let next = match (at, forward) {
            (None, true) => 0,
            (None, false) => fitting.len() - 1,
            (Some(at), true) => (at + 1) % fitting.len(),
            (Some(at), false) => (at + fitting.len() - 1) % fitting.len(),
        };
        let typed = std::mem::take(&mut self.input);
        self.stem.get_or_insert(typed);
        self.input.clone_from(&fitting[next]);
    }

    /// The move the input names.
    pub(super) fn picked(&self) -> Option<G::Move> {
        self.legal.iter().find(|(_, text)| text.eq_ignore_ascii_case(&self.input)).map(|(mv, _)| *mv)
    }

    /// What to point out on the board.
    pub(super) fn marks(&self) -> Marks {
        let mut list = G::Moves::default();
        if self.shown.ending().is_none() {
            self.shown.now().clone().moves(&mut list);
        }
        let picked = self.picked().filter(|&mv| list.has(mv));
        Marks {
            picked: picked.map_or(Vec::new(), |mv| self.shown.now().cells(mv)),
            ..marks(&self.shown, &list)
        }
    }
}

//! What a person asks for: moves, commands, looks at the game so far.

use super::desk::Desk;
use super::run::Purpose;
use crate::entry::Playable;
use crate::play::{Keeper, load};

impl<G: Playable> Desk<G> {
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
            Some(run) if matches!(run.purpose, Purpose::Move | Purpose::Assist) => run.stop.cancel(),
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
            "load" => self.load(rest.trim()),
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
            match Keeper::at::<G>(file) {
                Ok(keeper) => self.sitting.keeper = Some(keeper),
                Err(_) => {
                    self.message = format!("{file:?} is a folder; name a file in it");
                    return;
                }
            }
        }
        let path = |keeper: &Keeper| keeper.path().map(|path| path.display().to_string());
        self.message = match self.sitting.keep() {
            Ok(()) => {
                let path = self.sitting.keeper.as_ref().and_then(path);
                format!("the game is kept in {}", path.unwrap_or_default())
            }
            Err(message) => message,
        };
    }

    /// Goes on with the game of a file; the present one stays where it is kept.
    fn load(&mut self, file: &str) {
        let loaded = match file {
            "" | "-" => Err("name a file: :load FILE".to_owned()),
            file => load::<G>(G::NAME, file).map_err(|failure| failure.to_string()),
        };
        match loaded {
            Ok(record) => {
                self.sitting.go_on_with(record);
                self.paused = true;
                self.message = format!("{file} is on the board; Enter lets the engine move");
                self.changed(Ok(()));
            }
            Err(message) => self.message = message,
        }
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
}

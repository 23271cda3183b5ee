//! What the user can do: moves, commands, and looking at earlier positions.

use tesuji_registry::{SearchPurpose, SessionAction};

use super::app::App;
use crate::play::{new_file, record_source};

impl App {
    /// Enter: plays the move that was typed. Without one an engine that is to move does so now; a person is told how. Text that
    /// is not played is cleared.
    pub(super) fn enter(&mut self) {
        let text = self.input.trim().to_owned();
        self.clear_input();
        if let Some(command) = text.strip_prefix(':') {
            return self.command(command);
        }
        let (view, is_for_engine) = (self.view(), text.is_empty());
        let can_engine_move = view.is_latest && view.to_move.is_some();
        match self.no_move_now() {
            // An accidental Enter must not move for a person.
            None if is_for_engine && view.awaits_human() => {
                self.message = "type a move or choose one with Tab; :go lets the engine move for you".to_owned();
            }
            _ if is_for_engine && can_engine_move => self.engine_move(),
            Some(why) => self.message = why,
            None => {
                if self.act(SessionAction::Play { text }) {
                    self.message.clear();
                    self.position_changed();
                }
            }
        }
    }

    /// The engine ends its search and moves, or moves for a person.
    fn engine_move(&mut self) {
        self.act(SessionAction::EngineMove);
    }

    /// Why no move can be played now, and what to do instead.
    pub(super) fn no_move_now(&self) -> Option<String> {
        let view = self.view();
        if !view.is_latest {
            Some("this is an earlier position: End returns to the game, u continues here".to_owned())
        } else if let Some(ending) = self.ending() {
            Some(format!("{ending}: u takes back, ← shows earlier positions, q ends"))
        } else if view.awaits_engine() && !view.paused {
            Some("it is the engine's move: Enter alone makes it move now, Esc pauses it".to_owned())
        } else {
            None
        }
    }

    /// A command by its name.
    pub(super) fn command(&mut self, text: &str) {
        let (verb, rest) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        match verb {
            "q" | "quit" => self.quit = true,
            "u" | "undo" => self.undo(),
            "U" | "redo" => self.redo(),
            "i" | "h" | "hint" => self.hint(),
            "go" if self.view().is_latest && self.view().to_move.is_some() => self.engine_move(),
            "go" => self.message = self.no_move_now().unwrap_or_default(),
            "v" | "values" => self.toggle_values(),
            "?" | "help" => self.help = Some(0),
            "japanese" => self.toggle_native(),
            "resign" => self.change(SessionAction::Resign),
            "declare" | "win" => self.change(SessionAction::Declare),
            "save" | "w" => self.save(rest.trim()),
            "load" => self.load(rest.trim()),
            other => self.message = format!("there is no command {other:?}; ? shows them"),
        }
    }

    fn change(&mut self, action: SessionAction) {
        if self.act(action) {
            self.position_changed();
        }
    }

    pub(super) fn undo(&mut self) {
        if self.act(SessionAction::Undo) {
            self.act(SessionAction::Pause { paused: true });
            self.message = "taken back; U plays it again".to_owned();
            self.position_changed();
        }
    }

    pub(super) fn redo(&mut self) {
        self.change(SessionAction::Redo);
    }

    pub(super) fn hint(&mut self) {
        match self.no_move_now() {
            Some(why) => self.message = why,
            None => {
                self.act(SessionAction::Hint);
                self.message = "searching for a hint …".to_owned();
            }
        }
    }

    pub(super) fn toggle_values(&mut self) {
        let on = !self.view().values;
        self.act(SessionAction::Values { on });
        self.message = match (on, self.view().mover) {
            (true, None) => "the game is over here: there are no moves to value".to_owned(),
            (true, Some(_)) => "values of the best moves, for up to 30 s; v ends them".to_owned(),
            (false, _) => "values off".to_owned(),
        };
    }

    fn toggle_native(&mut self) {
        match self.view().native.is_some() {
            true => self.native = !self.native,
            false => {
                self.message = format!("there are no Japanese names of moves in {}; shogi has them", self.view().game);
            }
        }
    }

    fn save(&mut self, file: &str) {
        let file = (!file.is_empty()).then(|| file.to_owned());
        if self.act(SessionAction::Save { file }) {
            let saved = self.view().saved.clone().unwrap_or_default();
            self.message = format!("the game is saved in {saved}");
        }
    }

    /// Continues the game of a file. The present game stays in its file; the other one gets a new file, so that the
    /// file it was read from is not overwritten.
    fn load(&mut self, file: &str) {
        if file.is_empty() || file == "-" {
            self.message = "name a file: :load FILE".to_owned();
            return;
        }
        let source = match record_source(file) {
            Ok(source) => source,
            Err(failure) => return self.message = failure.to_string(),
        };
        let save = new_file(&self.game);
        if self.act(SessionAction::Load { source, save }) {
            self.act(SessionAction::Pause { paused: true });
            self.message = format!("{file} is on the board; Enter lets the engine move, :go also for you");
            self.position_changed();
        }
    }

    /// Shows the position after so many plies.
    pub(super) fn show_ply(&mut self, ply: usize) {
        self.act(SessionAction::View { ply });
        self.clear_input();
        self.shift = (0, 0);
        let view = self.view();
        self.message = match view.is_latest {
            false => "an earlier position: ← → step, End returns to the game, u continues here".to_owned(),
            true => self.ending().unwrap_or_default(),
        };
    }

    /// Esc: clears the text, returns to the game, or pauses a search.
    pub(super) fn escape(&mut self) {
        if !self.input.is_empty() || self.source.is_some() {
            self.clear_input();
            self.message.clear();
        } else if !self.view().is_latest {
            self.show_ply(usize::MAX);
        } else if self.searching(SearchPurpose::Move).is_some() {
            self.act(SessionAction::Pause { paused: true });
            self.message = "the engine is paused; Enter lets it move, or move for it".to_owned();
        } else if self.session.search().is_some_and(|search| search.is_running) {
            self.act(SessionAction::EndAssistance);
        }
    }
}

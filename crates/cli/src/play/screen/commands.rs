//! What the user can do: moves, commands, and looking at earlier positions.

use tesuji_registry::{SearchPurpose, SessionAction};

use super::app::App;
use crate::play::{new_file, record_source};

impl App {
    /// Enter: plays the move that was typed; without one the engine moves now.
    pub(super) fn enter(&mut self) {
        let text = self.input.trim().to_owned();
        if let Some(command) = text.strip_prefix(':') {
            self.clear_input();
            return self.command(command);
        }
        let view = self.view();
        if text.is_empty() {
            self.act(SessionAction::EngineMove);
        } else if !view.is_latest {
            self.message = "this is an earlier position: End returns to the game, u continues here".to_owned();
        } else if view.awaits_engine() && !view.paused {
            self.message = "it is the engine's move: Enter alone makes it move now, Esc pauses it".to_owned();
        } else if self.act(SessionAction::Play { text }) {
            self.message.clear();
            self.position_changed();
        }
    }

    /// A command by its name.
    pub(super) fn command(&mut self, text: &str) {
        let (verb, rest) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        match verb {
            "q" | "quit" => self.quit = true,
            "u" | "undo" => self.undo(),
            "redo" => self.redo(),
            "h" | "hint" => self.hint(),
            "v" | "values" => self.toggle_values(),
            "?" | "help" => self.help = true,
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
        if self.view().awaits_human() && self.view().is_latest {
            self.act(SessionAction::Hint);
            self.message = "searching for a hint …".to_owned();
        }
    }

    pub(super) fn toggle_values(&mut self) {
        let on = !self.view().values;
        self.act(SessionAction::Values { on });
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
        let save = Some(new_file(&self.game));
        if self.act(SessionAction::Load { source, save }) {
            self.act(SessionAction::Pause { paused: true });
            self.message = format!("{file} is on the board; Enter lets the engine move");
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
            false => format!(
                "move {} of {}: arrows move on, End returns to the game, u continues here",
                view.ply,
                view.moves.len()
            ),
            true => String::new(),
        };
    }

    /// Esc: clears the text, returns to the game, or pauses a search.
    pub(super) fn escape(&mut self) {
        if !self.input.is_empty() {
            self.clear_input();
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

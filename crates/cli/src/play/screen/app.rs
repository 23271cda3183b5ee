//! The state of the screen: the session, the text being typed, what is shown.

use std::time::Duration;

use tesuji_registry::{
    EngineChoice, Error, GameHandle, SearchPurpose, SearchStatus, Session, SessionAction, SessionEvent, SessionView,
};

use crate::draw::Marks;

pub(super) struct App {
    pub(super) game: GameHandle,
    pub(super) session: Box<dyn Session>,
    pub(super) colored: bool,
    pub(super) input: String,
    /// What was typed before Tab completed it.
    stem: Option<String>,
    pub(super) message: String,
    /// Whether the keys are shown.
    pub(super) help: bool,
    pub(super) quit: bool,
    /// Where the board is moved within its window, in columns and lines.
    pub(super) shift: (i32, i32),
}

impl App {
    pub(super) fn new(game: &GameHandle, session: Box<dyn Session>, colored: bool) -> App {
        App {
            game: game.clone(),
            session,
            colored,
            input: String::new(),
            stem: None,
            message: "type a move, or press Tab to select one; ? for help".to_owned(),
            help: false,
            quit: false,
            shift: (0, 0),
        }
    }

    pub(super) fn view(&self) -> &SessionView {
        self.session.view()
    }

    /// The search under way, if it has the purpose.
    pub(super) fn searching(&self, purpose: SearchPurpose) -> Option<SearchStatus> {
        self.session.search().filter(|search| search.is_running && search.purpose == purpose)
    }

    /// Shows what the engines did, and starts their searches.
    pub(super) fn tick(&mut self) {
        for event in self.session.poll(Duration::ZERO) {
            match event {
                SessionEvent::Played { side, choice } => {
                    if let EngineChoice::Move { mv } = choice {
                        self.message = format!("{} played {mv}", self.game.player(side));
                    }
                    self.position_changed();
                }
                SessionEvent::Hint { choice: EngineChoice::Move { mv }, value } => {
                    let value = value.map_or(String::new(), |value| format!(" ({value})"));
                    self.message = format!("hint: {mv}{value}; Enter plays it");
                    self.input = mv;
                }
                SessionEvent::Hint { .. } => self.message = "there is no move to suggest".to_owned(),
                SessionEvent::Failed { message } => {
                    self.message = format!("{message}; Enter lets the engine continue");
                }
            }
        }
    }

    /// Does something in the session and shows the error, if any; whether it was done.
    pub(super) fn act(&mut self, action: SessionAction) -> bool {
        let done = self.session.act(action);
        let is_done = done.is_ok();
        if let Err(Error::Invalid(message) | Error::Failed(message) | Error::Field { message, .. }) = done {
            self.message = message;
        }
        is_done
    }

    /// The position on the screen is another one.
    pub(super) fn position_changed(&mut self) {
        self.clear_input();
        self.shift = (0, 0);
        if let Some(ending) = &self.view().ending {
            self.message = ending.text.clone();
        }
    }

    pub(super) fn clear_input(&mut self) {
        self.input.clear();
        self.stem = None;
    }

    pub(super) fn type_char(&mut self, letter: char) {
        self.stem = None;
        if self.input.len() < 200 {
            self.input.push(letter);
        }
    }

    pub(super) fn backspace(&mut self) {
        self.stem = None;
        self.input.pop();
    }

    /// The legal moves that begin with the text typed.
    pub(super) fn matching_moves(&self) -> impl Iterator<Item = &String> {
        let stem = self.stem.as_ref().unwrap_or(&self.input).to_ascii_lowercase();
        self.view().legal.iter().filter(move |text| text.to_ascii_lowercase().starts_with(&stem))
    }

    /// Puts the next or the previous matching move into the input.
    pub(super) fn complete(&mut self, forward: bool) {
        let moves: Vec<String> = self.matching_moves().cloned().collect();
        if moves.is_empty() {
            return;
        }
        let at = moves.iter().position(|text| *text == self.input).filter(|_| self.stem.is_some());
        let next = match (at, forward) {
            (None, true) => 0,
            (None, false) => moves.len() - 1,
            (Some(at), true) => (at + 1) % moves.len(),
            (Some(at), false) => (at + moves.len() - 1) % moves.len(),
        };
        let typed = std::mem::take(&mut self.input);
        self.stem.get_or_insert(typed);
        self.input.clone_from(&moves[next]);
    }

    /// What to highlight on the board.
    pub(super) fn marks(&self) -> Marks {
        Marks { picked: self.session.cells(&self.input), small: false }
    }
}

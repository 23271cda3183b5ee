//! The state of the screen: the session, the text being typed, what is shown.

use std::borrow::Cow;
use std::time::Duration;

use tesuji_registry::{
    BoardDescription, EngineChoice, Error, GameHandle, NativeView, SearchPurpose, SearchStatus, Session, SessionAction,
    SessionEvent, SessionView, SideName,
};

use super::window::BoardHits;
use crate::draw::{Marks, Target};

pub(super) struct App {
    pub(super) game: GameHandle,
    pub(super) session: Box<dyn Session>,
    pub(super) colored: bool,
    pub(super) input: String,
    /// What was typed before Tab completed it.
    stem: Option<String>,
    pub(super) message: String,
    /// The first key that the help shows, while it is shown.
    pub(super) help: Option<usize>,
    pub(super) quit: bool,
    /// Where the board is moved within its window, in columns and lines.
    pub(super) shift: (i32, i32),
    /// Whether players and moves have their native names.
    pub(super) native: bool,
    /// The clicked piece that the next click moves.
    pub(super) source: Option<Target>,
    /// What is where on the screen.
    pub(super) hits: BoardHits,
}

impl App {
    pub(super) fn new(game: &GameHandle, session: Box<dyn Session>, colored: bool) -> App {
        let mut app = App {
            game: game.clone(),
            session,
            colored,
            input: String::new(),
            stem: None,
            message: "type, click or Tab a move; ? for help".to_owned(),
            help: None,
            quit: false,
            shift: (0, 0),
            native: false,
            source: None,
            hits: BoardHits::default(),
        };
        if let Some(text) = app.ending() {
            app.message = text;
        }
        app
    }

    pub(super) fn view(&self) -> &SessionView {
        self.session.view()
    }

    /// The native names, if they are wanted.
    pub(super) fn native_view(&self) -> Option<&NativeView> {
        self.view().native.as_ref().filter(|_| self.native)
    }

    /// The name of a player.
    pub(super) fn player(&self, side: SideName) -> &str {
        self.native_view().map_or(self.game.player(side), |native| native.players[side.index()].as_str())
    }

    /// The moves of the game.
    pub(super) fn moves(&self) -> &[String] {
        self.native_view().map_or(&self.view().moves, |native| &native.moves)
    }

    /// A line of moves from the viewed position.
    pub(super) fn line(&self, line: &[String]) -> String {
        if self.native { self.session.native_line(line).join(" ") } else { line.join(" ") }
    }

    /// How the game ended, if it has.
    pub(super) fn ending(&self) -> Option<String> {
        let ending = self.view().ending.as_ref()?;
        // The text begins with the winner.
        Some(match ending.winner {
            Some(side) => ending.text.replacen(self.game.player(side), self.player(side), 1),
            None => ending.text.clone(),
        })
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
                        let mv = self.moves().last().cloned().unwrap_or(mv);
                        self.message = format!("{} played {mv}", self.player(side));
                    }
                    self.position_changed();
                }
                SessionEvent::Hint { choice: EngineChoice::Move { mv }, value } => {
                    let value = value.map_or(String::new(), |value| format!(" ({value})"));
                    self.message = format!("hint: {}{value}; Enter plays it", self.line(std::slice::from_ref(&mv)));
                    self.suggest(mv);
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
        if let Some(text) = self.ending() {
            self.message = text;
        }
    }

    pub(super) fn clear_input(&mut self) {
        self.input.clear();
        self.stem = None;
        self.source = None;
    }

    pub(super) fn type_char(&mut self, letter: char) {
        self.stem = None;
        self.source = None;
        if self.input.len() < 200 {
            self.input.push(letter);
        }
    }

    pub(super) fn backspace(&mut self) {
        self.stem = None;
        self.input.pop();
    }

    /// Puts a move into the input.
    pub(super) fn suggest(&mut self, mv: String) {
        self.clear_input();
        self.input = mv;
    }

    /// Whether a legal move or a word continues with this text.
    pub(super) fn continues(&self, text: &str) -> bool {
        /// What may be typed instead of a move.
        const WORDS: [&str; 3] = ["resign", "declare", "win"];
        let text = text.to_ascii_lowercase();
        let mut legal = self.view().legal.iter();
        legal.any(|mv| mv.to_ascii_lowercase().starts_with(&text)) || WORDS.iter().any(|word| word.starts_with(&text))
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
        self.source = None;
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

    /// The board to draw: with the tiles that the selected move would lay, and native labels if they are wanted.
    pub(super) fn board(&self) -> Cow<'_, BoardDescription> {
        let mut board = Cow::Borrowed(&self.view().board);
        if let Some(native) = self.native_view().filter(|native| native.rows.len() == board.rows.len()) {
            board.to_mut().rows.clone_from(&native.rows);
        }
        if !self.input.is_empty() {
            for (cell, content) in self.session.preview(&self.input) {
                board.to_mut().cells[cell] = content;
            }
        }
        board
    }

    /// What to highlight on the board.
    pub(super) fn marks(&self) -> Marks {
        let mut marks = Marks::default();
        if !self.input.is_empty() {
            marks.picked = self.session.cells(&self.input);
            marks.picked.extend(self.session.preview(&self.input).iter().map(|(cell, _)| cell));
        }
        match &self.source {
            Some(Target::Cell(cell)) => marks.picked.push(*cell),
            Some(Target::Hand(side, letters)) => marks.hand = Some((*side, letters.clone())),
            None => return marks,
        }
        marks.targets = self.destinations();
        marks
    }
}

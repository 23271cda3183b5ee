//! Interactive play: a game with its players, hints and values, everything as text and plain data.
//!
//! A front end calls [`Session::poll`] in its loop, sends [`SessionAction`]s and draws the [`SessionView`].

mod game;
mod player;
mod save;
mod search;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_game::Record;

use crate::{
    AnalysisUpdate, BoardDescription, CellContent, EngineChoice, Error, GameEnding, Playable, PositionSpec,
    RecordSource, Registration, SearchLimits, SideName,
};
use game::GameSession;
use player::Participant;

/// The name of a player who is no engine.
pub const HUMAN: &str = "human";

/// Asks for a game to play.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionRequest {
    /// Where the game starts.
    #[serde(flatten)]
    pub at: PositionSpec,
    /// Records instead; the first one is continued.
    pub record: Option<RecordSource>,
    /// The first player: [`HUMAN`] or an engine spec. One player alone meets the default engine; an engine meets a
    /// human.
    pub first: Option<String>,
    /// The second player.
    pub second: Option<String>,
    /// The limits of all engines.
    pub limits: SearchLimits,
    /// The file to save the game to, after every move; not saved when absent.
    pub save: Option<String>,
}

/// What to do in a session.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "action")]
pub enum SessionAction {
    /// Plays a move for the side to move; also `resign`, and `win` or `declare` in games that know such a rule.
    Play {
        /// The move in the game's notation.
        text: String,
    },
    /// The side to move resigns.
    Resign,
    /// The side to move claims the win.
    Declare,
    /// Takes back to the viewed position if that is an earlier one. Otherwise to the last position where a human chose a
    /// move; one move if there is no engine or no human.
    Undo,
    /// Plays the move again that was taken back last.
    Redo,
    /// Views the position after so many plies; beyond the end the latest one.
    View {
        /// Plies from the start.
        ply: usize,
    },
    /// Engines wait, or continue.
    Pause {
        /// Whether they wait.
        paused: bool,
    },
    /// The engine moves now: it ends its search, or it moves for the human.
    EngineMove,
    /// Searches for a hint.
    Hint,
    /// Searches for values of the position that is viewed, for at most half a minute, or ends that.
    Values {
        /// Whether to search.
        on: bool,
    },
    /// Ends searches for hints, values and moves for the human.
    EndAssistance,
    /// Saves the game, from now on to this file if there is one.
    Save {
        /// The file; its ending selects the format. Without an ending it is the first format of the game.
        file: Option<String>,
    },
    /// Continues another game: the first of these records.
    Load {
        /// The records.
        source: RecordSource,
        /// The file that the game is saved to; not saved when absent.
        save: Option<String>,
    },
}

/// Something that happened in a session.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum SessionEvent {
    /// An engine did something: it moved, claimed the win or resigned.
    Played {
        /// The side that moved.
        side: SideName,
        /// What it did.
        #[serde(flatten)]
        choice: EngineChoice,
    },
    /// A hint was found.
    Hint {
        /// What to do.
        #[serde(flatten)]
        choice: EngineChoice,
        /// Its value for people, if the engine gave one.
        value: Option<String>,
    },
    /// An engine failed or the game could not be saved. Engines are paused.
    Failed {
        /// Why.
        message: String,
    },
}

/// A session as a front end shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SessionView {
    /// The name of the game.
    pub game: String,
    /// The players.
    pub players: [SessionPlayer; 2],
    /// All moves of the game.
    pub moves: Vec<String>,
    /// The side to move at the end of the game; none when it is over.
    pub to_move: Option<SideName>,
    /// How the game ended.
    pub ending: Option<GameEnding>,
    /// The position that is viewed: plies from the start.
    pub ply: usize,
    /// Whether that is the latest position.
    pub is_latest: bool,
    /// The viewed position in the game's notation.
    pub position: String,
    /// The side to move in the viewed position; none when the game is over there.
    pub mover: Option<SideName>,
    /// The legal moves of the viewed position.
    pub legal: Vec<String>,
    /// The same moves as a board shows them, in the same order.
    pub on_board: Vec<MoveOnBoard>,
    /// The board of the viewed position.
    pub board: BoardDescription,
    /// The counts of that board for people, in games that end with a score: `discs: black 12, white 9`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// Whether engines wait.
    pub paused: bool,
    /// Whether values are wanted.
    pub values: bool,
    /// The file that the game was saved to.
    pub saved: Option<String>,
    /// Why the latest change could not be saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub save_error: Option<String>,
    /// The game in the notation of the country where it is at home, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<NativeView>,
}

/// A legal move as a board shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MoveOnBoard {
    /// The move in the game's notation.
    #[serde(rename = "move")]
    pub text: String,
    /// Its target, or its origin and target; only its origin when it leaves the board.
    pub cells: Vec<usize>,
    /// The piece that it drops: its ASCII name in the hand of the mover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped: Option<String>,
}

/// A game in the notation of the country where it is at home.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NativeView {
    /// The language: `Japanese`.
    pub language: String,
    /// The names of the players.
    pub players: [String; 2],
    /// Labels of the rows, top to bottom.
    pub rows: Vec<String>,
    /// All moves of the game.
    pub moves: Vec<String>,
    /// The legal moves of the viewed position, in the order of [`SessionView::legal`].
    pub legal: Vec<String>,
}

/// A player of a session.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SessionPlayer {
    /// The name to show.
    pub name: String,
    /// Whether it is a human.
    pub is_human: bool,
}

/// A search of a session.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SearchStatus {
    /// What it is for; `Values` for final values.
    pub purpose: SearchPurpose,
    /// Time since it began; the time of the last iteration when it is done.
    pub seconds: f64,
    /// Whether the search is still running.
    pub is_running: bool,
    /// The last iteration.
    pub update: Option<AnalysisUpdate>,
}

/// What a search of a session is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchPurpose {
    /// The move of an engine.
    Move,
    /// A move for a human who asked for one.
    Assist,
    /// A hint.
    Hint,
    /// The values of the position that is viewed.
    Values,
}

/// A game being played.
pub trait Session: Send {
    /// The state to show.
    fn view(&self) -> &SessionView;

    /// The current search, or the final values of the viewed position.
    fn search(&self) -> Option<SearchStatus>;

    /// The cells of a legal move of the viewed position; empty if it is none.
    fn cells(&self, mv: &str) -> Vec<usize>;

    /// The cells that a legal move of the viewed position fills, where that is more than its target shows.
    fn preview(&self, mv: &str) -> Vec<(usize, CellContent)>;

    /// A line of moves from the viewed position in the notation of the country where the game is at home. Moves that
    /// cannot be told stay as they are.
    fn native_line(&self, line: &[String]) -> Vec<String>;

    /// Does something.
    ///
    /// # Errors
    /// It is not possible now; the message says why.
    fn act(&mut self, action: SessionAction) -> Result<(), Error>;

    /// Takes in the results of the running search and returns what happened; waits up to `wait` for the first result.
    /// Then starts the search that is due. Its results come with the next call, so that a front end can draw before.
    fn poll(&mut self, wait: Duration) -> Vec<SessionEvent>;
}

impl SessionView {
    /// Whether a human is to move.
    pub fn awaits_human(&self) -> bool {
        self.to_move.is_some_and(|side| self.players[side.index()].is_human)
    }

    /// Whether an engine is to move.
    pub fn awaits_engine(&self) -> bool {
        self.to_move.is_some_and(|side| !self.players[side.index()].is_human)
    }
}

/// Interactive play.
pub trait SessionApi {
    /// Starts a game.
    ///
    /// # Errors
    /// The position, the record or an engine does not exist, or the game cannot be saved to that file.
    fn session(&self, request: &SessionRequest) -> Result<Box<dyn Session>, Error>;

    /// The file extension of the first record format.
    fn record_extension(&self) -> &'static str;
}

impl<G: Playable> SessionApi for Registration<G> {
    fn session(&self, request: &SessionRequest) -> Result<Box<dyn Session>, Error> {
        let record: Record<G> = match &request.record {
            Some(source) => source.record(1)?,
            None => request.at.record()?,
        };
        let default = self.engines.default;
        // The level is that of the opponent, not of the hints.
        let (opponent, limits) = request.limits.level_engine(&self.engines)?;
        let [first, second] = match (request.first.as_deref(), request.second.as_deref(), opponent.as_deref()) {
            (first, second, None) => players(first, second, default),
            (first, None, Some(level)) => [first.unwrap_or(HUMAN), level],
            (None, Some(second), Some(level)) => [level, second],
            (Some(_), Some(_), Some(_)) => {
                return Err(Error::field("level", "both players are named; leave one of them out, or the level"));
            }
        };
        let player = |spec, field| Participant::new(&self.engines, spec, field, &limits);
        let players = [player(first, "first")?, player(second, "second")?];
        let assistant = player(default, "engine")?;
        let save = request.save.as_deref().map(save::SavedGame::at::<G>).transpose()?;
        Ok(Box::new(GameSession::new(record, players, assistant, save, self.claim, self.counting)))
    }

    fn record_extension(&self) -> &'static str {
        G::FORMATS[0].extensions.first().unwrap_or(&"txt")
    }
}

/// Both players: a human meets the default engine, an engine meets a human.
fn players<'a>(first: Option<&'a str>, second: Option<&'a str>, engine: &'a str) -> [&'a str; 2] {
    let opposite = |player: &str| if player == HUMAN { engine } else { HUMAN };
    match (first, second) {
        (None, None) => [HUMAN, engine],
        (Some(first), None) => [first, opposite(first)],
        (None, Some(second)) => [opposite(second), second],
        (Some(first), Some(second)) => [first, second],
    }
}

#[cfg(test)]
mod tests {
    use tesuji_search::Time;

    use super::*;

    #[test]
    fn the_other_player() {
        assert_eq!(players(None, None, "e"), ["human", "e"]);
        assert_eq!(players(Some("human"), None, "e"), ["human", "e"]);
        assert_eq!(players(Some("random"), None, "e"), ["random", "human"]);
        assert_eq!(players(None, Some("human"), "e"), ["e", "human"]);
        assert_eq!(players(None, Some("random"), "e"), ["human", "random"]);
    }
    /// A screen may be left alone.
    #[test]
    fn values_have_a_limit() {
        assert_eq!(game::values_limits().time, Some(Time::Move(Duration::from_secs(30))));
    }
}

//! A position: the board, its text form, the legal moves, the outcome.

use serde::{Deserialize, Serialize};
use tesuji_game::{MoveList, Record};

use crate::{BoardDescription, Error, GamePosition, NamedOpening, Playable, PositionSpec, Registration, SideName};

/// Asks for a position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ShowRequest {
    /// Which one.
    #[serde(flatten)]
    pub at: PositionSpec,
    /// A position of a record, in place of one in the game's notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<GamePosition>,
    /// An evaluation to apply.
    pub eval: Option<String>,
}

/// A position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ShowResponse {
    /// The name of the game.
    pub game: String,
    /// The position in the game's notation.
    pub position: String,
    /// The side to move.
    pub mover: SideName,
    /// The legal moves.
    pub moves: Vec<String>,
    /// The outcome of a finished game: `first`, `second` or `draw`.
    pub outcome: Option<String>,
    /// Why the game is over.
    pub reason: Option<String>,
    /// The names of the opening that led here, and of the castles of both sides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub openings: Vec<NamedOpening>,
    /// The final score, seen by the mover, in games that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<i32>,
    /// Whether the mover may declare a win, in games that know such a rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declare: Option<bool>,
    /// The value by the evaluation asked for, seen by the mover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<StaticValue>,
    /// The board to draw; not part of the JSON of `show`.
    #[serde(skip)]
    pub board: Option<BoardDescription>,
}

/// The static value of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StaticValue {
    /// The evaluation.
    pub name: String,
    /// The value, seen by the mover.
    pub value: i16,
    /// The value in words.
    #[serde(skip)]
    pub text: String,
}

/// Positions to look at.
pub trait BoardApi {
    /// A position with its legal moves and its outcome.
    ///
    /// # Errors
    /// The position, a move or the evaluation does not exist.
    fn show(&self, request: &ShowRequest) -> Result<ShowResponse, Error>;
}

impl<G: Playable> BoardApi for Registration<G> {
    fn show(&self, request: &ShowRequest) -> Result<ShowResponse, Error> {
        let record = request.at.record_in::<G>(request.game.as_ref())?;
        let now = record.now();
        let eval = request.eval.as_ref().map(|name| {
            let value = (self.engines.static_eval)(name, now).map_err(|error| Error::field("eval", error))?;
            Ok::<_, Error>(StaticValue { name: name.clone(), value: value.get(), text: value.to_string() })
        });
        Ok(ShowResponse {
            game: G::NAME.to_owned(),
            position: now.print(),
            mover: now.mover().into(),
            moves: legal_moves(&record).into_iter().map(|(_, text)| text).collect(),
            outcome: outcome_word(&record),
            reason: record.ending().map(|ending| ending.reason.to_owned()),
            openings: self.named_openings(&record),
            margin: self.margin.and_then(|margin| margin(now)),
            declare: self.claim.map(|claim| claim(now, &record.path().rules)),
            eval: eval.transpose()?,
            board: Some(BoardDescription::of(&record)),
        })
    }
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameEnding {
    /// The winner; none for a draw.
    pub winner: Option<SideName>,
    /// Why the game is over.
    pub reason: String,
    /// Both for people: `black won (resignation)`.
    pub text: String,
}

impl GameEnding {
    /// The ending of a record, if it has one.
    pub(crate) fn of<G: Playable>(record: &Record<G>) -> Option<GameEnding> {
        let ending = record.ending()?;
        let result = match ending.winner {
            Some(side) => format!("{} won", G::players()[side.index()]),
            None => "a draw".to_owned(),
        };
        let text = format!("{result} ({})", ending.reason);
        Some(GameEnding { winner: ending.winner.map(SideName::from), reason: ending.reason.to_owned(), text })
    }
}

/// The legal moves with their text, in the order of the game; none when the game is over.
pub(crate) fn legal_moves<G: Playable>(record: &Record<G>) -> Vec<(G::Move, String)> {
    if record.ending().is_some() {
        return Vec::new();
    }
    let mut now = record.now().clone();
    let mut list = G::Moves::default();
    now.moves(&mut list);
    list.each().map(|mv| (mv, now.print_move(mv))).collect()
}

/// `first`, `second` or `draw` of a finished game.
pub(crate) fn outcome_word<G: Playable>(record: &Record<G>) -> Option<String> {
    record.ending().map(|ending| ending.winner.map_or("draw".to_owned(), |side| side.to_string()))
}

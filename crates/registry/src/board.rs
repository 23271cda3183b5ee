//! A position: the board, its text form, the legal moves, the outcome.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_game::{MoveList, Record};
use tesuji_search::Bound;

use crate::{
    BoardDescription, Error, GameEnding, GamePosition, NamedOpening, Playable, PositionSpec, Registration, SideName,
    ValueReport,
};

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
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
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
    /// What each side has on the board, the first player's first, in games that end with a score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<[u32; 2]>,
    /// The final score of both sides, the first player's first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<[u32; 2]>,
    /// By how much the first player won; negative if the second did.
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
    /// The counts for people: `discs: black 12, white 9`.
    #[serde(skip)]
    pub counts_text: Option<String>,
    /// The result for people: `black won 41–23`.
    #[serde(skip)]
    pub result: Option<String>,
}

/// The static value of a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StaticValue {
    /// The evaluation.
    pub name: String,
    /// The value, seen by the mover.
    #[serde(flatten)]
    pub value: ValueReport,
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
            let value = (self.engines.unit_of_eval)(name).value(value, Bound::Exact, now.outcome().is_some());
            Ok::<_, Error>(StaticValue { name: name.clone(), value: value.into() })
        });
        Ok(ShowResponse { eval: eval.transpose()?, ..self.shown(&record) })
    }
}

impl<G: Playable> Registration<G> {
    /// The position at the end of a record.
    pub(crate) fn shown(&self, record: &Record<G>) -> ShowResponse {
        let now = record.now();
        let ending = GameEnding::of(record, self.counting);
        ShowResponse {
            game: G::NAME.to_owned(),
            position: now.print(),
            mover: now.mover().into(),
            moves: legal_moves(record).into_iter().map(|(_, text)| text).collect(),
            outcome: outcome_word(record),
            reason: record.ending().map(|ending| ending.reason.to_owned()),
            openings: self.named_openings(record),
            counts: self.counting.map(|counting| (counting.counts)(now)),
            score: ending.as_ref().and_then(|ending| ending.score),
            margin: ending.as_ref().and_then(GameEnding::margin),
            declare: self.claim.map(|claim| claim(now, &record.path().rules)),
            eval: None,
            board: Some(BoardDescription::of(record)),
            counts_text: self.counting.map(|counting| counting.text(now)),
            result: ending.map(|ending| ending.text),
        }
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

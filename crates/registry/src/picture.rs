//! A position as a board that can be played on: what to draw, and what each legal move does to it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_game::{BoardView, Record, ViewCell};

use crate::board::legal_moves;
use crate::{BoardDescription, CellContent, Error, Playable, PositionSpec, Registration, ShowResponse, SideName};

/// A position with its history and the board to play on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PositionResponse {
    /// The position, its legal moves and its outcome.
    #[serde(flatten)]
    pub shown: ShowResponse,
    /// The result for people: `black won 41–23`.
    pub result: Option<String>,
    /// The position that the moves start from.
    pub start: String,
    /// The moves that were played, with passes that nobody writes.
    pub history: Vec<PlayedMove>,
    /// The board.
    pub view: BoardPicture,
}

/// A move of the game so far.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlayedMove {
    /// The move in the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// The side that played it.
    pub mover: SideName,
    /// The move in the notation of the country where the game is at home.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<String>,
}

/// A board to play on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BoardPicture {
    /// What to draw.
    #[serde(flatten)]
    pub board: BoardDescription,
    /// The names of the cells, in their order.
    pub names: Vec<String>,
    /// What each legal move does, in the order of the legal moves.
    pub moves: Vec<MovePicture>,
    /// The cell of the king in check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<usize>,
    /// How often the position has occurred, from the second time on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repetition: Option<RepetitionCount>,
    /// Where the first cell lies on a plane that stays put when the board grows: its column and row.
    pub origin: [i32; 2],
}

/// A legal move on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MovePicture {
    /// The move in the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// The cell where it starts; absent where something is placed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<usize>,
    /// The cell where it goes; absent when it leaves the board, and for a pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<usize>,
    /// The piece in hand that it drops: its ASCII name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drop: Option<String>,
    /// Where it leaves the board: `up`, `down`, `left` or `right`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<String>,
    /// All cells it changes with their new contents, where that is more than its own: tiles that it forces, discs that
    /// it turns, pieces that it pushes. What was chosen comes first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fills: Vec<(usize, CellContent)>,
    /// The move in the notation of the country where the game is at home.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<String>,
}

/// How often a position has occurred.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RepetitionCount {
    /// Occurrences, this one included.
    pub times: usize,
    /// Plies since the first of them.
    pub since: usize,
}

/// Positions to play on.
pub trait PictureApi {
    /// A position with its history, its legal moves and the board.
    ///
    /// # Errors
    /// The position or a move does not exist.
    fn position(&self, at: &PositionSpec) -> Result<PositionResponse, Error>;

    /// Lines of moves in the notation of the country where the game is at home, each up to its first move that is not
    /// legal; nothing for games without such a notation. The lines begin after `ply` moves, by default after all.
    ///
    /// # Errors
    /// The position or a move that leads to it does not exist.
    fn native_lines(
        &self,
        at: &PositionSpec,
        ply: Option<usize>,
        lines: &[Vec<String>],
    ) -> Result<Vec<Vec<String>>, Error>;
}

impl<G: Playable> PictureApi for Registration<G> {
    fn position(&self, at: &PositionSpec) -> Result<PositionResponse, Error> {
        let record = at.record::<G>()?;
        let mut shown = self.shown(&record);
        let board = shown.board.take().unwrap_or_else(|| BoardDescription::of(&record));
        Ok(PositionResponse {
            result: shown.result.take(),
            start: record.start().print(),
            history: history(&record),
            view: BoardPicture::of(&record, board),
            shown,
        })
    }

    fn native_lines(
        &self,
        at: &PositionSpec,
        ply: Option<usize>,
        lines: &[Vec<String>],
    ) -> Result<Vec<Vec<String>>, Error> {
        if G::native().is_none() {
            return Ok(Vec::new());
        }
        let whole = at.record::<G>()?;
        let record = match ply {
            Some(ply) if ply < whole.plies().len() => whole.up_to(ply),
            _ => whole,
        };
        let before = record.plies().last().map(|ply| ply.mv);
        Ok(lines.iter().map(|line| native_line(record.now().clone(), before, line)).collect())
    }
}

/// A line in native notation, after `before`.
fn native_line<G: Playable>(mut now: G, mut before: Option<G::Move>, line: &[String]) -> Vec<String> {
    let name = |text: &String| {
        let mv = now.parse_move(text).ok()?;
        let native = now.native_move(mv, before.replace(mv))?;
        now.play(mv);
        Some(native)
    };
    line.iter().map_while(name).collect()
}

/// The moves of a record with their sides.
fn history<G: Playable>(record: &Record<G>) -> Vec<PlayedMove> {
    let (mut now, mut before) = (record.start().clone(), None);
    let played = |mv| {
        let played = PlayedMove {
            mv: now.print_move(mv),
            mover: now.mover().into(),
            native: now.native_move(mv, before.replace(mv)),
        };
        now.play(mv);
        played
    };
    record.moves().map(played).collect()
}

impl BoardPicture {
    fn of<G: Playable>(record: &Record<G>, board: BoardDescription) -> BoardPicture {
        let now = record.now();
        let cells = now.view().cells;
        // Pieces with names go where the move says; discs and tiles turn and push others.
        let changes_more = !cells.iter().any(|cell| matches!(cell, ViewCell::Piece { .. }));
        let before = record.plies().last().map(|ply| ply.mv);
        let picture = |(mv, text): (G::Move, String)| {
            let direction = now.leaves_towards(mv);
            let own = now.cells(mv);
            let (from, to) = match own[..] {
                [from, to] => (Some(from), Some(to)),
                [from] if direction.is_some() => (Some(from), None),
                [to] => (None, Some(to)),
                _ => (None, None),
            };
            let mut fills = now.preview(mv);
            if fills.is_empty() && changes_more {
                fills = changes(now, &cells, mv);
            }
            MovePicture {
                mv: text,
                from,
                to,
                drop: now.dropped(mv).map(str::to_owned),
                direction: direction.map(str::to_owned),
                fills: fills.into_iter().map(|(cell, content)| (cell, content.into())).collect(),
                native: now.native_move(mv, before),
            }
        };
        let names = board.rows.iter().flat_map(|row| board.columns.iter().map(move |column| format!("{column}{row}")));
        let (column, row) = now.origin();
        BoardPicture {
            names: names.collect(),
            moves: legal_moves(record).into_iter().map(picture).collect(),
            check: now.checked_cell(),
            repetition: record
                .path()
                .repetition()
                .map(|repetition| RepetitionCount { times: repetition.times, since: repetition.since }),
            origin: [column, row],
            board,
        }
    }
}

/// The cells that a move changes on a board that keeps its size, the move's target first.
fn changes<G: BoardView>(game: &G, cells: &[ViewCell], mv: G::Move) -> Vec<(usize, ViewCell)> {
    let mut next = game.clone();
    next.play(mv);
    let after = next.view().cells;
    if after.len() != cells.len() {
        return Vec::new();
    }
    let target = game.cells(mv).last().copied();
    let changed = (0..cells.len()).filter(|&cell| after[cell] != cells[cell] && Some(cell) != target);
    target.into_iter().chain(changed).map(|cell| (cell, after[cell])).collect()
}

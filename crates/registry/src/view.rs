//! A board as serialisable data, for terminals and web pages.

use std::collections::BTreeSet;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_game::{BoardView, Highlight, HighlightKind, MoveList, Notation, PieceCounts, Record, Side, ViewCell};

/// One of the two players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SideName {
    /// Moves first.
    First,
    /// Moves second.
    Second,
}

impl SideName {
    /// 0 for the first player, 1 for the second.
    pub fn index(self) -> usize {
        self as usize
    }
}

impl From<Side> for SideName {
    fn from(side: Side) -> SideName {
        match side {
            Side::First => SideName::First,
            Side::Second => SideName::Second,
        }
    }
}

impl fmt::Display for SideName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(if *self == SideName::First { "first" } else { "second" })
    }
}

/// A board of cells, row by row from the top left, with the cells to highlight.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BoardDescription {
    /// Labels of the columns, left to right.
    pub columns: Vec<String>,
    /// Labels of the rows, top to bottom.
    pub rows: Vec<String>,
    /// `rows.len() * columns.len()` cells.
    pub cells: Vec<CellContent>,
    /// The pieces in hand of each side.
    pub hands: [Vec<HandEntry>; 2],
    /// The look of an empty board.
    pub ground: Ground,
    /// Cells of the last move.
    pub last: Vec<usize>,
    /// Cells where the mover may go, in games of placing.
    pub playable: BTreeSet<usize>,
    /// The pieces of each side on the board, in games where their number decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<SideCounts>,
    /// The cells that won a finished game, in games where they can be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winning: Option<WinningCells>,
    /// The move that only the one before forbids.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forbidden: Option<ForbiddenMove>,
    /// Cells that a player may want to have pointed out: stable discs, attacks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub highlights: Vec<HighlightedCells>,
}

/// The pieces of each side on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SideCounts {
    /// What is counted: `discs`.
    pub noun: String,
    /// The first player's, then the second's.
    pub sides: [u32; 2],
    /// What each side has lost, in games where pieces are lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<[u32; 2]>,
}

/// The cells of a loop, a line, a row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WinningCells {
    /// The winner.
    pub side: SideName,
    /// The cells.
    pub cells: Vec<usize>,
}

/// Cells that a player may want to have pointed out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HighlightedCells {
    /// Whose they are.
    pub side: SideName,
    /// The cells.
    pub cells: Vec<usize>,
}

/// What is special about cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum HighlightName {
    /// Pieces that stay as they are to the end of the game.
    Stable,
    /// Cells where the side would win at once if it were to move.
    Attack,
}

/// A move that only the one before forbids, such as a ko.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ForbiddenMove {
    /// The move in the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its cells: where it starts and where it goes.
    pub cells: Vec<usize>,
}

/// The look of an empty board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Ground {
    /// Green cloth with ruled lines.
    Felt,
    /// Light wood with ruled lines.
    Wood,
    /// Neutral, without lines: tiles lie on a table.
    Table,
}

/// The content of a cell.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CellContent {
    /// Nothing.
    Empty,
    /// A disc of that side.
    Disc(SideName),
    /// A hole that pieces fall into.
    Hole,
    /// A piece with a name on it.
    Piece {
        /// Its owner.
        side: SideName,
        /// Its native sign, possibly two columns wide.
        sign: String,
        /// Its name in ASCII, at most two characters, in upper case.
        letters: String,
    },
    /// A tile with two tracks: the owner of the track at the north, east, south and west edge.
    Tile([SideName; 4]),
}

/// Pieces of one kind in hand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HandEntry {
    /// The native sign.
    pub sign: String,
    /// The name in ASCII.
    pub letters: String,
    /// How many.
    pub count: usize,
}

impl BoardDescription {
    /// The board at the end of a record: the cells of the last move where the board has kept its size, and where the
    /// mover may go in games of placing. Where pieces move, nearly every cell would be marked.
    pub fn of<G: BoardView + Notation>(record: &Record<G>) -> BoardDescription {
        let now = record.now();
        let view = now.view();
        let mut list = G::Moves::default();
        if record.ending().is_none() {
            now.clone().moves(&mut list);
        }
        let targets: Vec<Vec<usize>> = list.each().map(|mv| now.cells(mv)).collect();
        let placing = targets.iter().all(|cells| cells.len() <= 1);
        let mut last = view.last;
        if let (true, Some(ply)) = (last.is_empty(), record.plies().last()) {
            let mut before = record.start().clone();
            for earlier in record.moves().take(record.plies().len() - 1) {
                before.play(earlier);
            }
            if before.view().cells.len() == view.cells.len() {
                last = before.cells(ply.mv);
            }
        }
        BoardDescription {
            columns: view.columns,
            rows: view.rows,
            cells: view.cells.into_iter().map(CellContent::from).collect(),
            hands: view.hands.map(|hand| {
                let entry = |piece: tesuji_game::HandPiece| HandEntry {
                    sign: piece.sign.to_owned(),
                    letters: piece.letters.to_owned(),
                    count: piece.count,
                };
                hand.into_iter().map(entry).collect()
            }),
            ground: match view.ground {
                tesuji_game::Ground::Felt => Ground::Felt,
                tesuji_game::Ground::Wood => Ground::Wood,
                tesuji_game::Ground::Table => Ground::Table,
            },
            last,
            playable: if placing { targets.concat().into_iter().collect() } else { BTreeSet::new() },
            counts: now.piece_counts().map(SideCounts::from),
            winning: now.winning_cells().map(|(side, cells)| WinningCells { side: side.into(), cells }),
            forbidden: now.forbidden_move().map(|mv| ForbiddenMove { mv: now.print_move(mv), cells: now.cells(mv) }),
            highlights: now.highlights().into_iter().map(HighlightedCells::from).collect(),
        }
    }
}

impl From<HighlightKind> for HighlightName {
    fn from(kind: HighlightKind) -> HighlightName {
        match kind {
            HighlightKind::Stable => HighlightName::Stable,
            HighlightKind::Attack => HighlightName::Attack,
        }
    }
}

impl From<Highlight> for HighlightedCells {
    fn from(Highlight { side, cells }: Highlight) -> HighlightedCells {
        HighlightedCells { side: side.into(), cells }
    }
}

impl From<PieceCounts> for SideCounts {
    fn from(counts: PieceCounts) -> SideCounts {
        let lost = counts.full.map(|full| counts.sides.map(|count| full.saturating_sub(count)));
        SideCounts { noun: counts.noun.to_owned(), sides: counts.sides, lost }
    }
}

impl From<ViewCell> for CellContent {
    fn from(cell: ViewCell) -> CellContent {
        match cell {
            ViewCell::Empty => CellContent::Empty,
            ViewCell::Disc(side) => CellContent::Disc(side.into()),
            ViewCell::Hole => CellContent::Hole,
            ViewCell::Piece { side, sign, letters } => {
                CellContent::Piece { side: side.into(), sign: sign.to_owned(), letters: letters.to_owned() }
            }
            ViewCell::Tile(edges) => CellContent::Tile(edges.map(SideName::from)),
        }
    }
}

//! The outline: all open ends of tracks in the order in which a walk around the tiles meets them.
//!
//! A walk keeps the tiles on one side. Between an edge and the next the outline turns inwards (both edges belong to the
//! same empty cell), runs straight on (two neighbouring tiles), or turns outwards (both edges belong to the same tile).
//! A board with enclosed empty cells has one more closed walk for each hole.

use crate::position::Trax;
use crate::variant::Variant;

/// How the outline goes on behind an edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Turn {
    /// The next edge belongs to the same empty cell.
    Inwards,
    /// The next edge belongs to the next tile.
    Straight,
    /// The next edge belongs to the same tile.
    Outwards,
}

/// An edge of the outline: the open end of a track.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutlineEdge {
    /// The index of the other end of the track.
    pub partner: u16,
    /// The column of the empty cell, as in a [`Coordinate`](crate::Coordinate).
    pub column: u16,
    /// The row of the empty cell.
    pub row: u16,
    /// The side of the empty cell where the tile is: the number of a [`Dir`](crate::Dir).
    pub dir: u8,
    /// The owner of the track: the index of a [`Side`](tesuji_game::Side).
    pub side: u8,
    /// How the outline goes on.
    pub turn: Turn,
}

/// The outline of a position; the buffers are reused.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// The edges of all closed walks, one walk after another.
    pub edges: Vec<OutlineEdge>,
    /// Behind the last edge of each walk.
    pub walks: Vec<u16>,
    /// The index of an end by place of its cell among the playable ones and by side.
    ids: Vec<u16>,
}

const UNSEEN: u16 = u16::MAX;

impl<V: Variant> Trax<V> {
    /// Writes the outline to `out`. Empty before the first tile.
    pub fn outline(&self, out: &mut Outline) {
        let board = &self.board;
        let Outline { edges, walks, ids } = out;
        edges.clear();
        walks.clear();
        if self.is_empty() {
            return;
        }
        ids.clear();
        ids.resize(4 * board.playable.len(), UNSEEN);
        let corner = board.cell(board.frame.left - 1, board.frame.top - 1);
        let (shift, mask) = (board.shift, (1 << board.shift) - 1);
        let (left, top) = (corner & mask, corner >> shift);
        for &first in &board.playable {
            if edges.len() == board.ends as usize {
                break;
            }
            let shown = board.edges(first);
            for first_dir in 0..4 {
                if shown >> (2 * first_dir) & 3 == 0 {
                    continue;
                }
                let (mut cell, mut dir) = (first, first_dir);
                loop {
                    let id = &mut ids[4 * board.slot[cell as usize] as usize + dir];
                    if *id != UNSEEN {
                        break;
                    }
                    *id = edges.len() as u16;
                    let (column, row) = (((cell & mask) - left) as u16, ((cell >> shift) - top) as u16);
                    let side = board.edges(cell) >> (2 * dir + 1) & 1;
                    let here = dir as u8;
                    let ahead_dir = (dir + 1) & 3;
                    let ahead = board.neighbour(cell, ahead_dir);
                    let turn = if board.is_laid(ahead) {
                        dir = ahead_dir;
                        Turn::Inwards
                    } else {
                        let beside = board.neighbour(ahead, dir);
                        if board.is_laid(beside) {
                            cell = ahead;
                            Turn::Straight
                        } else {
                            cell = beside;
                            dir = ahead_dir ^ 2;
                            Turn::Outwards
                        }
                    };
                    edges.push(OutlineEdge { partner: UNSEEN, column, row, dir: here, side, turn });
                }
                if walks.last().copied().unwrap_or(0) as usize != edges.len() {
                    walks.push(edges.len() as u16);
                }
            }
        }
        for edge in edges.iter_mut() {
            let cell = corner + u32::from(edge.column) + (u32::from(edge.row) << shift);
            let end = board.partner[4 * cell as usize + usize::from(edge.dir)];
            edge.partner = ids[4 * board.slot[(end / 4) as usize] as usize + (end % 4) as usize];
        }
    }
}

//! Attacks: tracks that their owner can complete in one turn.
//!
//! Two open ends of one track in neighbouring cells close when either cell is filled so that the track leads into the
//! other, which is then forced (a narrow attack); with one cell between them, filling that one forces both (a wide
//! attack). A track that leaves the box on one side and stands at the opposite one needs a last tile to be a line. Such
//! moves are candidates; whether they win is verified by playing them. Longer chains can complete a track as well; they
//! are left to the search.

use tesuji_game::{Game, Side};

use crate::board::{BoundingBox, CellIndex, EndIndex};
use crate::edges::{BROKEN, Edges, FORCED, FREE, NUMBER, TILES, paint, tracks};
use crate::inspect::WinKind;
use crate::moves::Move;
use crate::position::{SHORTEST_LINE, Trax};
use crate::tile::{Dir, Glyph};
use crate::variant::Variant;

/// Candidates that are verified for one position.
const CANDIDATES: usize = 16;

/// A few moves as cells and tiles.
struct Candidates {
    list: [(CellIndex, Edges); CANDIDATES],
    len: usize,
}

impl Candidates {
    #[inline]
    fn push(&mut self, cell: CellIndex, tile: Edges) {
        if tile != FREE && tile != BROKEN && self.len < CANDIDATES {
            self.list[self.len] = (cell, tile);
            self.len += 1;
        }
    }
}

impl<V: Variant> Trax<V> {
    /// A move that would win the game at once if it were the turn of `side`. A win by a long chain may be missed.
    #[inline]
    pub fn win_in_one(&mut self, side: Side) -> Option<Move> {
        if self.done != 0 || self.is_empty() {
            return None;
        }
        // Verification must not renumber cells.
        self.board.reserve(1);
        let mut tries = Candidates { list: [(0, 0); CANDIDATES], len: 0 };
        self.finishing(side, &mut tries);
        for &(cell, tile) in &tries.list[..tries.len] {
            if self.wins(side, cell, tile) {
                return Some(self.move_of(cell, tile));
            }
        }
        None
    }

    /// The moves that would win the game at once if it were the turn of `side`, the same move perhaps twice. Wins by
    /// long chains may be missed.
    pub fn wins_in_one(&mut self, side: Side) -> Vec<Move> {
        if self.done != 0 || self.is_empty() {
            return Vec::new();
        }
        self.board.reserve(1);
        let mut tries = Candidates { list: [(0, 0); CANDIDATES], len: 0 };
        self.finishing(side, &mut tries);
        let mut moves = Vec::new();
        for &(cell, tile) in &tries.list[..tries.len] {
            if self.wins(side, cell, tile) {
                moves.push(self.move_of(cell, tile));
            }
        }
        moves
    }

    /// Whether `side` has a move that may win at once, not verified.
    #[inline]
    pub fn may_win_in_one(&self, side: Side) -> bool {
        if self.done != 0 || self.is_empty() {
            return false;
        }
        let mut tries = Candidates { list: [(0, 0); CANDIDATES], len: 0 };
        self.finishing(side, &mut tries);
        tries.len > 0
    }

    /// A number for the cell, counted from the first tile, and the glyph of a move, which stays the same while the box
    /// grows.
    #[inline]
    pub fn absolute(&self, mv: Move) -> u32 {
        let ((left, top), place) = (self.corner(), mv.place());
        let (x, y) = (left + place.column as i16, top + place.row as i16);
        (x as u8 as u32) << 10 | (y as u8 as u32) << 2 | mv.glyph().map_or(3, |glyph| glyph as u32)
    }

    /// Passes the turn, which the rules do not allow: for searches. `None` when the game is over.
    #[inline]
    pub fn pass(&mut self) -> Option<crate::Undo> {
        if self.done != 0 {
            return None;
        }
        let undo = self.undo_of_nothing();
        self.mover = !self.mover;
        Some(undo)
    }

    /// Whether this legal or illegal turn of `side` is legal and wins.
    fn wins(&mut self, side: Side, cell: CellIndex, tile: Edges) -> bool {
        let (x, y) = self.board.place(cell);
        if self.within().is_some_and(|frame| !frame.holds(x, y)) || self.board.breaks(cell, tile).is_some() {
            return false;
        }
        let mover = std::mem::replace(&mut self.mover, side);
        let undo = self.play_tile(cell, tile);
        let won = self.winner().is_some_and(|(winner, _)| winner == side);
        self.undo(undo);
        self.mover = mover;
        won
    }

    /// The move that lays this tile.
    #[inline]
    fn move_of(&self, cell: CellIndex, tile: Edges) -> Move {
        Move::new(self.named(cell), Glyph::ALL[usize::from(NUMBER[usize::from(tile)] / 2)])
    }

    /// Collects the moves that would complete an attack of `side`, if they are legal.
    #[inline]
    fn finishing(&self, side: Side, tries: &mut Candidates) {
        let board = &self.board;
        let bit = 1u8 << side.index();
        let (shift, mask) = (board.shift, (1u32 << board.shift) - 1);
        let frame = &board.frame;
        let long = V::LINES && frame.width().max(frame.height()) + 1 >= SHORTEST_LINE;
        for &cell in &board.playable {
            let mut sides = board.edges(cell) & (0x55 * bit);
            while sides != 0 {
                let dir = sides.trailing_zeros() / 2;
                sides &= sides - 1;
                let other = board.partner[(4 * cell + dir) as usize];
                let there = other / 4;
                let dx = (there & mask) as i32 - (cell & mask) as i32;
                let dy = (there >> shift) as i32 - (cell >> shift) as i32;
                // Each track is met at both ends.
                if cell < there {
                    match dx.abs() + dy {
                        1 => self.narrow(bit, cell, there, (dx, dy), tries),
                        2 => self.wide(bit, cell, there, (dx, dy), tries),
                        _ => {}
                    }
                }
                if long && dx.abs().max(dy.abs()) + 2 >= SHORTEST_LINE as i32 {
                    self.crossing(bit, other, 4 * cell + dir, tries);
                }
            }
        }
    }

    /// Two ends in neighbouring cells.
    #[cold]
    fn narrow(&self, bit: u8, here: CellIndex, there: CellIndex, (dx, dy): (i32, i32), tries: &mut Candidates) {
        let dir = towards(dx, dy);
        for (cell, dir) in [(here, dir), (there, dir ^ 2)] {
            tries.push(cell, FORCED[usize::from(self.board.edges(cell) | paint(bit, dir))]);
        }
    }

    /// Two ends with one cell between them, or at the two sides of a corner.
    #[cold]
    fn wide(&self, bit: u8, here: CellIndex, there: CellIndex, (dx, dy): (i32, i32), tries: &mut Candidates) {
        let (sx, sy) = (dx.signum(), dy.signum());
        let between: [(i32, i32); 2] = if sx == 0 || sy == 0 { [(sx, sy); 2] } else { [(sx, 0), (0, sy)] };
        let count = if sx == 0 || sy == 0 { 1 } else { 2 };
        for &(ax, ay) in &between[..count] {
            let first = towards(ax, ay);
            let middle = self.board.neighbour(here, first);
            let second = towards(dx - ax, dy - ay);
            debug_assert_eq!(self.board.neighbour(middle, second), there);
            let shown = self.board.edges(middle);
            if shown != 0 && !self.board.is_laid(middle) {
                let wanted = shown | paint(bit, first ^ 2) | paint(bit, second);
                tries.push(middle, FORCED[usize::from(wanted)]);
            }
        }
    }

    /// The move that makes a line of a track whose other end has left the box.
    #[cold]
    fn crossing(&self, bit: u8, end: EndIndex, other: EndIndex, tries: &mut Candidates) {
        let BoundingBox { left, right, top, bottom } = self.board.frame;
        let ((x, y), (ox, oy)) = (self.board.place(end / 4), self.board.place(other / 4));
        let behind = Dir::ALL[(other % 4) as usize];
        let cell = end / 4;
        let mut reach = |out: usize, length: i16| {
            if length >= SHORTEST_LINE as i16 && out != (end % 4) as usize {
                let shown = self.board.edges(cell);
                tries.push(cell, FORCED[usize::from(shown | paint(bit, out))]);
            }
        };
        // The last tile of a track that has left lies on the near side of the cell beyond.
        if ox < left && behind == Dir::East && x >= right {
            reach(Dir::East as usize, x.max(right) - left + 1);
        }
        if ox > right && behind == Dir::West && x <= left {
            reach(Dir::West as usize, right - x.min(left) + 1);
        }
        if oy < top && behind == Dir::South && y >= bottom {
            reach(Dir::South as usize, y.max(bottom) - top + 1);
        }
        if oy > bottom && behind == Dir::North && y <= top {
            reach(Dir::North as usize, bottom - y.min(top) + 1);
        }
    }

    /// Writes to `out` the legal moves that might answer the winning move `attack` of the opponent: all others leave it
    /// legal and winning.
    ///
    /// A tile that forces nothing changes nothing about a chain unless it is laid within two steps of it. Where the
    /// chain makes a line, a larger box may undo it.
    pub fn defences(&mut self, attack: Move, out: &mut Vec<Move>) {
        out.clear();
        let Ok((cell, tile)) = self.check(attack) else { return self.moves(out) };
        let from = self.board.log.len();
        let undo = self.play_tile(cell, tile);
        let mut near: Vec<(i16, i16)> = Vec::with_capacity(8);
        for at in from..self.board.log.len() {
            near.push(self.board.place(self.board.log[at].cell));
        }
        // The mover is the attacker again.
        let line = self.completed(self.mover) == Some(WinKind::Line);
        self.undo(undo);
        let frame = self.board.frame;
        let within = self.within();
        // The generator holds the board; the tests below need it.
        let mut found: Vec<(CellIndex, u8)> = Vec::with_capacity(64);
        self.board.each_cell(within, |cell, legal| {
            found.push((cell, legal));
            true
        });
        for (cell, mut legal) in found {
            let (x, y) = self.board.place(cell);
            let is_near = near.iter().any(|&(nx, ny)| (nx - x).abs() + (ny - y).abs() <= 2);
            let all = is_near || line && !frame.holds(x, y);
            let forcing = if all { 0 } else { self.board.forcing(cell) };
            while legal != 0 {
                let number = legal.trailing_zeros();
                legal &= legal - 1;
                let tile = TILES[number as usize];
                if all || tile & forcing != 0 {
                    out.push(self.move_of(cell, tile));
                }
            }
        }
    }

    /// Writes to `out` the legal moves that leave the mover a winning turn if the opponent does not answer.
    pub fn attacking_moves(&mut self, out: &mut Vec<Move>) {
        out.clear();
        self.each_attack(|game, cell, tile, _| out.push(game.move_of(cell, tile)));
    }

    /// Writes to `out` the moves by which the mover keeps the initiative: each leaves him a winning turn, and the
    /// opponent none. Of moves that lead to the same position only one is kept; `keys` is room for their keys.
    pub fn initiative_moves(&mut self, keys: &mut Vec<u64>, out: &mut Vec<Move>) {
        out.clear();
        keys.clear();
        let side = self.mover;
        self.each_attack(|game, cell, tile, key| {
            if keys.contains(&key) {
                return;
            }
            keys.push(key);
            let undo = game.play_tile(cell, tile);
            let safe = game.win_in_one(!side).is_none();
            game.undo(undo);
            if safe {
                out.push(game.move_of(cell, tile));
            }
        });
    }

    /// Calls `each` with the tile of every attacking move and the key of the position after it.
    fn each_attack(&mut self, mut each: impl FnMut(&mut Trax<V>, CellIndex, Edges, u64)) {
        if self.done != 0 || self.is_empty() {
            return;
        }
        self.board.reserve(2);
        let side = self.mover;
        let within = self.within();
        let mut found: Vec<(CellIndex, u8)> = Vec::with_capacity(64);
        self.board.each_cell(within, |cell, legal| {
            found.push((cell, legal));
            true
        });
        for (cell, mut legal) in found {
            let forcing = self.board.forcing(cell);
            while legal != 0 {
                let number = legal.trailing_zeros();
                legal &= legal - 1;
                let tile = TILES[number as usize];
                if tile & forcing == 0 && !self.may_attack(side, cell, tile) {
                    continue;
                }
                let undo = self.play_tile(cell, tile);
                let attacks = self.done == 0 && self.win_in_one(side).is_some();
                let key = if attacks { self.identity_key() } else { 0 };
                self.undo(undo);
                if attacks {
                    each(self, cell, tile, key);
                }
            }
        }
    }

    /// Whether a tile that forces nothing may bring the ends of a track of `side` so near that it can be completed.
    #[inline]
    fn may_attack(&self, side: Side, cell: CellIndex, tile: Edges) -> bool {
        let board = &self.board;
        let ends = tracks(tile);
        let (a, b) = if side == Side::First { (ends[0], ends[1]) } else { (ends[2], ends[3]) };
        let shown = board.edges(cell);
        let end = |dir: u8| {
            if shown >> (2 * dir) & 3 != 0 {
                board.partner[4 * cell as usize + usize::from(dir)]
            } else {
                4 * board.neighbour(cell, usize::from(dir)) + u32::from(dir ^ 2)
            }
        };
        let (p, q) = (end(a), end(b));
        let ((x, y), (ox, oy)) = (board.place(p / 4), board.place(q / 4));
        if (x - ox).abs() + (y - oy).abs() <= 2 {
            return true;
        }
        // A line is near when the track spans the box but for a step.
        let frame = &board.frame;
        V::LINES
            && ((x - ox).unsigned_abs() as usize + 1 >= frame.width().max(SHORTEST_LINE - 1)
                || (y - oy).unsigned_abs() as usize + 1 >= frame.height().max(SHORTEST_LINE - 1))
    }
}

/// The direction of a step.
#[inline]
fn towards(dx: i32, dy: i32) -> usize {
    match (dx, dy) {
        (0, -1) => 0,
        (1, _) => 1,
        (0, _) => 2,
        _ => 3,
    }
}

//! The perfect index of Ostle: one number for all eight images of a board, with few gaps.
//!
//! A board is transformed so that the hole is on one of six cells, and then so that the own pieces are the least set under
//! the symmetries that keep the hole. It is then a row (hole and own pieces) and a column (the opponent's pieces among the
//! remaining cells). When a symmetry also keeps the own pieces, the least column counts. The other columns of such a row
//! are the only unused numbers, less than one in a hundred.

mod bmi2;
mod choose;
mod compress;
mod images;
mod predecessors;
mod rows;
mod unmoves;

use tesuji_game::{BoardRank, Outcome, PerfectIndex, Predecessor, Successor};

use crate::board::{CELLS, Ostle};
use crate::moves::Move;
use crate::play::Fallen;
use choose::{Choose, binomial};
use compress::{BitCompress, Portable, without};
use images::{Images, SYMMETRIES};
use predecessors::BoardSets;
use rows::{HOLES, IndexRows};
use unmoves::Unmoves;

/// The ranks of the boards with the same number of pieces on each side.
struct ClassRanks {
    own: u32,
    other: u32,
    columns: u32,
    /// The first rank of each hole, and the size of the class.
    starts: [u32; HOLES.len() + 1],
}

/// The perfect index of all boards in play. Its tables have about a megabyte.
///
/// Classes are 0 for four pieces a side, 1 when the mover has five and the opponent four, 2 for the reverse, 3 for
/// five each.
///
/// ```
/// use tesuji_game::{Game, PerfectIndex};
/// use tesuji_ostle::{Index, Ostle};
///
/// let index = Index::new();
/// let place = index.rank(Ostle::start());
/// assert_eq!((place.class, index.size(3)), (3, 1_550_884_500));
/// let board = index.unrank(place.class, place.index).unwrap();
/// assert_eq!(board.canonical_code(), Ostle::start().canonical_code());
/// ```
pub struct Index {
    classes: [ClassRanks; 4],
    /// Four pieces, then five.
    rows: [[IndexRows; HOLES.len()]; 2],
    choose: [Choose; 2],
    images: Images,
    /// For each cell: the one of the six holes that it maps to, and the symmetry.
    kinds: [(u8, u8); CELLS],
    /// Pushes in which nothing fell, a piece of the pusher's, one of the other side's.
    unmoves: [Unmoves; 3],
}

/// The rank of a board within its class.
struct Located {
    index: u32,
    /// The symmetry that was applied.
    symmetry: u8,
    /// Whether the board is symmetric.
    symmetric: bool,
}

/// The classes in the order of their numbers: pieces of the mover and the opponent.
const CLASSES: [(u32, u32); 4] = [(4, 4), (5, 4), (4, 5), (5, 5)];

impl Default for Index {
    fn default() -> Index {
        Index::new()
    }
}

impl Index {
    /// Builds the tables.
    pub fn new() -> Index {
        let images = Images::new();
        let choose = [Choose::new(4), Choose::new(5)];
        let rows = choose.each_ref().map(|choose| HOLES.map(|hole| IndexRows::new(hole, choose, &images)));
        let classes = CLASSES.map(|(own, other)| {
            let columns = binomial(CELLS as u32 - 1 - own, other);
            let mut starts = [0; HOLES.len() + 1];
            for (kind, rows) in rows[own as usize - 4].iter().enumerate() {
                starts[kind + 1] = starts[kind] + rows.len() * columns;
            }
            ClassRanks { own, other, columns, starts }
        });
        let kinds = std::array::from_fn(|cell| {
            let turned = |symmetry: u8| images.of(1 << cell, symmetry).trailing_zeros() as u8;
            let found = (0..SYMMETRIES as u8).find_map(|symmetry| {
                let kind = HOLES.iter().position(|&hole| hole == turned(symmetry))?;
                Some((kind as u8, symmetry))
            });
            found.unwrap_or_default()
        });
        let unmoves = [Fallen::Nothing, Fallen::Own, Fallen::Other].map(Unmoves::new);
        Index { classes, rows, choose, images, kinds, unmoves }
    }

    /// The first rank of each hole in a class (the holes 0, 1, 2, 6, 7 and 12), and the end of the class.
    pub fn hole_starts(&self, class: u8) -> [u32; 7] {
        self.classes[usize::from(class & 3)].starts
    }

    /// The number of ranks with the same hole and own pieces.
    pub fn columns(&self, class: u8) -> u32 {
        self.classes[usize::from(class & 3)].columns
    }

    /// The image of a set of cells.
    #[inline(always)]
    pub(crate) fn image_of(&self, set: u32, symmetry: u8) -> u32 {
        self.images.of(set, symmetry)
    }

    #[inline(always)]
    fn class_of(&self, own: u32, other: u32) -> u8 {
        (own & 1 | (other & 1) << 1) as u8
    }

    /// Ranks a board whose hole is one of the six.
    #[inline(always)]
    fn locate<B: BitCompress>(&self, bits: B, class: &ClassRanks, kind: usize, own: u32, other: u32) -> Located {
        let hole = 1 << HOLES[kind];
        let rows = &self.rows[class.own as usize & 1][kind];
        let (row, symmetry) = rows.find(self.choose[class.own as usize & 1].rank(without(own, hole)));
        let start = class.starts[kind] + row * class.columns;
        if row >= rows.ties {
            return self.break_tie(bits, class, kind, row, own, other);
        }
        let turned = self.images.of(other, symmetry);
        let column = self.choose[class.other as usize & 1].rank(bits.compress(turned, rows.set(row) | hole));
        Located { index: start + column, symmetry, symmetric: false }
    }

    /// The same for symmetric own pieces: the symmetry with the least column counts.
    #[cold]
    #[inline(never)]
    fn break_tie<B: BitCompress>(
        &self,
        bits: B,
        class: &ClassRanks,
        kind: usize,
        row: u32,
        own: u32,
        other: u32,
    ) -> Located {
        let rows = &self.rows[class.own as usize & 1][kind];
        let (set, hole) = (rows.set(row), 1 << HOLES[kind]);
        let start = class.starts[kind] + row * class.columns;
        let mut best = Located { index: u32::MAX, symmetry: 0, symmetric: false };
        for &symmetry in rows.stabiliser() {
            if self.images.of(own, symmetry) != set {
                continue;
            }
            let turned = self.images.of(other, symmetry);
            let column = self.choose[class.other as usize & 1].rank(bits.compress(turned, set | hole));
            if start + column < best.index {
                best = Located { index: start + column, symmetry, symmetric: false };
            } else if start + column == best.index {
                best.symmetric = true;
            }
        }
        best
    }

    /// The sets of the board of a number.
    #[inline(always)]
    fn cells<B: BitCompress>(&self, bits: B, class: u8, index: u32) -> Option<BoardSets> {
        let class = &self.classes[usize::from(class & 3)];
        if index >= class.starts[HOLES.len()] {
            return None;
        }
        let kind = class.starts[1..HOLES.len()].iter().filter(|&&start| start <= index).count();
        let place = index - class.starts[kind];
        let (row, column) = (place / class.columns, place % class.columns);
        let rows = &self.rows[class.own as usize & 1][kind];
        let own = rows.set(row);
        let compressed = self.choose[class.other as usize & 1].sets()[column as usize];
        let other = bits.expand(compressed, own | 1 << HOLES[kind]);
        let mut cells = BoardSets { own, other, kind, symmetric: false };
        if row >= rows.ties {
            let found = self.break_tie(bits, class, kind, row, own, other);
            if found.index != index {
                return None;
            }
            cells.symmetric = found.symmetric;
        }
        Some(cells)
    }

    #[inline(always)]
    fn rank_by<B: BitCompress>(&self, bits: B, board: Ostle) -> BoardRank {
        let (kind, turn) = self.kinds[usize::from(board.hole()) % CELLS];
        let (own, other) = (self.images.of(board.own(), turn), self.images.of(board.other(), turn));
        let class = self.class(board);
        let found = self.locate(bits, &self.classes[usize::from(class)], usize::from(kind), own, other);
        let symmetry = self.images.compose(turn, found.symmetry);
        BoardRank { class, index: found.index, symmetry, symmetric: found.symmetric }
    }

    #[inline(always)]
    fn unrank_by<B: BitCompress>(&self, bits: B, class: u8, index: u32) -> Option<Ostle> {
        let cells = self.cells(bits, class, index)?;
        Some(Ostle::assemble(cells.own, cells.other, HOLES[cells.kind]))
    }

    #[inline(always)]
    fn predecessors_by<const FALLS: bool>(&self, class: u8, index: u32, visit: impl FnMut(Predecessor)) {
        match bmi2::available() {
            Some(found) => bmi2::predecessors::<FALLS>(found, self, class, index, visit),
            None => predecessors::predecessors::<FALLS, _>(Portable, self, class, index, visit),
        }
    }
}

impl PerfectIndex for Index {
    type Board = Ostle;

    fn stages(&self) -> &[&[u8]] {
        &[&[0], &[1, 2], &[3]]
    }

    fn size(&self, class: u8) -> u32 {
        self.classes[usize::from(class & 3)].starts[HOLES.len()]
    }

    fn class_name(&self, class: u8) -> String {
        let (own, other) = CLASSES[usize::from(class & 3)];
        format!("{own}-{other}")
    }

    #[inline]
    fn class(&self, board: Ostle) -> u8 {
        let (own, other) = board.pieces();
        self.class_of(own, other)
    }

    /// The board must be in play: four or five pieces a side.
    #[inline]
    fn rank(&self, board: Ostle) -> BoardRank {
        match bmi2::available() {
            Some(found) => bmi2::rank(found, self, board),
            None => self.rank_by(Portable, board),
        }
    }

    #[inline]
    fn unrank(&self, class: u8, index: u32) -> Option<Ostle> {
        match bmi2::available() {
            Some(found) => bmi2::unrank(found, self, class, index),
            None => self.unrank_by(Portable, class, index),
        }
    }

    #[inline]
    fn image(&self, mv: u8, symmetry: u8) -> u8 {
        use tesuji_game::Symmetric;
        Ostle(0).image_move(Move::of(mv), usize::from(symmetry)).index()
    }

    fn is_symmetric(&self, board: Ostle) -> bool {
        let code = board.code();
        board.image_codes()[1..].contains(&code)
    }

    fn equivalent_moves(&self, board: Ostle, mv: u8, mut visit: impl FnMut(u8)) {
        let codes = board.image_codes();
        for symmetry in (0..).zip(codes).filter(|(_, image)| *image == codes[0]).map(|(symmetry, _)| symmetry) {
            visit(self.image(mv, symmetry));
        }
    }

    #[inline]
    fn wins_in_one(&self, board: Ostle) -> bool {
        board.checkmate()
    }

    #[inline]
    fn successors(&self, board: Ostle, mut visit: impl FnMut(u8, Successor<Ostle>)) {
        board.without_ko().successors(|mv, next, fallen| {
            let step = match fallen {
                Fallen::Own if next.is_over() => Successor::End(Outcome::Loss),
                Fallen::Other if next.is_over() => Successor::End(Outcome::Win),
                _ => Successor::Board(next.without_ko(), reply(next)),
            };
            visit(mv.index(), step);
        });
    }

    #[inline]
    fn after(&self, board: Ostle, mv: u8) -> Option<(Ostle, u8)> {
        let next = board.without_ko().after(Move::of(mv));
        (!next.is_over()).then(|| (next.without_ko(), reply(next)))
    }

    #[inline]
    fn predecessors(&self, class: u8, index: u32, visit: impl FnMut(Predecessor)) {
        self.predecessors_by::<false>(class, index, visit);
    }

    #[inline]
    fn conversions(&self, class: u8, index: u32, visit: impl FnMut(Predecessor)) {
        self.predecessors_by::<true>(class, index, visit);
    }
}

/// The forbidden move of a position, or `NO_MOVE`.
#[inline]
fn reply(position: Ostle) -> u8 {
    position.ko().map_or(tesuji_game::NO_MOVE, Move::index)
}

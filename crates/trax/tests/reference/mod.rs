//! The reference implementation: a map of tiles, forced play by looking everywhere again until
//! nothing changes, and every track walked from tile to tile after each turn.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use tesuji_game::{Game, Outcome, Side};
use tesuji_trax::{Coordinate, Glyph, Move, Trax, Variant};

/// Columns to the right, rows down, from wherever the first tile lay.
type At = (i32, i32);
/// The colours of the north, east, south and west side.
type Tile = [Side; 4];

const STEPS: [At; 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
const W: Side = Side::First;
const R: Side = Side::Second;
const TILES: [(Glyph, Tile); 6] = [
    (Glyph::Plus, [W, R, W, R]),
    (Glyph::Plus, [R, W, R, W]),
    (Glyph::Slash, [W, R, R, W]),
    (Glyph::Slash, [R, W, W, R]),
    (Glyph::Backslash, [W, W, R, R]),
    (Glyph::Backslash, [R, R, W, W]),
];

/// The reference implementation of `Trax<V>`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Reference<V> {
    /// Counted from the corner of the box, so that equal boards are equal.
    tiles: BTreeMap<At, Tile>,
    mover: Side,
    variant: PhantomData<V>,
}

fn step((x, y): At, dir: usize) -> At {
    (x + STEPS[dir].0, y + STEPS[dir].1)
}

/// Left, right, top, bottom.
fn frame(tiles: &BTreeMap<At, Tile>) -> [i32; 4] {
    let (xs, ys) = (tiles.keys().map(|at| at.0), tiles.keys().map(|at| at.1));
    [xs.clone().min().unwrap_or(0), xs.max().unwrap_or(-1), ys.clone().min().unwrap_or(0), ys.max().unwrap_or(-1)]
}

/// What the neighbours show to a cell.
fn shown(tiles: &BTreeMap<At, Tile>, at: At) -> [Option<Side>; 4] {
    [0, 1, 2, 3].map(|dir| tiles.get(&step(at, dir)).map(|tile| tile[(dir + 2) % 4]))
}

fn matches(tile: &Tile, shown: &[Option<Side>; 4]) -> bool {
    (0..4).all(|dir| shown[dir].is_none_or(|colour| colour == tile[dir]))
}

/// The empty cells beside a tile, each as often as it has such neighbours.
fn empty_neighbours(tiles: &BTreeMap<At, Tile>) -> impl Iterator<Item = At> + '_ {
    let around = tiles.keys().flat_map(|&at| (0..4).map(move |dir| step(at, dir)));
    around.filter(|at| !tiles.contains_key(at))
}

/// Fills forced cells, one at a time, until there is none; `None` if a cell shows three of a colour.
fn close(mut tiles: BTreeMap<At, Tile>) -> Option<BTreeMap<At, Tile>> {
    loop {
        let mut forced = None;
        for at in empty_neighbours(&tiles) {
            let shown = shown(&tiles, at);
            let most = Side::BOTH.map(|side| shown.iter().filter(|&&colour| colour == Some(side)).count());
            match most[0].max(most[1]) {
                0 | 1 => {}
                2 => forced = Some((at, shown)),
                _ => return None,
            }
        }
        let Some((at, shown)) = forced else { return Some(tiles) };
        let (_, tile) = TILES.into_iter().find(|(_, tile)| matches(tile, &shown))?;
        tiles.insert(at, tile);
    }
}

/// Follows the track that leaves `at` by `dir` to where it leaves the tiles; `None` if it comes round.
fn follow(tiles: &BTreeMap<At, Tile>, at: At, dir: usize) -> Option<(At, usize)> {
    let (mut here, mut out) = (at, dir);
    loop {
        let next = step(here, out);
        let Some(tile) = tiles.get(&next) else { return Some((here, out)) };
        let entered = (out + 2) % 4;
        out = (0..4).find(|&side| side != entered && tile[side] == tile[entered])?;
        here = next;
        if (here, out) == (at, dir) {
            return None;
        }
    }
}

impl<V: Variant> Reference<V> {
    fn of(tiles: BTreeMap<At, Tile>, mover: Side) -> Reference<V> {
        let [left, _, top, _] = frame(&tiles);
        let tiles = tiles.into_iter().map(|((x, y), tile)| ((x - left, y - top), tile)).collect();
        Reference { tiles, mover, variant: PhantomData }
    }

    /// The board after a turn, if it is legal.
    fn turn(&self, (at, tile): (At, Tile)) -> Option<BTreeMap<At, Tile>> {
        let mut tiles = self.tiles.clone();
        tiles.insert(at, tile);
        let [left, right, top, bottom] = frame(&tiles);
        if (right - left).max(bottom - top) >= V::LONGEST as i32 {
            return None;
        }
        close(tiles)
    }

    /// Every tile that matches where it would go, whatever it forces.
    fn matching(&self) -> BTreeMap<Move, (At, Tile)> {
        let named = |(x, y): At, glyph| Move::new(Coordinate { column: x as u16, row: y as u16 }, glyph);
        if self.tiles.is_empty() {
            return [TILES[0], TILES[2]].map(|(glyph, tile)| (named((0, 0), glyph), ((0, 0), tile))).into();
        }
        let mut found = BTreeMap::new();
        for at in empty_neighbours(&self.tiles) {
            let shown = shown(&self.tiles, at);
            for (glyph, tile) in TILES.into_iter().filter(|(_, tile)| matches(tile, &shown)) {
                found.insert(named((at.0 + 1, at.1 + 1), glyph), (at, tile));
            }
        }
        found
    }

    fn legal(&self) -> impl Iterator<Item = Move> {
        self.matching().into_iter().filter(|&(_, turn)| self.turn(turn).is_some()).map(|(mv, _)| mv)
    }

    fn completed(&self) -> [bool; 2] {
        let [left, right, top, bottom] = frame(&self.tiles);
        let mut completed = [false; 2];
        for (&at, tile) in &self.tiles {
            for dir in 0..4 {
                let way = (follow(&self.tiles, at, dir), {
                    let back = (0..4).find(|&side| side != dir && tile[side] == tile[dir]);
                    back.and_then(|back| follow(&self.tiles, at, back))
                });
                completed[tile[dir].index()] |= match way {
                    (None, _) => true,
                    (Some(((a, b), out)), Some(((c, d), back))) => {
                        let across = (a, out, c, back) == (left, 3, right, 1) && right - left >= 7;
                        let down = (b, out, d, back) == (top, 0, bottom, 2) && bottom - top >= 7;
                        V::LINES && (across || down)
                    }
                    _ => false,
                };
            }
        }
        completed
    }
}

impl<V: Variant> From<&Trax<V>> for Reference<V> {
    fn from(fast: &Trax<V>) -> Reference<V> {
        let tiles = fast.tiles().map(|laid| {
            let at = (i32::from(laid.place.column) - 1, i32::from(laid.place.row) - 1);
            (at, tesuji_trax::Dir::ALL.map(|dir| laid.tile.side(dir)))
        });
        Reference { tiles: tiles.collect(), mover: fast.mover(), variant: PhantomData }
    }
}

impl<V: Variant> Game for Reference<V> {
    type Move = Move;
    type Moves = Vec<Move>;
    type Undo = Reference<V>;
    type Rules = ();

    const NAME: &'static str = V::NAME;
    const RECURS: bool = false;

    fn start() -> Reference<V> {
        Reference { tiles: BTreeMap::new(), mover: Side::First, variant: PhantomData }
    }

    fn mover(&self) -> Side {
        self.mover
    }

    fn moves(&mut self, out: &mut Vec<Move>) {
        *out = match self.completed() {
            [false, false] => self.legal().collect(),
            _ => Vec::new(),
        };
    }

    fn count(&mut self) -> u64 {
        let mut list = Vec::new();
        self.moves(&mut list);
        list.len() as u64
    }

    fn play(&mut self, mv: Move) -> Reference<V> {
        let after = self.matching().get(&mv).and_then(|&turn| self.turn(turn));
        let after = Reference::of(after.unwrap_or_else(|| panic!("{mv} is not legal")), !self.mover);
        std::mem::replace(self, after)
    }

    fn undo(&mut self, undo: Reference<V>) {
        *self = undo;
    }

    fn outcome(&self) -> Option<Outcome> {
        let completed = self.completed();
        let last = !self.mover;
        match (completed[last.index()], completed[self.mover.index()]) {
            (true, _) => Some(Outcome::Loss),
            (false, true) => Some(Outcome::Win),
            (false, false) => self.legal().next().is_none().then_some(Outcome::Draw),
        }
    }

    fn key(&self) -> u64 {
        0
    }
}

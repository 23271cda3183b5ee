//! Attacks: tracks that one turn can complete, found by the distance between their ends.
//!
//! Two open ends of one track in neighbouring cells close when either cell is filled so that the track leads
//! into the other, which is then forced (a narrow attack); with one cell between them, filling that one forces
//! both (a wide attack). A track that leaves the box on one side and stands at the opposite one needs a last
//! tile to be a line. Longer chains can finish a track as well; they are left to the search.

use tesuji_game::{Game, Outcome, Side};
use tesuji_search::Value;
use tesuji_trax::{Coordinate, Dir, Glyph, Move, TrackEnd, Trax, Variant};

/// A winning move for the mover that completes an attack. Candidates are verified by playing them. A win by a long chain
/// may be missed.
pub fn win_in_one<V: Variant>(game: &mut Trax<V>) -> Option<Move> {
    if game.outcome().is_some() {
        return None;
    }
    let mut tries = Vec::new();
    finishing(game, game.mover(), |mv| tries.push(mv));
    tries.into_iter().find(|&mv| wins(game, mv))
}

/// Whether a move is legal and wins.
fn wins<V: Variant>(game: &mut Trax<V>, mv: Move) -> bool {
    if !game.is_legal(mv) {
        return false;
    }
    let undo = game.play(mv);
    let won = game.outcome() == Some(Outcome::Loss);
    game.undo(undo);
    won
}

/// The value of a win in one.
#[inline]
pub(super) fn verdict<V: Variant>(game: &mut Trax<V>) -> Option<Value> {
    win_in_one(game).map(|_| Value::win(1))
}

/// Calls `found` with the moves that would finish an attack of `side`, if they are legal.
#[inline]
fn finishing<V: Variant>(game: &Trax<V>, side: Side, mut found: impl FnMut(Move)) {
    let (columns, rows) = game.size();
    let size = [columns as u16, rows as u16];
    let long = V::LINES && columns.max(rows) + 1 >= usize::from(SHORTEST);
    for end in game.ends() {
        if end.side != side {
            continue;
        }
        let (there, entry) = end.other;
        let gap = gap(end.place, there);
        if gap <= 2 && (end.place, end.dir as u8) < (there, entry as u8) {
            closing(game, &end, gap, &mut found);
        }
        if long {
            crossing(size, &end, &mut found);
        }
    }
}

/// A line must be at least this long.
const SHORTEST: u16 = 8;

/// The steps from one cell to another.
#[inline]
pub(super) fn gap(a: Coordinate, b: Coordinate) -> u16 {
    a.column.abs_diff(b.column) + a.row.abs_diff(b.row)
}

/// The moves that close a track whose ends are one or two steps apart.
fn closing<V: Variant>(game: &Trax<V>, end: &TrackEnd, gap: u16, found: &mut impl FnMut(Move)) {
    let (here, there) = (end.place, end.other.0);
    if gap == 1 {
        for (from, entry, to) in [(here, end.dir, there), (there, end.other.1, here)] {
            if let Some(glyph) = towards(from, to).and_then(|dir| joining(entry, dir)) {
                found(Move::new(from, glyph));
            }
        }
        return;
    }
    let between = if here.column == there.column || here.row == there.row {
        let middle = |a: u16, b: u16| (a + b) / 2;
        [Some(Coordinate { column: middle(here.column, there.column), row: middle(here.row, there.row) }), None]
    } else {
        [
            Some(Coordinate { column: here.column, row: there.row }),
            Some(Coordinate { column: there.column, row: here.row }),
        ]
    };
    for place in between.into_iter().flatten() {
        // The tile needs a neighbour, and no third edge of the track's colour.
        let mut met = Dir::ALL.iter().filter_map(|&dir| game.end(place, dir)).map(|met| met.side).peekable();
        if met.peek().is_some()
            && met.all(|side| side != end.side)
            && let (Some(a), Some(b)) = (towards(place, here), towards(place, there))
            && let Some(glyph) = joining(a, b)
        {
            found(Move::new(place, glyph));
        }
    }
}

/// The move that makes a line of a track whose other end has left the box.
fn crossing(size: [u16; 2], end: &TrackEnd, found: &mut impl FnMut(Move)) {
    for (axis, [low, high]) in [[Dir::West, Dir::East], [Dir::North, Dir::South]].into_iter().enumerate() {
        let along = |place: Coordinate| if axis == 0 { place.column } else { place.row };
        let (at, length) = (along(end.place), size[axis]);
        let grown = length.max(at) + u16::from(at == 0);
        if grown < SHORTEST {
            continue;
        }
        // The last tile of a track that has left lies on the near side of the cell beyond.
        let (there, entry) = (along(end.other.0), end.other.1);
        let out = if there == 0 && entry == high && at >= length {
            high
        } else if there == length + 1 && entry == low && at <= 1 {
            low
        } else {
            continue;
        };
        if let Some(glyph) = joining(end.dir, out) {
            found(Move::new(end.place, glyph));
        }
    }
}

/// The way from a cell to its neighbour.
#[inline]
fn towards(from: Coordinate, to: Coordinate) -> Option<Dir> {
    match (i32::from(to.column) - i32::from(from.column), i32::from(to.row) - i32::from(from.row)) {
        (0, -1) => Some(Dir::North),
        (1, 0) => Some(Dir::East),
        (0, 1) => Some(Dir::South),
        (-1, 0) => Some(Dir::West),
        _ => None,
    }
}

/// The glyph of a tile on which one track has these two sides.
#[inline]
fn joining(a: Dir, b: Dir) -> Option<Glyph> {
    match (a as u8).abs_diff(b as u8) {
        0 => None,
        2 => Some(Glyph::Plus),
        // North and west, south and east: 0 and 3, 1 and 2.
        _ if a as u8 + b as u8 == 3 => Some(Glyph::Slash),
        _ => Some(Glyph::Backslash),
    }
}

/// The side by which a track leaves a tile of this glyph.
#[inline]
pub(super) fn exit(glyph: Glyph, entry: Dir) -> Dir {
    match glyph {
        Glyph::Plus => entry.opposite(),
        Glyph::Slash => Dir::ALL[3 - entry as usize],
        Glyph::Backslash => Dir::ALL[entry as usize ^ 1],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_trax::Tile;

    #[test]
    fn glyphs_join_the_sides_that_tiles_do() {
        for tile in Tile::ALL {
            for dir in Dir::ALL {
                assert_eq!(exit(tile.glyph(), dir), tile.exit(dir), "{tile:?} {dir:?}");
                assert_eq!(joining(dir, tile.exit(dir)), Some(tile.glyph()), "{tile:?} {dir:?}");
            }
        }
        assert!(Dir::ALL.into_iter().all(|dir| joining(dir, dir).is_none()));
    }
}

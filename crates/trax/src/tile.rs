//! Tiles: six orientations, three glyphs, four coloured sides.

use std::fmt;

use tesuji_game::Side;

use crate::edges::{Edges, NUMBER, TILES, colour, tracks};

/// One of the four sides of a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dir {
    /// Up, towards row 0.
    North,
    /// Right.
    East,
    /// Down.
    South,
    /// Left, towards column `@`.
    West,
}

impl Dir {
    /// All four, clockwise from the north.
    pub const ALL: [Dir; 4] = [Dir::North, Dir::East, Dir::South, Dir::West];

    /// The way back.
    #[inline]
    pub fn opposite(self) -> Dir {
        Dir::ALL[self as usize ^ 2]
    }
}

/// The glyph of a tile in the notation: it draws the gap between the tracks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Glyph {
    /// `+`: two straights cross.
    Plus,
    /// `/`: curves round the north-west and the south-east corner.
    Slash,
    /// `\`: curves round the north-east and the south-west corner.
    Backslash,
}

impl Glyph {
    /// All three.
    pub const ALL: [Glyph; 3] = [Glyph::Plus, Glyph::Slash, Glyph::Backslash];

    /// The character.
    #[inline]
    pub fn sign(self) -> char {
        ['+', '/', '\\'][self as usize]
    }
}

/// A tile in one of its orientations: one white and one red track.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(Edges);

impl Tile {
    /// The six orientations. Each pair differs by an exchange of colours.
    pub const ALL: [Tile; 6] =
        [Tile(TILES[0]), Tile(TILES[1]), Tile(TILES[2]), Tile(TILES[3]), Tile(TILES[4]), Tile(TILES[5])];

    /// Its glyph in the notation.
    #[inline]
    pub fn glyph(self) -> Glyph {
        Glyph::ALL[usize::from(NUMBER[usize::from(self.0)] / 2)]
    }

    /// The owner of the track at a side.
    #[inline]
    pub fn side(self, dir: Dir) -> Side {
        colour(self.0 >> (2 * dir as u8))
    }

    /// The other side of the track that enters by this side.
    #[inline]
    pub fn exit(self, dir: Dir) -> Dir {
        let [a, b, c, d] = tracks(self.0).map(usize::from);
        let out = match dir as usize {
            side if side == a => b,
            side if side == b => a,
            side if side == c => d,
            _ => c,
        };
        Dir::ALL[out]
    }

    #[inline]
    pub(crate) fn of(edges: Edges) -> Tile {
        debug_assert!(NUMBER[usize::from(edges)] < 6, "{edges:#010b} is no tile");
        Tile(edges)
    }
}

impl fmt::Debug for Tile {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let white: String = Dir::ALL
            .iter()
            .filter(|&&dir| self.side(dir) == Side::First)
            .map(|dir| ['N', 'E', 'S', 'W'][*dir as usize])
            .collect();
        write!(f, "{}{white}", self.glyph().sign())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glyph_draws_the_gap_between_the_tracks() {
        use Dir::*;
        let white = |dirs: [Dir; 2]| move |tile: &&Tile| dirs.iter().all(|&dir| tile.side(dir) == Side::First);
        for (dirs, glyph) in [
            ([North, South], Glyph::Plus),
            ([East, West], Glyph::Plus),
            ([North, West], Glyph::Slash),
            ([South, East], Glyph::Slash),
            ([North, East], Glyph::Backslash),
            ([South, West], Glyph::Backslash),
        ] {
            let found: Vec<&Tile> = Tile::ALL.iter().filter(white(dirs)).collect();
            assert_eq!(found.len(), 1, "{dirs:?}");
            assert_eq!(found[0].glyph(), glyph, "{dirs:?}");
            assert_eq!((found[0].exit(dirs[0]), found[0].exit(dirs[1])), (dirs[1], dirs[0]));
        }
    }

    #[test]
    fn a_track_keeps_its_colour() {
        for tile in Tile::ALL {
            for dir in Dir::ALL {
                assert_eq!(tile.side(dir), tile.side(tile.exit(dir)), "{tile:?} {dir:?}");
                assert_eq!(tile.exit(tile.exit(dir)), dir, "{tile:?} {dir:?}");
            }
        }
    }
}

//! The edges of a cell in eight bits, and tables by edges.

use tesuji_game::Side;

use crate::tile::Glyph;

/// The colours of the edges of a cell, two bits per side clockwise from the north: 0 none, 1 white, 2 red.
///
/// For an empty cell these are the edges of its neighbours, for a laid one its own.
pub(crate) type Edges = u8;

/// A set of the six tiles, one bit each.
pub(crate) type Tiles = u8;

/// The edges that paint `side` of a cell in the colour of bits `1` or `2`.
#[inline]
pub(crate) fn paint(colour: u8, dir: usize) -> Edges {
    colour << (2 * dir)
}

/// The player of the lowest colour bits.
#[inline]
pub(crate) fn colour(edges: Edges) -> Side {
    if edges & 1 != 0 { Side::First } else { Side::Second }
}

/// The tiles by number; the number halved is the glyph.
pub(crate) const TILES: [Edges; 6] = [
    tile([1, 2, 1, 2]),
    tile([2, 1, 2, 1]),
    tile([1, 2, 2, 1]),
    tile([2, 1, 1, 2]),
    tile([1, 1, 2, 2]),
    tile([2, 2, 1, 1]),
];

/// White's two sides, then red's two, of each tile.
const TRACKS: [[u8; 4]; 6] = [[0, 2, 1, 3], [1, 3, 0, 2], [0, 3, 1, 2], [1, 2, 0, 3], [0, 1, 2, 3], [2, 3, 0, 1]];

#[inline]
const fn tile(sides: [u8; 4]) -> Edges {
    sides[0] | sides[1] << 2 | sides[2] << 4 | sides[3] << 6
}

/// The number of the tile with exactly these edges; 6 when there is none.
pub(crate) static NUMBER: [u8; 256] = {
    let mut table = [6; 256];
    let mut number = 0;
    while number < 6 {
        table[TILES[number] as usize] = number as u8;
        number += 1;
    }
    table
};

/// The tiles that match these edges.
pub(crate) static MATCHING: [Tiles; 256] = {
    let mut table = [0; 256];
    let mut edges = 0;
    while edges < 256 {
        let mut number = 0;
        while number < 6 {
            if TILES[number] as usize & edges == edges {
                table[edges] |= 1 << number;
            }
            number += 1;
        }
        edges += 1;
    }
    table
};

/// The tiles that show any of these colours on these sides.
pub(crate) static SHOWING: [Tiles; 256] = {
    let mut table = [0; 256];
    let mut edges = 0;
    while edges < 256 {
        let mut number = 0;
        while number < 6 {
            if TILES[number] as usize & edges != 0 {
                table[edges] |= 1 << number;
            }
            number += 1;
        }
        edges += 1;
    }
    table
};

/// The number of tiles in a set; the baseline instruction set has no POPCNT.
pub(crate) static SIZE: [u8; 64] = {
    let mut table = [0; 64];
    let mut set = 0;
    while set < 64 {
        table[set] = (set as u8).count_ones() as u8;
        set += 1;
    }
    table
};

/// In [`FORCED`]: no tile is forced.
pub(crate) const FREE: Edges = 0;
/// In [`FORCED`]: three edges of one colour, so the whole turn is illegal.
pub(crate) const BROKEN: Edges = 0xff;

/// The forced tile of an empty cell with these edges, or [`FREE`] or [`BROKEN`].
pub(crate) static FORCED: [Edges; 256] = {
    let mut table = [FREE; 256];
    let mut edges = 0;
    while edges < 256 {
        let white = (edges as u8 & 0x55).count_ones();
        let red = (edges as u8 & 0xaa).count_ones();
        if white > 2 || red > 2 {
            table[edges] = BROKEN;
        } else if white == 2 || red == 2 {
            let mut number = 0;
            while number < 6 {
                if TILES[number] as usize & edges == edges {
                    table[edges] = TILES[number];
                }
                number += 1;
            }
        }
        edges += 1;
    }
    table
};

/// The tile of this glyph that matches these edges, of which at least one is coloured; `None` when none does.
#[inline]
pub(crate) fn matching(edges: Edges, glyph: Glyph) -> Option<Edges> {
    let tile = BY_GLYPH[usize::from(edges)][glyph as usize];
    (tile != 0).then_some(tile)
}

/// The tile with these edges, at least one of them coloured, and this glyph; 0 when there is none.
static BY_GLYPH: [[Edges; 3]; 256] = {
    let mut table = [[0; 3]; 256];
    let mut edges = 1;
    while edges < 256 {
        let mut number = 0;
        while number < 6 {
            if TILES[number] as usize & edges == edges {
                table[edges][number / 2] = TILES[number];
            }
            number += 1;
        }
        edges += 1;
    }
    table
};

/// White's two sides, then red's two, of the tile with these edges.
#[inline]
pub(crate) fn tracks(tile: Edges) -> [u8; 4] {
    BY_EDGES[usize::from(tile)]
}

static BY_EDGES: [[u8; 4]; 256] = {
    let mut table = [[0; 4]; 256];
    let mut number = 0;
    while number < 6 {
        table[TILES[number] as usize] = TRACKS[number];
        number += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_edges_of_one_colour_force_a_tile_and_three_break_the_turn() {
        for edges in 0..=u8::MAX {
            if (0..4).any(|dir| (edges >> (2 * dir)) & 3 == 3) {
                continue;
            }
            let counts = [0x55, 0xaa].map(|mask: u8| (edges & mask).count_ones());
            let most = counts[0].max(counts[1]);
            match FORCED[usize::from(edges)] {
                FREE => assert!(most < 2, "{edges:#010b}"),
                BROKEN => assert!(most > 2, "{edges:#010b}"),
                tile => {
                    assert_eq!(most, 2, "{edges:#010b}");
                    assert_eq!(MATCHING[usize::from(edges)], 1 << NUMBER[usize::from(tile)]);
                }
            }
        }
    }
}

//! The features of the evaluation `lines`, read off the outline.
//!
//! Every open end of a track gives features by what lies around it on the outline, and every track by how its two ends
//! lie to each other and to the sides of the box. Own tracks (of the side to move) and the opponent's are told apart.
//!
//! The value of a position does not depend on where a walk begins. Mirror images share their weights; see `parts`.

use std::cmp::Ordering;

use tesuji_game::{Game, Side};
use tesuji_trax::{Outline, OutlineEdge, Trax, Turn, Variant};

/// Symbols of the border string: owner times turn; straight on is told apart by whether the two edges are one track.
pub(super) const SYMBOL_BITS: usize = 3;
/// Symbols of an n-gram.
pub(super) const GRAM: usize = 6;
/// The distance of the other end of the track along the outline, in classes.
pub(super) const LINK_BITS: usize = 3;
/// Symbols of an n-gram with links.
pub(super) const LINK_GRAM: usize = 3;
/// Shapes of the outline at an end: the turns before and behind it, and the owners of the edges there.
pub(super) const SHAPE_BITS: usize = 6;
/// Classes of distances between the ends of a track.
pub(super) const DISTANCE_BITS: usize = 4;
/// Steps between the ends of a track, either way.
pub(super) const FAR: i32 = 7;
pub(super) const SPAN_BITS: usize = 4;
/// Classes of the width of the box.
pub(super) const WIDTH_BITS: usize = 3;
/// Classes of the distance to a side of the box, with the direction of the end.
pub(super) const GAP_BITS: usize = 5;

/// Bits of an n-gram: the last symbol has no turn, so that a mirrored n-gram is one too.
const GRAM_BITS: usize = SYMBOL_BITS * (GRAM - 1) + 1;
/// Bits of an n-gram with links.
const LINKED_BITS: usize = (SYMBOL_BITS + LINK_BITS) * (LINK_GRAM - 1) + LINK_BITS + 1;
const PAIR_BITS: usize = 1 + DISTANCE_BITS + 2 * SHAPE_BITS;
const PLACE_BITS: usize = 1 + 1 + 2 + 2 * SPAN_BITS;
const SIDE_BITS: usize = 1 + WIDTH_BITS + 2 * GAP_BITS;

// Where the tables begin.
pub(super) const GRAMS: usize = 0;
pub(super) const LINKS: usize = GRAMS + (1 << GRAM_BITS);
pub(super) const PAIRS: usize = LINKS + (1 << LINKED_BITS);
pub(super) const PLACES: usize = PAIRS + (1 << PAIR_BITS);
pub(super) const SIDES: usize = PLACES + (1 << PLACE_BITS);
pub(super) const GLOBAL: usize = SIDES + (1 << SIDE_BITS);
/// The features of all tables.
pub const FEATURES: usize = GLOBAL + 64;

/// Buffers for [`features`].
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// The outline.
    pub outline: Outline,
    /// The symbols of a walk with links: owner, turn and link of each edge.
    symbols: Vec<u8>,
}

/// Calls `add` with the index of every active feature. The outline is that of the game.
#[inline]
pub fn features<V: Variant>(game: &Trax<V>, scratch: &mut Scratch, mut add: impl FnMut(usize)) {
    let Scratch { outline, symbols } = scratch;
    let mover = if game.mover() == Side::First { 0 } else { 1 };
    let (width, height) = game.size();
    add(GLOBAL + width.max(height).min(15));
    add(GLOBAL + 16 + width.min(height).min(15));
    add(GLOBAL + 32 + (game.tiles().len() / 4).min(15));
    let edges = outline.edges.as_slice();
    let mut begin = 0;
    for &end in &outline.walks {
        let end = usize::from(end);
        let walk = &edges[begin..end];
        let length = walk.len();
        symbols.clear();
        for (index, edge) in walk.iter().enumerate() {
            let partner = usize::from(edge.partner).wrapping_sub(begin);
            let forward = if partner >= index { partner - index } else { partner + length - index };
            let turn = match edge.turn {
                Turn::Inwards => 0,
                Turn::Straight if forward == 1 => 3,
                Turn::Straight => 1,
                Turn::Outwards => 2,
            };
            let link = if partner < length { link(forward, length - forward) } else { 7 };
            symbols.push(link << SYMBOL_BITS | turn << 1 | (edge.side ^ mover));
        }
        for index in 0..GRAM - 1 {
            symbols.push(symbols[index % length]);
        }
        let (mut code, mut linked) = (0_usize, 0_usize);
        for (index, &symbol) in symbols.iter().enumerate() {
            let symbol = usize::from(symbol);
            if index >= GRAM - 1 {
                add(GRAMS + ((code << 1 | symbol & 1) & ((1 << GRAM_BITS) - 1)));
                let last = symbol >> SYMBOL_BITS << 1 | symbol & 1;
                add(LINKS + ((linked << (LINK_BITS + 1) | last) & ((1 << LINKED_BITS) - 1)));
            }
            code = code << SYMBOL_BITS | symbol & 7;
            linked = linked << (SYMBOL_BITS + LINK_BITS) | symbol;
        }
        let shape = |index: usize| {
            let before = symbols[if index == 0 { length - 1 } else { index - 1 }];
            // The walk goes on behind the last edge.
            let (here, behind) = (symbols[index], symbols[index + 1]);
            usize::from((before >> 1 & 3) << 4 | (here >> 1 & 3) << 2 | (before & 1) << 1 | behind & 1)
        };
        for (index, edge) in walk.iter().enumerate() {
            let partner = usize::from(edge.partner);
            let at = begin + index;
            if partner < at {
                continue;
            }
            let other = &edges[partner];
            let own = usize::from(edge.side ^ mover);
            if partner < end {
                let (mut first, mut second) = ((index, edge), (partner - begin, other));
                let mut distance = partner - at;
                if distance > length - distance {
                    distance = length - distance;
                    (first, second) = (second, first);
                }
                let class = usize::from(DISTANCE[distance.min(31)]);
                if 2 * distance != length {
                    let shapes = shape(first.0) << SHAPE_BITS | shape(second.0);
                    add(PAIRS + ((own << DISTANCE_BITS | class) << (2 * SHAPE_BITS) | shapes));
                    places(own, distance, first.1, second.1, &mut add);
                } else {
                    // Neither end comes first.
                    add(PAIRS + (own << (DISTANCE_BITS + 2 * SHAPE_BITS)));
                }
            }
            sides(own, (width, height), edge, other, &mut add);
        }
        begin = end;
    }
}

/// The class of the way to the other end: the shorter of forwards (even) and backwards (odd).
#[inline]
fn link(forward: usize, backward: usize) -> u8 {
    let class = match forward.min(backward) {
        1 => 0,
        2..=3 => 2,
        4..=6 => 4,
        _ => return 6,
    };
    match forward.cmp(&backward) {
        Ordering::Less => class,
        Ordering::Equal => 6,
        Ordering::Greater => class + 1,
    }
}

/// Classes of distances along the outline.
const DISTANCE: [u8; 32] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 11, 11, 12, 12, 12, 13, 13, 13, 13, 14, 14, 14, 14, 14, 14, 15, 15, 15, 15,
    15,
];

/// How the other end lies, seen from this end with its tile to the north.
#[inline]
fn places(own: usize, distance: usize, edge: &OutlineEdge, other: &OutlineEdge, add: &mut impl FnMut(usize)) {
    let dx = i32::from(other.column) - i32::from(edge.column);
    let dy = i32::from(other.row) - i32::from(edge.row);
    let (rx, ry) = match edge.dir {
        0 => (dx, dy),
        1 => (dy, -dx),
        2 => (-dx, -dy),
        _ => (-dy, dx),
    };
    let facing = usize::from((other.dir.wrapping_sub(edge.dir)) & 3);
    let near = |steps: i32| (steps.clamp(-FAR, FAR) + FAR) as usize;
    let inside = usize::from(distance <= 9);
    add(PLACES + ((((own << 1 | inside) << 2 | facing) << SPAN_BITS | near(rx)) << SPAN_BITS | near(ry)));
}

/// How far the track is from the sides of the box, by axis.
#[inline]
fn sides(
    own: usize,
    (width, height): (usize, usize),
    edge: &OutlineEdge,
    other: &OutlineEdge,
    add: &mut impl FnMut(usize),
) {
    // By the direction of the tile: 0 the end leads to the low side, 1 to the high one, 2 along the axis.
    let mut axis = |size: usize, a: (u16, u8), b: (u16, u8)| {
        let (low, high) = if a.0 < b.0 { (a, b) } else { (b, a) };
        let gap = |steps: usize, facing: u8| steps.min(7) << 2 | usize::from(facing);
        let from_low = |end: (u16, u8)| gap(usize::from(end.0), end.1);
        let from_high = |end: (u16, u8)| gap(size + 1 - usize::from(end.0), if end.1 < 2 { end.1 ^ 1 } else { 2 });
        let pair = |low: usize, high: usize| low.min(high) << GAP_BITS | low.max(high);
        let mut code = pair(from_low(low), from_high(high));
        if a.0 == b.0 {
            code = code.min(pair(from_low(high), from_high(low)));
        }
        let wide = size.clamp(3, 10) - 3;
        add(SIDES + ((own << WIDTH_BITS | wide) << (2 * GAP_BITS) | code));
    };
    axis(
        width,
        (edge.column, [2, 0, 2, 1][usize::from(edge.dir)]),
        (other.column, [2, 0, 2, 1][usize::from(other.dir)]),
    );
    axis(height, (edge.row, [1, 2, 0, 2][usize::from(edge.dir)]), (other.row, [1, 2, 0, 2][usize::from(other.dir)]));
}

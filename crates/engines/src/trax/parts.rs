//! How the weights of features are made of trained ones.
//!
//! A search looks up few large tables. Training factorises them: the weight of a long n-gram is the sum of the trained
//! weights of the n-grams at its end, and so on, so that rare features learn from common ones. Mirror images share their
//! trained weights. The sums are taken once, when training is over.

use std::sync::OnceLock;

use tesuji_learn::sparse::Factors;

use super::features::{
    DISTANCE_BITS, FAR, FEATURES, GAP_BITS, GLOBAL, GRAM, GRAMS, LINK_BITS, LINK_GRAM, LINKS, PAIRS, PLACES,
    SHAPE_BITS, SIDES, SPAN_BITS, SYMBOL_BITS,
};

// Where the shared parts of features begin; the first numbers are those of the features themselves.
const SHORT_GRAMS: usize = FEATURES;
const SHORT_LINKS: usize = SHORT_GRAMS + (1 << (SYMBOL_BITS * GRAM));
const PAIR_SHAPE: usize = SHORT_LINKS + (1 << ((SYMBOL_BITS + LINK_BITS) * LINK_GRAM));
const PAIR_TURNS: usize = PAIR_SHAPE + (1 << (1 + DISTANCE_BITS + SHAPE_BITS));
const PAIR_SHAPES: usize = PAIR_TURNS + (1 << (1 + DISTANCE_BITS + 8));
const SIDE_ENDS: usize = PAIR_SHAPES + (1 << (1 + 2 * SHAPE_BITS));
/// Above the numbers of all trained weights.
#[cfg(test)]
const PARTS: usize = SIDE_ENDS + (1 << (1 + super::features::WIDTH_BITS + GAP_BITS));

/// The trained weights of every feature.
pub fn parts() -> &'static Factors {
    static PARTS: OnceLock<Factors> = OnceLock::new();
    PARTS.get_or_init(|| Factors::new(FEATURES, each_part))
}

fn each_part(feature: usize, add: &mut dyn FnMut(usize)) {
    match feature {
        GRAMS..LINKS => {
            let code = feature - GRAMS;
            for length in 1..=GRAM {
                let bits = SYMBOL_BITS * (length - 1) + 1;
                let short = code & ((1 << bits) - 1);
                let short = short.min(mirrored_gram(short, length, 0));
                // A leading 1 tells the lengths apart.
                add(if length == GRAM { GRAMS + short } else { SHORT_GRAMS + (short | 1 << bits) });
            }
        }
        LINKS..PAIRS => {
            let code = feature - LINKS;
            for length in 1..=LINK_GRAM {
                let bits = (SYMBOL_BITS + LINK_BITS) * (length - 1) + LINK_BITS + 1;
                let short = code & ((1 << bits) - 1);
                let short = short.min(mirrored_gram(short, length, LINK_BITS));
                add(if length == LINK_GRAM { LINKS + short } else { SHORT_LINKS + (short | 1 << bits) });
            }
        }
        PAIRS..PLACES => {
            let code = feature - PAIRS;
            let (first, second) = (code >> SHAPE_BITS & 63, code & 63);
            let distance = code >> (2 * SHAPE_BITS);
            let (third, fourth) = (mirrored_shape(second), mirrored_shape(first));
            let least = |a: usize, b: usize, c: usize, d: usize, bits: usize| (a << bits | b).min(c << bits | d);
            let shapes = least(first, second, third, fourth, SHAPE_BITS);
            add(PAIRS + (distance << (2 * SHAPE_BITS) | shapes));
            add(PAIR_SHAPES + (distance >> DISTANCE_BITS << (2 * SHAPE_BITS) | shapes));
            add(PAIR_TURNS + (distance << 8 | least(first >> 2, second >> 2, third >> 2, fourth >> 2, 4)));
            // The shape at the second end, seen the other way round.
            add(PAIR_SHAPE + (distance << SHAPE_BITS | first));
            add(PAIR_SHAPE + (distance << SHAPE_BITS | third));
        }
        PLACES..SIDES => add(PLACES + mirrored_place(feature - PLACES).min(feature - PLACES)),
        SIDES..GLOBAL => {
            let code = feature - SIDES;
            let (first, second, wide) = (code >> GAP_BITS & 31, code & 31, code >> (2 * GAP_BITS));
            add(feature);
            add(SIDE_ENDS + (wide << GAP_BITS | first));
            add(SIDE_ENDS + (wide << GAP_BITS | second));
        }
        _ => add(feature),
    }
}

/// An n-gram read the other way; `links` bits of each symbol tell the way to the other end of the track.
fn mirrored_gram(code: usize, length: usize, links: usize) -> usize {
    let bits = SYMBOL_BITS + links;
    // The owner and link of each edge, and the turn behind it, from the last edge to the first.
    let last_bits = links + 1;
    let edge = |symbol: usize| (symbol & 1, mirrored_link(symbol >> SYMBOL_BITS, links));
    let last = code & ((1 << last_bits) - 1);
    let mut edges = vec![(last & 1, mirrored_link(last >> 1, links))];
    let mut turns = Vec::new();
    for index in 0..length - 1 {
        let symbol = code >> (last_bits + bits * index) & ((1 << bits) - 1);
        edges.push(edge(symbol));
        turns.push(symbol >> 1 & 3);
    }
    // Written in the order found, which is the reverse.
    let mut mirrored = 0;
    for (index, &(owner, link)) in edges.iter().enumerate() {
        mirrored = match turns.get(index) {
            Some(turn) => mirrored << bits | link << SYMBOL_BITS | turn << 1 | owner,
            None => mirrored << last_bits | link << 1 | owner,
        };
    }
    mirrored
}

/// Forwards and backwards change places.
fn mirrored_link(link: usize, links: usize) -> usize {
    if links > 0 && link < 6 { link ^ 1 } else { link }
}

fn mirrored_shape(shape: usize) -> usize {
    (shape >> 2 & 3) << 4 | (shape >> 4 & 3) << 2 | (shape & 1) << 1 | shape >> 1 & 1
}

/// The first end as the second sees it in a mirror.
fn mirrored_place(code: usize) -> usize {
    let mask = (1 << SPAN_BITS) - 1;
    let (x, y) = ((code >> SPAN_BITS & mask) as i32 - FAR, (code & mask) as i32 - FAR);
    let (facing, rest) = (code >> (2 * SPAN_BITS) & 3, code >> (2 * SPAN_BITS + 2));
    if x > FAR || y > FAR {
        return code;
    }
    let (x, y) = match facing {
        0 => (-x, -y),
        1 => (-y, x),
        2 => (x, y),
        _ => (y, -x),
    };
    ((rest << 2 | facing) << SPAN_BITS | (FAR - x) as usize) << SPAN_BITS | (y + FAR) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mirror_image_of_a_mirror_image_is_the_original() {
        for code in 0..LINKS {
            assert_eq!(mirrored_gram(mirrored_gram(code, GRAM, 0), GRAM, 0), code);
        }
        for code in 0..PAIRS - LINKS {
            let mirrored = mirrored_gram(code, LINK_GRAM, LINK_BITS);
            assert_eq!(mirrored_gram(mirrored, LINK_GRAM, LINK_BITS), code);
        }
        assert!((0..64).all(|shape| mirrored_shape(mirrored_shape(shape)) == shape));
        assert!((0..SIDES - PLACES).all(|place| mirrored_place(mirrored_place(place)) == place));
    }

    #[test]
    fn every_part_has_a_weight() {
        assert!(parts().features() == FEATURES && parts().count() <= PARTS);
        let trained = vec![1.0; parts().count()];
        assert_eq!(parts().fold(&vec![0.0; FEATURES], &trained, 1.0)[GRAMS], GRAM as i16);
    }
}

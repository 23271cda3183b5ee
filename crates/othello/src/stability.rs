//! Stable discs, which can never be flipped again: on the edges by a table, inside by full lines and stable neighbours.
//! Not all stable discs are found.

use std::sync::LazyLock;

/// The edge squares.
const EDGES: u64 = 0xff81_8181_8181_81ff;

/// Discs of `own` that are certainly stable.
#[inline(always)]
pub fn stable_discs(edges: &EdgeStability, own: u64, other: u64) -> u64 {
    let full = FullLines::of(own | other);
    let mut found = edges.stable_edges(own, other) | own & full.horizontal & full.vertical & full.falling & full.rising;
    let inside = own & !EDGES;
    loop {
        // In each direction a disc needs a stable neighbour of its colour or a full line.
        let horizontal = found << 1 | found >> 1 | full.horizontal;
        let vertical = found << 8 | found >> 8 | full.vertical;
        let falling = found << 9 | found >> 9 | full.falling;
        let rising = found << 7 | found >> 7 | full.rising;
        let more = found | inside & horizontal & vertical & falling & rising;
        if more == found {
            return found;
        }
        found = more;
    }
}

/// The squares on lines without an empty square, by direction.
struct FullLines {
    horizontal: u64,
    vertical: u64,
    falling: u64,
    rising: u64,
}

impl FullLines {
    #[inline(always)]
    fn of(discs: u64) -> FullLines {
        const WEST: u64 = 0x0101_0101_0101_0101;
        let mut horizontal = discs & discs >> 4;
        horizontal &= horizontal >> 2;
        horizontal &= horizontal >> 1;
        let mut vertical = discs & discs.rotate_right(32);
        vertical &= vertical.rotate_right(16);
        vertical &= vertical.rotate_right(8);
        FullLines {
            horizontal: (horizontal & WEST) * 0xff,
            vertical,
            falling: full_diagonals::<9>(!discs),
            rising: full_diagonals::<7>(!discs),
        }
    }
}

/// The squares on full diagonals of this step: the empty squares are spread along them, never across an edge.
#[inline(always)]
fn full_diagonals<const STEP: u32>(empties: u64) -> u64 {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // Towards higher bits a step of 9 goes east and one of 7 west.
    let (up_mask, down_mask) = if STEP == 9 { (NOT_A, NOT_H) } else { (NOT_H, NOT_A) };
    let (mut up, mut down) = (empties, empties);
    let (mut up_mask, mut down_mask) = (up_mask, down_mask);
    let mut shift = STEP;
    for _ in 0..3 {
        up |= up << shift & up_mask;
        down |= down >> shift & down_mask;
        up_mask &= up_mask << shift;
        down_mask &= down_mask >> shift;
        shift *= 2;
    }
    !(up | down)
}

/// The stable discs of an edge, by its contents in ternary.
#[derive(Debug)]
pub struct EdgeStability([u8; 6561]);

/// The bits of a byte as ternary digits.
static TERNARY: [u16; 256] = ternary();

const fn ternary() -> [u16; 256] {
    let mut all = [0; 256];
    let mut set = 0;
    while set < 256 {
        let (mut bit, mut power) = (0, 1);
        while bit < 8 {
            if set >> bit & 1 != 0 {
                all[set] += power;
            }
            power *= 3;
            bit += 1;
        }
        set += 1;
    }
    all
}

impl EdgeStability {
    /// The table, computed on first use.
    pub fn table() -> &'static EdgeStability {
        static TABLE: LazyLock<Box<EdgeStability>> = LazyLock::new(EdgeStability::new);
        &TABLE
    }

    fn new() -> Box<EdgeStability> {
        let mut edges = Box::new(EdgeStability([0; 6561]));
        // Fuller edges first: the others are derived from them.
        let mut sets: Vec<(u8, u8)> = (0..=255).flat_map(|own| (0..=255).map(move |other| (own, other))).collect();
        sets.retain(|&(own, other)| own & other == 0);
        sets.sort_by_key(|&(own, other)| (own | other).count_zeros());
        for (own, other) in sets {
            let mut stable = own;
            for at in 0..8 {
                if (own | other) >> at & 1 != 0 {
                    continue;
                }
                let (after, rest) = placed(own, other, at);
                stable &= edges.of(after, rest);
                let (rest, after) = placed(other, own, at);
                stable &= edges.of(after, rest);
            }
            edges.0[EdgeStability::index(own, other)] = stable;
        }
        edges
    }

    #[inline(always)]
    fn index(own: u8, other: u8) -> usize {
        usize::from(TERNARY[usize::from(own)]) + 2 * usize::from(TERNARY[usize::from(other)])
    }

    #[inline(always)]
    fn of(&self, own: u8, other: u8) -> u8 {
        self.0[EdgeStability::index(own, other)]
    }

    /// The stable discs of `own` on all four edges.
    #[inline(always)]
    fn stable_edges(&self, own: u64, other: u64) -> u64 {
        let top = u64::from(self.of(own as u8, other as u8));
        let bottom = u64::from(self.of((own >> 56) as u8, (other >> 56) as u8)) << 56;
        let west = byte_to_file(self.of(file_to_byte(own), file_to_byte(other)));
        let east = byte_to_file(self.of(file_to_byte(own >> 7), file_to_byte(other >> 7))) << 7;
        top | bottom | west | east
    }
}

/// The edge after `own` gets a disc on an empty square, with the flips along the edge; it need not flip any there.
fn placed(own: u8, other: u8, at: u8) -> (u8, u8) {
    let mut flipped = 0;
    for step in [1_i32, -1] {
        let (mut between, mut next) = (0_u8, i32::from(at) + step);
        while (0..8).contains(&next) && other >> next & 1 != 0 {
            between |= 1 << next;
            next += step;
        }
        if (0..8).contains(&next) && own >> next & 1 != 0 {
            flipped |= between;
        }
    }
    (own | flipped | 1 << at, other & !flipped)
}

/// The a-file as a byte.
#[inline(always)]
fn file_to_byte(set: u64) -> u8 {
    ((set & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// A byte as the a-file.
#[inline(always)]
fn byte_to_file(set: u8) -> u64 {
    let low = u64::from(set & 0x0f).wrapping_mul(0x0020_4081) & 0x0101_0101;
    let high = u64::from(set >> 4).wrapping_mul(0x0020_4081) & 0x0101_0101;
    low | high << 32
}

#[cfg(test)]
mod tests {
    use tesuji_game::{Game, MoveList, Side};

    use super::*;
    use crate::{Moves, Othello};

    /// Splitmix64.
    struct Rng(u64);

    impl Rng {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ z >> 31) % bound as u64) as usize
        }
    }

    fn of(own: u64, other: u64) -> u64 {
        stable_discs(EdgeStability::table(), own, other)
    }

    #[test]
    fn files_convert_to_bytes_and_back() {
        for set in 0..=255_u8 {
            assert_eq!(file_to_byte(byte_to_file(set)), set);
            assert_eq!(byte_to_file(set) & !0x0101_0101_0101_0101, 0);
        }
    }

    #[test]
    fn corners_are_stable_and_other_squares_of_an_open_edge_are_not() {
        assert_eq!(of(0b111, 0), 0b111);
        assert_eq!(of(0b110, 0), 0);
        assert_eq!(of(0x8100_0000_0000_0081, 0), 0x8100_0000_0000_0081);
        // An X-square beside a lone corner is not stable.
        assert_eq!(of(0b1 | 1 << 9, 0), 0b1);
        // A full board is stable, and so is a full edge between two others.
        assert_eq!(of(0x1234_5678_9abc_def0, !0x1234_5678_9abc_def0), 0x1234_5678_9abc_def0);
        assert_eq!(of(0b0101_1010, 0b1010_0101), 0b0101_1010);
    }

    #[test]
    fn full_diagonals_are_found() {
        let falling = 0x8040_2010_0804_0201_u64;
        let full = FullLines::of(falling);
        assert_eq!(full.falling & falling, falling);
        // The corners are rising diagonals of length one.
        assert_eq!(full.rising & falling, 0x8000_0000_0000_0001);
        assert_eq!(FullLines::of(falling & !1).falling & falling, 0, "a1 is empty");
        let rising = 0x0102_0408_1020_4080_u64;
        assert_eq!(FullLines::of(rising).rising & rising, rising);
        assert_eq!(FullLines::of(rising & !(1 << 7)).rising & rising, 0);
    }

    /// The stable discs of black and of white.
    fn of_both(game: &Othello) -> [u64; 2] {
        [(Side::First, Side::Second), (Side::Second, Side::First)]
            .map(|(own, other)| of(game.discs(own), game.discs(other)))
    }

    fn assert_held(found: [u64; 2], now: &Othello, then: &Othello) {
        let [black, white] = found;
        let held = black & !now.discs(Side::First) == 0 && white & !now.discs(Side::Second) == 0;
        assert!(held, "{found:x?} of {then:?} were flipped in {now:?}");
    }

    fn random_moves(game: &mut Othello, rng: &mut Rng, mut visit: impl FnMut(&Othello) -> bool) {
        let mut list = Moves::default();
        while visit(game) {
            game.moves(&mut list);
            match list.each().nth(rng.below(list.len().max(1))) {
                Some(mv) => game.play(mv),
                None => return,
            };
        }
    }

    #[test]
    fn stable_discs_last_to_the_end_of_random_games() {
        let mut rng = Rng(1);
        let mut sum = 0;
        for _ in 0..2000 {
            let (mut game, mut past) = (Othello::start(), Vec::new());
            random_moves(&mut game, &mut rng, |game| {
                past.push((of_both(game), *game));
                true
            });
            for (found, then) in past {
                sum += (found[0] | found[1]).count_ones();
                assert_held(found, &game, &then);
            }
        }
        assert!(sum > 500_000, "only {sum} stable discs found");
    }

    fn assert_held_in_every_continuation(found: [u64; 2], now: &mut Othello, then: &Othello) {
        assert_held(found, now, then);
        let mut list = Moves::default();
        now.moves(&mut list);
        for mv in list.each() {
            let before = now.play(mv);
            assert_held_in_every_continuation(found, now, then);
            now.undo(before);
        }
    }

    #[test]
    fn stable_discs_last_in_every_continuation() {
        let mut rng = Rng(2);
        for _ in 0..400 {
            let mut game = Othello::start();
            let left = 1 + rng.below(6) as u32;
            random_moves(&mut game, &mut rng, |game| game.empties().count_ones() > left);
            assert_held_in_every_continuation(of_both(&game), &mut game.clone(), &game);
        }
    }
}

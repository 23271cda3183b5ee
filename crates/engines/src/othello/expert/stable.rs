//! Discs that can never be turned again, as far as that is quickly seen: on the edges by a table, inside by
//! full lines and by neighbours that are stable themselves.

use std::sync::LazyLock;

/// The edges of the board.
const EDGES: u64 = 0xff81_8181_8181_81ff;

/// Discs of `own` that no play can turn. Not all such discs are found.
#[inline(always)]
pub(super) fn stable(edges: &Edges, own: u64, other: u64) -> u64 {
    let full = Full::of(own | other);
    let mut found = edges.stable(own, other) | own & full.lying & full.standing & full.falling & full.rising;
    let inside = own & !EDGES;
    loop {
        // Along every line a disc is safe behind a stable neighbour of its own, or when the line is full.
        let lying = found << 1 | found >> 1 | full.lying;
        let standing = found << 8 | found >> 8 | full.standing;
        let falling = found << 9 | found >> 9 | full.falling;
        let rising = found << 7 | found >> 7 | full.rising;
        let more = found | inside & lying & standing & falling & rising;
        if more == found {
            return found;
        }
        found = more;
    }
}

/// The squares whose line has no empty square left, by direction.
struct Full {
    lying: u64,
    standing: u64,
    falling: u64,
    rising: u64,
}

impl Full {
    #[inline(always)]
    fn of(discs: u64) -> Full {
        const WEST: u64 = 0x0101_0101_0101_0101;
        let mut lying = discs & discs >> 4;
        lying &= lying >> 2;
        lying &= lying >> 1;
        let mut standing = discs & discs.rotate_right(32);
        standing &= standing.rotate_right(16);
        standing &= standing.rotate_right(8);
        Full {
            lying: (lying & WEST) * 0xff,
            standing,
            falling: unbroken::<9>(!discs),
            rising: unbroken::<7>(!discs),
        }
    }
}

/// The squares whose diagonal with this step misses every empty square: the empty ones spread along it, a step
/// at a time, and never over the sides of the board.
#[inline(always)]
fn unbroken<const STEP: u32>(empties: u64) -> u64 {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // Up the bits a step of 9 goes east and one of 7 west.
    let (up_to, down_to) = if STEP == 9 { (NOT_A, NOT_H) } else { (NOT_H, NOT_A) };
    let (mut up, mut down) = (empties, empties);
    let (mut up_to, mut down_to) = (up_to, down_to);
    let mut reach = STEP;
    for _ in 0..3 {
        up |= up << reach & up_to;
        down |= down >> reach & down_to;
        up_to &= up_to << reach;
        down_to &= down_to >> reach;
        reach *= 2;
    }
    !(up | down)
}

/// The stable discs of every edge, by what stands there.
pub(super) struct Edges([u8; 6561]);

/// A byte's bits as digits to the base of three.
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

impl Edges {
    /// The table, made once.
    pub(super) fn table() -> &'static Edges {
        static TABLE: LazyLock<Box<Edges>> = LazyLock::new(Edges::new);
        &TABLE
    }

    fn new() -> Box<Edges> {
        let mut edges = Box::new(Edges([0; 6561]));
        // Fuller edges first: those with an empty square are made of them.
        let mut sets: Vec<(u8, u8)> =
            (0..=255).flat_map(|own| (0..=255).map(move |other| (own, other))).collect();
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
            edges.0[Edges::index(own, other)] = stable;
        }
        edges
    }

    #[inline(always)]
    fn index(own: u8, other: u8) -> usize {
        usize::from(TERNARY[usize::from(own)]) + 2 * usize::from(TERNARY[usize::from(other)])
    }

    #[inline(always)]
    fn of(&self, own: u8, other: u8) -> u8 {
        self.0[Edges::index(own, other)]
    }

    /// The stable discs of `own` on all four edges.
    #[inline(always)]
    fn stable(&self, own: u64, other: u64) -> u64 {
        let top = u64::from(self.of(own as u8, other as u8));
        let bottom = u64::from(self.of((own >> 56) as u8, (other >> 56) as u8)) << 56;
        let west = upright(self.of(lain(own), lain(other)));
        let east = upright(self.of(lain(own >> 7), lain(other >> 7))) << 7;
        top | bottom | west | east
    }
}

/// The edge after a disc on an empty square of it, by the player of the first set, and what that turns along
/// the edge. A disc may come there without turning any.
fn placed(own: u8, other: u8, at: u8) -> (u8, u8) {
    let mut turned = 0;
    for step in [1_i32, -1] {
        let (mut run, mut next) = (0_u8, i32::from(at) + step);
        while (0..8).contains(&next) && other >> next & 1 != 0 {
            run |= 1 << next;
            next += step;
        }
        if (0..8).contains(&next) && own >> next & 1 != 0 {
            turned |= run;
        }
    }
    (own | turned | 1 << at, other & !turned)
}

/// The first column as a byte.
#[inline(always)]
fn lain(set: u64) -> u8 {
    ((set & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// A byte as the first column.
#[inline(always)]
fn upright(set: u8) -> u64 {
    let low = u64::from(set & 0x0f).wrapping_mul(0x0020_4081) & 0x0101_0101;
    let high = u64::from(set >> 4).wrapping_mul(0x0020_4081) & 0x0101_0101;
    low | high << 32
}

#[cfg(test)]
mod tests {
    use tesuji_game::{Game, MoveList, Side};
    use tesuji_othello::{Moves, Othello};
    use tesuji_search::Rng;

    use super::*;

    fn of(own: u64, other: u64) -> u64 {
        stable(Edges::table(), own, other)
    }

    #[test]
    fn columns_lie_down_and_stand_up_again() {
        for set in 0..=255_u8 {
            assert_eq!(lain(upright(set)), set);
            assert_eq!(upright(set) & !0x0101_0101_0101_0101, 0);
        }
    }

    #[test]
    fn corners_hold_and_other_squares_of_an_open_edge_do_not() {
        assert_eq!(of(0b111, 0), 0b111);
        assert_eq!(of(0b110, 0), 0);
        assert_eq!(of(0x8100_0000_0000_0081, 0), 0x8100_0000_0000_0081);
        // X-squares beside a corner alone may be turned.
        assert_eq!(of(0b1 | 1 << 9, 0), 0b1);
        // A full board is stable, and so is a full edge between two others.
        assert_eq!(of(0x1234_5678_9abc_def0, !0x1234_5678_9abc_def0), 0x1234_5678_9abc_def0);
        assert_eq!(of(0b0101_1010, 0b1010_0101), 0b0101_1010);
    }

    #[test]
    fn full_diagonals_are_found() {
        let falling = 0x8040_2010_0804_0201_u64;
        let full = Full::of(falling);
        assert_eq!(full.falling & falling, falling);
        // The corners are rising lines by themselves.
        assert_eq!(full.rising & falling, 0x8000_0000_0000_0001);
        assert_eq!(Full::of(falling & !1).falling & falling, 0, "a1 is empty");
        let rising = 0x0102_0408_1020_4080_u64;
        assert_eq!(Full::of(rising).rising & rising, rising);
        assert_eq!(Full::of(rising & !(1 << 7)).rising & rising, 0);
    }

    /// The discs called stable: black's and white's.
    fn of_both(game: &Othello) -> [u64; 2] {
        [(Side::First, Side::Second), (Side::Second, Side::First)]
            .map(|(own, other)| of(game.discs(own), game.discs(other)))
    }

    fn assert_held(found: [u64; 2], now: &Othello, then: &Othello) {
        let [black, white] = found;
        let held = black & !now.discs(Side::First) == 0 && white & !now.discs(Side::Second) == 0;
        assert!(held, "of {found:x?} in {then:?} not all is left in {now:?}");
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
        let mut rng = Rng::new(1);
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
        assert!(sum > 500_000, "only {sum} stable discs were found");
    }

    fn assert_held_for_ever(found: [u64; 2], now: &mut Othello, then: &Othello) {
        assert_held(found, now, then);
        let mut list = Moves::default();
        now.moves(&mut list);
        for mv in list.each() {
            let before = now.play(mv);
            assert_held_for_ever(found, now, then);
            now.undo(before);
        }
    }

    #[test]
    fn stable_discs_last_whatever_is_played() {
        let mut rng = Rng::new(2);
        for _ in 0..400 {
            let mut game = Othello::start();
            let left = 1 + rng.below(6) as u32;
            random_moves(&mut game, &mut rng, |game| game.empties().count_ones() > left);
            assert_held_for_ever(of_both(&game), &mut game.clone(), &game);
        }
    }
}

//! The numbering of the boards: one number for all images, nothing left out, and moves that can be followed back.

use std::collections::HashSet;
use std::thread;

use tesuji_game::{Game, NO_MOVE, Notation, PerfectIndex, Predecessor, Successor, Symmetric};
use tesuji_ostle::{Index, Ostle};

const PIECES: [(usize, usize); 4] = [(4, 4), (5, 4), (4, 5), (5, 5)];

/// Numbers, boards, and boards with the hole on cells 0, 1 and 12, in the classes above.
const SIZES: [(u32, u64, [u64; 3]); 4] = [
    (162_215_445, 160_900_185, [25_744_590, 51_482_970, 6_438_855]),
    (516_961_500, 514_856_700, [82_378_152, 164_745_504, 20_598_588]),
    (519_089_424, 514_856_700, [82_378_152, 164_745_504, 20_598_588]),
    (1_550_884_500, 1_544_534_100, [247_127_256, 494_236_512, 61_788_564]),
];

/// Numbers drawn evenly, the same on every machine.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * u64::from(n)) >> 32) as u32
    }

    /// A board of this class that a symmetry maps to itself.
    fn symmetric(&mut self, (own, other): (usize, usize)) -> Ostle {
        loop {
            let symmetry = 1 + self.below(7) as usize;
            let mut sets = [0u32; 3];
            let mut seen = 0u32;
            for cell in 0..25 {
                let mut orbit = 1u32 << cell;
                let mut at = Ostle::image_cell(cell, symmetry);
                while at != cell {
                    orbit |= 1 << at;
                    at = Ostle::image_cell(at, symmetry);
                }
                if seen & orbit == 0 {
                    seen |= orbit;
                    if let Some(set) = sets.get_mut(self.below(5) as usize) {
                        *set |= orbit;
                    }
                }
            }
            let [first, second, hole] = sets;
            let right = (first.count_ones(), second.count_ones(), hole.count_ones());
            if right == (own as u32, other as u32, 1) {
                return Ostle::new(first, second, hole.trailing_zeros() as u8).expect("a sound board");
            }
        }
    }
}

fn round_trip(index: &Index, class: u8, number: u32) -> Option<Ostle> {
    let board = index.unrank(class, number)?;
    let place = index.rank(board);
    assert_eq!((place.class, place.index), (class, number), "{}", board.print());
    Some(board)
}

#[test]
fn every_board_of_the_smallest_class_has_its_number() {
    let index = Index::new();
    let (size, boards, _) = SIZES[0];
    assert_eq!(index.size(0), size);
    let count = |part: u32| (part..size).step_by(2).filter(|&n| round_trip(&index, 0, n).is_some()).count();
    let found = thread::scope(|scope| {
        let odd = scope.spawn(|| count(1));
        count(0) + odd.join().expect("the other half")
    });
    assert_eq!(found as u64, boards);
    assert_eq!(index.unrank(0, size), None);
}

#[test]
fn numbers_are_those_of_their_images_and_of_no_other_board() {
    let index = Index::new();
    let mut draw = Draw(0x9e37_79b9_7f4a_7c15);
    for (class, pieces) in (0..).zip(PIECES) {
        for round in 0..40_000 {
            let drawn = index.unrank(class, draw.below(index.size(class)));
            let Some(board) = (if round % 16 == 0 { Some(draw.symmetric(pieces)) } else { drawn }) else {
                continue;
            };
            let home = index.unrank(class, index.rank(board).index).expect("a board that has a number");
            for symmetry in 0..8 {
                let place = index.rank(board.image(symmetry));
                assert_eq!((place.class, place.index), (class, index.rank(board).index));
                assert_eq!(board.image(symmetry).image(place.symmetry.into()), home);
                assert_eq!(place.symmetric, index.is_symmetric(board));
            }
            assert_eq!(index.is_symmetric(board), (1..8).any(|symmetry| board.image(symmetry) == board));
        }
    }
}

/// In rows without a tie every column is a board; the others are counted.
#[test]
fn boards_of_each_class_and_hole_are_as_many_as_symmetry_says() {
    let index = Index::new();
    for (class, (size, boards, holes)) in (0..).zip(SIZES) {
        assert_eq!(index.size(class), size);
        let (starts, columns) = (index.hole_starts(class), index.columns(class));
        let mut counts = [0u64; 6];
        for (kind, count) in counts.iter_mut().enumerate() {
            for row in (starts[kind]..starts[kind + 1]).step_by(columns as usize) {
                let mut used = (row..row + columns).filter_map(|number| round_trip(&index, class, number));
                let first = used.next().expect("a row has a board");
                let tie = (1..8).any(|symmetry| {
                    let image = first.image(symmetry);
                    image.own() == first.own() && image.hole() == first.hole()
                });
                *count += if tie { 1 + used.count() as u64 } else { columns.into() };
            }
        }
        let [corner, edge, centre] = holes;
        assert_eq!(counts, [corner, edge, corner, corner, corner, centre], "class {class}");
        assert_eq!(counts.iter().sum::<u64>(), boards);
    }
}

/// The moves that lead to a board, as its own number tells them.
fn past(index: &Index, class: u8, number: u32) -> Vec<Predecessor> {
    let mut found = Vec::new();
    index.predecessors(class, number, |back| {
        assert_eq!(stage(index, back.class), stage(index, class));
        found.push(back);
    });
    index.conversions(class, number, |back| {
        assert!(stage(index, back.class) > stage(index, class));
        found.push(back);
    });
    found
}

fn stage(index: &Index, class: u8) -> Option<usize> {
    index.stages().iter().position(|classes| classes.contains(&class))
}

/// The least of the moves that symmetries of a board make of this one: what is forbidden there, up to symmetry.
fn least(index: &Index, board: Ostle, mv: u8) -> u8 {
    let mut least = mv;
    if mv != NO_MOVE {
        index.equivalent_moves(board, mv, |twin| least = least.min(twin));
    }
    least
}

/// Follows every move on, and looks for it on the way back.
fn check(index: &Index, board: Ostle, numbers: &mut HashSet<(u8, u32)>) {
    let place = index.rank(board);
    let home = index.unrank(place.class, place.index).expect("a board that has a number");
    let mut moves = 0;
    index.successors(home, |mv, step| {
        moves += 1;
        let Successor::Board(next, reply) = step else {
            return assert_eq!(index.after(home, mv), None);
        };
        assert_eq!(index.after(home, mv), Some((next, reply)));
        let after = index.rank(next);
        let there = index.unrank(after.class, after.index).expect("a board that has a number");
        let reply = if reply == NO_MOVE { reply } else { index.image(reply, after.symmetry) };
        let symmetric = index.is_symmetric(home);
        let back = Predecessor { class: place.class, index: place.index, mv, reply, symmetric };
        let like = |found: &&Predecessor| {
            (found.class, found.index, found.symmetric) == (back.class, back.index, symmetric)
                && (found.mv == back.mv || least(index, home, found.mv) == least(index, home, back.mv))
                && least(index, there, found.reply) == least(index, there, back.reply)
        };
        let times = past(index, after.class, after.index).iter().filter(like).count();
        let right = if symmetric { times > 0 } else { times == 1 };
        assert!(right, "{} {back:?} {times} times", home.print());
        numbers.insert((after.class, after.index));
    });
    assert_eq!(moves, { home }.count(), "{}", home.print());
}

#[test]
fn moves_are_found_again_on_the_way_back() {
    let index = Index::new();
    let mut draw = Draw(0x2545_f491_4f6c_dd1d);
    let mut reached = HashSet::new();
    for (class, pieces) in (0..).zip(PIECES) {
        for round in 0..3_000 {
            let drawn = index.unrank(class, draw.below(index.size(class)));
            let board = if round % 4 == 0 { Some(draw.symmetric(pieces)) } else { drawn };
            if let Some(board) = board {
                check(&index, board, &mut reached);
            }
        }
    }
    // And on the way back nothing is made up: what is said to lead here does.
    let (mut moves, mut entrances) = (0, 0);
    for &(class, number) in reached.iter().take(60_000) {
        let mut seen = HashSet::new();
        for back in past(&index, class, number) {
            let before = round_trip(&index, back.class, back.index).expect("a board before");
            assert_eq!(index.is_symmetric(before), back.symmetric);
            let (after, reply) = index.after(before, back.mv).expect("a move that goes on");
            let place = index.rank(after);
            assert_eq!((place.class, place.index), (class, number));
            let reply = if reply == NO_MOVE { reply } else { index.image(reply, place.symmetry) };
            let there = index.unrank(class, number).expect("a board that has a number");
            assert_eq!(least(&index, there, reply), least(&index, there, back.reply));
            let new = seen.insert((back.class, back.index, back.mv));
            assert!(new || back.symmetric, "twice: {back:?}");
            moves += 1;
            entrances += usize::from(stage(&index, back.class) != stage(&index, class));
        }
    }
    assert!(moves > 500_000 && entrances > 100_000, "{moves} moves, {entrances} of them falls");
}

//! How many boards there are, counted from the symmetries alone and by making every board of a class.

use tesuji_game::{Game, Symmetric};
use tesuji_ostle::Ostle;

/// Pieces of the mover and the opponent, raw boards, boards up to symmetry.
const CLASSES: [(usize, usize, u64, u64); 4] = [
    (5, 5, 12_355_912_800, 1_544_534_100),
    (5, 4, 4_118_637_600, 514_856_700),
    (4, 5, 4_118_637_600, 514_856_700),
    (4, 4, 1_287_074_250, 160_900_185),
];

/// Hole cells, one of each kind, and the boards up to symmetry with the hole there, in the same classes.
const HOLES: [(usize, [u64; 4]); 6] = [
    (0, [247_127_256, 82_378_152, 82_378_152, 25_744_590]),
    (1, [494_236_512, 164_745_504, 164_745_504, 51_482_970]),
    (2, [247_127_256, 82_378_152, 82_378_152, 25_744_590]),
    (6, [247_127_256, 82_378_152, 82_378_152, 25_744_590]),
    (7, [247_127_256, 82_378_152, 82_378_152, 25_744_590]),
    (12, [61_788_564, 20_598_588, 20_598_588, 6_438_855]),
];

/// The symmetries that leave the hole where it is.
fn stabiliser(hole: usize) -> Vec<usize> {
    (0..Ostle::SYMMETRIES).filter(|&symmetry| Ostle::image_cell(hole, symmetry) == hole).collect()
}

/// How many boards with this hole a symmetry maps to themselves: each cycle of cells is all own, all other
/// or all empty.
fn fixed(hole: usize, symmetry: usize, own: usize, other: usize) -> u64 {
    let mut ways = [[0u64; 6]; 6];
    ways[0][0] = 1;
    let mut seen = 1u32 << hole;
    for cell in 0..25 {
        let (mut length, mut at) = (0, cell);
        while seen >> at & 1 == 0 {
            seen |= 1 << at;
            length += 1;
            at = Ostle::image_cell(at, symmetry);
        }
        if length == 0 {
            continue;
        }
        // From the fullest down, so that a cycle is used once.
        for a in (0..=5usize).rev() {
            for b in (0..=5usize).rev() {
                let fewer = |a: Option<usize>, b: Option<usize>| a.zip(b).map_or(0, |(a, b)| ways[a][b]);
                let as_own = fewer(a.checked_sub(length), Some(b));
                let as_other = fewer(Some(a), b.checked_sub(length));
                ways[a][b] += as_own + as_other;
            }
        }
    }
    ways[own][other]
}

#[test]
fn sizes_of_classes_follow_from_the_symmetries() {
    for (class, &(own, other, raw, canonical)) in CLASSES.iter().enumerate() {
        assert_eq!((0..25).map(|hole| fixed(hole, 0, own, other)).sum::<u64>(), raw);
        let mut sum = 0;
        for (hole, per_class) in HOLES {
            let group = stabiliser(hole);
            let fixed: u64 = group.iter().map(|&symmetry| fixed(hole, symmetry, own, other)).sum();
            assert_eq!(fixed % group.len() as u64, 0);
            assert_eq!(fixed / group.len() as u64, per_class[class], "hole {hole}, ({own},{other})");
            sum += per_class[class];
        }
        assert_eq!(sum, canonical);
    }
    let raw: u64 = CLASSES.iter().map(|class| class.2).sum();
    let canonical: u64 = CLASSES.iter().map(|class| class.3).sum();
    assert_eq!((raw, canonical), (21_880_262_250, 2_735_147_685));
}

/// ImageSets of sets of cells under one symmetry, by the lower 13 and the upper 12 cells.
struct ImageSets {
    low: Vec<u32>,
    high: Vec<u32>,
}

impl ImageSets {
    fn new(symmetry: usize) -> ImageSets {
        let image = |set: usize, first: usize| {
            let cells = (0..13).filter(|cell| set >> cell & 1 != 0);
            cells.fold(0, |image, cell| image | 1 << Ostle::image_cell(first + cell, symmetry))
        };
        ImageSets {
            low: (0..1 << 13).map(|set| image(set, 0)).collect(),
            high: (0..1 << 12).map(|set| image(set, 13)).collect(),
        }
    }

    fn of(&self, set: u32) -> u32 {
        self.low[set as usize & 0x1fff] | self.high[set as usize >> 13]
    }
}

/// Every board of a class, one of each eight images: the hole on one of six cells, own sets smallest under
/// what leaves the hole, other sets smallest under what leaves both.
fn boards(own_pieces: u32, other_pieces: u32, mut visit: impl FnMut(Ostle)) {
    let images: Vec<ImageSets> = (0..Ostle::SYMMETRIES).map(ImageSets::new).collect();
    for (hole, _) in HOLES {
        let group = stabiliser(hole);
        let free = |taken: u32| (0..25).filter(|&cell| taken >> cell & 1 == 0).collect::<Vec<u32>>();
        choose(&free(1 << hole), own_pieces, 0, &mut |own| {
            if group.iter().any(|&symmetry| images[symmetry].of(own) < own) {
                return;
            }
            let kept = |images: &&ImageSets| images.of(own) == own;
            let ties: Vec<&ImageSets> = group[1..].iter().map(|&symmetry| &images[symmetry]).filter(kept).collect();
            choose(&free(own | 1 << hole), other_pieces, 0, &mut |other| {
                if ties.iter().all(|images| images.of(other) >= other) {
                    visit(Ostle::new(own, other, hole as u8).expect("a sound board"));
                }
            });
        });
    }
}

/// All sets of so many of the free cells, each joined to what is chosen already.
fn choose(free: &[u32], pieces: u32, chosen: u32, visit: &mut impl FnMut(u32)) {
    if pieces == 0 {
        return visit(chosen);
    }
    for (index, &cell) in free.iter().enumerate() {
        choose(&free[index + 1..], pieces - 1, chosen | 1 << cell, visit);
    }
}

#[test]
fn half_of_the_smallest_class_is_checkmate() {
    let (mut all, mut mates, mut moves) = (0u64, 0u64, 0u64);
    boards(4, 4, |mut board| {
        all += 1;
        mates += u64::from(board.checkmate());
        moves += board.count();
    });
    assert_eq!(all, 160_900_185);
    assert_eq!(mates, 84_616_783);
    // 16 pushes, and the hole has 3.2 neighbours of which two thirds are empty: 18.13 moves.
    assert_eq!(moves, 2_917_658_456);
}

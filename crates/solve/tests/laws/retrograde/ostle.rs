//! The class of Ostle with four pieces a side: built, counted and verified.

use std::sync::Arc;

use tesuji_game::{Game, NO_MOVE, PerfectIndex, Successor, Symmetric};
use tesuji_ostle::{Index, Ostle};
use tesuji_solve::retrograde::{Control, Solution, verify};
use tesuji_solve::tablebase::build::{BuildJob, BuildResult, build};
use tesuji_solve::tablebase::{Metric, Tablebase, TablebaseId};
use tesuji_task::CancelToken;

use super::checkpoints::Scratch;

/// Boards by plies to the end, nothing forbidden: 0 a draw, 1 checkmate, odd a win, even a loss.
#[rustfmt::skip]
const BOARDS: [u64; 111] = [
    2_913_373, 84_616_783, 11_170_556, 4_368_251, 3_569_427, 4_003_399, 3_922_846, 4_076_700, 4_200_268,
    3_780_563, 4_030_827, 3_006_815, 3_345_415, 2_509_518, 2_651_507, 2_040_261, 2_075_470, 1_618_006,
    1_612_519, 1_274_736, 1_245_350, 1_000_188, 956_787, 781_121, 741_564, 607_672, 573_114, 473_439,
    443_354, 368_808, 343_508, 287_109, 266_573, 222_822, 207_200, 172_536, 160_105, 134_847, 125_557,
    107_010, 99_334, 85_297, 78_636, 67_811, 62_864, 53_873, 49_831, 43_317, 40_272, 34_713, 32_178, 27_572,
    25_389, 21_457, 19_728, 16_882, 15_624, 13_144, 12_056, 10_583, 9_786, 8_662, 8_103, 6_690, 6_438,
    5_170, 4_993, 4_109, 3_896, 3_227, 3_069, 2_522, 2_374, 2_023, 1_869, 1_504, 1_341, 1_094, 937, 857,
    760, 677, 653, 496, 462, 373, 314, 226, 215, 137, 131, 111, 81, 73, 61, 51, 43, 27, 27, 14, 27, 29, 17,
    21, 6, 6, 6, 8, 1, 1, 2,
];

/// Nodes by plies minus one, draws at 0: a board without a win in one and the forbidden move, up to symmetry.
#[rustfmt::skip]
const NODES: [u64; 110] = [
    12_856_965, 63_538_442, 18_710_376, 18_051_866, 17_383_500, 18_304_431, 17_507_641, 19_885_301,
    16_374_136, 18_240_549, 13_107_404, 14_839_945, 10_792_200, 11_683_948, 8_759_856, 9_105_138, 6_984_293,
    7_063_207, 5_519_806, 5_460_319, 4_350_508, 4_217_372, 3_414_604, 3_282_482, 2_674_283, 2_549_839,
    2_096_544, 1_984_176, 1_643_883, 1_545_666, 1_286_632, 1_206_066, 1_006_565, 940_383, 783_529, 731_055,
    615_394, 577_138, 488_242, 458_381, 391_782, 364_833, 313_264, 292_939, 249_937, 232_943, 202_258,
    188_989, 162_132, 150_761, 128_630, 118_786, 100_187, 92_509, 79_110, 73_406, 61_871, 57_211, 50_032,
    46_478, 40_970, 38_508, 31_728, 30_622, 24_672, 23_465, 19_499, 18_330, 15_331, 14_360, 12_101, 11_251,
    9_694, 8_836, 7_208, 6_381, 5_329, 4_497, 4_200, 3_590, 3_262, 3_020, 2_399, 2_087, 1_770, 1_469, 1_065,
    928, 666, 599, 553, 380, 365, 284, 252, 214, 117, 120, 87, 107, 115, 89, 81, 25, 24, 28, 31, 4, 5, 7,
];

#[test]
fn four_pieces_a_side() {
    let (game, scratch) = (Arc::new(Index::new()), Scratch::new("ostle"));
    let id = TablebaseId { game: "ostle".to_owned(), rules: 1, index: 1 };
    let (dir, metric) = (scratch.0.clone(), Metric::Dtw);
    let task = BuildJob {
        dir,
        id: id.clone(),
        metric,
        stages: 1,
        distances: false,
        threads: 2,
        memory: 2 << 30,
        cancel: CancelToken::new(),
    };
    let summary = match build(&game, Ostle::start(), &task, &mut |_| Control::Continue).unwrap() {
        BuildResult::Done(summary) => summary,
        other => panic!("nobody said stop: {other:?}"),
    };
    let count = &summary.classes[0].statistics;
    assert_eq!((count.boards, count.wins_at_once, count.symmetric), (160_900_185, 84_616_783, 21_559));
    let longest = BOARDS.len();
    assert_eq!((&count.first[..longest], count.first[longest..].iter().sum()), (&BOARDS[..], 0));
    assert_eq!(count.exceptions, 21_770_531);
    // One ply more than listed, except draws.
    let nodes: Vec<u64> = [&count.nodes[..1], &count.nodes[2..=NODES.len()]].concat();
    assert_eq!((&nodes[..], nodes.iter().sum::<u64>()), (&NODES[..], 353_730_848));
    assert_eq!((count.nodes[1], count.merged, count.ambiguous), (0, 14, 0));
    assert_eq!((summary.start, summary.longest[0].plies), (None, 110));

    // Every entry follows from its successors.
    let table = Tablebase::open(&scratch.0, Arc::clone(&game), &id).unwrap();
    let mut solution = Solution::default();
    solution.insert(0, table.values(0, 2, &CancelToken::new()).unwrap());
    let (boards, wrong) = verify(&*game, &solution, 0, 1, 2, &|_| true).unwrap();
    assert_eq!((boards, &wrong[..]), (160_900_185, &[][..]));
    // Single probes of any image with any forbidden move agree.
    for board in (0..game.size(0)).step_by(100_003).filter_map(|index| game.unrank(0, index)) {
        for image in (0..8).map(|symmetry| board.image(symmetry)) {
            let mut forbidden = vec![NO_MOVE];
            game.successors(image, |mv, step| {
                forbidden.extend(matches!(step, Successor::Board(_, reply) if reply != NO_MOVE).then_some(mv));
            });
            for mv in forbidden {
                let plies = table.value(image, mv).unwrap().plies.unwrap_or(0);
                assert_eq!(Some(plies), solution.value(&*game, image, mv), "{image:?} {mv}");
            }
        }
    }
}

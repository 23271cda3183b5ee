//! Exported weights: slow reference readers of the formats of Edax and Egaroucid give our evaluation.

use tesuji_engines::othello::{MobilityPair, PatternEval};
use tesuji_game::{Game, MoveList};
use tesuji_othello::{Moves, Othello};
use tesuji_search::Rng;

/// Squares in the order of their digits, the most significant first; one list for each pattern of the file.
type Patterns = &'static [&'static [u8]];

static EDAX: Patterns = &[
    &[0, 1, 8, 9, 2, 16, 10, 17, 18],
    &[32, 24, 16, 8, 0, 9, 1, 2, 3, 4],
    &[9, 0, 1, 2, 3, 4, 5, 6, 7, 14],
    &[0, 2, 3, 10, 11, 12, 13, 4, 5, 7],
    &[8, 9, 10, 11, 12, 13, 14, 15],
    &[16, 17, 18, 19, 20, 21, 22, 23],
    &[24, 25, 26, 27, 28, 29, 30, 31],
    &[0, 9, 18, 27, 36, 45, 54, 63],
    &[1, 10, 19, 28, 37, 46, 55],
    &[2, 11, 20, 29, 38, 47],
    &[3, 12, 21, 30, 39],
    &[3, 10, 17, 24],
];

static EGAROUCID: Patterns = &[
    &[8, 9, 10, 11, 12, 13, 14, 15],
    &[1, 2, 11, 20, 14, 29, 38, 47, 55],
    &[16, 17, 18, 19, 20, 21, 22, 23],
    &[0, 1, 10, 19, 28, 37, 46, 55, 63],
    &[24, 25, 26, 27, 28, 29, 30, 31],
    &[0, 1, 2, 8, 9, 10, 16, 17, 18],
    &[9, 3, 12, 21, 30, 39, 54],
    &[0, 9, 18, 27, 36, 45, 54, 63, 8, 1],
    &[9, 0, 1, 2, 3, 4, 5, 6, 7, 14],
    &[0, 1, 2, 3, 8, 9, 10, 16, 17, 24],
    &[0, 2, 3, 4, 5, 7, 10, 11, 12, 13],
    &[0, 9, 18, 27, 1, 10, 19, 8, 17, 26],
    &[10, 0, 1, 2, 3, 4, 5, 6, 7, 13],
    &[0, 1, 2, 3, 4, 8, 9, 16, 24, 32],
    &[0, 1, 8, 9, 10, 11, 17, 18, 25, 27],
    &[42, 43, 51, 59, 58, 61, 60, 52, 44, 45],
];

/// The quarter turns of a pattern and of its mirror image, one for each set of squares they cover.
fn places(pattern: &[u8]) -> Vec<Vec<u8>> {
    let mut places: Vec<Vec<u8>> = Vec::new();
    let mut seen: Vec<Vec<u8>> = Vec::new();
    for turns in 0..8 {
        let turned = |&square: &u8| {
            let (mut x, mut y) = (square % 8, square / 8);
            if turns >= 4 {
                x = 7 - x;
            }
            for _ in 0..turns % 4 {
                (x, y) = (7 - y, x);
            }
            8 * y + x
        };
        let place: Vec<u8> = pattern.iter().map(turned).collect();
        let mut set = place.clone();
        set.sort_unstable();
        if !seen.contains(&set) {
            seen.push(set);
            places.push(place);
        }
    }
    places
}

/// The index of a pattern instance: 0 for a disc of the mover, 1 for one of the opponent, 2 for none.
fn index(game: &Othello, place: &[u8]) -> usize {
    let digit = |square: u8| match (game.own() >> square & 1, game.other() >> square & 1) {
        (1, _) => 0,
        (_, 1) => 1,
        _ => 2,
    };
    place.iter().fold(0, |index, &square| 3 * index + digit(square))
}

fn shorts(bytes: &[u8]) -> Vec<i16> {
    bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect()
}

/// The sum of the weights of all patterns, with one table for each.
fn sum(game: &Othello, patterns: Patterns, tables: &[Vec<i16>]) -> i32 {
    let all = patterns
        .iter()
        .zip(tables)
        .flat_map(|(pattern, table)| places(pattern).into_iter().map(|place| i32::from(table[index(game, &place)])));
    all.sum()
}

/// A position of every ply of a random game.
fn positions() -> Vec<Othello> {
    let (mut rng, mut list, mut game, mut all) = (Rng::new(11), Moves::default(), Othello::start(), Vec::new());
    while game.outcome().is_none() {
        game.moves(&mut list);
        all.push(game);
        game.play(list.each().nth(rng.below(list.len())).unwrap());
    }
    assert!(all.len() > 50);
    all
}

fn empties(game: &Othello) -> usize {
    game.empties().count_ones() as usize
}

/// Random weights for the patterns that all three programs have.
fn plain() -> PatternEval {
    let mut rng = Rng::new(7);
    let all = PatternEval::WEIGHTS / 27;
    let weights: Vec<i16> =
        (0..PatternEval::WEIGHTS).map(|at| if at % all < 114_363 { rng.draw() as i16 / 64 } else { 0 }).collect();
    PatternEval::new(&weights).unwrap()
}

#[test]
fn weights_that_other_programs_cannot_hold_are_not_exported() {
    let all = PatternEval::shipped();
    assert!(all.edax().is_none() && all.egaroucid().is_none());
}

/// Our evaluation in discs.
fn ours(eval: &PatternEval, game: &Othello) -> f64 {
    let indices = tesuji_engines::othello::PatternIndices::new(game.own(), game.other());
    let mobility = MobilityPair::new(game.own(), game.other());
    f64::from(eval.sum(&indices, game.empties().count_ones(), mobility)) / 128.0
}

/// Edax has one weight for an index and its mirror image, in the order of the lesser.
#[test]
fn edax_evaluates_as_we_do() {
    let eval = plain();
    let bytes = eval.edax().unwrap();
    assert_eq!(&bytes[..8], b"XADELAVE", "two little-endian words");
    let (head, packed) = (28, 114_364);
    assert_eq!(bytes.len(), head + 61 * packed * 2);
    let weights = shorts(&bytes[head..]);
    // The place of the mirror image of each digit.
    let mirrors: [&[usize]; 12] = [
        &[0, 2, 1, 3, 5, 4, 7, 6, 8],
        &[9, 8, 7, 6, 4, 5, 3, 2, 1, 0],
        &[9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
        &[9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
        &[7, 6, 5, 4, 3, 2, 1, 0],
        &[7, 6, 5, 4, 3, 2, 1, 0],
        &[7, 6, 5, 4, 3, 2, 1, 0],
        &[7, 6, 5, 4, 3, 2, 1, 0],
        &[6, 5, 4, 3, 2, 1, 0],
        &[5, 4, 3, 2, 1, 0],
        &[4, 3, 2, 1, 0],
        &[3, 2, 1, 0],
    ];
    for game in positions() {
        let mut at = (60 - empties(&game)) * packed;
        let tables: Vec<Vec<i16>> = mirrors
            .iter()
            .map(|mirror| {
                let size = mirror.len();
                let digit = |number: usize, place: usize| number / 3_usize.pow((size - 1 - place) as u32) % 3;
                let image = |number: usize| mirror.iter().fold(0, |image, &place| 3 * image + digit(number, place));
                let mut table = vec![0; 3_usize.pow(size as u32)];
                for number in 0..table.len() {
                    table[number] = if image(number) < number {
                        table[image(number)]
                    } else {
                        at += 1;
                        weights[at - 1]
                    };
                }
                table
            })
            .collect();
        let constant = i32::from(weights[at]);
        assert_eq!((at + 1) % packed, 0, "all weights of the ply");
        let theirs = f64::from(sum(&game, EDAX, &tables) + constant) / 128.0;
        assert!((theirs - ours(&eval, &game)).abs() < 1e-9, "{theirs} {}", ours(&eval, &game));
    }
}

#[test]
fn egaroucid_evaluates_as_we_do_within_its_unit() {
    let eval = plain();
    let bytes = eval.egaroucid().unwrap();
    let packed = shorts(&bytes[4..]);
    assert_eq!(u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize, packed.len());
    let mut weights: Vec<i16> = Vec::new();
    for number in packed {
        match number {
            4096.. => weights.resize(weights.len() + number as usize - 4096, 0),
            _ => weights.push(number),
        }
    }
    let phase: usize = EGAROUCID.iter().map(|pattern| 3_usize.pow(pattern.len() as u32)).sum();
    assert_eq!(weights.len(), 60 * (phase + 65));
    let mut worst: f64 = 0.0;
    for game in positions() {
        let mut rest = &weights[(60 - empties(&game)) * (phase + 65)..];
        let tables: Vec<Vec<i16>> = EGAROUCID
            .iter()
            .map(|pattern| rest.split_off(..3_usize.pow(pattern.len() as u32)).unwrap().to_vec())
            .collect();
        assert!(rest[..65].iter().all(|&count| count == 0));
        assert!(EGAROUCID.iter().all(|pattern| places(pattern).len() == 4));
        let theirs = f64::from(sum(&game, EGAROUCID, &tables)) / 32.0;
        worst = worst.max((theirs - ours(&eval, &game)).abs());
    }
    // 48 weights, each rounded by at most half a unit.
    assert!(worst < 48.0 * 0.5 / 32.0 && worst > 0.0, "{worst}");
}

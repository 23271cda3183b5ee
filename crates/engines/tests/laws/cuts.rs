//! The error model of the search: measured the same by everybody, and handed to the search that it is for.

use tesuji_engines::othello::{
    Bitboards, Cuts, Depths, Goal, PatternEval, PatternModel, Selectivity, Solver, Study,
};
use tesuji_engines::{HasEngines, Spec, Trainable};
use tesuji_game::Notation;
use tesuji_learn::{Sample, Samples};
use tesuji_othello::Othello;
use tesuji_search::CancelToken;

/// Positions of our own games.
fn samples() -> Samples<Bitboards> {
    let model = PatternModel::new();
    let mut samples = Samples::new(&model);
    for (game, opening) in (0..).zip(Othello::openings(7, 8..=50).take(200)) {
        let position = tesuji_engines::othello::bitboards(opening.now());
        samples.push(&model, Sample { position, label: 0, game });
    }
    samples
}

#[test]
fn what_is_measured_does_not_depend_on_the_threads() {
    let eval = PatternEval::shipped();
    let positions = Study::positions(&samples(), 3, 5);
    let measured = |threads| {
        let depths = Depths { plies: 4, end: 12 };
        Study::measure(&eval, &positions, depths, threads, &CancelToken::new(), &|_| ()).unwrap()
    };
    let (one, three) = (measured(1), measured(3));
    assert_eq!(one, three);
    assert!(one.gaps.keys().any(|[empties, depth, _]| empties == depth), "some were solved");
    assert!(one.gaps.keys().any(|[empties, depth, shallow]| *depth == 4 && *shallow == 2 && *empties > 30));
    assert!(one.gaps.keys().all(|[_, depth, shallow]| *shallow == 0 || (depth - shallow) % 2 == 0));
    let told = CancelToken::new();
    told.cancel();
    assert_eq!(Study::measure(&eval, &positions, Depths { plies: 4, end: 0 }, 2, &told, &|_| ()), None);
}

#[test]
fn positions_are_drawn_by_the_seed_alone() {
    let samples = samples();
    let drawn = Study::positions(&samples, 2, 1);
    assert_eq!(drawn, Study::positions(&samples, 2, 1));
    assert_ne!(drawn, Study::positions(&samples, 2, 2));
    let all = Study::positions(&samples, 1000, 1);
    assert!(all.len() > drawn.len() && drawn.iter().all(|position| all.contains(position)));
}

/// With doubts beyond all scores nothing is left out, whatever the level; with small ones much is.
#[test]
fn the_model_decides_how_much_is_left_out() {
    let model = |constant: f64| {
        let others = ["unseen", "seen", "empties", "empties-squared", "empties-seen", "end", "end-empties"];
        let mut body = format!("tesuji othello cuts 1\nconstant {constant:.4}\n");
        others.iter().for_each(|name| body.push_str(&format!("{name} 0.0000\n")));
        let sum = crc32(body.as_bytes());
        Cuts::parse(&format!("{body}sum {sum:08x}\n")).unwrap()
    };
    let board = "--XXXXX---OOOX-O--OOXXOO-OOXXOOO-OXXXOOO--XXOXOO--OOOO-O-XXXXXO- X";
    let game = Othello::parse(board).unwrap();
    let nodes = |constant: f64| {
        let mut solver = Solver::new(16, PatternEval::shipped()).probcut(&model(constant));
        solver.search_depth(&game, 9, Selectivity::FASTEST, &CancelToken::new()).unwrap().nodes
    };
    assert!(nodes(0.0) < nodes(2.5), "{} {}", nodes(0.0), nodes(2.5));
    // What is solved is right by any model.
    let score = |constant: f64| {
        Solver::new(16, PatternEval::shipped()).probcut(&model(constant)).solve(&game, Goal::Score).score
    };
    assert_eq!(score(0.0), score(2.5));
}

#[test]
fn a_bad_file_is_told() {
    let spec = Spec::parse("expert:depth=2,cuts=nowhere").unwrap();
    let error = Othello::engine(&spec).err().unwrap().to_string();
    assert!(error.contains("cuts") && error.contains("cannot be read"), "{error}");
}

/// CRC-32, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let mut sum = !0_u32;
    for &byte in bytes {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
        }
    }
    !sum
}

//! The ProbCut error model: measured reproducibly, and used by the search.

use tesuji_engines::othello::{
    Bitboards, DepthDifferences, Goal, PatternEval, PatternModel, ProbCutParameters, Selectivity, Solver, StudyDepths,
};
use tesuji_engines::{HasEngines, Spec, Trainable};
use tesuji_game::Notation;
use tesuji_learn::{Sample, Samples};
use tesuji_othello::Othello;
use tesuji_task::{CancelToken, Context};

/// Random positions.
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
fn measurements_do_not_depend_on_the_threads() {
    let eval = PatternEval::shipped();
    let positions = DepthDifferences::draw_positions(&samples(), 3, 5);
    let measured = |threads| {
        let depths = StudyDepths { plies: 4, end: 12, hash: None };
        let cancel = CancelToken::new();
        DepthDifferences::measure(&eval, &positions, depths, threads, Context::silent(&cancel)).unwrap()
    };
    let (one, three) = (measured(1), measured(3));
    assert_eq!(one, three);
    assert!(one.cells.keys().any(|[empties, depth, _]| empties == depth), "some were solved");
    assert!(one.cells.keys().any(|[empties, depth, shallow]| *depth == 4 && *shallow == 2 && *empties > 30));
    assert!(one.cells.keys().all(|[_, depth, shallow]| *shallow == 0 || (depth - shallow) % 2 == 0));
    let cancel = CancelToken::new();
    cancel.cancel();
    let depths = StudyDepths { plies: 4, end: 0, hash: Some(1) };
    assert_eq!(DepthDifferences::measure(&eval, &positions, depths, 2, Context::silent(&cancel)), None);
}

#[test]
fn positions_are_drawn_by_the_seed_alone() {
    let samples = samples();
    let drawn = DepthDifferences::draw_positions(&samples, 2, 1);
    assert_eq!(drawn, DepthDifferences::draw_positions(&samples, 2, 1));
    assert_ne!(drawn, DepthDifferences::draw_positions(&samples, 2, 2));
    let all = DepthDifferences::draw_positions(&samples, 1000, 1);
    assert!(all.len() > drawn.len() && drawn.iter().all(|position| all.contains(position)));
}

/// Large deviations prevent all cuts, small ones allow many.
#[test]
fn smaller_deviations_cut_more() {
    let model = |constant: f64| {
        let others = ["unseen", "seen", "empties", "empties-squared", "empties-seen", "end", "end-empties"];
        let mut body = format!("tesuji othello cuts 1\nconstant {constant:.4}\n");
        others.iter().for_each(|name| body.push_str(&format!("{name} 0.0000\n")));
        let sum = crc32(body.as_bytes());
        ProbCutParameters::parse(&format!("{body}sum {sum:08x}\n")).unwrap()
    };
    let board = "--XXXXX---OOOX-O--OOXXOO-OOXXOOO-OXXXOOO--XXOXOO--OOOO-O-XXXXXO- X";
    let game = Othello::parse(board).unwrap();
    let nodes = |constant: f64| {
        let mut solver = Solver::new(16, PatternEval::shipped()).probcut(&model(constant));
        solver.search_depth(&game, 9, Selectivity::FASTEST, &CancelToken::new()).unwrap().nodes
    };
    assert!(nodes(0.0) < nodes(2.5), "{} {}", nodes(0.0), nodes(2.5));
    // Exact scores do not depend on the model.
    let score = |constant: f64| {
        Solver::new(16, PatternEval::shipped()).probcut(&model(constant)).solve(&game, Goal::Score).score
    };
    assert_eq!(score(0.0), score(2.5));
}

#[test]
fn a_missing_file_is_reported() {
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

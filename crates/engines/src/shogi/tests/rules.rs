//! The options of a game are those of its record, whatever the engine searched before.

use tesuji_game::Record;
use tesuji_search::alphabeta::{AlphaBeta, AlphaBetaOptions, RootDriver};
use tesuji_search::{CancelToken, Engine, Limits, Proven, Value};
use tesuji_shogi::{Declaration, Rules, Shogi};

use super::super::{Material, ShogiHeuristics};
use super::parsed;
use crate::{HasEngines, Spec};

fn engine() -> AlphaBeta<Material, ShogiHeuristics> {
    AlphaBeta::new(
        Material,
        ShogiHeuristics::default(),
        AlphaBetaOptions { hash_mib: 1, ..AlphaBetaOptions::default() },
    )
}

/// What an engine makes of a record, so many plies deep.
fn value(engine: &mut dyn Engine<Shogi>, record: &Record<Shogi>, depth: u32) -> Value {
    let limits = Limits { depth: Some(depth), nodes: Some(5_000_000), lines: 1, ..Limits::default() };
    let mut value = Value::LEAST;
    engine.think(record, &limits, &CancelToken::new(), &mut |report| {
        value = report.lines.first().map_or(Value::LEAST, |line| line.value);
    });
    value
}

fn record(position: &str, declaration: Declaration, move_limit: Option<usize>) -> Record<Shogi> {
    Record::with_rules(parsed(position), Rules { declaration, move_limit })
}

/// White moves, then black may declare 28 points, or by another rule a king on the other's first square.
#[test]
fn a_declaration_wins_where_the_rules_know_it() {
    let points = "1+R+R2K3/+B+B+P+P+P4/+P+P+P6/9/9/9/9/9/k8 w 2P 1";
    let throne = "4K4/9/9/9/9/9/9/9/k8 w - 1";
    let lost = Some(Proven::Loss(2));
    let cases = [
        (points, Declaration::Points27, lost),
        (points, Declaration::None, None),
        (points, Declaration::Points24, None),
        (points, Declaration::Points27, lost),
        (throne, Declaration::Points27, None),
        (throne, Declaration::Try, lost),
        (throne, Declaration::None, None),
    ];
    let mut alphabeta = engine();
    let spec = Spec::parse("puct:playouts=200").expect("a spec");
    let mut puct = Shogi::engine(&spec).expect("an engine");
    for (position, declaration, proven) in cases {
        let record = record(position, declaration, None);
        let found = value(&mut alphabeta, &record, 2);
        assert_eq!(found.proven(), proven, "{declaration:?} in {position}: {found}");
        let found = value(puct.as_mut(), &record, 2);
        let lost = matches!(found.proven(), Some(Proven::Loss(_)));
        assert_eq!(lost, proven.is_some(), "{declaration:?} in {position}: {found} by a tree");
    }
}

const MATE_IN_THREE: &str = "4S3s/7k1/5lp2/4N4/9/9/9/9/2K6 b 2R 1";

/// Games that are drawn before the mate, with it, or after it.
#[test]
fn a_mate_counts_only_within_the_limit_of_moves() {
    let mut engine = engine();
    for (limit, mate) in [(None, true), (Some(2), false), (Some(3), true), (Some(1), false), (Some(4), true)] {
        let found = value(&mut engine, &record(MATE_IN_THREE, Declaration::None, limit), 5);
        let expected = if mate { Value::win(3) } else { Value::DRAW };
        assert_eq!(found, expected, "the limit is {limit:?}");
    }
}

/// The same position with less time left: what the table knows of it is no longer true.
#[test]
fn the_table_does_not_lead_beyond_the_limit_of_moves() {
    let mut record = record("5s1p1/8k/7l1/9/4P3B/9/9/9/2K6 b GL 1", Declaration::None, Some(8));
    // Null windows only: this driver believes the table wherever it can.
    let mut engine = engine().with_driver(RootDriver::Mtdf);
    let found = value(&mut engine, &record, 12);
    assert!(matches!(found.proven(), Some(Proven::Win(5..=8))), "{found}");
    for text in ["7i7h", "1b1a", "7h7i", "1a1b"] {
        record.push_text(text).expect(text);
    }
    assert_eq!(record.now(), record.start());
    assert_eq!(value(&mut engine, &record, 4), Value::DRAW, "only four plies are left");
}

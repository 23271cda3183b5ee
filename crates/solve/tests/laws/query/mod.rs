//! Queries about positions near the end, which a plain search solves.

pub(crate) mod oracles;

use tesuji_game::{Game, Notation, Outcome, Record};
use tesuji_ostle::Ostle;
use tesuji_solve::tablebase::PositionValue;
use tesuji_solve::tablebase::query::{BestLine, MoveStatus, QueryError, QueryResult};

use oracles::{Constant, ShallowSearch, WdlOnly};

/// A win in 5, where the forbidden move would win in 3.
const FIVE: &str = "00003-00010-10022-20100-02001/00003-00020-00011-20200-11002";

fn value(outcome: Outcome, plies: u8) -> PositionValue {
    PositionValue { outcome, plies: Some(plies) }
}

fn five() -> Ostle {
    Ostle::parse(FIVE).expect("a position")
}

#[test]
fn the_best_move_comes_first_and_a_forbidden_one_is_never_best() {
    let position = five();
    let result = QueryResult::new(&ShallowSearch::new(5), position).expect("a result");
    assert_eq!(result.value, value(Outcome::Win, 5));
    let best: Vec<String> = result.best().map(|mv| position.print_move(mv.mv)).collect();
    assert_eq!(best, ["d2d"]);
    let last = result.moves.last().expect("a move");
    assert_eq!((last.status, last.value), (MoveStatus::Forbidden, value(Outcome::Win, 3)));
    let suicides = result.moves.iter().filter(|mv| mv.status == MoveStatus::Suicide);
    assert!(suicides.clone().count() == 3 && suicides.clone().all(|mv| mv.value == value(Outcome::Loss, 1)));
    assert!(result.moves.is_sorted_by_key(|mv| mv.status));
}

/// The moves are those of the tablebase of four pieces a side.
#[test]
fn a_line_to_the_end() {
    let oracle = ShallowSearch::new(5);
    let first = QueryResult::new(&oracle, five()).expect("a result");
    let line = BestLine::new(&oracle, &Record::new(five()), &first).expect("a line");
    let moves: Vec<String> = line.plies.iter().map(|ply| ply.position.print_move(ply.mv)).collect();
    assert_eq!(moves, ["d2d", "e3u", "a3d", "e2d", "d3r"]);
    let plies: Vec<Option<u8>> = line.plies.iter().map(|ply| ply.result.value.plies).collect();
    assert_eq!(plies, [5, 4, 3, 2, 1].map(Some));
    let equal: Vec<usize> = line.plies.iter().map(|ply| ply.result.best().count()).collect();
    assert_eq!(equal, [1, 2, 1, 10, 2]);
    assert_eq!(line.record.now().print(), "00003-00000-00002-20210-11002 O");
    assert!(line.record.ending().is_some() && line.repeats.is_none());
}

#[test]
fn a_drawn_line_ends_with_a_repetition() {
    let oracle = ShallowSearch::new(1);
    let first = QueryResult::new(&oracle, Ostle::start()).expect("a result");
    let line = BestLine::new(&oracle, &Record::new(Ostle::start()), &first).expect("a line");
    let repeated = &line.plies[line.repeats.expect("a repetition") - 1].position;
    assert_eq!((line.record.now(), line.record.now().mover()), (repeated, repeated.mover()));
}

#[test]
fn a_wdl_tablebase_has_values_and_no_line() {
    let oracle = WdlOnly(ShallowSearch::new(5));
    let result = QueryResult::new(&oracle, five()).expect("a result");
    assert_eq!(result.value, PositionValue { outcome: Outcome::Win, plies: None });
    let line = BestLine::new(&oracle, &Record::new(five()), &result);
    assert!(matches!(line, Err(QueryError::NoDistances)));
}

#[test]
fn a_contradiction_is_an_error() {
    let result = QueryResult::new(&Constant(value(Outcome::Win, 3)), Ostle::start());
    let why = result.expect_err("a contradiction").to_string();
    assert!(why.contains("is win in 3 and its best move is loss in 4"), "{why}");
}

//! The engine with a book: it plays book moves, and searches where the book ends or scores are requested.

use std::sync::Arc;

use tesuji_engines::book::BookSource;
use tesuji_engines::othello::{Book, OthelloEngine, PatternEval, Solver, Strength};
use tesuji_engines::{HasEngines, Spec};
use tesuji_game::{Game, Notation, Record};
use tesuji_othello::{Move, Othello};
use tesuji_search::{CancelToken, Choice, Engine, Limits};

fn after(moves: &str) -> Record<Othello> {
    let mut record = Record::new(Othello::start());
    Othello::read_moves(&mut record, moves).unwrap();
    record
}

/// A book with wrong scores: after f5 it prefers the bad move f4, whose leaf is c3.
fn wrong_book() -> Book {
    let [one, two] = ["f5", "f5f4"].map(|moves| after(moves).now().print());
    Book::parse_text(&format!("{one}; d6:-40@3\n{two}; c3:-60@3")).unwrap()
}

fn expert(level: u32, book: BookSource<Othello>) -> OthelloEngine {
    let solver = Solver::new(1, PatternEval::shipped());
    OthelloEngine::new(solver, Some(Strength::new(level))).with_book(book)
}

/// The move, the nodes searched, and its value.
fn chosen(engine: &mut OthelloEngine, record: &Record<Othello>, limits: &Limits) -> (Move, u64, i32) {
    let mut last = (0, 0);
    let choice = engine.think(record, limits, &CancelToken::new(), &mut |report| {
        last = (report.nodes, i32::from(report.lines[0].value.get()));
    });
    match choice {
        Choice::Move { mv, .. } => (mv, last.0, last.1),
        other => panic!("{other:?}"),
    }
}

#[test]
fn book_moves_are_played_without_search() {
    let limits = Limits { lines: 1, ..Limits::default() };
    let mut engine = expert(4, BookSource::Own(Arc::new(wrong_book())));
    let (mv, nodes, value) = chosen(&mut engine, &after("f5"), &limits);
    assert_eq!((mv.to_string().as_str(), nodes, value), ("f4", 0, 6000));
    // The same in every orientation.
    let (mv, nodes, _) = chosen(&mut engine, &after("d3"), &limits);
    assert_eq!((mv.to_string().as_str(), nodes), ("e3", 0));
    // A leaf is played only if it was searched as deeply as the engine would.
    let (mv, nodes, _) = chosen(&mut engine, &after("f5f4"), &limits);
    assert!(nodes > 0 && mv.to_string() != "c3", "{mv} {nodes}");
    let mut weak = expert(3, BookSource::Own(Arc::new(wrong_book())));
    let (mv, nodes, _) = chosen(&mut weak, &after("f5f4"), &limits);
    assert_eq!((mv.to_string().as_str(), nodes), ("c3", 0));
    let depth = Limits { depth: Some(2), ..limits.clone() };
    let (mv, _, _) = chosen(&mut engine, &after("f5f4"), &depth);
    assert_eq!(mv.to_string(), "c3");
    // Out of the book.
    let (_, nodes, _) = chosen(&mut engine, &after("f5d6"), &limits);
    assert!(nodes > 0);
}

#[test]
fn scores_are_searched_and_an_engine_without_book_searches() {
    let one = Limits { lines: 1, ..Limits::default() };
    let record = after("f5");
    let plain = chosen(&mut expert(4, BookSource::None), &record, &one);
    assert!(plain.1 > 0 && plain.0.to_string() != "f4", "{plain:?}");
    let ignore_book = Limits { ignore_book: true, ..one.clone() };
    assert_eq!(chosen(&mut expert(4, BookSource::Own(Arc::new(wrong_book()))), &record, &ignore_book), plain);
    let two = Limits { lines: 2, ..one.clone() };
    let (mv, nodes, _) = chosen(&mut expert(4, BookSource::Own(Arc::new(wrong_book()))), &record, &two);
    assert_eq!((mv, nodes > 0), (plain.0, true));
}

/// A leaf is missing: another move may be better.
#[test]
fn incomplete_entries_are_not_played() {
    let [one, two] = ["f5", "f5f4"].map(|moves| after(moves).now().print());
    let book = Book::parse_text(&format!("{one};\n{two}; c3:-60@3")).unwrap();
    let limits = Limits { lines: 1, ..Limits::default() };
    let (mv, nodes, _) = chosen(&mut expert(4, BookSource::Own(Arc::new(book))), &after("f5"), &limits);
    assert!(nodes > 0 && mv.to_string() != "f4");
}

#[test]
fn the_shipped_book_is_the_default() {
    let nodes = |spec: &str| {
        let mut engine = Othello::engine(&Spec::parse(spec).unwrap()).unwrap();
        let mut nodes = 0;
        let limits = Limits { lines: 1, ..Limits::default() };
        let record = Record::new(Othello::start());
        let choice = engine.think(&record, &limits, &CancelToken::new(), &mut |report| nodes = report.nodes);
        assert!(matches!(choice, Choice::Move { .. }));
        nodes
    };
    assert_eq!(nodes("expert:level=1,hash=1"), 0);
    assert!(nodes("expert:level=1,hash=1,book=none") > 0);
}

#[test]
fn the_book_handles_passes() {
    // White can turn nothing and passes; then black is alone to move.
    let passing = Othello::parse(&format!("{:-<64} O", "XXO")).unwrap();
    let mut next = passing;
    next.play(Move::PASS);
    let book = Book::parse_text(&format!("{}; d1:+64@1", next.print())).unwrap();
    let known = book.probe(&passing).unwrap();
    assert_eq!((known.moves[0].mv, known.moves[0].score), (Move::PASS, -64));
    assert_eq!(book.principal_variation(&passing).0.len(), 2);
}

//! The engine with a book: it plays what is there, and thinks where the book ends or values are asked for.

use std::sync::Arc;

use tesuji_engines::othello::{Book, OthelloEngine, PatternEval, Shelved, Solver, Strength};
use tesuji_engines::{HasEngines, Spec};
use tesuji_game::{Game, Notation, Record};
use tesuji_othello::{Move, Othello};
use tesuji_search::{CancelToken, Choice, Engine, Limits};

fn after(moves: &str) -> Record<Othello> {
    let mut record = Record::new(Othello::start());
    Othello::read_moves(&mut record, moves).unwrap();
    record
}

/// After f5 the book loves f4, which is bad, and has tried nothing else; after f5 f4 it says that c3 is out of it.
fn odd() -> Book {
    let [one, two] = ["f5", "f5f4"].map(|moves| after(moves).now().print());
    Book::parse_text(&format!("{one}; d6:-40@3\n{two}; c3:-60@3")).unwrap()
}

fn expert(level: u32, book: Shelved) -> OthelloEngine {
    let solver = Solver::new(1, PatternEval::shipped());
    OthelloEngine::new(solver, Some(Strength::new(level))).with_book(book)
}

/// The move, and the positions that were visited for it.
fn chosen(engine: &mut OthelloEngine, record: &Record<Othello>, limits: &Limits) -> (Move, u64, i32) {
    let mut told = (0, 0);
    let choice = engine.think(record, limits, &CancelToken::new(), &mut |report| {
        told = (report.nodes, i32::from(report.lines[0].value.get()));
    });
    match choice {
        Choice::Move { mv, .. } => (mv, told.0, told.1),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_the_book_says_is_played_at_once() {
    let limits = Limits { lines: 1, ..Limits::default() };
    let mut engine = expert(4, Shelved::Own(Arc::new(odd())));
    let (mv, nodes, value) = chosen(&mut engine, &after("f5"), &limits);
    assert_eq!((mv.to_string().as_str(), nodes, value), ("f4", 0, 6000));
    // The same, whichever way the board lies.
    let (mv, nodes, _) = chosen(&mut engine, &after("d3"), &limits);
    assert_eq!((mv.to_string().as_str(), nodes), ("e3", 0));
    // The end of the book: its move was searched less deeply than this engine does, and as deeply as another.
    let (mv, nodes, _) = chosen(&mut engine, &after("f5f4"), &limits);
    assert!(nodes > 0 && mv.to_string() != "c3", "{mv} {nodes}");
    let mut weak = expert(3, Shelved::Own(Arc::new(odd())));
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
fn values_are_searched_and_no_book_is_no_book() {
    let one = Limits { lines: 1, ..Limits::default() };
    let record = after("f5");
    let plain = chosen(&mut expert(4, Shelved::None), &record, &one);
    assert!(plain.1 > 0 && plain.0.to_string() != "f4", "{plain:?}");
    let ignore_book = Limits { ignore_book: true, ..one.clone() };
    assert_eq!(chosen(&mut expert(4, Shelved::Own(Arc::new(odd()))), &record, &ignore_book), plain);
    let two = Limits { lines: 2, ..one.clone() };
    let (mv, nodes, _) = chosen(&mut expert(4, Shelved::Own(Arc::new(odd()))), &record, &two);
    assert_eq!((mv, nodes > 0), (plain.0, true));
}

/// A leaf is missing: a better move may be out there.
#[test]
fn half_a_page_is_not_played() {
    let [one, two] = ["f5", "f5f4"].map(|moves| after(moves).now().print());
    let book = Book::parse_text(&format!("{one};\n{two}; c3:-60@3")).unwrap();
    let limits = Limits { lines: 1, ..Limits::default() };
    let (mv, nodes, _) = chosen(&mut expert(4, Shelved::Own(Arc::new(book))), &after("f5"), &limits);
    assert!(nodes > 0 && mv.to_string() != "f4");
}

#[test]
fn the_book_that_ships_is_the_default() {
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
fn a_pass_is_in_the_book_too() {
    // White can turn nothing and passes; then black is alone to move.
    let passing = Othello::parse(&format!("{:-<64} O", "XXO")).unwrap();
    let mut next = passing;
    next.play(Move::PASS);
    let book = Book::parse_text(&format!("{}; d1:+64@1", next.print())).unwrap();
    let opinion = book.probe(&passing).unwrap();
    assert_eq!((opinion.choices[0].mv, opinion.choices[0].value), (Move::PASS, -64));
    assert_eq!(book.line(&passing).0.len(), 2);
}

//! Books of Trax: positions up to translation, rotation, reflection and exchange of colours, and moves by their places.

use std::sync::Arc;

use tesuji_engines::book::{
    Book, BookDepth, BookEngine, BookError, BookExpander, BookGame, BookLeaf, BookSearcher, BookSource,
    ExpansionConfig, MoveSource,
};
use tesuji_engines::trax::{LeafSearch, Lines};
use tesuji_engines::{HasEngines, Spec};
use tesuji_game::{Game, Notation, Record, Symmetric};
use tesuji_search::{CancelToken, Choice, Engine, Limits, Rng};
use tesuji_trax::{EightByEight, Move, Trax, Unlimited};

type Position = Trax<Unlimited>;
type TraxBook = Book<Position>;

fn config(positions: usize) -> ExpansionConfig {
    ExpansionConfig { level: 1, plies: 8, positions, threads: 1, hash: Some(1) }
}

fn expanded(book: TraxBook, config: ExpansionConfig) -> TraxBook {
    let mut expander = BookExpander::new(book, Lines::shipped(), config);
    while expander.step(&CancelToken::new()) {}
    expander.into_book()
}

fn moves(game: &Position) -> Vec<Move> {
    let mut list = Vec::new();
    game.clone().moves(&mut list);
    list
}

/// A position after random turns that is not the end of the game.
fn random_position(rng: &mut Rng, turns: usize) -> Position {
    loop {
        let mut game = Position::start();
        for _ in 0..turns {
            let list = moves(&game);
            if !list.is_empty() {
                game.play(list[rng.below(list.len())]);
            }
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}

fn at(text: &str) -> Position {
    Position::parse(text).unwrap()
}

#[test]
fn all_images_of_a_position_are_one() {
    let mut rng = Rng::new(71);
    for turns in 0..12 {
        let game = random_position(&mut rng, turns);
        let leaf = moves(&game)[rng.below(moves(&game).len())];
        let text = format!("{}; {leaf}:+{turns}@3", game.print());
        let book = TraxBook::parse_text(&text).unwrap();
        for symmetry in 0..Position::SYMMETRIES {
            let image = game.image(symmetry);
            assert_eq!(image.book_key(), game.book_key(), "{text}, symmetry {symmetry}");
            let known = book.probe(&image).unwrap();
            assert_eq!((known.moves.len(), known.moves[0].score), (1, turns as i32));
            // The leaf, or a move that a symmetry of the position maps to it.
            let after = |game: &Position, mv| {
                let mut after = game.clone();
                after.play(mv);
                after.canonical_key()
            };
            assert!(moves(&image).contains(&known.moves[0].mv));
            assert_eq!(after(&image, known.moves[0].mv), after(&game, leaf), "{text}, symmetry {symmetry}");
            // Read from another image, the book is the same.
            let again = format!("{}; {}:+{turns}@3", image.print(), game.image_move(leaf, symmetry));
            assert!(TraxBook::parse_text(&again).unwrap().contains(&game));
            let both = TraxBook::parse_text(&format!("{text}\n{again}")).unwrap_err();
            assert!(both.to_string().contains("line 2: the same position as on line 1"), "{both}");
        }
    }
    // Two orders of the same turns, whose coordinates differ.
    let (one, two) = (at("@0+ @1+ C1+"), at("@0+ B1+ @1+"));
    assert_eq!(one.book_key(), two.book_key());
}

#[test]
fn a_grown_book_survives_a_round_trip_and_knows_legal_moves() {
    let book = expanded(TraxBook::default(), config(60));
    assert_eq!((book.len(), book.unsearched()), (60, 0));
    assert_eq!(book.reachable(&Position::start()), 60);
    assert_eq!(TraxBook::parse(&book.bytes()).unwrap(), book);
    let read = TraxBook::parse_text(&book.text()).unwrap();
    assert_eq!((read.bytes(), read.text()), (book.bytes(), book.text()));
    let mut rng = Rng::new(72);
    let mut met = 0;
    for _ in 0..40 {
        let mut game = Position::start().image(rng.below(16));
        while let Some(known) = book.probe(&game) {
            met += 1;
            assert!(known.complete && !known.moves.is_empty());
            let list = moves(&game);
            assert!(known.moves.iter().all(|mv| list.contains(&mv.mv)), "{}", game.print());
            assert!(known.moves.windows(2).all(|pair| pair[0].score >= pair[1].score));
            for mv in &known.moves {
                let mut after = game.clone();
                after.play(mv.mv);
                match mv.source {
                    MoveSource::Book => assert_eq!(book.score(&after), Some(-mv.score)),
                    MoveSource::Leaf(depth) => {
                        assert!(!book.contains(&after) && depth == BookDepth::full(1));
                    }
                }
            }
            game.play(known.moves[rng.below(known.moves.len())].mv);
        }
    }
    assert!(met > 100, "{met}");
}

#[test]
fn expansion_depends_on_the_book_only() {
    let whole = expanded(TraxBook::default(), config(50));
    assert_eq!(expanded(TraxBook::default(), ExpansionConfig { threads: 3, ..config(50) }).bytes(), whole.bytes());
    // Saved and loaded after every step.
    let mut book = TraxBook::default();
    loop {
        let read = TraxBook::parse(&book.bytes()).unwrap();
        let mut expander = BookExpander::new(read, Lines::shipped(), config(50));
        if !expander.step(&CancelToken::new()) {
            break;
        }
        book = expander.into_book();
    }
    assert_eq!(book.bytes(), whole.bytes());
    let (small, other) = (expanded(TraxBook::default(), config(20)), expanded(TraxBook::default(), config(50)));
    assert_eq!(Book::merge([&small, &other]).bytes(), Book::merge([&other, &small]).bytes());
    assert_eq!(Book::merge([&small, &other]).len(), 50);
}

/// Merging maps the leaf of one image to the other.
#[test]
fn merged_leaves_belong_to_the_stored_image() {
    let mut rng = Rng::new(73);
    for turns in 1..8 {
        let game = random_position(&mut rng, turns);
        let leaf = moves(&game)[0];
        for symmetry in 0..Position::SYMMETRIES {
            let image = game.image(symmetry);
            let bare = TraxBook::parse_text(&format!("{};", game.print())).unwrap();
            let other =
                TraxBook::parse_text(&format!("{}; {}:-5@2", image.print(), game.image_move(leaf, symmetry))).unwrap();
            let merged = Book::merge([&bare, &other]);
            assert_eq!(merged.bytes(), Book::merge([&other, &bare]).bytes());
            let known = merged.probe(&game).unwrap();
            assert_eq!((merged.len(), known.moves[0].score), (1, -5));
            let (mut one, mut two) = (game.clone(), game.clone());
            one.play(leaf);
            two.play(known.moves[0].mv);
            assert_eq!(one.canonical_key(), two.canonical_key());
        }
    }
}

#[test]
fn no_flipped_bit_and_no_cut_is_accepted() {
    let whole = expanded(TraxBook::default(), config(12)).bytes();
    for bit in 0..8 * whole.len() {
        let mut hit = whole.clone();
        hit[bit / 8] ^= 1 << (bit % 8);
        assert!(TraxBook::parse(&hit).is_err(), "bit {bit}");
    }
    for cut in 0..whole.len() {
        assert!(TraxBook::parse(&whole[..cut]).is_err(), "cut to {cut} bytes");
    }
    // With a correct checksum no byte that is wrong panics.
    for at in 12..whole.len() - 4 {
        for byte in [0, 1, 3, 77, 255] {
            let mut bytes = whole.clone();
            bytes[at] = byte;
            let sum = bytes.len() - 4;
            let crc = crc32fast::hash(&bytes[..sum]).to_le_bytes();
            bytes[sum..].copy_from_slice(&crc);
            if let Ok(book) = TraxBook::parse(&bytes) {
                assert_eq!(book.bytes(), bytes, "one file for each book");
            }
        }
    }
    assert_eq!(Book::<Trax<EightByEight>>::parse(&whole), Err(BookError::Foreign), "a book of another variant");
    assert_eq!(tesuji_engines::othello::Book::parse(&whole), Err(BookError::Foreign));
}

#[test]
fn the_first_wrong_line_is_named() {
    for (text, line, words) in [
        ("@0/;\n\n~3 @0/;", 3, "as on line 1"),
        ("@0/; B1+", 1, "B1+:+120@6"),
        ("@0/; B1+:x@3", 1, "B1+:+120@6"),
        ("@0/; C7+:+2@3", 1, "C7+"),
        ("@0/; B1+:+30002@3", 1, "from -30001 to +30001"),
        ("@0/; B1+:+6@61", 1, "from 1 to 60"),
        (r"@0/ A2\ B1\;", 1, "over"),
        ("@0/; B1+:+1@3\n@0/ B1+;", 1, "leads to line 2"),
        ("% tesuji trax book, format 2", 1, "another format"),
        (r"@0\;", 1, r"@0\"),
    ] {
        let fault = TraxBook::parse_text(text).unwrap_err();
        assert_eq!(fault.line, line, "{text}: {fault}");
        assert!(fault.to_string().contains(words), "{text}: {fault}");
    }
}

/// At depth 1 every move can be valued by itself.
#[test]
fn the_leaf_is_the_best_move_that_is_not_excluded() {
    let mut rng = Rng::new(74);
    for round in 0..60 {
        let game = random_position(&mut rng, 1 + round % 9);
        let list = moves(&game);
        // As in a book, a move is excluded with all that lead to the same position.
        let after = |mv: Move| {
            let mut after = game.clone();
            after.play(mv);
            after.canonical_key()
        };
        let salt = rng.draw();
        let excluded: Vec<Move> = list.iter().copied().filter(|&mv| (after(mv) ^ salt).is_multiple_of(3)).collect();
        let mut engine = Position::engine(&Spec::parse("alphabeta:hash=1").unwrap()).unwrap();
        let limits = Limits { depth: Some(1), lines: list.len(), ignore_book: true, ..Limits::default() };
        let mut lines = Vec::new();
        engine.think(&Record::new(game.clone()), &limits, &CancelToken::new(), &mut |report| {
            lines = report.lines.iter().map(|line| (line.moves[0], line.value)).collect();
        });
        let found = LeafSearch::best_excluding(
            &mut Position::searcher(&Lines::shipped(), 1),
            &game,
            1,
            &excluded,
            &CancelToken::new(),
        );
        let Some((mv, score)) = found else {
            assert_eq!(excluded.len(), list.len());
            continue;
        };
        assert!(!excluded.contains(&mv) && list.contains(&mv), "{}", game.print());
        let best = lines.iter().filter(|(mv, _)| !excluded.contains(mv)).map(|&(_, value)| value).max();
        // A position with a win in one is not searched further.
        if let Some(best) = best.filter(|_| lines.len() == list.len() && !lines[0].1.is_proven()) {
            assert_eq!(Position::score_value(score).get().clamp(-30_000, 30_000), best.get().clamp(-30_000, 30_000));
        }
    }
}

fn chosen(engine: &mut dyn Engine<Position>, game: &Position, limits: &Limits) -> (Move, u64) {
    let mut nodes = 0;
    let choice = engine.think(&Record::new(game.clone()), limits, &CancelToken::new(), &mut |report| {
        nodes = report.nodes;
    });
    match choice {
        Choice::Move { mv, .. } => (mv, nodes),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_engine_plays_the_book_and_searches_where_it_ends() {
    // A book with wrong scores: after @0/ it prefers B1+.
    let book = TraxBook::parse_text("@0/; A0+:-4000@3\n@0/ B1+; B0/:-6000@3").unwrap();
    let inner = || Position::engine(&Spec::parse("alphabeta:depth=2,hash=1,book=none").unwrap()).unwrap();
    let mut engine = BookEngine::new(BoxedEngine(inner()), BookSource::Own(Arc::new(book)));
    let limits = Limits { lines: 1, ..Limits::default() };
    for symmetry in 0..Position::SYMMETRIES {
        let game = at("@0/").image(symmetry);
        let (mv, nodes) = chosen(&mut engine, &game, &limits);
        let mut after = game.clone();
        after.play(mv);
        assert_eq!((after.book_key(), nodes), (at("@0/ B1+").book_key(), 0), "symmetry {symmetry}");
    }
    // A leaf is played only if it was searched as deeply as the engine would, and no book where values are asked for.
    assert!(chosen(&mut engine, &at("@0/ B1+"), &limits).1 > 0);
    let shallow = Limits { depth: Some(3), ..limits.clone() };
    assert_eq!(chosen(&mut engine, &at("@0/ B1+"), &shallow).1, 0);
    for limits in [Limits { ignore_book: true, ..limits.clone() }, Limits { lines: 2, ..limits.clone() }] {
        assert!(chosen(&mut engine, &at("@0/"), &limits).1 > 0);
    }
}

/// A boxed engine is not an engine by itself.
struct BoxedEngine(Box<dyn Engine<Position>>);

impl Engine<Position> for BoxedEngine {
    fn think(
        &mut self,
        record: &Record<Position>,
        limits: &Limits,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&tesuji_search::SearchReport<Move>),
    ) -> Choice<Move> {
        self.0.think(record, limits, stop, watch)
    }
}

#[test]
fn a_missing_or_damaged_book_of_an_engine_is_an_error() {
    let error = |spec: &str| Position::engine(&Spec::parse(spec).unwrap()).map(|_| ()).unwrap_err().to_string();
    assert!(error("alphabeta:book=/nowhere").contains("cannot be read"));
    assert!(error("alphabeta:eval=none,book=none").contains("only eval=lines has a book"));
}

#[test]
fn a_leaf_is_public_data() {
    let leaf = BookLeaf { mv: moves(&Position::start())[0], score: 3, depth: BookDepth::full(4) };
    assert_eq!(
        (leaf.depth.to_string().as_str(), BookDepth { plies: 21, percent: 73 }.to_string().as_str()),
        ("4", "21/73")
    );
}

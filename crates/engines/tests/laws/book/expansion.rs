//! Expansion does not depend on threads or interruptions, and merging does not depend on the order.

use tesuji_engines::book::{BookExpander, BookSelfPlay, ExpansionConfig, MoveSource, PositionCounts};
use tesuji_engines::othello::{Book, PatternEval, Solver, Strength};
use tesuji_game::{Game, MoveList, Notation, Record};
use tesuji_othello::{Move, Moves, Othello, mobility};
use tesuji_search::{CancelToken, Rng};

use super::{config, expanded};

#[test]
fn expansion_depends_on_the_book_only() {
    let whole = expanded(Book::default(), config(150));
    assert_eq!((whole.len(), whole.unsearched()), (150, 0));
    for threads in [2, 3] {
        assert_eq!(expanded(Book::default(), ExpansionConfig { threads, ..config(150) }).bytes(), whole.bytes());
    }
    // Saved and loaded after every step, also between the searches of a batch.
    let mut book = Book::default();
    loop {
        let read = Book::parse(&book.bytes()).unwrap();
        let mut expander = BookExpander::new(read, PatternEval::shipped(), config(150));
        if !expander.step(&CancelToken::new()) {
            break;
        }
        book = expander.into_book();
    }
    assert_eq!(book.bytes(), whole.bytes());
    // Nothing is left to do.
    assert_eq!(expanded(whole.clone(), config(150)).bytes(), whole.bytes());
}

#[test]
fn a_cancelled_step_adds_only_finished_searches() {
    let cancel = CancelToken::new();
    cancel.cancel();
    let mut expander = BookExpander::new(Book::default(), PatternEval::shipped(), config(30));
    assert!(expander.step(&cancel), "the start is added");
    assert!(expander.step(&cancel));
    assert_eq!((expander.book().len(), expander.pending()), (1, 1));
    while expander.step(&CancelToken::new()) {}
    assert_eq!(expander.into_book().bytes(), expanded(Book::default(), config(30)).bytes());
}

#[test]
fn the_best_moves_come_first_and_the_ply_limit_holds() {
    let book = expanded(Book::default(), ExpansionConfig { plies: 4, ..config(1000) });
    // No leaf leads to further positions of so few moves.
    assert!(book.len() < 1000 && book.len() > 20, "{}", book.len());
    assert_eq!(book.reachable(&Othello::start()), book.len());
    let (line, depth) = book.principal_variation(&Othello::start());
    assert_eq!((line.len(), depth), (5, 6), "{line:?}");
    let known = book.probe(&Othello::start()).unwrap();
    assert!(known.complete && known.moves.len() == 4);
    assert!(known.moves.iter().all(|mv| mv.source == MoveSource::Book));
}

#[test]
fn a_higher_level_searches_again() {
    let low = expanded(Book::default(), config(20));
    let high = expanded(low.clone(), ExpansionConfig { level: 3, ..config(20) });
    assert_eq!(high.len(), 20);
    assert!(low.text().contains("@2") && !low.text().contains("@3"));
    assert!(high.text().contains("@3") && !high.text().contains("@2"));
    // A lower level keeps the better leaves.
    assert_eq!(expanded(high.clone(), config(20)).bytes(), high.bytes());
}

/// Random games with a common start.
fn games(seed: u64) -> Vec<Record<Othello>> {
    let mut rng = Rng::new(seed);
    let game = |_| {
        let mut record = Record::new(Othello::start());
        let mut list = Moves::default();
        while record.plies().len() < 12 && record.ending().is_none() {
            record.now().clone().moves(&mut list);
            let is_common = record.plies().len() < 3;
            let number = if is_common { 0 } else { rng.below(list.len()) };
            record.push(list.each().nth(number).unwrap()).unwrap();
        }
        record
    };
    (0..30).map(game).collect()
}

#[test]
fn frequent_positions_are_added() {
    let mut counts = PositionCounts::new(8);
    games(41).iter().for_each(|record| counts.add(record));
    let mut book = Book::default();
    assert_eq!(book.add_counted(&counts, 2), counts.count(2));
    assert!(book.len() >= 5 && counts.count(1) > book.len());
    assert_eq!(book.add_counted(&counts, 2), 0);
    let mut now = Othello::start();
    for mv in games(41)[0].moves().take(3) {
        assert!(book.contains(&now));
        now.play(mv);
    }
    assert!(book.unsearched() > 0 && !book.probe(&Othello::start()).unwrap().complete);
    let searched = expanded(book.clone(), config(0));
    assert_eq!((searched.len(), searched.unsearched()), (book.len(), 0));
    assert!(searched.probe(&Othello::start()).unwrap().complete);
    // Expansion continues from there.
    let more = expanded(searched.clone(), config(searched.len() + 20));
    assert_eq!(more.len(), searched.len() + 20);
    let straight = expanded(book, config(searched.len() + 20));
    assert_eq!(straight.bytes(), more.bytes());
}

#[test]
fn self_play_loses_little_and_depends_on_its_number_only() {
    let self_play = BookSelfPlay { level: 3, plies: 12, eval: PatternEval::shipped(), seed: 5, hash: None };
    let play = |self_play: &BookSelfPlay<Othello>, number| -> Vec<Move> {
        let record = self_play.game(number, &CancelToken::new()).unwrap();
        assert_eq!(record.plies().len(), 12);
        record.moves().collect()
    };
    let games: Vec<Vec<Move>> = (0..8).map(|number| play(&self_play, number)).collect();
    assert!(games.iter().skip(1).any(|game| game[1..] != games[0][1..]));
    assert_eq!(play(&self_play, 3), games[3]);
    let other = BookSelfPlay { seed: 6, ..self_play.clone() };
    assert!((0..8).any(|number| play(&other, number) != games[number as usize]));
    // No move loses more than two discs; a search with an empty table may differ a little.
    let mut now = Othello::start();
    for &mv in &games[0] {
        let score = |excluded| {
            let mut solver = Solver::new(1, PatternEval::shipped());
            solver.best_excluding(&now, Strength::new(self_play.level), excluded, &CancelToken::new()).unwrap().score
        };
        let others = mobility(now.own(), now.other()) & !(1 << mv.square().unwrap().index());
        assert!(score(others) >= score(0) - 4, "{mv:?} in {now:?}");
        now.play(mv);
    }
    let cancel = CancelToken::new();
    cancel.cancel();
    assert!(self_play.game(0, &cancel).is_none());
}

#[test]
fn merging_does_not_depend_on_the_order() {
    let mut counts = PositionCounts::new(10);
    games(42).iter().for_each(|record| counts.add(record));
    let mut played = Book::default();
    played.add_counted(&counts, 1);
    let books = [
        expanded(Book::default(), config(60)),
        expanded(Book::default(), ExpansionConfig { level: 1, ..config(60) }),
        expanded(played, config(0)),
    ];
    let [a, b, c] = &books;
    let merged = Book::merge(&books);
    assert_eq!(Book::merge([c, b, a]).bytes(), merged.bytes());
    assert_eq!(Book::merge([a, a]), *a);
    assert_eq!(Book::merge([a, &Book::default()]), *a);
    assert!(books.iter().all(|book| book.len() < merged.len()));
    // Leaves that lead into the other book are dropped and searched again.
    assert!(merged.unsearched() > 0);
    let searched = expanded(merged.clone(), config(0));
    assert_eq!((searched.len(), searched.unsearched()), (merged.len(), 0));
}

#[test]
fn the_deepest_leaf_that_leads_out_is_kept() {
    // After f5 and d6 there are five moves, all different.
    let game = {
        let mut record = Record::new(Othello::start());
        Othello::read_moves(&mut record, "f5d6").unwrap();
        *record.now()
    };
    let mut after = game;
    let c3 = after.parse_move("c3").unwrap();
    after.play(c3);
    let of = |leaf: &str| Book::parse_text(&format!("{}; {leaf}", game.print())).unwrap();
    let (deep, sure, shallow) = (of("c3:-1@9/73"), of("c4:+2@8"), of("c5:+3@5"));
    let score = |books: [&Book; 2]| Book::merge(books).score(&game);
    assert_eq!(score([&deep, &sure]), Some(-1));
    assert_eq!(score([&shallow, &sure]), Some(2));
    assert_eq!(score([&deep, &of("c4:+5@9")]), Some(5), "as deep, and less selective");
    // With c3 in the book its leaf does not apply to the other moves.
    let inside = Book::parse_text(&format!("{};", after.print())).unwrap();
    assert_eq!(score([&deep, &inside]), None);
    assert_eq!(Book::merge([&deep, &inside, &shallow]).score(&game), Some(3));
}

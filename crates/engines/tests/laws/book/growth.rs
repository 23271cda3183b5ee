//! Books grow the same on any number of threads, however often they are put down; and merge the same in any order.

use tesuji_engines::othello::{Book, Grower, PatternEval, Plan, Solver, Source, Sparring, Strength, Tally};
use tesuji_game::{Game, MoveList, Notation, Record};
use tesuji_othello::{Move, Moves, Othello, mobility};
use tesuji_search::{CancelToken, Rng};

use super::{grown, plan};

#[test]
fn growth_depends_on_the_book_alone() {
    let whole = grown(Book::default(), plan(150));
    assert_eq!((whole.len(), whole.unsearched()), (150, 0));
    for threads in [2, 3] {
        assert_eq!(grown(Book::default(), Plan { threads, ..plan(150) }).bytes(), whole.bytes());
    }
    // Put down and taken up after every step, the searches of a batch torn apart.
    let mut book = Book::default();
    loop {
        let read = Book::parse(&book.bytes()).unwrap();
        let mut grower = Grower::new(read, PatternEval::shipped(), plan(150));
        if !grower.step(&CancelToken::new()) {
            break;
        }
        book = grower.into_book();
    }
    assert_eq!(book.bytes(), whole.bytes());
    // NoEval is left to do.
    assert_eq!(grown(whole.clone(), plan(150)).bytes(), whole.bytes());
}

#[test]
fn a_stopped_step_adds_nothing_that_was_not_found() {
    let stop = CancelToken::new();
    stop.cancel();
    let mut grower = Grower::new(Book::default(), PatternEval::shipped(), plan(30));
    assert!(grower.step(&stop), "the start is added");
    assert!(grower.step(&stop));
    assert_eq!((grower.book().len(), grower.left()), (1, 1));
    while grower.step(&CancelToken::new()) {}
    assert_eq!(grower.into_book().bytes(), grown(Book::default(), plan(30)).bytes());
}

#[test]
fn the_best_moves_come_first_and_plies_are_kept() {
    let book = grown(Book::default(), Plan { plies: 4, ..plan(1000) });
    // There are no more positions of so few moves that a leaf leads to.
    assert!(book.len() < 1000 && book.len() > 20, "{}", book.len());
    assert_eq!(book.below(&Othello::start()), book.len());
    let (line, depth) = book.line(&Othello::start());
    assert_eq!((line.len(), depth), (5, 6), "{line:?}");
    let opinion = book.probe(&Othello::start()).unwrap();
    assert!(opinion.whole && opinion.choices.len() == 4);
    assert!(opinion.choices.iter().all(|choice| choice.source == Source::Book));
}

#[test]
fn a_higher_level_searches_anew() {
    let low = grown(Book::default(), plan(20));
    let high = grown(low.clone(), Plan { strength: Strength::new(3), ..plan(20) });
    assert_eq!(high.len(), 20);
    assert!(low.text().contains("@2") && !low.text().contains("@3"));
    assert!(high.text().contains("@3") && !high.text().contains("@2"));
    // A lower one leaves what is better.
    assert_eq!(grown(high.clone(), plan(20)).bytes(), high.bytes());
}

/// Games by chance, all of them alike in the beginning.
fn games(seed: u64) -> Vec<Record<Othello>> {
    let mut rng = Rng::new(seed);
    let game = |_| {
        let mut record = Record::new(Othello::start());
        let mut list = Moves::default();
        while record.plies().len() < 12 && record.ending().is_none() {
            record.now().clone().moves(&mut list);
            let like = record.plies().len() < 3;
            let number = if like { 0 } else { rng.below(list.len()) };
            record.push(list.each().nth(number).unwrap()).unwrap();
        }
        record
    };
    (0..30).map(game).collect()
}

#[test]
fn what_is_played_often_enters() {
    let mut tally = Tally::new(8);
    games(41).iter().for_each(|record| tally.add(record));
    let mut book = Book::default();
    assert_eq!(book.learn(&tally, 2), tally.count(2));
    assert!(book.len() >= 5 && tally.count(1) > book.len());
    assert_eq!(book.learn(&tally, 2), 0);
    let mut now = Othello::start();
    for mv in games(41)[0].moves().take(3) {
        assert!(book.has(&now));
        now.play(mv);
    }
    assert!(book.unsearched() > 0 && !book.probe(&Othello::start()).unwrap().whole);
    let searched = grown(book.clone(), plan(0));
    assert_eq!((searched.len(), searched.unsearched()), (book.len(), 0));
    assert!(searched.probe(&Othello::start()).unwrap().whole);
    // It opens from there.
    let more = grown(searched.clone(), plan(searched.len() + 20));
    assert_eq!(more.len(), searched.len() + 20);
    let straight = grown(book, plan(searched.len() + 20));
    assert_eq!(straight.bytes(), more.bytes());
}

#[test]
fn games_for_a_book_are_sound_and_depend_on_their_numbers_alone() {
    let sparring = Sparring { strength: Strength::new(3), plies: 12, eval: PatternEval::shipped(), seed: 5 };
    let play = |sparring: &Sparring, number| -> Vec<Move> {
        let record = sparring.game(number, &CancelToken::new()).unwrap();
        assert_eq!(record.plies().len(), 12);
        record.moves().collect()
    };
    let games: Vec<Vec<Move>> = (0..8).map(|number| play(&sparring, number)).collect();
    assert!(games.iter().skip(1).any(|game| game[1..] != games[0][1..]));
    assert_eq!(play(&sparring, 3), games[3]);
    let other = Sparring { seed: 6, ..sparring.clone() };
    assert!((0..8).any(|number| play(&other, number) != games[number as usize]));
    // No move gives away more than two discs; a search that remembers nothing may see it a little differently.
    let mut now = Othello::start();
    for &mv in &games[0] {
        let worth = |barred| {
            let mut solver = Solver::new(1, PatternEval::shipped());
            solver.best_excluding(&now, sparring.strength, barred, &CancelToken::new()).unwrap().score
        };
        let others = mobility(now.own(), now.other()) & !(1 << mv.square().unwrap().index());
        assert!(worth(others) >= worth(0) - 4, "{mv:?} in {now:?}");
        now.play(mv);
    }
    let stop = CancelToken::new();
    stop.cancel();
    assert!(sparring.game(0, &stop).is_none());
}

#[test]
fn merging_is_the_same_in_any_order() {
    let mut tally = Tally::new(10);
    games(42).iter().for_each(|record| tally.add(record));
    let mut played = Book::default();
    played.learn(&tally, 1);
    let books = [
        grown(Book::default(), plan(60)),
        grown(Book::default(), Plan { strength: Strength::new(1), ..plan(60) }),
        grown(played, plan(0)),
    ];
    let [a, b, c] = &books;
    let merged = Book::merged(&books);
    assert_eq!(Book::merged([c, b, a]).bytes(), merged.bytes());
    assert_eq!(Book::merged([a, a]), *a);
    assert_eq!(Book::merged([a, &Book::default()]), *a);
    assert!(books.iter().all(|book| book.len() < merged.len()));
    // Leaves that lead into the other book are gone, and a search finds others.
    assert!(merged.unsearched() > 0);
    let searched = grown(merged.clone(), plan(0));
    assert_eq!((searched.len(), searched.unsearched()), (merged.len(), 0));
}

#[test]
fn of_two_leaves_the_deeper_counts_as_long_as_it_leads_out() {
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
    let value = |books: [&Book; 2]| Book::merged(books).worth(&game);
    assert_eq!(value([&deep, &sure]), Some(-1));
    assert_eq!(value([&shallow, &sure]), Some(2));
    assert_eq!(value([&deep, &of("c4:+5@9")]), Some(5), "as deep, and more surely");
    // With c3 in the book its leaf says nothing of the others.
    let inside = Book::parse_text(&format!("{};", after.print())).unwrap();
    assert_eq!(value([&deep, &inside]), None);
    assert_eq!(Book::merged([&deep, &inside, &shallow]).worth(&game), Some(3));
}

//! Repeated games count once, and a sequential test sees games in the order of the schedule.

use std::collections::BTreeMap;

use tesuji_arena::stats::SprtVerdict;
use tesuji_arena::{Entrant, EventConfig, GameEntry, RecordedResult, SprtSettings, count};
use tesuji_search::Rng;

use super::setup::played;

#[test]
fn the_same_game_counts_once() {
    // From one opening, engines without chance play the same two games again and again.
    let text = |plies: usize| {
        format!(
            "game = \"othello\"\npairs = 3\nlongest = 12\nopenings = {{ plies = {plies} }}\n\
             [[player]]\nengine = \"alphabeta:depth=1,hash=1\"\n\
             [[player]]\nengine = \"alphabeta:depth=2,hash=1\""
        )
    };
    let counted = |text: &str| {
        let tournament = played(text);
        count(&tournament.config().events[0], tournament.journal().games(0))
    };
    let repeated = counted(&text(0));
    assert_eq!((repeated.games, repeated.duplicates), (vec![0, 1], vec![2, 3, 4, 5]));
    let fresh = counted(&text(4));
    assert_eq!((fresh.games, fresh.duplicates), ((0..6).collect(), vec![]));
}

fn line(number: usize, result: RecordedResult) -> GameEntry {
    let names = ["a".to_owned(), "b".to_owned()];
    let [first, second] = if number.is_multiple_of(2) { names } else { [names[1].clone(), names[0].clone()] };
    GameEntry {
        event: 0,
        number,
        round: number / 2,
        first,
        second,
        opening: number / 2,
        start: None,
        booked: 0,
        second_begins: false,
        moves: format!("m{number}"),
        result,
        reason: "win".to_owned(),
        fault: None,
        margin: None,
        score: None,
        oddities: Vec::new(),
        values: Vec::new(),
        rates: Vec::new(),
        proven: Vec::new(),
        depths: Vec::new(),
        nodes: Vec::new(),
        times: Vec::new(),
        cpu: Vec::new(),
        lags: Vec::new(),
    }
}

fn event() -> EventConfig {
    let entrant = |name: &str| Entrant { name: name.to_owned(), engine: "random".to_owned() };
    let sprt = SprtSettings { model: Default::default(), elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 };
    EventConfig { pairs: 1000, sprt: Some(sprt), ..EventConfig::new("othello", vec![entrant("a"), entrant("b")]) }
}

/// The first player wins as black and draws as white.
fn games(range: std::ops::Range<usize>) -> BTreeMap<usize, GameEntry> {
    let result = |number: usize| if number.is_multiple_of(2) { RecordedResult::First } else { RecordedResult::Draw };
    range.map(|number| (number, line(number, result(number)))).collect()
}

#[test]
fn a_test_ends_at_the_same_game_whatever_came_first() {
    let whole = games(0..2000);
    let all = count(&event(), &whole);
    let test = all.test.expect("a test");
    let end = test.end.expect("one side is far better");
    assert_eq!(test.verdict, SprtVerdict::H1);
    assert_eq!(test.pairs.pairs() as usize, end / 2);
    assert_eq!((all.games.len(), all.beyond.len()), (end, 2000 - end));
    // One pair less, and it would not have ended.
    let before = count(&event(), &games(0..end - 1));
    assert_eq!(before.test.map(|test| (test.verdict, test.end)), Some((SprtVerdict::Inconclusive, None)));
    // Games beyond the end, in any number, change nothing that counts.
    let mut rng = Rng::new(1);
    for _ in 0..20 {
        let mut some = games(0..end);
        some.extend(games(end..2000).into_iter().filter(|_| rng.below(3) == 0));
        let counted = count(&event(), &some);
        assert_eq!((counted.games, counted.test), (all.games.clone(), all.test));
    }
}

#[test]
fn a_test_waits_at_a_gap() {
    let mut games = games(0..2000);
    games.remove(&7);
    let test = count(&event(), &games).test.expect("a test");
    assert_eq!((test.pairs.pairs(), test.end), (3, None));
}

#[test]
fn repeated_pairs_do_not_end_a_test() {
    let mut games = games(0..2000);
    for game in games.values_mut() {
        game.moves = "same".to_owned();
    }
    let counted = count(&event(), &games);
    assert_eq!((counted.games, counted.duplicates.len()), (vec![0, 1], 1998));
    assert_eq!(counted.test.map(|test| (test.pairs.pairs(), test.end)), Some((1, None)));
}

//! Every engine kind plays legal moves, is reproducible, and finds short wins.

use tesuji_engines::{HasEngines, RandomMover, Spec};
use tesuji_game::{Game, MoveList, Notation, Record, Side};
use tesuji_ostle::Ostle;
use tesuji_othello::Othello;
use tesuji_search::{CancelToken, Choice, Engine, Limits, Rng};
use tesuji_trax::{EightByEight, Loops, Trax, Unlimited};

fn engine<G: HasEngines>(text: &str) -> Box<dyn Engine<G>> {
    Spec::parse(text).and_then(|spec| G::engine(&spec)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn choose<G: HasEngines>(engine: &mut dyn Engine<G>, record: &Record<G>) -> Choice<G::Move> {
    engine.think(record, &Limits::default(), &CancelToken::new(), &mut |_| {})
}

/// Every search with every evaluation and small limits, by its spec.
fn specs<G: HasEngines>() -> Vec<String> {
    let mut specs = Vec::new();
    // Tablebases and networks are not at hand here; `tablebase` and `network` have the tests of their engines.
    let elsewhere = ["table", "policy", "value1"];
    for kind in G::kinds().into_iter().filter(|kind| !elsewhere.contains(&kind.name)) {
        let has = |key: &str| kind.settings.iter().any(|setting| setting.key == key);
        let limit = if has("depth") { "depth=2,hash=1" } else { "playouts=40,hash=1" };
        match (has("eval"), has("playouts") || has("depth")) {
            (true, _) => {
                specs.extend(G::EVALUATIONS.iter().map(|eval| format!("{}:{limit},eval={eval}", kind.name)));
            }
            (false, true) => specs.push(format!("{}:{limit}", kind.name)),
            (false, false) => specs.push(kind.name.to_owned()),
        }
    }
    specs.push(G::DEFAULT.to_owned() + ":nodes=300,hash=1");
    specs
}

/// The first plies of a game that each engine plays against itself, twice over.
fn plays<G: HasEngines>() {
    for spec in specs::<G>() {
        let mut games = [(), ()].map(|()| {
            let mut engine = engine::<G>(&spec);
            let mut record = Record::new(G::start());
            while record.plies().len() < 6 && record.ending().is_none() {
                match choose(engine.as_mut(), &record) {
                    Choice::Move { mv, .. } => {
                        record.push(mv).unwrap_or_else(|error| panic!("{spec}: {error}"));
                    }
                    other => panic!("{spec} chose {other:?}"),
                }
            }
            record.moves().collect::<Vec<_>>()
        });
        games[0].truncate(6);
        assert_eq!(games[0], games[1], "{spec} plays differently the second time");
    }
}

#[test]
fn every_engine_plays_every_game() {
    plays::<Othello>();
    plays::<Ostle>();
    plays::<Trax<Unlimited>>();
    plays::<Trax<EightByEight>>();
    plays::<Trax<Loops>>();
}

#[test]
fn nobody_plays_on_after_the_end() {
    let over = Trax::<Unlimited>::parse(r"@0/ A2\ B1\").unwrap();
    for spec in specs::<Trax<Unlimited>>() {
        let mut engine = engine::<Trax<Unlimited>>(&spec);
        assert_eq!(choose(engine.as_mut(), &Record::new(over.clone())), Choice::Over, "{spec}");
    }
}

#[test]
fn a_second_piece_that_can_be_dropped_is() {
    // The opponent has four pieces, one of them before the edge with a piece of the mover's behind it.
    let game = Ostle::parse("20000-10030-00222-00001-01110").unwrap();
    assert!(game.checkmate());
    for eval in Ostle::EVALUATIONS {
        for depth in 1..4 {
            let mut engine = engine::<Ostle>(&format!("alphabeta:hash=1,depth={depth},eval={eval}"));
            let Choice::Move { mv, .. } = choose(engine.as_mut(), &Record::new(game)) else { panic!("{eval}") };
            let mut after = game;
            after.play(mv);
            assert!(after.is_over(), "{eval} at depth {depth} plays {mv:?}");
        }
    }
}

/// The score of perfect play, by trying everything.
fn perfect(game: &mut Othello) -> i32 {
    let mut list = <Othello as Game>::Moves::default();
    game.moves(&mut list);
    let play = |mv| {
        let undo = game.play(mv);
        let score = -perfect(game);
        game.undo(undo);
        score
    };
    list.each().map(play).max().unwrap_or_else(|| game.score())
}

#[test]
fn the_largest_win_is_played_for() {
    let mut rng = Rng::new(3);
    let mut list = <Othello as Game>::Moves::default();
    for _ in 0..40 {
        let mut game = Othello::start();
        while game.empties().count_ones() > 6 && game.outcome().is_none() {
            game.moves(&mut list);
            game.play(list.each().nth(rng.below(list.len())).unwrap());
        }
        let margin = perfect(&mut game);
        let searches = Othello::EVALUATIONS.iter().map(|eval| format!("alphabeta:hash=1,depth=12,eval={eval}"));
        for spec in searches.chain(["expert:hash=1".to_owned(), "expert:hash=1,level=3".to_owned()]) {
            let mut engine = engine::<Othello>(&spec);
            let mut record = Record::new(game);
            while let Choice::Move { mv, .. } = choose(engine.as_mut(), &record) {
                record.push(mv).unwrap();
            }
            let score = record.now().score();
            let score = if record.now().mover() == game.mover() { score } else { -score };
            assert_eq!(score, margin, "{spec} in {game:?}");
        }
    }
}

/// Plays 16 games against the random mover, from random openings of two plies, each with both sides. Returns the points.
fn points_against_random<G: HasEngines>(engine: &mut dyn Engine<G>) -> f64 {
    let (mut rng, mut random) = (Rng::new(1), RandomMover::new(9));
    let mut points = 0.0;
    for _ in 0..8 {
        let mut opening = Record::new(G::start());
        let mut list = G::Moves::default();
        for _ in 0..2 {
            opening.now().clone().moves(&mut list);
            opening.push(list.each().nth(rng.below(list.len())).unwrap()).unwrap();
        }
        for side in Side::BOTH {
            engine.forget();
            let mut record = opening.clone();
            while record.ending().is_none() && record.plies().len() < 300 {
                let mover: &mut dyn Engine<G> = if record.now().mover() == side { engine } else { &mut random };
                let Choice::Move { mv, .. } = choose(mover, &record) else { panic!("no move") };
                record.push(mv).unwrap();
            }
            points += match record.ending().and_then(|ending| ending.winner) {
                Some(winner) if winner == side => 1.0,
                Some(_) => 0.0,
                None => 0.5,
            };
        }
    }
    points
}

fn beats_chance<G: HasEngines>(spec: &str) {
    let points = points_against_random(engine::<G>(spec).as_mut());
    assert!(points > 0.8 * 16.0, "{spec} scores {points} of 16");
}

#[test]
fn any_search_beats_chance() {
    beats_chance::<Othello>("alphabeta:hash=1,depth=2,eval=squares");
    beats_chance::<Othello>("alphabeta:hash=1,depth=2,eval=classic");
    beats_chance::<Ostle>("alphabeta:hash=1,depth=2");
    beats_chance::<Trax<Unlimited>>("alphabeta:hash=1,depth=2");
    beats_chance::<Trax<EightByEight>>("alphabeta:hash=1,depth=2");
    beats_chance::<Trax<Loops>>("alphabeta:hash=1,depth=2");
}

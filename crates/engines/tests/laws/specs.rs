//! Specs: what prints is read again, and what is wrong names what would be right.

use proptest::collection::vec;
use tesuji_engines::{EngineFactory, HasEngines, Spec};
use tesuji_game::{Game, MoveList};
use tesuji_laws::{effort, for_all, hold};
use tesuji_ostle::Ostle;
use tesuji_othello::Othello;
use tesuji_trax::{Trax, Unlimited};

#[test]
fn what_prints_is_read_again() {
    let word = "[a-zA-Z0-9+_-]{1,8}";
    let settings = vec((word, "[^\"\\x00-\\x1f]{0,12}"), 0..4);
    for_all(effort() * 8, (word, settings), |(name, settings)| {
        let spec = Spec { name, settings };
        let text = spec.to_string();
        hold!(Spec::parse(&text).as_ref() == Ok(&spec), "{text} is read as {:?}", Spec::parse(&text));
        Ok(())
    });
}

#[test]
fn any_text_is_read_or_refused() {
    for_all(effort() * 16, "[a-c:=,\" ]{0,14}|.{0,20}", |text: String| {
        if let Ok(spec) = Spec::parse(&text) {
            hold!(Spec::parse(&spec.to_string()).as_ref() == Ok(&spec), "{text:?} prints as {spec}");
        }
        Ok(())
    });
}

fn refused<G: HasEngines>(text: &str) -> String {
    match Spec::parse(text).and_then(|spec| G::engine(&spec)) {
        Ok(_) => panic!("{text} is an engine"),
        Err(error) => error.to_string(),
    }
}

const NO_WEIGHTS: &str = "weights=Cargo.toml: not a weights file: give one made by `tesuji train`";

#[test]
fn wrong_specs_name_the_nearest() {
    for (text, message) in [
        ("alfabeta", "there is no engine \"alfabeta\"; did you mean \"alphabeta\"?"),
        ("alphabeta:dept=3", "there is no setting \"dept\"; did you mean \"depth\"?"),
        ("alphabeta:eval=clasic", "there is no evaluation \"clasic\"; did you mean \"classic\"?"),
        ("alphabeta:eval=tuned", "there is no evaluation \"tuned\"; there are: pattern, classic, squares, none"),
        ("alphabeta:seed=3", "there is no setting \"seed\"; there are: depth, nodes, time, eval, hash, threads"),
        ("uct:playout=3", "there is no setting \"playout\"; did you mean \"playouts\"?"),
        ("puct:playouts=many", "playouts=many: a whole number from 1 on"),
        ("random:depth=3", "there is no setting \"depth\"; there are: seed"),
        ("random:seed=-3", "seed=-3: a whole number from 0 on"),
        ("alphabeta:depth=0", "depth=0: a whole number from 1 to 200"),
        ("alphabeta:time=3", "time=3: a duration such as 250ms, 1s or 2m"),
        ("alphabeta:hash=0", "hash=0: a whole number from 1 to 1048576"),
        ("expert:level=61", "level=61: a whole number from 1 to 60"),
        (
            "expert:weights=no/such/file",
            "weights=no/such/file: the file cannot be read: No such file or directory (os error 2)",
        ),
        ("expert:weights=Cargo.toml", NO_WEIGHTS),
        ("alphabeta:eval=Cargo.toml", "eval=Cargo.toml: not a weights file: give one made by `tesuji train`"),
        ("alphabeta:", "\"\" is not an engine spec: write name:key=value,key=value"),
    ] {
        assert_eq!(refused::<Othello>(text), message);
    }
    assert_eq!(
        refused::<Ostle>("alphabeta:eval=classic"),
        "there is no evaluation \"classic\"; there are: material, none"
    );
    assert_eq!(
        refused::<Trax<Unlimited>>("alphabeta:eval=leaf-averege"),
        "there is no evaluation \"leaf-averege\"; did you mean \"leaf-average\"?"
    );
}

#[test]
fn an_evaluation_may_be_a_file() {
    let mut game = Othello::start();
    for _ in 0..6 {
        let file = Othello::static_eval("weights/othello.weights", &game);
        assert_eq!(file, Othello::static_eval("pattern", &game));
        assert_ne!(file, Othello::static_eval("classic", &game));
        let mut moves = <Othello as Game>::Moves::default();
        game.moves(&mut moves);
        let first = moves.each().next();
        game.play(first.unwrap());
    }
    for text in ["alphabeta:depth=2,eval=weights/othello.weights", "uct:playouts=9,eval=./weights/othello.weights"] {
        assert!(Spec::parse(text).and_then(|spec| Othello::engine(&spec)).is_ok(), "{text}");
    }
}

#[test]
fn only_a_solved_game_has_a_table() {
    assert_eq!(
        refused::<Othello>("table"),
        "there is no engine \"table\"; there are: random, alphabeta, uct, puct, policy, value1, expert"
    );
    assert_eq!(refused::<Ostle>("tabel"), "there is no engine \"tabel\"; did you mean \"table\"?");
    assert!(refused::<Ostle>("table:eval=classic").contains("no evaluation"));
    assert!(refused::<Ostle>("table:dir=no/such/place").starts_with(
        "table: there is no tablebase of ostle in no/such/place: `tesuji solve ostle --out no/such/place` makes one"
    ));
    let names = |kinds: Vec<&tesuji_engines::EngineKind>| kinds.iter().map(|kind| kind.name).collect::<Vec<_>>();
    assert!(names(EngineFactory::<Ostle>::of_game().kinds).contains(&"table"));
    assert!(!names(EngineFactory::<Othello>::of_game().kinds).contains(&"table"));
    assert!(!names(EngineFactory::<Ostle>::generic().kinds).contains(&"table"));
}

#[test]
fn every_setting_is_told_once() {
    for kind in Ostle::kinds().into_iter().chain(Othello::kinds()) {
        assert!(!kind.about.is_empty());
        for (index, setting) in kind.settings.iter().enumerate() {
            assert!(!setting.about.is_empty(), "{}", setting.key);
            assert!(kind.settings[..index].iter().all(|other| other.key != setting.key), "{}", setting.key);
        }
    }
}

//! Configurations are read strictly and print as they read.

use tesuji_arena::{ScheduleKind, TimeControl, TournamentConfig};

use super::setup::config;

const ALL: &str = r#"
name = "all"
seed = 7
control = "100ms"
pairs = 2

[openings]
plies = 4

[[player]]
name = "strong"
engine = "alphabeta:nodes=1000"

[[player]]
engine = "random"

[[event]]
game = "othello"

[[event]]
game = "ostle"
control = "10s+1s"
players = ["random"]
openings = { plies = 2, judge = "none" }
adjudicate = { win = { value = 5, moves = 3 }, solver = true }

[[event.player]]
name = "tree"
engine = "uct:playouts=10,threads=2"
"#;

#[test]
fn top_level_settings_are_defaults_of_events() {
    let config = config(ALL);
    let [othello, ostle] = &config.events[..] else { panic!("two events") };
    assert_eq!((othello.game.as_str(), othello.pairs, ostle.pairs), ("othello", 2, 2));
    assert_eq!(othello.control, TimeControl::parse("100ms").expect("a clock"));
    assert_eq!(ostle.control, TimeControl::parse("10s+1s").expect("a clock"));
    let names =
        |event: &tesuji_arena::EventConfig| event.players.iter().map(|player| player.name.clone()).collect::<Vec<_>>();
    assert_eq!(
        (names(othello), names(ostle)),
        (vec!["strong".into(), "random".into()], vec!["random".into(), "tree".into()])
    );
    assert_eq!((othello.openings.plies, ostle.openings.plies), (Some(4), Some(2)));
    assert_eq!(ostle.adjudicate.win.map(|win| (win.value, win.moves, win.after)), Some((5.0, 3, 0)));
    assert_eq!(config.threads(), 2);
    assert_eq!((config.workers(8).0, config.workers(1).0), (4, 1));
}

#[test]
fn settings_print_as_they_read() {
    let config = config(ALL);
    assert_eq!(TournamentConfig::parse(&config.print()), Ok(config.clone()));
    let facts = config.facts();
    let fact = |key: &str| facts.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
    assert_eq!(fact("event.2.control"), Some("10s+1s"));
    assert_eq!(fact("event.1.player.1.engine"), Some("alphabeta:nodes=1000"));
    assert_eq!(fact("concurrency"), None);
}

#[test]
fn a_single_event_needs_no_brackets() {
    let config = config(
        "game = \"othello\"\nschedule = \"match\"\n[[player]]\nengine = \"random\"\n[[player]]\nengine = \"alphabeta\"",
    );
    assert_eq!((config.events.len(), config.events[0].schedule), (1, ScheduleKind::Match));
}

#[test]
fn the_events_of_one_game_are_selected() {
    let mut all = config(ALL);
    all.select(&[]).expect("all events");
    assert_eq!(all.events.len(), 2);
    all.select(&["ostle".to_owned()]).expect("an event of Ostle");
    assert_eq!(all.events.iter().map(|event| event.game.as_str()).collect::<Vec<_>>(), ["ostle"]);
    let refused = all.select(&["trax".to_owned()]).expect_err("no event of Trax");
    assert_eq!(refused, "there is no event of trax; there are: ostle");
}

#[test]
fn errors_name_the_setting_and_a_correction() {
    let two = "[[player]]\nengine = \"random\"\n[[player]]\nengine = \"alphabeta\"\n";
    let cases = [
        ("contrl = \"1s\"", "there is no setting \"contrl\"; did you mean \"control\"?"),
        ("control = \"fast\"", "\"fast\" is not a clock"),
        ("margin = \"1\"", "\"1\" is not a duration"),
        ("pairs = 0", "pairs = 0: a whole number from 1"),
        ("pairs = -1", "-1"),
        ("schedule = \"knockout\"", "knockout"),
        ("rounds = 3", "rounds belong to a Swiss"),
        ("seeds = 1", "seeds belong to a gauntlet"),
        ("schedule = \"swiss\"", "a Swiss needs rounds"),
        ("reach = 1", "reach belongs to a schedule of neighbours"),
        ("schedule = \"neighbours\"\nreach = 2", "reach: from 1 to 1 with 2 players"),
        ("anchor = \"randm\"", "anchor: there is no player \"randm\"; did you mean \"random\"?"),
        ("schedule = \"gauntlet\"\nseeds = 2", "from 1 to 1 with 2 players"),
        ("seed = -1", "-1"),
        ("concurrency = 0", "at least 1"),
        ("openings = { plys = 3 }", "did you mean \"plies\"?"),
        ("adjudicate = { win = { value = 5, move = 3 } }", "did you mean \"moves\"?"),
        ("adjudicate = { win = { value = 5, moves = 0 } }", "moves at least 1"),
        ("sprt = { elo0 = 5, elo1 = 0 }", "elo0 = 5 must be less than elo1 = 0"),
        ("sprt = { elo0 = 0, elo1 = 5, alpha = 0.7, beta = 0.7 }", "less than 1 together"),
        ("players = [\"randm\"]", "there is no player \"randm\"; did you mean \"random\"?"),
        ("player = 3", "in double brackets"),
        ("event = 3", "in double brackets"),
        ("x = ", ""),
    ];
    for (line, message) in cases {
        let players = if line.starts_with("player =") { "" } else { two };
        let text = format!("game = \"othello\"\n{line}\n{players}");
        let refused = TournamentConfig::parse(&text).expect_err(line).to_string();
        assert!(refused.contains(message), "{line}: {refused}");
    }
    for (players, message) in [
        ("", "at least two"),
        ("[[player]]\nengine = \"random\"\n[[player]]\nengine = \"random\"", "two players are named \"random\""),
        ("[[player]]\nengine = \"a b\"\n[[player]]\nengine = \"random\"", "is not an engine spec"),
        ("[[player]]\nengin = \"random\"", "did you mean \"engine\"?"),
        ("[[player]]\nname = \"x\"\n[[player]]\nengine = \"random\"", "engine"),
    ] {
        let refused =
            TournamentConfig::parse(&format!("game = \"othello\"\n{players}")).expect_err(players).to_string();
        assert!(refused.contains(message), "{players}: {refused}");
    }
}

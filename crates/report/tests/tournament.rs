//! The page of a tournament is self-contained, and no name becomes markup.

use tesuji_arena::{EventRunner, GameRunner, GameSettings, Tournament, TournamentConfig};
use tesuji_engines::{EngineFactory, HasEngines};
use tesuji_game::{BoardView, Formats};
use tesuji_ostle::Ostle;
use tesuji_othello::Othello;
use tesuji_report::tournament::page;
use tesuji_shogi::Shogi;
use tesuji_task::CancelToken;
use tesuji_trax::{Trax, Unlimited};

const FOUR: &str = r#"
name = "<b>four</b> & \"more\""
pairs = 2
longest = 30
openings = { plies = 2 }
[[player]]
name = "one <script>alert(1)</script>"
engine = "alphabeta:depth=1,hash=1"
[[player]]
name = "two"
engine = "alphabeta:depth=2,hash=1"
[[player]]
name = "dice"
engine = "random"
[[event]]
game = "othello"
longest = 0
[[event]]
game = "trax"
[[event]]
game = "ostle"
schedule = "swiss"
rounds = 2
[[event]]
game = "shogi"
"#;

fn runner<G: Formats + BoardView + HasEngines>(config: &TournamentConfig, index: usize) -> Box<dyn EventRunner> {
    let settings = GameSettings::<G>::new(EngineFactory::of_game(), &[]);
    Box::new(GameRunner::new(config, index, settings).expect("a valid event"))
}

fn tournament() -> Tournament {
    let config = TournamentConfig::parse(FOUR).expect("a valid configuration");
    let runners = vec![
        runner::<Othello>(&config, 0),
        runner::<Trax<Unlimited>>(&config, 1),
        runner::<Ostle>(&config, 2),
        runner::<Shogi>(&config, 3),
    ];
    Tournament::in_memory(config, runners)
}

#[test]
fn a_page_without_games_is_valid() {
    let tournament = tournament();
    let html = page(tournament.config(), tournament.journal(), tournament.runners());
    assert!(html.contains("0 of 44 games") && !html.contains("NaN"));
}

#[test]
fn a_page_is_self_contained_and_escapes_all_text() {
    let mut tournament = tournament();
    tournament.run(2, &CancelToken::new(), &mut |_| {}).expect("it can be played");
    let html = page(tournament.config(), tournament.journal(), tournament.runners());
    // No name becomes markup.
    assert!(!html.contains("<script>alert") && !html.contains("<b>four"));
    assert!(html.contains("one &lt;script&gt;alert(1)&lt;/script&gt;"));
    // Nothing is fetched: the only address is the name of a vocabulary.
    let addresses = html.matches("://").count();
    assert_eq!(addresses, html.matches("http://www.w3.org/2000/svg").count());
    for fetching in ["src=", "url(", "@import", "<link", "<iframe", "fetch(", "import("] {
        assert!(!html.contains(fetching), "{fetching}");
    }
    // Every game is there with all its pictures.
    let begin = html.find("id=\"data\">").expect("data") + "id=\"data\">".len();
    let end = begin + html[begin..].find("</script>").expect("its end");
    let data: serde_json::Value = serde_json::from_str(&html[begin..end]).expect("JSON");
    for (event, value) in data.as_array().expect("events").iter().enumerate() {
        let games = value["games"].as_array().expect("games");
        assert_eq!(games.len(), tournament.journal().games(event).len());
        for game in games {
            let frames = game["replay"]["frames"].as_array().expect("pictures").len();
            assert_eq!(Some(frames as u64 - 1), game["plies"].as_u64());
        }
    }
    // Every tag that is opened is closed.
    for tag in ["section", "table", "tbody", "tr", "figure", "svg", "details", "div", "script"] {
        let text = &html[..begin];
        let opened = text.matches(&format!("<{tag}>")).count() + text.matches(&format!("<{tag} ")).count();
        let closed = text.matches(&format!("</{tag}>")).count() + usize::from(tag == "script");
        assert_eq!(opened, closed, "{tag}");
    }
}

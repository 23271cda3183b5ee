//! Tables add up, and the page about them needs nothing and believes nobody.

use std::time::Duration;

use tesuji_arena::{Archive, Tournament, overall, report, standings};
use tesuji_game::Side;
use tesuji_search::CancelToken;

use super::house::{Folder, config, played, stages};

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

#[test]
fn tables_add_up() {
    let tournament = played(FOUR);
    let tables = standings(tournament.config(), tournament.ledger());
    assert_eq!(tables.iter().map(|table| table.scheduled).collect::<Vec<_>>(), [12, 12, 8, 12]);
    for table in &tables {
        let counted = table.counted.games.len();
        assert_eq!(table.played, table.scheduled);
        assert_eq!(counted + table.counted.duplicates.len(), table.played);
        let points: f64 = table.rows.iter().map(|row| row.score.points()).sum();
        assert_eq!(points, counted as f64);
        assert_eq!(table.first_side.games() as usize, counted);
        for one in 0..3 {
            assert_eq!(table.cross[one][one].games(), 0);
            for two in 0..3 {
                assert_eq!(table.cross[one][two], table.cross[two][one].turned());
            }
        }
        let met: u64 = table.meetings.iter().map(|meeting| meeting.score.games()).sum();
        assert_eq!(met as usize, counted);
        let moves: usize = table.rows.iter().map(|row| row.moves).sum();
        let games = tournament.ledger().games(table.event).values();
        assert_eq!(moves, games.map(|game| game.times.len()).sum::<usize>());
        assert!(table.rows.iter().all(|row| row.failures() == 0 && row.unstarted == 0));
        assert!(table.rows.windows(2).all(|two| two[0].points >= two[1].points));
        assert_eq!(table.json()["players"].as_array().map(Vec::len), Some(3));
    }
    // A bye counts in the order of a Swiss, not in its score.
    let swiss = &tables[2];
    assert_eq!(swiss.rows.iter().map(|row| row.byes).sum::<usize>(), 2);
    for row in &swiss.rows {
        assert_eq!(row.points, row.score.points() + 4.0 * row.byes as f64);
    }
    let sums = overall(&tables);
    assert_eq!(
        sums.iter().map(|(_, score)| score.games()).sum::<u64>() as usize,
        2 * tables.iter().map(|table| table.counted.games.len()).sum::<usize>()
    );
    // Margins stand where the game counts them, seen by the first of the two.
    assert!(tables[0].meetings.iter().all(|meeting| meeting.margins.is_some()));
    assert!(tables[1].meetings.iter().all(|meeting| meeting.margins.is_none()));
}

#[test]
fn whose_move_it_was_is_known() {
    let tournament = played(FOUR);
    for game in tournament.ledger().all() {
        let plies = Side::BOTH.map(|side| game.own_plies(side).collect::<Vec<_>>());
        let mut all = plies.concat();
        all.sort_unstable();
        assert_eq!(all, (0..game.times.len()).collect::<Vec<_>>());
        // Only the dice do not say how deep they looked.
        for side in Side::BOTH {
            for &ply in &plies[side.index()] {
                assert_eq!(game.depths[ply].is_none(), game.player(side) == "dice", "ply {ply} of {game:?}");
            }
        }
    }
}

#[test]
fn a_table_of_nothing_is_a_table() {
    let tournament = Tournament::in_memory(config(FOUR), &stages).expect("it can be set up");
    for table in standings(tournament.config(), tournament.ledger()) {
        assert_eq!((table.played, table.rows.len(), table.meetings.len()), (0, 3, 0));
        assert!(table.rows.iter().all(|row| row.time == Duration::ZERO && row.rating.elo == 0.0));
    }
    let page = report::page(tournament.config(), tournament.ledger(), tournament.stages());
    assert!(page.contains("0 of 44 games") && !page.contains("NaN"));
}

#[test]
fn a_page_needs_nothing_and_believes_nobody() {
    let folder = Folder::new();
    let home = folder.join("home");
    let mut tournament = Tournament::create(&home, config(FOUR), &stages).expect("a folder");
    tournament.run(2, &CancelToken::new(), &mut |_| {}).expect("it can be played");
    let page = report::page(tournament.config(), tournament.ledger(), tournament.stages());
    // No name becomes markup.
    assert!(!page.contains("<script>alert") && !page.contains("<b>four"));
    assert!(page.contains("one &lt;script&gt;alert(1)&lt;/script&gt;"));
    // Nothing is fetched: the only address is the name of a vocabulary.
    let addresses = page.matches("://").count();
    assert_eq!(addresses, page.matches("http://www.w3.org/2000/svg").count());
    for fetching in ["src=", "url(", "@import", "<link", "<iframe", "fetch(", "import("] {
        assert!(!page.contains(fetching), "{fetching}");
    }
    // Every game is there with all its pictures.
    let begin = page.find("id=\"data\">").expect("data") + "id=\"data\">".len();
    let end = begin + page[begin..].find("</script>").expect("its end");
    let data: serde_json::Value = serde_json::from_str(&page[begin..end]).expect("JSON");
    for (event, value) in data.as_array().expect("events").iter().enumerate() {
        let games = value["games"].as_array().expect("games");
        assert_eq!(games.len(), tournament.ledger().games(event).len());
        for game in games {
            let frames = game["film"]["frames"].as_array().expect("pictures").len();
            assert_eq!(Some(frames as u64 - 1), game["plies"].as_u64());
        }
    }
    // Every tag that is opened is closed.
    for tag in ["section", "table", "tbody", "tr", "figure", "svg", "details", "div", "script"] {
        let text = &page[..begin];
        let opened = text.matches(&format!("<{tag}>")).count() + text.matches(&format!("<{tag} ")).count();
        let closed = text.matches(&format!("</{tag}>")).count() + usize::from(tag == "script");
        assert_eq!(opened, closed, "{tag}");
    }
    // The same games give the same page, whoever reads them.
    let archive = Archive::read(&home).expect("a journal");
    assert_eq!(report::page(&archive.config, &archive.ledger, tournament.stages()), page);
}

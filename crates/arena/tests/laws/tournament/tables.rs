//! Standings add up.

use tesuji_arena::{EventStandings, overall, standings};
use tesuji_game::Side;

use super::setup::{config, in_memory, played};

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
    let tables = standings(tournament.config(), tournament.journal());
    assert_eq!(tables.iter().map(|table| table.scheduled).collect::<Vec<_>>(), [12, 12, 8, 12]);
    for table in &tables {
        let counted = table.counted;
        assert_eq!(table.played, table.scheduled);
        assert_eq!(counted + table.duplicates, table.played);
        let points: f64 = table.players.iter().map(|player| player.score.points()).sum();
        assert_eq!(points, counted as f64);
        assert_eq!(table.first_side.games() as usize, counted);
        for one in 0..3 {
            assert_eq!(table.cross[one][one].games(), 0);
            for two in 0..3 {
                assert_eq!(table.cross[one][two], table.cross[two][one].reversed());
            }
        }
        let met: u64 = table.meetings.iter().map(|pairing| pairing.games).sum();
        assert_eq!(met as usize, counted);
        let moves: usize = table.players.iter().map(|player| player.moves).sum();
        let games = tournament.journal().games(table.event).values();
        assert_eq!(moves, games.map(|game| game.times.len()).sum::<usize>());
        assert!(table.players.iter().all(|player| player.failures().is_empty() && player.unstarted == 0));
        assert!(table.players.windows(2).all(|two| two[0].points >= two[1].points));
        assert_eq!(table.players.len(), 3);
    }
    // A bye counts in the order of a Swiss, not in its score.
    let swiss = &tables[2];
    assert_eq!(swiss.players.iter().map(|player| player.byes).sum::<usize>(), 2);
    for player in &swiss.players {
        assert_eq!(player.points, player.score.points() + 4.0 * player.byes as f64);
    }
    let sums = overall(&tables);
    assert_eq!(
        sums.iter().map(|(_, score)| score.games()).sum::<u64>() as usize,
        2 * tables.iter().map(|table| table.counted).sum::<usize>()
    );
    // Margins exist where the game has them.
    assert!(tables[0].meetings.iter().all(|pairing| pairing.margin.is_some()));
    assert!(tables[1].meetings.iter().all(|pairing| pairing.margin.is_none()));
}

#[test]
fn ratings_are_differences_to_the_anchor() {
    let tournament = played(FOUR);
    let mut anchored = tournament.config().clone();
    anchored.events[0].anchor = Some("dice".to_owned());
    let [free, anchored] =
        [tournament.config(), &anchored].map(|config| standings(config, tournament.journal()).swap_remove(0));
    let rating = |table: &EventStandings, name: &str| {
        let found = table.players.iter().find(|player| player.name == name).expect(name);
        (found.elo, found.elo_error.expect("a rating"))
    };
    assert_eq!(rating(&anchored, "dice"), (0.0, 0.0));
    let difference = rating(&free, "two").0 - rating(&free, "dice").0;
    assert!((rating(&anchored, "two").0 - difference).abs() < 1e-9, "{anchored:?}");
    assert!(rating(&anchored, "two").1 > 0.0);
}

#[test]
fn neighbours_are_ordered_by_rating() {
    let text = FOUR.replace("pairs = 2", "pairs = 2\nschedule = \"neighbours\"");
    let tournament = played(&text.replace("schedule = \"swiss\"\nrounds = 2\n", ""));
    for table in standings(tournament.config(), tournament.journal()) {
        assert_eq!((table.played, table.meetings.len()), (8, 2), "{}", table.game);
        assert!(table.players.windows(2).all(|two| two[0].elo >= two[1].elo), "{table:?}");
    }
}

#[test]
fn plies_belong_to_their_side() {
    let tournament = played(FOUR);
    for game in tournament.journal().all() {
        let plies = Side::BOTH.map(|side| game.own_plies(side).collect::<Vec<_>>());
        let mut all = plies.concat();
        all.sort_unstable();
        assert_eq!(all, (0..game.times.len()).collect::<Vec<_>>());
        // Only the random player reports no depth.
        for side in Side::BOTH {
            for &ply in &plies[side.index()] {
                assert_eq!(game.depths[ply].is_none(), game.player(side) == "dice", "ply {ply} of {game:?}");
            }
        }
    }
}

#[test]
fn standings_without_games_are_valid() {
    let tournament = in_memory(config(FOUR)).expect("it can be set up");
    for table in standings(tournament.config(), tournament.journal()) {
        assert_eq!((table.played, table.players.len(), table.meetings.len()), (0, 3, 0));
        assert!(table.players.iter().all(|player| player.seconds == 0.0 && player.elo == 0.0));
    }
}

//! Everyone meets everyone, colours are even, and the same plan gives the same games.

use std::collections::{HashMap, HashSet};

use tesuji_arena::{
    Entrant, EventConfig, EventSchedule, FixedSchedule, PairingSystem, RecordedResult, Results, ScheduleKind,
    ScheduledGame, SwissTable,
};
use tesuji_search::Rng;

fn scheduled(kind: PairingSystem, players: usize, pairs: usize) -> Vec<ScheduledGame> {
    let plan = FixedSchedule::new(kind, players, pairs).expect("a plan");
    let games: Vec<ScheduledGame> = (0..plan.games()).map(|number| plan.game(number).expect("a game")).collect();
    assert_eq!(plan.game(plan.games()), None);
    for (number, game) in games.iter().enumerate() {
        assert_eq!(game.number, number);
    }
    games
}

#[test]
fn everyone_meets_everyone_with_both_colours() {
    for players in 2..9 {
        for pairs in 1..4 {
            let mut met: HashMap<[usize; 2], usize> = HashMap::new();
            for game in scheduled(PairingSystem::RoundRobin, players, pairs) {
                *met.entry(game.players).or_default() += 1;
            }
            assert_eq!(met.len(), players * (players - 1));
            assert!(met.values().all(|&times| times == pairs), "{players} players, {pairs} pairs: {met:?}");
            assert!(met.keys().all(|[one, two]| one != two));
        }
    }
}

#[test]
fn the_two_games_of_a_pair_turn_the_colours_of_one_opening() {
    for kind in
        [PairingSystem::RoundRobin, PairingSystem::Gauntlet { seeds: 2 }, PairingSystem::Neighbours { reach: 2 }]
    {
        let games = scheduled(kind, 5, 3);
        let mut met = HashSet::new();
        for pair in games.chunks(2) {
            let [one, two] = pair else { panic!("an odd game") };
            assert_eq!(one.players, [two.players[1], two.players[0]]);
            assert_eq!((one.opening, one.round), (two.opening, two.round));
            let mut players = one.players;
            players.sort_unstable();
            assert!(met.insert((players, one.opening)), "the same opening twice");
        }
    }
}

#[test]
fn a_gauntlet_is_run_by_its_seeds() {
    let games = scheduled(PairingSystem::Gauntlet { seeds: 2 }, 6, 2);
    assert_eq!(games.len(), 2 * 4 * 2 * 2);
    assert!(games.iter().all(|game| game.players.iter().filter(|&&player| player < 2).count() == 1));
}

#[test]
fn neighbours_meet_within_their_reach_and_nobody_else() {
    let games = scheduled(PairingSystem::Neighbours { reach: 3 }, 10, 2);
    assert_eq!(games.len(), (9 + 8 + 7) * 2 * 2);
    let met: HashSet<[usize; 2]> = games.iter().map(|game| game.players).collect();
    for one in 0..10 {
        for two in 0..10 {
            assert_eq!(met.contains(&[one, two]), one != two && one.abs_diff(two) <= 3, "{one} and {two}");
        }
    }
    // A reach beyond the list is everyone against everyone.
    let all = scheduled(PairingSystem::Neighbours { reach: 9 }, 5, 1);
    assert_eq!(all.len(), scheduled(PairingSystem::RoundRobin, 5, 1).len());
}

#[test]
fn without_opponents_there_are_no_games() {
    for players in 0..2 {
        assert_eq!(scheduled(PairingSystem::RoundRobin, players, 3), []);
        assert_eq!(scheduled(PairingSystem::Neighbours { reach: 2 }, players, 3), []);
    }
    assert_eq!(scheduled(PairingSystem::Gauntlet { seeds: 3 }, 3, 1), []);
    assert_eq!(FixedSchedule::new(PairingSystem::Swiss { rounds: 3 }, 8, 1), None);
}

#[test]
fn a_swiss_has_no_rematch_where_it_can_be_avoided() {
    for players in 2..14 {
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            let mut table = SwissTable::new(players);
            let (mut met, mut byes) = (HashSet::new(), vec![0; players]);
            // Up to half as many rounds as players a pairing without a rematch always exists.
            for _ in 0..players / 2 {
                let round = table.pair();
                assert_eq!(round, table.clone().pair(), "not a pure function");
                let mut paired: Vec<usize> = round.pairings.iter().flatten().copied().chain(round.bye).collect();
                paired.sort_unstable();
                assert_eq!(paired, (0..players).collect::<Vec<_>>());
                for pairing in round.pairings {
                    let mut key = pairing;
                    key.sort_unstable();
                    assert!(met.insert(key), "{players} players: {key:?} meet again");
                    let points = rng.below(5) as u32;
                    table.add_pairing(pairing, [points, 4 - points]);
                }
                if let Some(player) = round.bye {
                    byes[player] += 1;
                    table.add_bye(player, 2);
                }
            }
            assert!(byes.iter().all(|&byes| byes <= 1), "{byes:?}");
        }
    }
}

#[test]
fn a_swiss_allows_rematches_when_everyone_has_met() {
    let mut table = SwissTable::new(4);
    for _ in 0..10 {
        let round = table.pair();
        assert_eq!(round.pairings.len(), 2);
        round.pairings.into_iter().for_each(|pairing| table.add_pairing(pairing, [1, 1]));
    }
}

#[test]
fn leaders_meet_leaders() {
    let mut table = SwissTable::new(6);
    for pairing in [[0, 1], [2, 3], [4, 5]] {
        table.add_pairing(pairing, [0, 4]);
    }
    assert_eq!(table.pair().pairings, [[1, 3], [5, 0], [2, 4]]);
    assert_eq!(table.points(), [0, 4, 0, 4, 0, 4]);
}

fn swiss(players: usize, rounds: usize) -> EventConfig {
    let entrant = |index: usize| Entrant { name: format!("p{index}"), engine: "random".to_owned() };
    let players = (0..players).map(entrant).collect();
    EventConfig { schedule: ScheduleKind::Swiss, rounds: Some(rounds), ..EventConfig::new("othello", players) }
}

#[test]
fn a_round_waits_for_the_round_before() {
    let schedule = EventSchedule::new(&swiss(5, 3));
    assert_eq!(schedule.games(), 3 * 2 * 2);
    let mut results = Results::new();
    for number in 0..schedule.games() {
        let round = number / 4;
        for later in (round + 1) * 4..schedule.games() {
            assert_eq!(schedule.game(later, &results), None, "game {later} before round {round} is over");
        }
        let scheduled = schedule.game(number, &results).expect("a game");
        assert_eq!((scheduled.number, scheduled.round, scheduled.opening), (number, round, round));
        results.insert(
            number,
            if scheduled.players[0] < scheduled.players[1] { RecordedResult::First } else { RecordedResult::Second },
        );
    }
    // The same results give the same games, in any order of calls.
    let fresh = EventSchedule::new(&swiss(5, 3));
    for number in (0..schedule.games()).rev() {
        assert_eq!(fresh.game(number, &results), schedule.game(number, &results));
    }
    assert_eq!(schedule.byes().len(), 3);
    assert_eq!(schedule.game(schedule.games(), &results), None);
}

//! Standings computed from the journal: scores, ratings, faults and time. Games that do not count are left out and
//! reported.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tesuji_game::{Outcome, Side};

use crate::config::TournamentConfig;
use crate::counted::{Counted, count, outcome};
use crate::event_config::{EventConfig, ScheduleKind};
use crate::journal::TournamentJournal;
use crate::journal_entry::{FailureEntry, GameEntry};
use crate::referee::reason;
use crate::schedule::EventSchedule;
use crate::stats::{MatchScore, PairingGame, PairingReport, PairingSummary, RatingPool, RatingScale, RatingStatus};

/// The standings of one event.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EventStandings {
    /// The game of the event.
    pub game: String,
    /// Games in the journal.
    pub played: usize,
    /// Games of the schedule.
    pub scheduled: usize,
    /// Games that count.
    pub counted: usize,
    /// Games that repeat an earlier one.
    pub duplicates: usize,
    /// Games that ended after the sequential test.
    pub beyond: usize,
    /// Groups of players that never met.
    pub components: usize,
    /// The score of the first side.
    pub first_side: MatchScore,
    /// The players, the best first.
    pub players: Vec<PlayerStanding>,
    /// The pairings that were played, the lower player number first.
    pub meetings: Vec<PairingReport>,
    /// The number of the event, from 0.
    #[serde(skip)]
    pub event: usize,
    /// Which games count.
    #[serde(skip)]
    pub games: Counted,
    /// By places in `players`: the score of the first against the second.
    #[serde(skip)]
    pub cross: Vec<Vec<MatchScore>>,
}

/// One player in the standings.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PlayerStanding {
    /// The name.
    pub name: String,
    /// The engine spec.
    pub engine: String,
    /// Games that count.
    pub games: u64,
    /// Their results.
    #[serde(flatten)]
    pub score: MatchScore,
    /// Points including byes, by which the table is ordered.
    pub points: f64,
    /// Byes of a Swiss. Each counts as a won pairing in the order of the table, and nowhere else.
    pub byes: usize,
    /// The rating.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub elo_error: Option<f64>,
    /// The group of the rating.
    pub component: usize,
    /// Games lost by a fault, by reason, in the order of [`reason::FAULTS`].
    pub faults: Map<String, Value>,
    /// Failed starts.
    pub unstarted: usize,
    /// Moves chosen.
    pub moves: usize,
    /// Mean plies of its games.
    pub plies: f64,
    /// Time used.
    pub seconds: f64,
    /// CPU time used, as far as it is known.
    pub cpu_seconds: f64,
    /// The largest lag within the margin.
    pub lag_ms: f64,
    /// Nodes searched.
    pub nodes: u64,
    /// The number of the player, from 0.
    #[serde(skip)]
    pub number: usize,
    /// How reliable the rating is.
    #[serde(skip)]
    pub status: RatingStatus,
}

impl PlayerStanding {
    /// Faults and failed starts as `(reason, count)`, without zeros.
    pub fn failures(&self) -> Vec<(&str, u64)> {
        let faults = self.faults.iter().map(|(name, count)| (name.as_str(), count.as_u64().unwrap_or(0)));
        faults.filter(|(_, count)| *count > 0).collect()
    }
}

/// The standings of a tournament, event by event.
pub fn standings(config: &TournamentConfig, journal: &TournamentJournal) -> Vec<EventStandings> {
    config.events.iter().enumerate().map(|(index, event)| standing(index, event, journal)).collect()
}

/// The score of each player over all events, by name, the best share first.
pub fn overall(events: &[EventStandings]) -> Vec<(String, MatchScore)> {
    let mut sums: Vec<(String, MatchScore)> = Vec::new();
    for player in events.iter().flat_map(|event| &event.players) {
        match sums.iter_mut().find(|(name, _)| *name == player.name) {
            None => sums.push((player.name.clone(), player.score)),
            Some((_, sum)) => *sum += player.score,
        }
    }
    let share = |score: &MatchScore| score.points() / score.games().max(1) as f64;
    sums.sort_by(|(one, a), (two, b)| share(b).total_cmp(&share(a)).then_with(|| one.cmp(two)));
    sums
}

fn standing(index: usize, event: &EventConfig, journal: &TournamentJournal) -> EventStandings {
    let games = journal.games(index);
    let counted = count(event, games);
    let counting: Vec<&GameEntry> = counted.games.iter().filter_map(|number| games.get(number)).collect();
    let names: Vec<&str> = event.players.iter().map(|player| player.name.as_str()).collect();
    let number = |name: &str| names.iter().position(|&known| known == name);
    let count = names.len();

    let mut cross = vec![vec![MatchScore::default(); count]; count];
    let mut first_side = MatchScore::default();
    for game in &counting {
        let (Some(one), Some(two)) = (number(&game.first), number(&game.second)) else { continue };
        let outcome = Outcome::of(game.result.winner(), Side::First);
        cross[one][two].add(outcome);
        cross[two][one].add(-outcome);
        first_side.add(outcome);
    }

    let mut pool = RatingPool::new(count);
    let mut meetings = Vec::new();
    for one in 0..count {
        for two in one + 1..count {
            if cross[one][two].games() == 0 {
                continue;
            }
            // The players differ, and no count exceeds the limit of a pool.
            let _ = pool.add(one, two, cross[one][two]);
            meetings.push(pairing(names[one], names[two], &counting, &counted).report());
        }
    }
    let anchor = event.anchor.as_deref().and_then(number);
    let scale = anchor.map_or(RatingScale::MeanZero, |player| RatingScale::Anchor { player, elo: 0.0 });
    let ratings = pool.ratings(scale);

    let schedule = EventSchedule::new(event);
    // Looking up the last possible game pairs the rounds before it.
    let last = schedule.games().saturating_sub(1);
    (0..=last).rev().find(|&number| schedule.game(number, journal.results(index)).is_some());
    let byes = schedule.byes();
    let mut players: Vec<PlayerStanding> = (0..count)
        .map(|number| {
            let mut score = MatchScore::default();
            cross[number].iter().for_each(|&against| score += against);
            let byes = byes.iter().filter(|&&bye| bye == number).count();
            let rating = &ratings.players[number];
            PlayerStanding {
                games: score.games(),
                score,
                points: score.points() + (byes * schedule.bye_games()) as f64,
                byes,
                elo: rating.elo,
                elo_error: rating.half_width(),
                component: rating.component,
                status: rating.status,
                ..player(number, index, event, journal)
            }
        })
        .collect();
    let share = |player: &PlayerStanding| {
        player.points / (player.games as usize + player.byes * schedule.bye_games()).max(1) as f64
    };
    // Where opponents differ in strength, shares of points do not compare.
    let share = |player: &PlayerStanding| match event.schedule {
        ScheduleKind::Neighbours => player.elo,
        _ => share(player),
    };
    players.sort_by(|a, b| share(b).total_cmp(&share(a)).then(b.elo.total_cmp(&a.elo)).then(a.number.cmp(&b.number)));
    let order = || players.iter().map(|player| player.number);
    EventStandings {
        game: event.game.clone(),
        played: games.len(),
        scheduled: schedule.games(),
        counted: counted.games.len(),
        duplicates: counted.duplicates.len(),
        beyond: counted.beyond.len(),
        components: ratings.components,
        first_side,
        meetings,
        event: index,
        games: counted,
        cross: order().map(|one| order().map(|two| cross[one][two]).collect()).collect(),
        players,
    }
}

fn pairing(one: &str, two: &str, games: &[&GameEntry], counted: &Counted) -> PairingSummary {
    let played: Vec<PairingGame> = games
        .iter()
        .filter(|game| game.side(one).is_some() && game.side(two).is_some())
        .map(|game| {
            let seen_first = game.side(one) == Some(Side::First);
            let margin = game.margin.map(|margin| if seen_first { margin } else { -margin });
            PairingGame { outcome: outcome(game, one), pair: Some((game.number / 2) as u64), margin }
        })
        .collect();
    let mut summary = PairingSummary::of(one, two, &played, None);
    // The test counts the complete pairs before the first gap.
    summary.sprt = counted.test.map(|test| (test.sprt, test.sprt.llr(test.pairs), test.verdict));
    summary
}

/// What the games of a player say besides the score, whether they count or not.
fn player(number: usize, index: usize, event: &EventConfig, journal: &TournamentJournal) -> PlayerStanding {
    let entrant = &event.players[number];
    let name = entrant.name.as_str();
    let failed = |failure: &&FailureEntry| failure.event == index && failure.player == name;
    let mut player = PlayerStanding {
        name: name.to_owned(),
        engine: entrant.engine.clone(),
        unstarted: journal.failures().iter().filter(failed).count(),
        number,
        ..PlayerStanding::default()
    };
    let mut faults = [0u64; reason::FAULTS.len()];
    let (mut played, mut plies) = (0usize, 0usize);
    let [mut time, mut cpu, mut lag] = [Duration::ZERO; 3];
    for game in journal.games(index).values() {
        let Some(side) = game.side(name) else { continue };
        played += 1;
        plies += game.plies();
        if game.result.winner() == Some(!side)
            && let Some(fault) = reason::FAULTS.iter().position(|&fault| fault == game.reason)
        {
            faults[fault] += 1;
        }
        for ply in game.own_plies(side) {
            player.moves += 1;
            time += millis(game.times.get(ply).copied());
            cpu += millis(game.cpu.get(ply).copied().flatten());
            lag = lag.max(millis(game.lags.get(ply).copied()));
            let nodes = game.nodes.get(ply).copied().flatten().unwrap_or(0);
            player.nodes = player.nodes.saturating_add(nodes);
        }
    }
    let faults = reason::FAULTS.iter().zip(faults);
    player.faults = faults.map(|(name, count)| ((*name).to_owned(), count.into())).collect();
    player.plies = plies as f64 / played.max(1) as f64;
    player.seconds = time.as_secs_f64();
    player.cpu_seconds = cpu.as_secs_f64();
    player.lag_ms = lag.as_secs_f64() * 1e3;
    player
}

fn millis(time: Option<f64>) -> Duration {
    time.and_then(|time| Duration::try_from_secs_f64(time / 1e3).ok()).unwrap_or_default()
}

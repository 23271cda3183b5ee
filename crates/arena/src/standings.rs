//! Standings computed from the journal: scores, ratings, faults and time. Games that do not count are left out and
//! reported.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tesuji_game::{Outcome, Side};

use crate::config::TournamentConfig;
use crate::counted::{Counted, count, outcome};
use crate::event_config::EventConfig;
use crate::journal::TournamentJournal;
use crate::journal_entry::{FailureEntry, GameEntry};
use crate::referee::reason;
use crate::schedule::EventSchedule;
use crate::stats::{
    Gauge, MatchScore, PairingGame, PairingReport, PairingSummary, Rating, RatingPool, RatingStatus, Ratings,
};

/// The standings of one event.
#[derive(Clone, Debug)]
pub struct EventStandings {
    /// The number of the event, from 0.
    pub event: usize,
    /// Its game.
    pub game: String,
    /// Games in the journal.
    pub played: usize,
    /// Games of the schedule.
    pub scheduled: usize,
    /// Which of them count.
    pub counted: Counted,
    /// The players, the best first.
    pub rows: Vec<PlayerRow>,
    /// By player numbers: the score of the first against the second.
    pub cross: Vec<Vec<MatchScore>>,
    /// The pairings that were played, the lower player number first.
    pub pairings: Vec<PairingSummary>,
    /// The ratings by player number.
    pub ratings: Ratings,
    /// The score of the first side.
    pub first_side: MatchScore,
}

/// One player in the standings.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerRow {
    /// Its number.
    pub player: usize,
    /// Its name.
    pub name: String,
    /// Its engine spec.
    pub engine: String,
    /// The score of games that count.
    pub score: MatchScore,
    /// Byes of a Swiss. Each counts as a won pairing in the order of the table, and nowhere else.
    pub byes: usize,
    /// Points including byes, by which the table is ordered.
    pub points: f64,
    /// Its rating.
    pub rating: Rating,
    /// Games lost by a fault, in the order of [`reason::FAULTS`].
    pub faults: [usize; 5],
    /// Failed starts.
    pub unstarted: usize,
    /// Moves chosen.
    pub moves: usize,
    /// Mean plies of its games.
    pub plies: f64,
    /// Time used.
    pub time: Duration,
    /// CPU time used, as far as it is known.
    pub cpu: Duration,
    /// The largest lag within the margin.
    pub lag: Duration,
    /// Nodes searched.
    pub nodes: u64,
}

impl PlayerRow {
    /// Games lost by a fault.
    pub fn failures(&self) -> usize {
        self.faults.iter().sum()
    }
}

/// The standings of a tournament, event by event.
pub fn standings(config: &TournamentConfig, journal: &TournamentJournal) -> Vec<EventStandings> {
    config.events.iter().enumerate().map(|(index, event)| standing(index, event, journal)).collect()
}

/// The score of each player over all events, by name, the best share first.
pub fn overall<'a>(players: impl IntoIterator<Item = &'a PlayerReport>) -> Vec<(String, MatchScore)> {
    let mut sums: Vec<(String, MatchScore)> = Vec::new();
    for player in players {
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
    let players = names.len();

    let mut cross = vec![vec![MatchScore::default(); players]; players];
    let mut first_side = MatchScore::default();
    for game in &counting {
        let (Some(one), Some(two)) = (number(&game.first), number(&game.second)) else { continue };
        let outcome = Outcome::of(game.result.winner(), Side::First);
        cross[one][two].add(outcome);
        cross[two][one].add(-outcome);
        first_side.add(outcome);
    }

    let mut pool = RatingPool::new(players);
    let mut pairings = Vec::new();
    for one in 0..players {
        for two in one + 1..players {
            if cross[one][two].games() == 0 {
                continue;
            }
            // The players differ, and no count exceeds the limit of a pool.
            let _ = pool.add(one, two, cross[one][two]);
            pairings.push(pairing(names[one], names[two], &counting, &counted));
        }
    }
    let ratings = pool.ratings(Gauge::MeanZero);

    let schedule = EventSchedule::new(event);
    // Looking up the last possible game pairs the rounds before it.
    let last = schedule.games().saturating_sub(1);
    (0..=last).rev().find(|&number| schedule.game(number, journal.results(index)).is_some());
    let byes = schedule.byes();
    let all: Vec<&GameEntry> = games.values().collect();
    let mut rows: Vec<PlayerRow> = (0..players)
        .map(|player| {
            let byes = byes.iter().filter(|&&bye| bye == player).count();
            let mut row = row(player, event, &all, journal, index);
            row.score = cross[player].iter().fold(MatchScore::default(), |sum, score| {
                MatchScore::new(sum.wins + score.wins, sum.draws + score.draws, sum.losses + score.losses)
            });
            row.byes = byes;
            row.points = row.score.points() + (byes * schedule.bye_games()) as f64;
            row.rating = ratings.players[player];
            row
        })
        .collect();
    let share = |row: &PlayerRow| {
        row.points / (row.score.games() as usize + row.byes * schedule.bye_games()).max(1) as f64
    };
    rows.sort_by(|a, b| {
        share(b)
            .total_cmp(&share(a))
            .then(b.rating.elo.total_cmp(&a.rating.elo))
            .then(a.player.cmp(&b.player))
    });
    EventStandings {
        event: index,
        game: event.game.clone(),
        played: games.len(),
        scheduled: schedule.games(),
        counted,
        rows,
        cross,
        pairings,
        ratings,
        first_side,
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

fn row(
    player: usize,
    event: &EventConfig,
    games: &[&GameEntry],
    journal: &TournamentJournal,
    index: usize,
) -> PlayerRow {
    let entrant = &event.players[player];
    let name = entrant.name.as_str();
    let failed = |failure: &&FailureEntry| failure.event == index && failure.player == name;
    let mut row = PlayerRow {
        player,
        name: name.to_owned(),
        engine: entrant.engine.clone(),
        score: MatchScore::default(),
        byes: 0,
        points: 0.0,
        rating: RatingPool::new(1).ratings(Gauge::MeanZero).players[0],
        faults: [0; 5],
        unstarted: journal.failures().iter().filter(failed).count(),
        moves: 0,
        plies: 0.0,
        time: Duration::ZERO,
        cpu: Duration::ZERO,
        lag: Duration::ZERO,
        nodes: 0,
    };
    let (mut played, mut plies) = (0usize, 0usize);
    for game in games {
        let Some(side) = game.side(name) else { continue };
        played += 1;
        plies += game.plies();
        if game.result.winner() == Some(!side)
            && let Some(fault) = reason::FAULTS.iter().position(|&fault| fault == game.reason)
        {
            row.faults[fault] += 1;
        }
        for ply in game.own_plies(side) {
            row.moves += 1;
            row.time += millis(game.times.get(ply).copied());
            row.cpu += millis(game.cpu.get(ply).copied().flatten());
            row.lag = row.lag.max(millis(game.lags.get(ply).copied()));
            row.nodes = row.nodes.saturating_add(game.nodes.get(ply).copied().flatten().unwrap_or(0));
        }
    }
    row.plies = plies as f64 / played.max(1) as f64;
    row
}

fn millis(time: Option<f64>) -> Duration {
    time.and_then(|time| Duration::try_from_secs_f64(time / 1e3).ok()).unwrap_or_default()
}

impl EventStandings {
    /// The figures as they are reported.
    pub fn report(&self) -> StandingsReport {
        StandingsReport {
            game: self.game.clone(),
            played: self.played,
            scheduled: self.scheduled,
            counted: self.counted.games.len(),
            duplicates: self.counted.duplicates.len(),
            beyond: self.counted.beyond.len(),
            components: self.ratings.components,
            first_side: self.first_side,
            players: self.rows.iter().map(PlayerRow::report).collect(),
            meetings: self.pairings.iter().map(PairingSummary::report).collect(),
            cross: self
                .rows
                .iter()
                .map(|row| self.rows.iter().map(|other| self.cross[row.player][other.player]).collect())
                .collect(),
        }
    }
}

impl PlayerRow {
    /// The figures as they are reported.
    pub fn report(&self) -> PlayerReport {
        let faults = reason::FAULTS.iter().zip(self.faults);
        PlayerReport {
            name: self.name.clone(),
            engine: self.engine.clone(),
            games: self.score.games(),
            score: self.score,
            points: self.points,
            byes: self.byes,
            elo: self.rating.elo,
            elo_error: self.rating.half_width(),
            component: self.rating.component,
            faults: faults.map(|(name, count)| ((*name).to_owned(), count.into())).collect(),
            unstarted: self.unstarted,
            moves: self.moves,
            plies: self.plies,
            seconds: self.time.as_secs_f64(),
            cpu_seconds: self.cpu.as_secs_f64(),
            lag_ms: self.lag.as_secs_f64() * 1e3,
            nodes: self.nodes,
            status: self.rating.status,
        }
    }
}

/// The figures of [`EventStandings`], for JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StandingsReport {
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
    pub players: Vec<PlayerReport>,
    /// The pairings.
    pub meetings: Vec<PairingReport>,
    /// By places in `players`: the score of the first against the second.
    #[serde(skip)]
    pub cross: Vec<Vec<MatchScore>>,
}

/// The figures of a [`PlayerRow`], for JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayerReport {
    /// The name.
    pub name: String,
    /// The engine spec.
    pub engine: String,
    /// Games that count.
    pub games: u64,
    /// Their results.
    #[serde(flatten)]
    pub score: MatchScore,
    /// Points, byes included.
    pub points: f64,
    /// Byes.
    pub byes: usize,
    /// The rating.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub elo_error: Option<f64>,
    /// The group of the rating.
    pub component: usize,
    /// Games lost by a fault, by reason.
    pub faults: Map<String, Value>,
    /// Failed starts.
    pub unstarted: usize,
    /// Moves chosen.
    pub moves: usize,
    /// Mean plies of a game.
    pub plies: f64,
    /// Time used.
    pub seconds: f64,
    /// CPU time used.
    pub cpu_seconds: f64,
    /// The largest lag.
    pub lag_ms: f64,
    /// Nodes searched.
    pub nodes: u64,
    /// How reliable the rating is.
    #[serde(skip)]
    pub status: RatingStatus,
}

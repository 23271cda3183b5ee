//! Tables from games: who scored what against whom, ratings, faults and time. Everything is counted anew from
//! the journal; games that do not count are left out and said so.

use std::time::Duration;

use serde_json::{Value, json};
use tesuji_game::{Outcome, Side};

use crate::agenda::Agenda;
use crate::config::Config;
use crate::counted::{Counted, count, outcome};
use crate::event::Event;
use crate::ledger::Ledger;
use crate::line::GameLine;
use crate::referee::reason;
use crate::stats::{Gauge, Played, Pool, Rating, Ratings, Score, Summary};

/// The table of one event.
#[derive(Clone, Debug)]
pub struct Standing {
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
    pub rows: Vec<Row>,
    /// By two numbers of players: what the first took from the second.
    pub cross: Vec<Vec<Score>>,
    /// Every two players who met, the lower number first.
    pub meetings: Vec<Summary>,
    /// Their ratings, by the number of the player.
    pub ratings: Ratings,
    /// What those who moved first took.
    pub first_side: Score,
}

/// One player of an event.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The number of the player.
    pub player: usize,
    /// Its name.
    pub name: String,
    /// Its engine.
    pub engine: String,
    /// Games that count.
    pub score: Score,
    /// Rounds of a Swiss that it sat out; each counts as all games of a meeting won, in the order of the table
    /// and nowhere else.
    pub byes: usize,
    /// Points with those of byes: what the table is ordered by.
    pub points: f64,
    /// Its rating.
    pub rating: Rating,
    /// Games lost by a fault, in the order of [`reason::FAULTS`].
    pub faults: [usize; 5],
    /// Times it did not start.
    pub unstarted: usize,
    /// Moves it chose.
    pub moves: usize,
    /// Plies of its games on the average.
    pub plies: f64,
    /// Time it used.
    pub time: Duration,
    /// CPU time it used, as far as that is known.
    pub cpu: Duration,
    /// The latest that it answered, within the margin.
    pub lag: Duration,
    /// Positions it visited.
    pub nodes: u64,
}

impl Row {
    /// All games lost by a fault.
    pub fn failures(&self) -> usize {
        self.faults.iter().sum()
    }
}

/// The tables of a tournament, event by event.
pub fn standings(config: &Config, ledger: &Ledger) -> Vec<Standing> {
    config.events.iter().enumerate().map(|(index, event)| standing(index, event, ledger)).collect()
}

/// What each player scored over all events, by name, the best share first.
pub fn overall(standings: &[Standing]) -> Vec<(String, Score)> {
    let mut sums: Vec<(String, Score)> = Vec::new();
    for row in standings.iter().flat_map(|standing| &standing.rows) {
        match sums.iter_mut().find(|(name, _)| *name == row.name) {
            None => sums.push((row.name.clone(), row.score)),
            Some((_, sum)) => {
                sum.wins += row.score.wins;
                sum.draws += row.score.draws;
                sum.losses += row.score.losses;
            }
        }
    }
    let share = |score: &Score| score.points() / score.games().max(1) as f64;
    sums.sort_by(|(one, a), (two, b)| share(b).total_cmp(&share(a)).then_with(|| one.cmp(two)));
    sums
}

fn standing(index: usize, event: &Event, ledger: &Ledger) -> Standing {
    let games = ledger.games(index);
    let counted = count(event, games);
    let counting: Vec<&GameLine> = counted.games.iter().filter_map(|number| games.get(number)).collect();
    let names: Vec<&str> = event.players.iter().map(|player| player.name.as_str()).collect();
    let number = |name: &str| names.iter().position(|&known| known == name);
    let players = names.len();

    let mut cross = vec![vec![Score::default(); players]; players];
    let mut first_side = Score::default();
    for game in &counting {
        let (Some(one), Some(two)) = (number(&game.first), number(&game.second)) else { continue };
        let outcome = Outcome::of(game.result.winner(), Side::First);
        cross[one][two].add(outcome);
        cross[two][one].add(-outcome);
        first_side.add(outcome);
    }

    let mut pool = Pool::new(players);
    let mut meetings = Vec::new();
    for one in 0..players {
        for two in one + 1..players {
            if cross[one][two].games() == 0 {
                continue;
            }
            // Nobody plays himself, and no count exceeds what a pool takes.
            let _ = pool.add(one, two, cross[one][two]);
            meetings.push(meeting(names[one], names[two], &counting, &counted));
        }
    }
    let ratings = pool.ratings(Gauge::MeanZero);

    let agenda = Agenda::new(event);
    // Asking for the last game makes the rounds before it known.
    let last = agenda.games().saturating_sub(1);
    (0..=last).rev().find(|&number| agenda.game(number, ledger.results(index)).is_some());
    let byes = agenda.byes();
    let all: Vec<&GameLine> = games.values().collect();
    let mut rows: Vec<Row> = (0..players)
        .map(|player| {
            let byes = byes.iter().filter(|&&bye| bye == player).count();
            let mut row = row(player, event, &all, ledger, index);
            row.score = cross[player].iter().fold(Score::default(), |sum, score| {
                Score::new(sum.wins + score.wins, sum.draws + score.draws, sum.losses + score.losses)
            });
            row.byes = byes;
            row.points = row.score.points() + (byes * agenda.bye_games()) as f64;
            row.rating = ratings.players[player];
            row
        })
        .collect();
    let share =
        |row: &Row| row.points / (row.score.games() as usize + row.byes * agenda.bye_games()).max(1) as f64;
    rows.sort_by(|a, b| {
        share(b)
            .total_cmp(&share(a))
            .then(b.rating.elo.total_cmp(&a.rating.elo))
            .then(a.player.cmp(&b.player))
    });
    Standing {
        event: index,
        game: event.game.clone(),
        played: games.len(),
        scheduled: agenda.games(),
        counted,
        rows,
        cross,
        meetings,
        ratings,
        first_side,
    }
}

fn meeting(one: &str, two: &str, games: &[&GameLine], counted: &Counted) -> Summary {
    let played: Vec<Played> = games
        .iter()
        .filter(|game| game.side(one).is_some() && game.side(two).is_some())
        .map(|game| {
            let seen_first = game.side(one) == Some(Side::First);
            let margin = game.margin.map(|margin| if seen_first { margin } else { -margin });
            Played { outcome: outcome(game, one), pair: Some((game.number / 2) as u64), margin }
        })
        .collect();
    let mut summary = Summary::of(one, two, &played, None);
    // The test has its own rule for what counts: the complete pairs before the first gap.
    summary.sprt = counted.test.map(|test| (test.sprt, test.sprt.llr(test.pairs), test.verdict));
    summary
}

fn row(player: usize, event: &Event, games: &[&GameLine], ledger: &Ledger, index: usize) -> Row {
    let entrant = &event.players[player];
    let name = entrant.name.as_str();
    let failed = |failure: &&crate::line::FailureLine| failure.event == index && failure.player == name;
    let mut row = Row {
        player,
        name: name.to_owned(),
        engine: entrant.engine.clone(),
        score: Score::default(),
        byes: 0,
        points: 0.0,
        rating: Pool::new(1).ratings(Gauge::MeanZero).players[0],
        faults: [0; 5],
        unstarted: ledger.failures().iter().filter(failed).count(),
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

impl Standing {
    /// All figures.
    pub fn json(&self) -> Value {
        let rows: Vec<Value> = self.rows.iter().map(Row::json).collect();
        let meetings: Vec<Value> = self.meetings.iter().map(Summary::json).collect();
        json!({
            "game": self.game,
            "played": self.played,
            "scheduled": self.scheduled,
            "counted": self.counted.games.len(),
            "duplicates": self.counted.duplicates.len(),
            "beyond": self.counted.beyond.len(),
            "components": self.ratings.components,
            "first_side": { "wins": self.first_side.wins, "draws": self.first_side.draws, "losses": self.first_side.losses },
            "players": rows,
            "meetings": meetings,
        })
    }
}

impl Row {
    /// All figures.
    pub fn json(&self) -> Value {
        let faults: serde_json::Map<String, Value> = reason::FAULTS
            .iter()
            .zip(self.faults)
            .map(|(name, count)| ((*name).to_owned(), json!(count)))
            .collect();
        json!({
            "name": self.name,
            "engine": self.engine,
            "games": self.score.games(),
            "wins": self.score.wins,
            "draws": self.score.draws,
            "losses": self.score.losses,
            "points": self.points,
            "byes": self.byes,
            "elo": self.rating.elo,
            "elo_error": self.rating.half_width(),
            "component": self.rating.component,
            "faults": faults,
            "unstarted": self.unstarted,
            "moves": self.moves,
            "plies": self.plies,
            "seconds": self.time.as_secs_f64(),
            "cpu_seconds": self.cpu.as_secs_f64(),
            "lag_ms": self.lag.as_secs_f64() * 1e3,
            "nodes": self.nodes,
        })
    }
}

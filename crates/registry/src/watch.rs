//! A tournament as it is watched: its standings and games, also while it is played.

use std::fs;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_arena::{GameEntry, JOURNAL, RecordedResult, SavedTournament, standings};

use crate::{Error, Registry};

/// A tournament under observation.
pub struct TournamentWatch {
    path: PathBuf,
    /// The length of the journal when it was read.
    length: u64,
    saved: SavedTournament,
}

/// A tournament: its standings and latest games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TournamentOverview {
    /// Its name.
    pub name: String,
    /// Games played.
    pub played: usize,
    /// Games of the schedule.
    pub scheduled: usize,
    /// The events.
    pub events: Vec<WatchedEvent>,
    /// The games, the latest first.
    pub games: Vec<WatchedGame>,
}

/// An event of a tournament.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WatchedEvent {
    /// Its number, from 0.
    pub event: usize,
    /// The game.
    pub game: String,
    /// Games played.
    pub played: usize,
    /// Games of the schedule.
    pub scheduled: usize,
    /// The players, the best first.
    pub players: Vec<WatchedPlayer>,
}

/// A player of an event.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WatchedPlayer {
    /// The name.
    pub name: String,
    /// The engine spec.
    pub engine: String,
    /// Games that count.
    pub games: u64,
    /// Points.
    pub points: f64,
    /// The rating.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub elo_error: Option<f64>,
}

/// A game of a tournament.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WatchedGame {
    /// The number of the event, from 0.
    pub event: usize,
    /// Its number in the event, from 0.
    pub number: usize,
    /// The game.
    pub game: String,
    /// The round, from 0.
    pub round: usize,
    /// The player that moves first.
    pub first: String,
    /// The player that moves second.
    pub second: String,
    /// `first`, `second` or `draw`.
    pub outcome: String,
    /// Why the game was over.
    pub reason: String,
    /// The final score, the first player's first, where the game has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<[u32; 2]>,
    /// Plies, opening included.
    pub plies: usize,
}

/// A game of a tournament with all its moves and what both engines thought of them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WatchedReplay {
    /// The game.
    #[serde(flatten)]
    pub game: WatchedGame,
    /// The start position, if it is not the usual one.
    pub start: Option<String>,
    /// All moves.
    pub moves: Vec<String>,
    /// How many of them are the opening, which nobody chose.
    pub opening: usize,
    /// The unit of the values.
    pub unit: String,
    /// What the engine that played the move thought of it, ply by ply; `null` in the opening.
    pub values: Vec<Option<f64>>,
    /// Win rates of tree searches, from 0 to 1, ply by ply.
    pub rates: Vec<Option<f64>>,
    /// Proven results in plies, positive for a win of the mover, ply by ply.
    pub proven: Vec<Option<i32>>,
    /// Search depths, ply by ply.
    pub depths: Vec<Option<u32>>,
    /// Milliseconds used, ply by ply.
    pub times: Vec<Option<f64>>,
}

impl TournamentWatch {
    /// The tournament in a folder.
    ///
    /// # Errors
    /// There is none, or its journal is damaged.
    pub fn open(path: &Path) -> Result<TournamentWatch, Error> {
        let length = journal_length(path);
        let saved = SavedTournament::read(path).map_err(Error::invalid)?;
        Ok(TournamentWatch { path: path.to_owned(), length, saved })
    }

    /// Reads the journal again if it has grown; whether it has.
    ///
    /// # Errors
    /// The journal is damaged.
    pub fn refresh(&mut self) -> Result<bool, Error> {
        let length = journal_length(&self.path);
        if length == self.length {
            return Ok(false);
        }
        self.saved = SavedTournament::read(&self.path).map_err(Error::failed)?;
        self.length = length;
        Ok(true)
    }

    /// The standings and the latest games.
    pub fn overview(&self, games: usize) -> TournamentOverview {
        let standings = standings(&self.saved.config, &self.saved.journal);
        let events: Vec<WatchedEvent> = standings
            .iter()
            .map(|standing| WatchedEvent {
                event: standing.event,
                game: standing.game.clone(),
                played: standing.played,
                scheduled: standing.scheduled,
                players: standing
                    .players
                    .iter()
                    .map(|player| WatchedPlayer {
                        name: player.name.clone(),
                        engine: player.engine.clone(),
                        games: player.games,
                        points: player.points,
                        elo: player.elo,
                        elo_error: player.elo_error,
                    })
                    .collect(),
            })
            .collect();
        let mut rows: Vec<WatchedGame> = self.saved.journal.all().map(|entry| self.row(entry)).collect();
        rows.reverse();
        rows.truncate(games);
        TournamentOverview {
            name: self.saved.config.name.clone(),
            played: events.iter().map(|event| event.played).sum(),
            scheduled: events.iter().map(|event| event.scheduled).sum(),
            events,
            games: rows,
        }
    }

    /// One game with its values.
    ///
    /// # Errors
    /// There is no such game.
    pub fn game(&self, registry: &Registry, event: usize, number: usize) -> Result<WatchedReplay, Error> {
        let found = (event < self.saved.config.events.len()).then(|| self.saved.journal.games(event).get(&number));
        let Some(entry) = found.flatten() else {
            return Err(Error::invalid(format!("there is no game {number} in event {event}")));
        };
        let row = self.row(entry);
        let unit = registry.game(&row.game).map_or_else(|_| String::new(), |game| game.unit().name.to_owned());
        Ok(WatchedReplay {
            game: row,
            start: entry.start.clone(),
            moves: entry.moves.split_whitespace().map(str::to_owned).collect(),
            opening: entry.booked,
            unit,
            values: after_opening(entry, &entry.values),
            rates: after_opening(entry, &entry.rates),
            proven: after_opening(entry, &entry.proven),
            depths: after_opening(entry, &entry.depths),
            times: after_opening(entry, &entry.times.iter().copied().map(Some).collect::<Vec<_>>()),
        })
    }

    fn row(&self, entry: &GameEntry) -> WatchedGame {
        let outcome = match entry.result {
            RecordedResult::First => "first",
            RecordedResult::Second => "second",
            RecordedResult::Draw => "draw",
        };
        WatchedGame {
            event: entry.event,
            number: entry.number,
            game: self.saved.config.events.get(entry.event).map_or_else(String::new, |event| event.game.clone()),
            round: entry.round,
            first: entry.first.clone(),
            second: entry.second.clone(),
            outcome: outcome.to_owned(),
            reason: entry.reason.clone(),
            score: entry.score,
            plies: entry.plies(),
        }
    }
}

/// One entry for each ply: nothing for the opening, then what was noted.
fn after_opening<T: Clone>(entry: &GameEntry, noted: &[Option<T>]) -> Vec<Option<T>> {
    if noted.is_empty() {
        return Vec::new();
    }
    vec![None; entry.booked].into_iter().chain(noted.iter().cloned()).collect()
}

fn journal_length(path: &Path) -> u64 {
    let path = if path.is_dir() { path.join(JOURNAL) } else { path.to_owned() };
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

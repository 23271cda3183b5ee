//! Matches and tournaments.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_arena::stats::SprtReport;
pub use tesuji_arena::stats::{MatchScore, RatingStatus, SprtModel};
use tesuji_arena::{
    Entrant, EventConfig, EventError, EventRunner, Finish, GameEntry, GameRunner, GameSettings, MARGIN,
    SavedTournament, ScheduleKind, TimeControl, Tournament, TournamentError, TournamentEvent, TournamentJournal,
    duration_text, standings,
};
pub use tesuji_arena::{
    EventStandings, JOURNAL, PlayerStanding, RecordedResult, SprtSettings, TournamentConfig, overall,
};
use tesuji_engines::{Spec, clock, duration};
use tesuji_search::Time;
use tesuji_store::save;
use tesuji_task::{Context, cores};

use crate::{ArchiveFormat, Error, MatchDefaults, Playable, Registration, Registry};

/// The time per move of engines without any limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// A match of two engines.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchRequest {
    /// The game.
    pub game: String,
    /// The engine specs. The score is that of the first.
    pub engines: [String; 2],
    /// Games. Each opening is played twice, with the sides swapped.
    pub games: u32,
    /// Time per move: `250ms`, `1s`, `2m`. Without any limit the engines get one second per move.
    #[serde(default)]
    pub time: Option<String>,
    /// A game clock: `300s`, `300s+2s` with an increment, `300s/10s` with byoyomi. `time` has precedence.
    #[serde(default)]
    pub clock: Option<String>,
    /// Tolerance before an answer counts as late.
    #[serde(default = "margin", with = "duration_text")]
    pub margin: Duration,
    /// Search depth limit.
    #[serde(default)]
    pub depth: Option<u32>,
    /// Node limit per move.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// Random plies of an opening, or plies taken of each opening of the file.
    #[serde(default)]
    pub plies: Option<usize>,
    /// A file of openings: records or positions.
    #[serde(default)]
    pub openings: Option<String>,
    /// The seed of all random numbers.
    #[serde(default)]
    pub seed: u64,
    /// The sequential test that ends the match.
    #[serde(default)]
    pub sprt: Option<SprtSettings>,
    /// Games at a time; by default as many as the cores allow.
    #[serde(default)]
    pub concurrency: Option<usize>,
}

fn margin() -> Duration {
    MARGIN
}

impl MatchRequest {
    /// The match as a tournament.
    ///
    /// # Errors
    /// A setting is invalid.
    pub fn config(&self) -> Result<TournamentConfig, Error> {
        let [one, two] = &self.engines;
        // The same engine twice still needs two names.
        let second = if one == two { format!("{two} (2)") } else { two.clone() };
        let players =
            vec![Entrant { name: one.clone(), engine: one.clone() }, Entrant { name: second, engine: two.clone() }];
        let mut event = EventConfig::new(&self.game, players);
        event.schedule = ScheduleKind::Match;
        event.pairs = self.games.div_ceil(2) as usize;
        event.control = self.control()?;
        event.margin = self.margin;
        event.depth = self.depth;
        event.nodes = self.nodes;
        event.openings.file.clone_from(&self.openings);
        event.openings.plies = self.plies;
        event.sprt = self.sprt;
        let config = TournamentConfig {
            name: format!("{one} against {two}"),
            seed: self.seed,
            concurrency: self.concurrency,
            events: vec![event],
        };
        config.checked().map_err(Error::invalid)
    }

    fn control(&self) -> Result<TimeControl, Error> {
        if let Some(text) = &self.time {
            return duration(text).map(TimeControl::Move).map_err(|error| Error::field("time", error));
        }
        let clock = self.clock.as_deref().map(clock).transpose().map_err(|error| Error::field("clock", error))?;
        let limited = |text: &String| Spec::parse(text).is_ok_and(|spec| spec.is_limited() || spec.name == "random");
        let is_limited = self.depth.is_some() || self.nodes.is_some() || self.engines.iter().all(limited);
        Ok(match clock {
            Some(Time::Move(each)) => TimeControl::Move(each),
            Some(Time::Clock { left: main, increment, byoyomi }) if byoyomi.is_zero() => {
                TimeControl::Increment { main, increment }
            }
            Some(Time::Clock { left: main, byoyomi, .. }) => TimeControl::Byoyomi { main, byoyomi },
            Some(Time::Planned(plan)) => TimeControl::Move(plan.hard),
            None if is_limited => TimeControl::None,
            None => TimeControl::Move(DEFAULT_TIME),
        })
    }
}

/// An event of a match or tournament.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum CompetitionEvent {
    /// The run starts.
    Began {
        /// Games played before.
        done: usize,
        /// Games in all.
        total: usize,
        /// Games at a time.
        concurrency: usize,
    },
    /// A game has ended and is in the journal.
    Game(PlayedGameReport),
    /// A player did not start.
    Failure {
        /// The player.
        player: String,
        /// The error message.
        message: String,
    },
    /// A player is no longer paired.
    Barred {
        /// The player.
        player: String,
        /// Its last error message.
        message: String,
    },
    /// A sequential test has ended.
    Decided {
        /// The test.
        sprt: SprtReport,
    },
    /// A warning for the user.
    Warning {
        /// The message.
        message: String,
    },
    /// The standings of an event at the end.
    Final(EventStandings),
    /// The end of the run.
    End {
        /// Games that were not played.
        missing: usize,
        /// Files written besides the journal.
        files: Vec<String>,
    },
}

/// A game that has ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayedGameReport {
    /// The game of the event.
    pub game: String,
    /// Its number in the event, from 1.
    pub number: usize,
    /// The player that moved first.
    pub first: String,
    /// The player that moved second.
    pub second: String,
    /// The result.
    pub result: RecordedResult,
    /// Its reason.
    pub reason: String,
    /// The fault of the loser.
    pub fault: Option<String>,
    /// Its plies.
    pub plies: usize,
    /// By how much the first player won, where the game has a score; negative if the second did.
    pub margin: Option<i32>,
    /// The final score of both sides, the first player's first, where the game has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<[u32; 2]>,
    /// Games played so far.
    pub done: usize,
    /// Games in all.
    pub total: usize,
    /// Whether this is a match of two engines.
    #[serde(skip)]
    pub is_match: bool,
    /// In a match: whether the first engine won, if the game was not drawn.
    #[serde(skip)]
    pub first_engine_won: Option<bool>,
    /// The moves.
    #[serde(skip)]
    pub(crate) moves: String,
}

/// A match or tournament, ready to run.
pub struct Competition {
    tournament: Tournament,
    folder: Option<PathBuf>,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CompetitionSummary {
    /// Games that were not played.
    pub missing: usize,
    /// Whether the run was cancelled.
    pub cancelled: bool,
}

impl Competition {
    /// A match or tournament, stored in a new folder or not at all.
    ///
    /// # Errors
    /// A setting is invalid, or the folder already holds a tournament.
    pub fn create(registry: &Registry, config: TournamentConfig, folder: Option<&Path>) -> Result<Competition, Error> {
        let config = with_absolute_paths(config);
        let runners = registry.event_runners(&config).map_err(Error::invalid)?;
        let tournament = match folder {
            None => Tournament::in_memory(config, runners),
            Some(folder) => Tournament::create(folder, config, runners).map_err(Error::invalid)?,
        };
        Ok(Competition { tournament, folder: folder.map(Path::to_owned) })
    }

    /// A tournament of one event whose players are there already, stored in a new folder or not at all.
    ///
    /// # Errors
    /// The folder already holds a tournament.
    pub(crate) fn of_runner(
        config: TournamentConfig,
        runner: Box<dyn EventRunner>,
        folder: Option<&Path>,
    ) -> Result<Competition, Error> {
        let tournament = match folder {
            None => Tournament::in_memory(config, vec![runner]),
            Some(folder) => Tournament::create(folder, config, vec![runner]).map_err(Error::invalid)?,
        };
        Ok(Competition { tournament, folder: folder.map(Path::to_owned) })
    }

    /// A match or tournament whose games were played elsewhere, stored in a new folder. The games are those of
    /// [`TournamentUnits::in_order`](tesuji_arena::TournamentUnits::in_order).
    ///
    /// # Errors
    /// A setting is invalid, or the folder already holds a tournament.
    pub(crate) fn assemble(
        registry: &Registry,
        config: TournamentConfig,
        folder: &Path,
        games: Vec<(String, GameEntry)>,
    ) -> Result<Competition, Error> {
        let runners = registry.event_runners(&config).map_err(Error::invalid)?;
        let tournament = Tournament::assemble(folder, config, runners, games).map_err(Error::invalid)?;
        Ok(Competition { tournament, folder: Some(folder.to_owned()) })
    }

    /// The match or tournament that was started in a folder.
    ///
    /// # Errors
    /// There is none, or it has changed since.
    pub fn resume(registry: &Registry, folder: &Path) -> Result<Competition, Error> {
        let config = TournamentJournal::config(folder).map_err(Error::invalid)?;
        let runners = registry.event_runners(&config).map_err(Error::invalid)?;
        let tournament = Tournament::open(folder, config, runners).map_err(Error::invalid)?;
        Ok(Competition { tournament, folder: Some(folder.to_owned()) })
    }

    /// Plays the missing games.
    ///
    /// # Errors
    /// The journal cannot be written.
    pub fn run(
        &mut self,
        context: Context<'_>,
        events: &mut dyn FnMut(CompetitionEvent),
    ) -> Result<CompetitionSummary, Error> {
        let config = self.tournament.config().clone();
        let finish = self.tournament.run(cores(), context.cancel, &mut |event| {
            if let TournamentEvent::Began { done, total, .. } | TournamentEvent::Game { done, total, .. } = event {
                context.report(*done as u64, *total as u64);
            }
            events(CompetitionEvent::of(event, &config));
        });
        Ok(match finish.map_err(Error::failed)? {
            Finish::Complete => CompetitionSummary { missing: 0, cancelled: false },
            Finish::Interrupted(missing) => CompetitionSummary { missing, cancelled: true },
            Finish::Incomplete(missing) => CompetitionSummary { missing, cancelled: false },
        })
    }

    /// The standings of all events.
    pub fn standings(&self) -> Vec<EventStandings> {
        standings(self.tournament.config(), self.tournament.journal())
    }

    /// Writes the games in their own formats and the report beside the journal, and returns the paths. Writes nothing
    /// when there is no folder.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write_files(&self, registry: &Registry) -> Result<Vec<String>, Error> {
        self.write_archive(&|game, games| Ok(registry.game(game)?.archive_format(games)))
    }

    /// The same, with the record format of each game.
    pub(crate) fn write_archive(
        &self,
        archive_format: &dyn Fn(&str, usize) -> Result<ArchiveFormat, Error>,
    ) -> Result<Vec<String>, Error> {
        let Some(folder) = &self.folder else { return Ok(Vec::new()) };
        let mut files = Vec::new();
        let mut write = |name: String, bytes: &[u8]| {
            let path = folder.join(name);
            save(&path, bytes).map_err(Error::failed)?;
            files.push(path.display().to_string());
            Ok::<(), Error>(())
        };
        let runners = self.tournament.runners();
        for (index, runner) in runners.iter().enumerate() {
            let played = self.tournament.journal().games(index);
            if played.is_empty() {
                continue;
            }
            let format = archive_format(runner.game(), played.len())?;
            let mut bytes = format.head;
            for game in played.values() {
                bytes.extend(runner.record(game, Some(&format.name)).map_err(Error::failed)?);
            }
            let number = if runners.len() > 1 { format!("{}-", index + 1) } else { String::new() };
            write(format!("{number}{}.{}", runner.game(), format.extension), &bytes)?;
        }
        let page = tesuji_report::tournament::page(self.tournament.config(), self.tournament.journal(), runners);
        write("report.html".to_owned(), page.as_bytes())?;
        Ok(files)
    }
}

/// The configuration with absolute paths, so that a tournament can be resumed from any directory.
pub fn with_absolute_paths(mut config: TournamentConfig) -> TournamentConfig {
    for event in &mut config.events {
        if let Some(path) = event.openings.file.as_deref().and_then(|file| std::path::absolute(file).ok()) {
            event.openings.file = Some(path.display().to_string());
        }
    }
    config
}

impl CompetitionEvent {
    fn of(event: &TournamentEvent<'_>, config: &TournamentConfig) -> CompetitionEvent {
        match event {
            TournamentEvent::Began { done, total, workers } => {
                CompetitionEvent::Began { done: *done, total: *total, concurrency: *workers }
            }
            TournamentEvent::Game { game, done, total } => {
                CompetitionEvent::Game(PlayedGameReport::of(game, config, *done, *total))
            }
            TournamentEvent::Failure(failure) => {
                CompetitionEvent::Failure { player: failure.player.clone(), message: failure.message.clone() }
            }
            TournamentEvent::Barred { player, message, .. } => {
                CompetitionEvent::Barred { player: (*player).to_owned(), message: (*message).to_owned() }
            }
            TournamentEvent::Decided { test, .. } => CompetitionEvent::Decided { sprt: test.sprt.report(test.pairs) },
            TournamentEvent::Warning(message) => CompetitionEvent::Warning { message: message.clone() },
        }
    }
}

impl PlayedGameReport {
    fn of(game: &GameEntry, config: &TournamentConfig, done: usize, total: usize) -> PlayedGameReport {
        let event = config.events.get(game.event);
        let first_engine = match (config.events.len(), event.map(|event| &event.players[..])) {
            (1, Some([one, _])) => game.side(&one.name),
            _ => None,
        };
        PlayedGameReport {
            game: event.map(|event| event.game.clone()).unwrap_or_default(),
            number: game.number + 1,
            first: game.first.clone(),
            second: game.second.clone(),
            result: game.result,
            reason: game.reason.clone(),
            fault: game.fault.clone(),
            plies: game.moves.split_whitespace().count(),
            margin: game.margin,
            score: game.score,
            done,
            total,
            is_match: first_engine.is_some(),
            moves: game.moves.clone(),
            first_engine_won: first_engine.and_then(|side| Some(game.result.winner()? == side)),
        }
    }
}

/// The standings in the journal of a tournament.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JournalStats {
    /// The events of one game.
    pub standings: Vec<EventStandings>,
    /// Whether the last line of the journal was incomplete; it does not count.
    pub torn: bool,
}

impl JournalStats {
    /// The events of `game` in the journal at `path`, or in the folder at `path`.
    ///
    /// # Errors
    /// There is no valid journal, or it has no event of the game.
    pub fn read(path: &Path, game: &str) -> Result<JournalStats, Error> {
        let saved = SavedTournament::read(path).map_err(Error::invalid)?;
        let games: Vec<&str> = saved.config.events.iter().map(|event| event.game.as_str()).collect();
        if !games.contains(&game) {
            let (shown, games) = (path.display(), games.join(", "));
            return Err(Error::invalid(format!("{shown} has no event of {game}; it has {games}")));
        }
        let mut standings = standings(&saved.config, &saved.journal);
        standings.retain(|event| event.game == game);
        Ok(JournalStats { standings, torn: saved.journal.torn() })
    }
}

/// Matches and tournaments.
pub trait CompetitionApi {
    /// The runner of an event of this game, by its number from 0.
    ///
    /// # Errors
    /// A player or an opening is invalid.
    fn event_runner(&self, config: &TournamentConfig, index: usize) -> Result<Box<dyn EventRunner>, EventError>;
}

impl<G: Playable> CompetitionApi for Registration<G> {
    fn event_runner(&self, config: &TournamentConfig, index: usize) -> Result<Box<dyn EventRunner>, EventError> {
        Ok(Box::new(GameRunner::new(config, index, self.game_settings())?))
    }
}

impl<G: Playable> Registration<G> {
    /// What the arena needs to know about the game.
    pub(crate) fn game_settings(&self) -> GameSettings<G> {
        let MatchDefaults { longest, plies, judge, bound, protocols, format: _ } = self.matches;
        GameSettings {
            longest,
            plies,
            judge,
            bound,
            claim: self.claim,
            final_score: self.counting.map(|counting| counting.final_score),
            ..GameSettings::new(self.engines.clone(), protocols)
        }
    }
}

impl Registry {
    /// The runners of all events of a tournament.
    ///
    /// # Errors
    /// An event is invalid.
    pub fn event_runners(&self, config: &TournamentConfig) -> Result<Vec<Box<dyn EventRunner>>, TournamentError> {
        let runner = |(index, event): (usize, &EventConfig)| {
            let game = self.game(&event.game).map_err(|error| EventError::Other(error.to_string()));
            game.and_then(|game| game.event_runner(config, index))
                .map_err(|error| TournamentError::event(config, index, error))
        };
        config.events.iter().enumerate().map(runner).collect()
    }
}

//! Matches, tournaments, ratings and match servers.
//!
//! How a tournament runs:
//!
//! 1. [`TournamentConfig::parse`] reads the TOML; [`EventConfig::new`] and [`TournamentConfig::checked`] build a
//!    configuration in code.
//! 2. Each event gets an [`EventRunner`]: `GameRunner::<G>::new(&config, index, settings)`, where [`GameSettings<G>`]
//!    holds what the rules of the game do not say. The application layer knows the games and makes the runners.
//! 3. [`Tournament::create`] starts in a folder, [`Tournament::open`] resumes there and refuses when a setting, a file
//!    or the program has changed, [`Tournament::in_memory`] stores nothing.
//! 4. [`Tournament::run`] plays the missing games and reports [`TournamentEvent`]s until it is done or cancelled.
//! 5. [`SavedTournament::read`] reads a journal, also of a running tournament; [`standings`] computes the tables,
//!    [`EventRunner::record`] exports games in the formats of the game.
//!
//! Only the journal is stored. Every figure is recomputed from it by pure functions, so an interrupted run gives the
//! same figures as an uninterrupted one.

mod clock;
mod config;
mod config_lines;
mod counted;
mod dispatcher;
mod event_config;
mod game_phases;
mod game_runner;
mod journal;
mod journal_entry;
mod line_reader;
pub mod online;
mod opening;
mod play;
pub mod player;
mod record_stats;
mod referee;
mod replay;
mod runner;
mod schedule;
mod standings;
pub mod stats;
mod swiss;
mod tournament;
mod units;

pub use clock::{
    FlagFall, GameClocks, MARGIN, PATIENCE, TimeControl, TimeControlError, duration_text, parse_duration,
    print_duration,
};
pub use config::{ConfigError, Entrant, TournamentConfig};
pub use counted::{Counted, SprtState, count, outcome};
pub use event_config::{EventConfig, OpeningOrder, OpeningSettings, ScheduleKind, SprtSettings};
pub use game_phases::GamePhases;
pub use game_runner::{GameRunner, SEAT};
pub use journal::{CONFIG, JOURNAL, JournalError, SavedTournament, TournamentJournal};
pub use journal_entry::{FailureEntry, GameEntry, JournalHeader, JournalLine, RecordedResult, SCHEMA};
pub use opening::{FairnessFilter, OpeningError, Openings};
pub use play::{EndgameOracle, MoveNote, PlayConditions, PlayResult, PlayedGame, play};
pub use record_stats::{
    GameLengths, OpeningResults, PlayerRating, RecordCounter, RecordFacts, RecordStats, ResultCountsBySide,
};
pub use referee::{Adjudication, Adjudicator, Agreement, reason, reason_of};
pub use replay::{GameReplay, ReplayFrame};
pub use runner::{EventError, EventRunner, FinalScore, GameRun, GameSettings, GameWorker, PlayerFactory};
pub use schedule::{EventSchedule, FixedSchedule, PairingSystem, Results, ScheduledGame};
pub use standings::{EventStandings, PlayerStanding, overall, standings};
pub use swiss::{SwissRound, SwissTable};
pub use tournament::{Finish, START_FAILURES, Tournament, TournamentError, TournamentEvent, facts};
pub use units::{TournamentReferee, TournamentUnits, UnitRuling, UnitRun, play_unit};

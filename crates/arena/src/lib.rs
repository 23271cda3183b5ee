//! Matches, tournaments and ratings: who plays whom, under which clock, judged by our own rules, written down
//! so that nothing is lost, and counted so that the figures can be believed.
//!
//! How a tournament is run:
//!
//! 1. [`Config::parse`] reads the TOML; [`Event::new`] and [`Config::checked`] make one from flags.
//! 2. For each event somebody who knows the games makes a [`EventRunner`]: `Playing::<G>::new(&config, index, house)`
//!    with a [`GameSettings<G>`], the few facts about a game that its rules do not tell. The tournament asks for them
//!    through a function `Fn(&Config, usize) -> Result<Box<dyn EventRunner>, EventError>`, which can look at
//!    `config.events[index].game`.
//! 3. [`Tournament::create`] begins in a folder, [`Tournament::open`] goes on there and refuses when a setting,
//!    a file or the program has changed, [`Tournament::in_memory`] keeps nothing.
//! 4. [`Tournament::run`] plays what is missing and tells [`TournamentEvent`]; raise its `CancelToken` to interrupt. What it
//!    returns says whether everything was played.
//! 5. [`Archive::read`] reads a journal, also of a running tournament; [`standings`] turns games into tables,
//!    [`report::page`] into a page, [`EventRunner::record`] into records in the game's own formats.
//!
//! Only the journal is kept; every figure is counted anew from it, by pure functions, so that an interrupted
//! run cannot differ from one that was not.

mod agenda;
mod clock;
mod config;
mod counted;
mod desk;
mod event;
mod facts;
mod film;
mod ledger;
mod line;
mod lines;
pub mod online;
mod opening;
mod play;
pub mod player;
mod playing;
mod referee;
pub mod report;
mod schedule;
mod stage;
mod standings;
pub mod stats;
mod swiss;
mod tournament;

pub use agenda::{Agenda, Results};
pub use clock::{Clocks, Control, ControlError, FlagFall, MARGIN, PATIENCE, duration, print_duration};
pub use config::{Config, ConfigError, Entrant};
pub use counted::{Counted, Test, count, outcome};
pub use event::{Accord, Adjudicate, Event, Model, OpeningSettings, Order, Schedule, Sprt};
pub use film::{Film, Frame};
pub use ledger::{Archive, CONFIG, JOURNAL, Ledger, LedgerError};
pub use line::{FailureLine, GameLine, Header, Line, Result as GameResult, SCHEMA};
pub use opening::{Fair, OpeningError, Openings};
pub use play::{Encounter, Note, Played, Solver, Terms, play};
pub use playing::Playing;
pub use referee::{Adjudication, Agreement, Minutes, reason, reason_of};
pub use schedule::{Fixture, Kind, Plan};
pub use stage::{Board, EventError, EventRunner, GameRun, GameSettings, Seat};
pub use standings::{Row, Standing, overall, standings};
pub use swiss::{Round, Table};
pub use tournament::{Finish, START_FAILURES, Stages, Tournament, TournamentError, TournamentEvent};

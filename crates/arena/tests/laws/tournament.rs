//! Tournaments: schedules, adjudication, interrupted runs.

#[path = "tournament/clocks.rs"]
mod clocks;
#[path = "tournament/counting.rs"]
mod counting;
#[path = "tournament/runs.rs"]
mod runs;
#[path = "tournament/schedules.rs"]
mod schedules;
#[path = "tournament/settings.rs"]
mod settings;
#[path = "tournament/setup.rs"]
mod setup;
#[path = "tournament/tables.rs"]
mod tables;
#[path = "tournament/verdicts.rs"]
mod verdicts;

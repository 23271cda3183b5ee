//! Schedules, the referee, and runs that are killed.

#[path = "tournament/clocks.rs"]
mod clocks;
#[path = "tournament/counting.rs"]
mod counting;
#[path = "tournament/house.rs"]
mod house;
#[path = "tournament/runs.rs"]
mod runs;
#[path = "tournament/schedules.rs"]
mod schedules;
#[path = "tournament/settings.rs"]
mod settings;
#[path = "tournament/tables.rs"]
mod tables;
#[path = "tournament/verdicts.rs"]
mod verdicts;

//! Tests of the arena.

#[path = "laws/contest.rs"]
mod contest;
#[path = "laws/csa.rs"]
mod csa;
#[path = "laws/online.rs"]
mod online;
#[path = "laws/player.rs"]
mod player;
#[path = "laws/stats.rs"]
mod stats;
#[path = "laws/tournament.rs"]
mod tournament;

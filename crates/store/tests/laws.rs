//! Tests of the store.

#![allow(clippy::unwrap_used)]

#[path = "laws/blocks.rs"]
mod blocks;
#[path = "laws/faults.rs"]
mod faults;
#[path = "laws/journal.rs"]
mod journal;
#[path = "laws/model.rs"]
mod model;
#[path = "laws/noise.rs"]
mod noise;
#[path = "laws/save.rs"]
mod save;
#[path = "laws/scratch.rs"]
mod scratch;

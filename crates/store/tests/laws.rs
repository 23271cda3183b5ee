//! The laws of the store, one file per idea.

#![allow(clippy::unwrap_used)]

#[path = "laws/journal.rs"]
mod journal;
#[path = "laws/save.rs"]
mod save;
#[path = "laws/scratch.rs"]
mod scratch;

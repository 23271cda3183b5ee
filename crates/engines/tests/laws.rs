//! Everything that must hold of engines, in one binary.

#![allow(clippy::unwrap_used, reason = "a test that unwraps what is not there fails, as it should")]

#[path = "laws/book/mod.rs"]
mod book;
#[path = "laws/cuts.rs"]
mod cuts;
#[path = "laws/evals.rs"]
mod evals;
#[path = "laws/othello_export.rs"]
mod othello_export;
#[path = "laws/othello_solver.rs"]
mod othello_solver;
#[path = "laws/othello_wld.rs"]
mod othello_wld;
#[path = "laws/play.rs"]
mod play;
#[path = "laws/specs.rs"]
mod specs;
#[path = "laws/table/mod.rs"]
mod table;
#[path = "laws/teach.rs"]
mod teach;
#[path = "laws/trax.rs"]
mod trax;

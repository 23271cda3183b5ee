//! SVG plots and HTML reports: self-contained files that load nothing and run without a server.
//!
//! [`Svg`] is the toolkit. [`evaluation_plot`], [`Histogram`], [`training`] and [`network`] draw stand-alone plots,
//! [`tournament::page`] the report of a tournament.

mod axis;
mod chart;
mod evaluation;
mod histogram;
mod html;
pub mod network;
mod svg;
pub mod tournament;
pub mod training;

pub use evaluation::{EvaluatedMove, evaluation_plot};
pub use histogram::Histogram;
pub use html::escape;
pub use svg::Svg;
/// How numbers are told to people.
pub use tesuji_game::{counted, grouped};

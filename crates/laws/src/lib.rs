//! The conformance kit: property tests for games, checked on random play.
//!
//! Each function is one test. A game's `tests/laws.rs` calls those of its capabilities. The bodies in [`fuzz`] take raw
//! bytes, so that fuzz targets and tests on stable run the same code. The kit depends on no game.

mod annotated;
pub mod fuzz;
mod packed;
mod planes;
mod play;
mod records;
mod reference;
mod rules;
mod symmetry;
mod text;
mod view;

pub use annotated::{annotated, endings};
pub use packed::packed;
pub use planes::planes;
pub use play::{Choices, effort, for_all, playout};
pub use records::records;
pub use reference::reference;
pub use rules::{perft, rules};
pub use symmetry::symmetry;
pub use text::text;
pub use view::view;

/// Fails the case with a message instead of a panic, so that proptest can shrink it.
#[macro_export]
macro_rules! hold {
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            return Err(::std::format!($($message)+));
        }
    };
}

/// The result of a property for one case: `Err` describes the violation.
pub type PropertyResult = Result<(), String>;

//! What results say about strength: pure arithmetic on counts. Nothing here plays, reads or prints, and every
//! figure is finite for every input; where a figure means little, it says so.
//!
//! Games of one opening with colours swapped are one observation, not two: [`Pairs`] is the better witness than
//! [`Score`] wherever openings were played in pairs.

mod counts;
mod elo;
mod likely;
mod margins;
mod normal;
mod ratings;
mod score;
mod sprt;
mod summary;

pub use counts::Counts;
pub use elo::{Doubt, Estimate};
pub use margins::Margins;
pub use normal::{NINETY_FIVE, phi};
pub use ratings::{Difference, Gauge, Pool, PoolError, Rating, Ratings, Standing};
pub use score::{Pairs, Score};
pub use sprt::{Model, Sprt, SprtError, Verdict};
pub use summary::{Played, Summary};

/// The expected score of a player this much stronger.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

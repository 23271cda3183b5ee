//! `lines`: the learned evaluation, a sum of trained weights over all tracks.

use std::cell::RefCell;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use tesuji_learn::{Weights, WeightsError};
use tesuji_search::{Eval, Value};
use tesuji_trax::{Move, Trax, Undo, Variant};

use super::features::{FEATURES, Scratch, features};

/// Units of the value that multiply the odds of winning by e.
pub const LOGISTIC: f64 = 250.0;
/// Units of a weight in one unit of the value.
pub(super) const FINE: i32 = 16;
/// The name of the model in weights files; another set of features gets another version.
pub const MODEL: &str = "trax/lines/1";

/// The shipped weights; `docs/trax.md` says how they were made.
pub(crate) static SHIPPED_BYTES: &[u8] = include_bytes!("../../weights/trax.weights");

/// The evaluation `lines`. Copies share one table.
#[derive(Clone)]
pub struct Lines {
    weights: Arc<[i16]>,
}

impl std::fmt::Debug for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Lines({} weights)", self.weights.len())
    }
}

thread_local! {
    /// The outline of the position being evaluated; only a buffer.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl Lines {
    /// The evaluation with these weights, one for each feature; `None` if there are more or fewer.
    pub fn new(weights: impl Into<Arc<[i16]>>) -> Option<Lines> {
        let weights = weights.into();
        (weights.len() == FEATURES).then_some(Lines { weights })
    }

    /// All weights zero.
    pub fn untrained() -> Lines {
        Lines { weights: vec![0; FEATURES].into() }
    }

    /// The shipped evaluation.
    pub fn shipped() -> Lines {
        static SHIPPED: OnceLock<Lines> = OnceLock::new();
        // A test parses these bytes, so that they are known to be valid.
        SHIPPED.get_or_init(|| Lines::parse(SHIPPED_BYTES).unwrap_or_else(|_| Lines::untrained())).clone()
    }

    /// Parses the bytes of a weights file.
    ///
    /// # Errors
    /// They are no weights, are damaged, or are those of another evaluation.
    pub fn parse(bytes: &[u8]) -> Result<Lines, WeightsError> {
        let weights = Weights::parse(bytes)?.check_name(MODEL, 1, FEATURES)?;
        Ok(Lines { weights: weights.stage(0).into() })
    }

    /// Loads a weights file.
    ///
    /// # Errors
    /// Says what is wrong with the file.
    pub fn load(path: impl AsRef<Path>) -> Result<Lines, String> {
        let path = path.as_ref();
        let bytes = std::fs::read(path).map_err(|error| format!("{}: cannot be read: {error}", path.display()))?;
        Lines::parse(&bytes).map_err(|error| format!("{}: {error}", path.display()))
    }
}

/// Nothing is carried from move to move: reading the outline costs less than maintaining sums at every node, most of
/// which are never evaluated.
impl<V: Variant> Eval<Trax<V>> for Lines {
    type Accumulator = ();

    fn begin(&self, _: &Trax<V>) {}

    fn advance(&self, (): &(), _: Move, _: &Undo, _: &Trax<V>, (): &mut ()) {}

    fn value(&self, game: &Trax<V>, (): &()) -> Value {
        SCRATCH.with_borrow_mut(|scratch| {
            game.outline(&mut scratch.outline);
            let mut sum = 0;
            features(game, scratch, |index| sum += i32::from(self.weights[index]));
            Value::estimate(sum / FINE)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_weights_are_whole() {
        let lines = Lines::parse(SHIPPED_BYTES).unwrap();
        assert!(lines.weights.iter().any(|&weight| weight != 0));
        assert!(Lines::new(lines.weights).is_some() && Lines::new([1, 2, 3]).is_none());
    }

    #[test]
    fn damaged_weights_are_refused() {
        for at in [0, 9, 40, SHIPPED_BYTES.len() / 2, SHIPPED_BYTES.len() - 1] {
            let mut bytes = SHIPPED_BYTES.to_vec();
            bytes[at] ^= 0x10;
            assert!(Lines::parse(&bytes).is_err(), "byte {at}");
        }
        assert!(Lines::parse(&SHIPPED_BYTES[..SHIPPED_BYTES.len() - 1]).is_err());
        let other = Weights::of_units("othello/pattern/1", "", vec![0; FEATURES]);
        assert!(Lines::parse(&other.bytes()).unwrap_err().to_string().contains(MODEL));
        let short = Weights::of_units(MODEL, "", vec![0; 9]);
        assert!(Lines::parse(&short.bytes()).is_err());
    }
}

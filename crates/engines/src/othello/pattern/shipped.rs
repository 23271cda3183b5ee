//! Where weights come from: those that ship with this program, or a file.

use std::path::Path;
use std::sync::OnceLock;

use tesuji_learn::{Weights, WeightsError};

use super::{Pattern, Patterns};

/// The weights that ship: made by the commands that `docs/training.md` lists.
static BYTES: &[u8] = include_bytes!("../../../weights/othello.weights");

impl Pattern {
    /// The evaluation that ships. All copies share one set of tables.
    pub fn shipped() -> Pattern {
        static SHIPPED: OnceLock<Pattern> = OnceLock::new();
        // A test reads these bytes; without it a program with spoilt ones could not have been made.
        SHIPPED.get_or_init(|| Pattern::parse(BYTES).unwrap_or_else(|_| Pattern::untrained())).clone()
    }

    /// The evaluation of a file's bytes.
    pub fn parse(bytes: &[u8]) -> Result<Pattern, WeightsError> {
        let weights = Weights::parse(bytes)?.check_model(&Patterns::new())?;
        let all: Vec<i16> = (0..weights.stages()).flat_map(|stage| weights.stage(stage)).copied().collect();
        Pattern::new(&all).ok_or(WeightsError::Foreign)
    }

    /// The evaluation of a file, or why there is none.
    pub fn load(path: impl AsRef<Path>) -> Result<Pattern, String> {
        let bytes = std::fs::read(path).map_err(|error| format!("the file cannot be read: {error}"))?;
        Pattern::parse(&bytes).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_that_ship_are_whole_and_mean_something() {
        let weights = Weights::parse(BYTES).unwrap();
        assert!(!weights.provenance().is_empty());
        let learned = |stage| weights.stage(stage).iter().any(|&weight| weight != 0);
        assert!((1..weights.stages()).all(learned));
        Pattern::parse(BYTES).unwrap();
    }
}

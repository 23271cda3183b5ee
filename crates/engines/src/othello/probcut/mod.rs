//! The error model of Multi-ProbCut: how far the score of a shallow search may be from that of a deeper one. Fitted to
//! our own searches by `tesuji train probcut`. Which branches are cut is up to the search.

mod fit;
mod job;
mod measure;

use std::fmt::Write;
use std::path::Path;
use std::sync::OnceLock;

use tesuji_store::frame::seal;

pub use job::{ProbCutJob, ProbCutOutcome};
pub use measure::{DepthDifferences, DifferenceStats, StudyDepths};

/// The parameters that ship: made by the command in `docs/training.md`.
static SHIPPED: &str = include_str!("../../../weights/othello.cuts");

/// The first line of a file.
const TITLE: &str = "tesuji othello cuts 1";

/// Why a text is not a file of ProbCut parameters.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProbCutFileError {
    /// Another kind of file.
    #[error("not a file of `tesuji train probcut`: the first line should be {TITLE:?}")]
    Foreign,
    /// An unexpected line.
    #[error("line {line}: {text:?}: expected {expected}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// Its text.
        text: String,
        /// What should be there.
        expected: String,
    },
    /// The checksum in the last line is wrong.
    #[error("damaged or changed by hand: wrong checksum")]
    Checksum,
}

/// The standard deviation of the score of a deep search around that of a shallow one, as a function of a few parameters.
///
/// Its logarithm is linear in the parameters, so the deviation is always positive and each term scales the others: the
/// depth difference, the shallow depth, the number of empty squares, and whether the deep search reaches the end of the
/// game, where the two searches share no evaluation error.
///
/// Of the forms with at most eight terms that were tried on 648 positions (depths or their logarithms or roots, products
/// of two terms, squares) this one had the largest likelihood. For searches to the end the empty squares enter by their
/// logarithm, because only positions of up to twenty empty squares can be solved in reasonable time: a linear term fitted
/// to those would extrapolate to eleven discs at thirty empty squares, the logarithm to less than seven.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ProbCutParameters {
    parameters: [f64; ProbCutParameters::NAMES.len()],
}

impl ProbCutParameters {
    /// The names of the parameters, in order.
    pub(super) const NAMES: [&'static str; 8] =
        ["constant", "unseen", "seen", "empties", "empties-squared", "empties-seen", "end", "end-empties"];

    const ZERO: ProbCutParameters = ProbCutParameters { parameters: [0.0; ProbCutParameters::NAMES.len()] };

    /// Bounds of the deviation, in discs: the model may extrapolate badly beyond what was measured.
    const BOUNDS: [f64; 2] = [0.5, 16.0];

    /// The parameters that ship.
    pub fn shipped() -> ProbCutParameters {
        static PARSED: OnceLock<ProbCutParameters> = OnceLock::new();
        // A test parses this text, so it cannot be damaged.
        *PARSED.get_or_init(|| ProbCutParameters::parse(SHIPPED).unwrap_or(ProbCutParameters::ZERO))
    }

    /// The standard deviation in discs between a search of depth `shallow` and one of depth `depth`. A depth equal to the
    /// number of empty squares reaches the end of the game.
    ///
    /// Rounded, because the last digits of a logarithm differ from machine to machine and searches must not.
    pub fn deviation(&self, empties: u32, depth: u32, shallow: u32) -> f32 {
        let terms = terms(empties, depth, shallow);
        let log: f64 = self.parameters.iter().zip(terms).map(|(parameter, term)| parameter * term).sum();
        let [least, most] = ProbCutParameters::BOUNDS;
        ((log.exp().clamp(least, most) * 256.0).round() / 256.0) as f32
    }

    /// The text of a file.
    pub fn print(&self, provenance: &str) -> String {
        let mut text = format!("{TITLE}\n");
        // Writing to a string cannot fail.
        for line in provenance.lines() {
            let _ = writeln!(text, "# {line}");
        }
        for (name, parameter) in ProbCutParameters::NAMES.iter().zip(self.parameters) {
            let _ = writeln!(text, "{name} {parameter:.4}");
        }
        seal(text, "sum")
    }

    /// Reads a text that [`ProbCutParameters::print`] wrote.
    pub fn parse(text: &str) -> Result<ProbCutParameters, ProbCutFileError> {
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
        if lines.next().is_none_or(|(_, head)| head != TITLE) {
            return Err(ProbCutFileError::Foreign);
        }
        let mut lines = lines.filter(|(_, line)| !line.starts_with('#'));
        let mut next = |name: &str, what: &str| {
            let (line, text) = lines.next().unwrap_or((text.lines().count() + 1, ""));
            let value = text.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
            let expected = format!("{name:?} and {what}");
            (value.unwrap_or_default(), ProbCutFileError::Line { line, text: text.to_owned(), expected })
        };
        let mut parameters = [0.0; ProbCutParameters::NAMES.len()];
        for (parameter, name) in parameters.iter_mut().zip(ProbCutParameters::NAMES) {
            let (value, error) = next(name, "a number");
            *parameter = value.parse().ok().filter(|number: &f64| number.is_finite()).ok_or(error)?;
        }
        let (value, error) = next("sum", "eight digits");
        let sum = u32::from_str_radix(value, 16).map_err(|_| error)?;
        let summed = text.rfind("sum ").map_or("", |at| &text[..at]);
        if sum != crc32fast::hash(summed.as_bytes()) {
            return Err(ProbCutFileError::Checksum);
        }
        Ok(ProbCutParameters { parameters })
    }

    /// Reads a file.
    pub fn load(path: impl AsRef<Path>) -> Result<ProbCutParameters, String> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path).map_err(|error| format!("the file cannot be read: {error}"))?;
        let parameters = ProbCutParameters::parse(&text).map_err(|error| error.to_string())?;
        tracing::info!(file = %path.display(), "parameters of Multi-ProbCut loaded");
        Ok(parameters)
    }
}

/// The factor of each parameter.
fn terms(empties: u32, depth: u32, shallow: u32) -> [f64; ProbCutParameters::NAMES.len()] {
    let unseen = f64::from(depth.saturating_sub(shallow).max(1)).ln();
    let seen = f64::from(shallow + 1).ln();
    // Scaled to 0..1, so that no parameter is much smaller than the others.
    let empty = f64::from(empties) / 60.0;
    let end = f64::from(u8::from(depth >= empties));
    let left = f64::from(empties.max(1)).ln();
    [1.0, unseen, seen, empty, empty * empty, empty * seen, end, end * left]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_parameters_are_plausible_at_all_depths() {
        let parameters = ProbCutParameters::parse(SHIPPED).unwrap();
        for empties in 4..=60 {
            for depth in 3..=empties {
                let deviation = |shallow| parameters.deviation(empties, depth, shallow);
                let all: Vec<f32> = (0..depth).map(deviation).collect();
                assert!(all.iter().all(|found| (0.5..=16.0).contains(found)), "{empties} {depth} {all:?}");
                assert!(all.windows(2).all(|pair| pair[0] >= pair[1]), "{empties} {depth} {all:?}");
            }
        }
    }

    #[test]
    fn a_file_survives_a_round_trip() {
        let parameters = ProbCutParameters { parameters: std::array::from_fn(|at| at as f64 / 8.0 - 0.25) };
        let text = parameters.print("two lines\nof provenance");
        assert_eq!(ProbCutParameters::parse(&text), Ok(parameters));
        assert!(text.contains("# of provenance\nconstant -0.2500\n"), "{text}");
    }

    #[test]
    fn errors_name_the_line() {
        let text = ProbCutParameters { parameters: [0.5; ProbCutParameters::NAMES.len()] }.print("");
        assert_eq!(ProbCutParameters::parse("nonsense"), Err(ProbCutFileError::Foreign));
        assert_eq!(ProbCutParameters::parse(""), Err(ProbCutFileError::Foreign));
        assert_eq!(ProbCutParameters::parse(&text.replacen("0.5", "0.6", 1)), Err(ProbCutFileError::Checksum));
        let message = |text: &str| ProbCutParameters::parse(text).unwrap_err().to_string();
        assert_eq!(
            message(&text.replace("unseen 0.5000", "unseen much")),
            "line 3: \"unseen much\": expected \"unseen\" and a number"
        );
        assert!(message(&text.replace("seen 0.5", "seen inf")).contains("a number"));
        let cut = &text[..text.rfind("sum").unwrap()];
        assert!(message(cut).contains("line 10: \"\": expected \"sum\""), "{}", message(cut));
    }
}

//! The tagged text format that every game has: tags, moves and comments as in PGN. See docs/records.md.
//!
//! ```text
//! [Game "trax"]
//! [First "Anna"]
//! [Second "Bo"]
//! [Result "1-0"]
//! [Termination "resignation"]
//!
//! 1. @0/ {[%emt 1.5] the usual start} A2+ 2. A3/ 1-0
//! ```

mod parse;
mod print;

pub use parse::read;
pub use print::write;

use crate::{Side, tags};

/// Tags that are written with the names of PGN.
const NAMES: [(&str, &str); 9] = [
    ("Event", tags::EVENT),
    ("Site", tags::PLACE),
    ("Date", tags::DATE),
    ("First", tags::FIRST),
    ("Second", tags::SECOND),
    ("FirstElo", tags::FIRST_RATING),
    ("SecondElo", tags::SECOND_RATING),
    ("TimeControl", tags::CLOCK),
    ("Score", tags::RESULT),
];

/// The name of the game, which must be the right one.
const GAME: &str = "Game";
/// The start position, where it is not the usual one.
const START: &str = "Start";
/// Who won.
const RESULT: &str = "Result";
/// Why.
const TERMINATION: &str = "Termination";

/// Result words, as in PGN.
const RESULTS: [(&str, Option<Side>); 3] = [("1-0", Some(Side::First)), ("0-1", Some(Side::Second)), ("1/2-1/2", None)];
/// The result word of an unfinished game.
const OPEN: &str = "*";

/// The evaluation of a move, in the unit of the game, as its player saw it.
const EVAL: &str = "eval";
/// The time of a move in seconds.
const TIME: &str = "emt";
/// The line that the player expected.
const LINE: &str = "pv";

/// Whether a word of the moves is a result.
fn is_result(word: &str) -> bool {
    word == OPEN || RESULTS.iter().any(|(known, _)| *known == word)
}

/// Whether a word is the number of a move: `12.` or `12...`.
fn is_number(word: &str) -> bool {
    let digits = word.trim_end_matches('.');
    digits.len() < word.len() && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

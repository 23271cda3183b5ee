//! GGF, the format of Othello servers: `(;GM[Othello]PB[…]BO[8 … *]B[F5/eval/time]W[…];)`.
//!
//! Evaluations are discs for the player who moved, times seconds, clocks `main/increment/extension` in minutes and
//! seconds. NBoard refuses a file with an unknown property, so whatever GGF has no property for goes into `CO`, the
//! comment that it passes over: `CO[event: …]`, `CO[ending: first adjudicated-win]`.

mod parse;
mod print;

pub(crate) use parse::read;
pub(crate) use print::write;

use tesuji_game::tags;

/// The tag of the kind of game: `8`, `8r` for a random start.
const TYPE: &str = "type";

/// Which property holds which tag, in the order they are written.
const TAGS: [(&str, &str); 9] = [
    ("PC", tags::PLACE),
    ("DT", tags::DATE),
    ("PB", tags::FIRST),
    ("PW", tags::SECOND),
    ("RB", tags::FIRST_RATING),
    ("RW", tags::SECOND_RATING),
    ("RE", tags::RESULT),
    ("TI", tags::CLOCK),
    ("TY", TYPE),
];

/// The property of a comment: to the game before the moves, else to the move before it.
const COMMENT: &str = "CO";
/// A comment with the name of the event.
const EVENT: &str = "event: ";

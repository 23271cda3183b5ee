//! GGF, the format of Othello servers: `(;GM[Othello]PB[…]BO[8 … *]B[F5/eval/time]W[…];)`.

mod parse;
mod print;

pub(crate) use parse::read;
pub(crate) use print::write;

use tesuji_game::tags;

/// The tag of the kind of game: `8`, `8r` for a random start.
const TYPE: &str = "type";

/// Which property holds which tag, in the order they are written.
const TAGS: [(&str, &str); 8] = [
    ("EV", tags::EVENT),
    ("PC", tags::PLACE),
    ("DT", tags::DATE),
    ("PB", tags::FIRST),
    ("PW", tags::SECOND),
    ("RE", tags::RESULT),
    ("TI", tags::CLOCK),
    ("TY", TYPE),
];

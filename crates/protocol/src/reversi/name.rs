//! Player names that every server accepts.

use std::error::Error;
use std::fmt;

/// The longest name.
const LONGEST: usize = 64;

/// Words of the protocol. Some servers interpret them at any place in a line.
const RESERVED: [&str; 14] =
    ["OPEN", "MOVE", "PASS", "GIVEUP", "START", "BLACK", "WHITE", "ACK", "END", "WIN", "LOSE", "TIE", "BYE", "NONE"];

/// Why a name is not valid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NameError(String);

/// Checks a name: letters, digits, `_`, `-` and `.`, but neither digits alone, nor a word of the protocol, nor a
/// square.
///
/// # Errors
/// Some server would reject the name.
///
/// ```
/// # use tesuji_protocol::reversi::check_name;
/// assert!(check_name("tesuji-0.1_a").is_ok());
/// assert!(check_name("WIN").is_err() && check_name("123").is_err() && check_name("a b").is_err());
/// ```
pub fn check(name: &str) -> Result<(), NameError> {
    let wrong = |why: &str| Err(NameError(format!("{name:?} is not a valid player name: {why}")));
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    if name.is_empty() || name.len() > LONGEST || !name.bytes().all(fits) {
        return wrong("it must be 1 to 64 letters, digits, _, - and .");
    }
    let number = name.strip_prefix('-').unwrap_or(name);
    if number.bytes().all(|byte| byte.is_ascii_digit()) {
        return wrong("digits alone are a number in the protocol; add a letter");
    }
    let word = name.to_ascii_uppercase();
    if RESERVED.contains(&word.as_str()) || super::ServerMove::parse(name).is_some() {
        return wrong("it is a word of the protocol; add a letter");
    }
    Ok(())
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for NameError {}

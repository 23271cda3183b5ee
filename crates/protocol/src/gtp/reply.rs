//! What an engine answers: a sign, the number of the command, and text that may span lines.

use std::fmt;

/// The answer to one command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The number of the command it answers.
    pub id: Option<u32>,
    /// What it says, or why it cannot.
    pub text: Result<String, String>,
}

/// What a line was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Heard {
    /// The end of a reply.
    Reply(Reply),
    /// Part of a reply that goes on.
    More,
    /// Nothing of the protocol.
    Chatter,
}

/// Puts replies together from lines.
#[derive(Clone, Debug, Default)]
pub struct Replies {
    open: Option<Reply>,
}

impl Replies {
    /// Takes the next line. A reply ends with an empty one.
    ///
    /// ```
    /// # use tesuji_protocol::gtp::{Heard, Replies, Reply};
    /// let mut replies = Replies::default();
    /// assert_eq!(replies.hear("=3 F5"), Heard::More);
    /// let reply = Reply { id: Some(3), text: Ok("F5".to_owned()) };
    /// assert_eq!(replies.hear(""), Heard::Reply(reply));
    /// assert_eq!(replies.hear("thinking hard"), Heard::Chatter);
    /// ```
    pub fn hear(&mut self, line: impl AsRef<[u8]>) -> Heard {
        let line = String::from_utf8_lossy(line.as_ref());
        let line: String = line.chars().filter(|&c| c == '\t' || !c.is_control()).collect();
        let line = line.trim_end();
        match &mut self.open {
            None => match opening(line) {
                Some(reply) => {
                    self.open = Some(reply);
                    Heard::More
                }
                None => Heard::Chatter,
            },
            Some(_) if line.is_empty() => match self.open.take() {
                Some(reply) => Heard::Reply(reply),
                None => Heard::Chatter,
            },
            Some(Reply { text: Ok(text) | Err(text), .. }) => {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(line);
                Heard::More
            }
        }
    }
}

/// The first line of a reply.
fn opening(line: &str) -> Option<Reply> {
    let good = line.starts_with('=');
    let rest = line.strip_prefix(['=', '?'])?;
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = rest.split_at(digits);
    // A number that runs into a word belongs to the word.
    let parted = rest.is_empty() || rest.starts_with(char::is_whitespace);
    let (id, rest) = match number.parse() {
        Ok(id) if parted => (Some(id), rest.trim_start()),
        _ => (None, line.get(1..).unwrap_or_default().trim_start()),
    };
    let text = rest.to_owned();
    Some(Reply { id, text: if good { Ok(text) } else { Err(text) } })
}

impl fmt::Display for Reply {
    /// With the empty line that ends it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, text) = match &self.text {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        write!(f, "{sign}")?;
        if let Some(id) = self.id {
            write!(f, "{id}")?;
        }
        // An empty line inside would end the reply early.
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        write!(f, " {}", lines.next().unwrap_or_default())?;
        lines.try_for_each(|line| write!(f, "\n{line}"))?;
        f.write_str("\n\n")
    }
}

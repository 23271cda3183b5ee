//! Replies of the engine: a sign, the number of the command, and text of one or more lines.

use std::fmt;

/// The reply to one command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The number of the command it answers.
    pub id: Option<u32>,
    /// The result, or the error message.
    pub text: Result<String, String>,
}

/// The role of one line of output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplyLine {
    /// The last line of a reply.
    Reply(Reply),
    /// A line of a reply that continues.
    More,
    /// A line outside the protocol.
    Other,
}

/// Assembles replies from lines.
#[derive(Clone, Debug, Default)]
pub struct ReplyReader {
    open: Option<Reply>,
}

impl ReplyReader {
    /// Reads the next line. An empty line ends a reply.
    ///
    /// ```
    /// # use tesuji_protocol::gtp::{ReplyLine, ReplyReader, Reply};
    /// let mut replies = ReplyReader::default();
    /// assert_eq!(replies.read_line("=3 F5"), ReplyLine::More);
    /// let reply = Reply { id: Some(3), text: Ok("F5".to_owned()) };
    /// assert_eq!(replies.read_line(""), ReplyLine::Reply(reply));
    /// assert_eq!(replies.read_line("thinking hard"), ReplyLine::Other);
    /// ```
    pub fn read_line(&mut self, line: impl AsRef<[u8]>) -> ReplyLine {
        let line = String::from_utf8_lossy(line.as_ref());
        let line: String = line.chars().filter(|&c| c == '\t' || !c.is_control()).collect();
        let line = line.trim_end();
        match &mut self.open {
            None => match opening(line) {
                Some(reply) => {
                    self.open = Some(reply);
                    ReplyLine::More
                }
                None => ReplyLine::Other,
            },
            Some(_) if line.is_empty() => match self.open.take() {
                Some(reply) => ReplyLine::Reply(reply),
                None => ReplyLine::Other,
            },
            Some(Reply { text: Ok(text) | Err(text), .. }) => {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(line);
                ReplyLine::More
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
    // Digits followed by letters are text, not a number.
    let parted = rest.is_empty() || rest.starts_with(char::is_whitespace);
    let (id, rest) = match number.parse() {
        Ok(id) if parted => (Some(id), rest.trim_start()),
        _ => (None, line.get(1..).unwrap_or_default().trim_start()),
    };
    let text = rest.to_owned();
    Some(Reply { id, text: if good { Ok(text) } else { Err(text) } })
}

impl fmt::Display for Reply {
    /// Includes the empty line that ends the reply.
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

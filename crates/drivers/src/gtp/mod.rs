//! GTP, the Go text protocol in its second version, for Othello: GoGui and other controllers.
//!
//! Commands are executed one after the other. The end of the input ends the engine after every command before it was
//! answered.

mod board;
mod clock;
mod session;

use std::io::{BufRead, Write};

use tesuji_engines::EngineFactory;
use tesuji_othello::Othello;
use tesuji_protocol::gtp::{Command, CommandKind, Reply};

use crate::input::next_line;
use crate::{DriverError, DriverResult, ignore_closed_output};
use session::GtpSession;

/// Speaks GTP with the engine of `spec`, or the default engine, until `quit` or the end of the input.
///
/// # Errors
/// If the spec is wrong, or if reading or writing fails.
pub fn run(
    engines: &EngineFactory<Othello>,
    spec: Option<&str>,
    input: impl BufRead,
    output: &mut dyn Write,
) -> Result<(), DriverError> {
    ignore_closed_output(converse(GtpSession::new(engines, spec)?, input, output))
}

fn converse(mut session: GtpSession, mut input: impl BufRead, output: &mut dyn Write) -> DriverResult {
    while let Some(line) = next_line(&mut input)? {
        let Some(Command { id, kind }) = Command::parse(line) else { continue };
        let quit = kind == CommandKind::Quit;
        let text = session.execute(kind);
        write!(output, "{}", Reply { id, text })?;
        output.flush()?;
        if quit {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replies(commands: &str) -> String {
        let mut output = Vec::new();
        let spec = Some("alphabeta:depth=2,hash=1");
        run(&EngineFactory::of_game(), spec, commands.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn a_conversation_from_memory() {
        let commands = "1 name\nplay b F5\n\n# comment\nplay w F5\nundo\nundo\ngogui-rules_side_to_move\nquit\nname\n";
        let expected =
            ["=1 tesuji", "= ", "? illegal move: \"F5\": f5 is taken", "= ", "? cannot undo", "= black", "= ", ""];
        assert_eq!(replies(commands), expected.join("\n\n"));
        // A searched move can be played.
        let chosen = replies("reg_genmove b\n");
        let mv = chosen.trim_start_matches("= ").trim_end();
        assert_eq!(replies(&format!("play b {mv}\n")), "= \n\n");
    }
}

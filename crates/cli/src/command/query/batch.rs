//! `tesuji query <game> -`: a position per line of standard input, an answer per line, in order.

use std::io::{Read, stdin};

use tesuji_registry::{
    GameHandle, LookupAnswer, LookupError, LookupFault, LookupRequest, LookupValue, TablebaseLookup,
};

use crate::args;
use crate::command::counted;
use crate::failure::{Done, Failure};
use crate::out::Out;

/// The most that is read at once: a pipe may give less, and is answered then.
const CHUNK: usize = 1 << 20;

pub(super) fn run(game: &GameHandle, args: &args::Query, out: &mut Out) -> Done {
    let unused = [("--previous", args.previous.is_some()), ("--moves", args.moves.is_some()), ("--line", args.line)];
    if let Some((option, _)) = unused.iter().find(|(_, given)| *given) {
        let message = format!("{option}: with - every line is a position of its own, as BOARD or BOARD/PREVIOUS");
        return Err(Failure::usage(message));
    }
    let request = LookupRequest { directory: args.table.clone(), reach: args.reach, threads: args.threads.get() };
    let table = game.open_tablebase(&request)?;
    let mut batch = Batch { table: &*table, json: args.json.json, line: 0, wrong: 0 };
    let (mut input, mut text, mut filled) = (stdin().lock(), vec![0; CHUNK], 0);
    loop {
        let read =
            input.read(&mut text[filled..]).map_err(|error| Failure::Failed(format!("standard input: {error}")))?;
        filled += read;
        let end = match text[..filled].iter().rposition(|&byte| byte == b'\n') {
            _ if read == 0 => filled,
            Some(last) => last + 1,
            None if filled == text.len() => {
                let line = batch.line + 1;
                return Err(Failure::usage(format!("line {line}: longer than {CHUNK} bytes; a position is one line")));
            }
            None => continue,
        };
        batch.answer(&text[..end], out)?;
        text.copy_within(end..filled, 0);
        filled -= end;
        if read == 0 {
            break;
        }
    }
    match batch.wrong {
        0 => Ok(()),
        wrong => Err(Failure::Failed(format!("{} without an answer", counted(wrong, "line")))),
    }
}

struct Batch<'t> {
    table: &'t dyn TablebaseLookup,
    json: bool,
    /// Lines read.
    line: u64,
    /// Lines without an answer.
    wrong: usize,
}

impl Batch<'_> {
    /// Answers whole lines. Empty ones have no answer.
    fn answer(&mut self, text: &[u8], out: &mut Out) -> Done {
        let text = String::from_utf8_lossy(text);
        let lines = text.lines().zip(self.line + 1..).map(|(line, number)| (number, line.trim()));
        let lines: Vec<(u64, &str)> = lines.filter(|(_, line)| !line.is_empty()).collect();
        self.line += text.lines().count() as u64;
        let answers = self.table.look_up(&lines);
        self.wrong += answers.iter().filter(|answer| matches!(answer, LookupAnswer::Error(_))).count();
        if self.json {
            return out.json_lines("query-batch", &answers);
        }
        let mut page = String::new();
        for answer in &answers {
            match answer {
                LookupAnswer::Value(value) => page.push_str(&value_line(value)),
                LookupAnswer::Error(error) => page.push_str(&error_line(error)),
            }
            if let LookupAnswer::Value(LookupValue { line, warning: Some(warning), .. }) = answer {
                eprintln!("tesuji: warning: line {line}: {warning}");
            }
        }
        out.bytes(page.as_bytes())?;
        out.flush()
    }
}

/// `win   23  POSITION`, as in the list of the longest.
fn value_line(answer: &LookupValue) -> String {
    let plies = answer.plies.map_or(String::new(), |plies| plies.to_string());
    let reached = match answer.reached_in {
        Some(Some(plies)) => format!("  reached in {plies}"),
        Some(None) => "  reached by no game".to_owned(),
        None => String::new(),
    };
    format!("{:<4} {plies:>3}  {}{reached}\n", answer.value, answer.position)
}

fn error_line(LookupError { line, error: LookupFault { character, text, message }, .. }: &LookupError) -> String {
    let place = character.map_or(String::new(), |character| format!(", character {character}"));
    let text = text.as_ref().map_or(String::new(), |text| format!(" {text:?}:"));
    format!("error     line {line}{place}:{text} {message}\n")
}

#[cfg(test)]
mod tests {
    use tesuji_registry::SideName;

    use super::*;

    #[test]
    fn answers_as_text() {
        let answer = LookupValue {
            line: 1,
            position: "BOARD X".to_owned(),
            mover: SideName::First,
            value: "win".to_owned(),
            plies: Some(5),
            reached_in: None,
            warning: None,
        };
        assert_eq!(value_line(&answer), "win    5  BOARD X\n");
        let draw = LookupValue { value: "draw".to_owned(), plies: None, reached_in: Some(Some(17)), ..answer };
        assert_eq!(value_line(&draw), "draw      BOARD X  reached in 17\n");
        let fault = LookupFault { character: Some(9), text: Some("x".to_owned()), message: "not a cell".to_owned() };
        let error = LookupError { line: 3, position: "01020-03x".to_owned(), error: fault };
        assert_eq!(error_line(&error), "error     line 3, character 9: \"x\": not a cell\n");
    }
}

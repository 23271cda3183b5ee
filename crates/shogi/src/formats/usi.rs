//! One game per line as USI gives positions to engines: `startpos moves 7g7f …`, `sfen … moves …`.
//!
//! A last word `resign` or `win` is what an engine says instead of a move: it gives up, or declares the win.
//!
//! Collections of games also come as five fields between tabs: a name, the ending as CSA writes it, the winner (`1`, `2`
//! or something else), the start and the moves.

use std::borrow::Cow;

use tesuji_game::{Ending, Game, Notation, ParsedRecord, Record, RecordError, Side, tags};

use super::stated::{self, Stated, reason};
use super::{csa, encoding};
use crate::Shogi;

/// The records of a file, one per line; empty lines and those that begin with `#` are none.
pub(super) fn read(bytes: &[u8]) -> impl Iterator<Item = ParsedRecord<Shogi>> {
    let is_record = |line: &Cow<'_, str>| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    encoding::lines(bytes).enumerate().filter(move |(_, line)| is_record(line)).map(|(index, line)| {
        let ParsedRecord { record, fault } = read_line(line.trim());
        ParsedRecord { record, fault: fault.map(|fault| fault.on_line(index + 1)) }
    })
}

fn read_line(line: &str) -> ParsedRecord<Shogi> {
    match line.split('\t').collect::<Vec<_>>()[..] {
        [name, ending, winner, start, ref moves @ ..] if ending.starts_with('%') && moves.len() < 2 => {
            read_fields(name, ending, winner, start, moves.first().unwrap_or(&""))
        }
        _ => read_game(line),
    }
}

/// Reads the fields of a collection.
fn read_fields(name: &str, ending: &str, winner: &str, start: &str, moves: &str) -> ParsedRecord<Shogi> {
    let ParsedRecord { mut record, mut fault } = read_game(&format!("{start} moves {moves}"));
    record.set_tag(tags::EVENT, name.trim());
    if fault.is_none() {
        let (mover, number) = (record.now().mover(), record.plies().len() + 1);
        let ended = match csa::stated(&ending[1..], mover) {
            // An illegal move is not among the moves, so that the word alone may mean either side.
            Some(Stated::Beside(Ending { reason, winner: Some(_) })) if winner == "1" || winner == "2" => {
                let winner = if winner == "1" { Side::First } else { Side::Second };
                Stated::won(winner, reason).settle(&mut record)
            }
            Some(stated) => stated.settle(&mut record),
            None => Err(csa::ENDINGS.to_owned()),
        };
        fault = ended.err().map(|message| RecordError::at_move(number, ending, message));
    }
    ParsedRecord { record, fault }
}

fn read_game(line: &str) -> ParsedRecord<Shogi> {
    let line = line.strip_prefix("position ").unwrap_or(line).trim_start();
    let (position, moves) = halves(line);
    match Shogi::parse(position) {
        Ok(start) => {
            let mut record = Record::new(start);
            let fault = read_moves(&mut record, moves).err();
            ParsedRecord { record, fault }
        }
        Err(error) => {
            let word = position.split_whitespace().next().unwrap_or_default();
            let known = ["startpos", "sfen"].contains(&word) || word.contains('/');
            let fault = match known {
                true => RecordError::from(error),
                false => RecordError::outside(word, "a game begins with startpos or sfen and a position, then moves"),
            };
            ParsedRecord { record: Record::new(Shogi::start()), fault: Some(fault) }
        }
    }
}

/// What stands before and behind the word `moves`.
fn halves(line: &str) -> (&str, &str) {
    let word = line.match_indices("moves").find(|&(at, word)| {
        let (before, behind) = (&line[..at], &line[at + word.len()..]);
        before.ends_with(char::is_whitespace) && (behind.is_empty() || behind.starts_with(char::is_whitespace))
    });
    word.map_or((line, ""), |(at, word)| (line[..at].trim_end(), &line[at + word.len()..]))
}

fn read_moves(record: &mut Record<Shogi>, moves: &str) -> Result<(), RecordError> {
    let mut closed: Option<&str> = None;
    for (index, word) in moves.split_whitespace().enumerate() {
        let fault = |message: String| RecordError::at_move(index + 1, word, message);
        let mover = record.now().mover();
        if let Some(last) = closed {
            return Err(fault(format!("nothing may follow {last}")));
        }
        let stated = match word {
            "resign" => Stated::won(!mover, reason::RESIGNATION),
            "win" => Stated::Declaration,
            _ => {
                record.push_text(word).map_err(|refusal| refusal.at_move(index + 1, word))?;
                continue;
            }
        };
        stated.settle(record).map_err(fault)?;
        closed = Some(word);
    }
    Ok(())
}

/// One record and a line feed. An ending for which USI has no word is left out.
pub(super) fn write(record: &Record<Shogi>) -> Vec<u8> {
    let start = record.start();
    let usual = *start == Shogi::start() && start.number() == Shogi::start().number();
    let mut words = if usual { vec!["startpos".to_owned()] } else { vec!["sfen".to_owned(), start.print()] };
    let closing = closing(record);
    if !record.plies().is_empty() || closing.is_some() {
        words.push("moves".to_owned());
    }
    words.extend(record.moves().map(|mv| mv.to_string()));
    words.extend(closing.map(str::to_owned));
    (words.join(" ") + "\n").into_bytes()
}

/// The word behind the moves. What the board shows needs none.
fn closing(record: &Record<Shogi>) -> Option<&'static str> {
    let mover = record.now().mover();
    let Ending { winner, reason } = record.ending().filter(|_| !stated::is_on_board(record))?;
    match reason {
        reason::RESIGNATION if winner == Some(!mover) => Some("resign"),
        reason::DECLARATION if winner == Some(mover) && stated::may_declare(record) => Some("win"),
        _ => None,
    }
}

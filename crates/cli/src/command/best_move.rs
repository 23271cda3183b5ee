//! `tesuji best-move`: a game comes in on standard input, one move goes out.

use std::time::Duration;

use tesuji_game::{Notation, Record, Side};
use tesuji_search::{CancelToken, Choice};

use super::load;
use crate::args;
use crate::entry::{CliGame, Playable};
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::think::{Chosen, raise_on_interrupt};

const USUAL: Duration = Duration::from_secs(1);

pub(crate) fn run<G: Playable>(shelf: &CliGame<G>, args: &args::BestMove, out: &mut Out) -> Done {
    let mut chosen = Chosen::new(&shelf.engines, args.engine.as_deref(), &args.spend, USUAL)?;
    let bytes = load("-")?;
    let text = String::from_utf8_lossy(&bytes);
    let read = if shelf.counted { counted::<G>(&text) } else { plain::<G>(&text) };
    let record = read.map_err(|message| Failure::usage(format!("standard input: {message}")))?;
    let stop = CancelToken::new();
    raise_on_interrupt(&stop);
    match chosen.engine.think(&record, &chosen.limits, &stop, &mut |_| {}) {
        Choice::Move { mv, .. } => out.line(record.now().print_move(mv)),
        Choice::Claim => out.line("win"),
        Choice::Resign => out.line("resign"),
        Choice::Over => out.line(""),
    }
}

/// The position or `startpos` on the first line, moves on the others, or behind the word `moves`.
fn plain<G: Notation>(text: &str) -> Result<Record<G>, String> {
    let text = text.trim_start();
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let first = first.strip_prefix("position ").unwrap_or(first);
    let (position, more) = first.split_once(" moves").unwrap_or((first, ""));
    let start = match position.trim() {
        "" => return Err("empty; the first line is a position or startpos, then come moves".to_owned()),
        "startpos" => G::start(),
        position => G::parse(position).map_err(|error| format!("line 1: {error}"))?,
    };
    let mut record = Record::new(start);
    G::read_moves(&mut record, &format!("{more} {rest}")).map_err(|fault| fault.to_string())?;
    Ok(record)
}

/// An optional colour, the number of moves, the moves.
fn counted<G: Playable>(text: &str) -> Result<Record<G>, String> {
    const FORM: &str = "write the number of moves, then the moves, one per line";
    let mut words = text.split_whitespace().peekable();
    let colour = words.next_if(|word| !word.starts_with(|letter: char| letter.is_ascii_digit()));
    let number = words.next().ok_or_else(|| format!("no number of moves; {FORM}"))?;
    let count: usize = number.parse().map_err(|_| format!("\"{number}\" is no number of moves; {FORM}"))?;
    let moves: Vec<&str> = words.collect();
    if moves.len() != count {
        return Err(format!("{count} moves are announced, but {} follow; {FORM}", moves.len()));
    }
    let mut record = Record::new(G::start());
    G::read_moves(&mut record, &moves.join(" ")).map_err(|fault| fault.to_string())?;
    if let Some(word) = colour {
        let mover = record.now().mover();
        let side = side_named::<G>(word).ok_or_else(|| {
            let [first, second] = G::players();
            format!(
                "\"{word}\" is no colour; the first line is W ({first}), R or B ({second}), or the number"
            )
        })?;
        if side != mover {
            let (asked, mover) = (G::players()[side.index()], G::players()[mover.index()]);
            return Err(format!("{asked} is asked to move, but after {count} moves it is {mover}'s turn"));
        }
    }
    Ok(record)
}

/// The side of a colour, by its name or its letter; B stands for the second player too.
fn side_named<G: Playable>(word: &str) -> Option<Side> {
    let word = word.trim_start_matches('-').to_ascii_lowercase();
    if word == "b" || word == "black" {
        return Some(Side::Second);
    }
    let fits = |name: &str| !word.is_empty() && (name == word || name.get(..1) == Some(&word));
    Side::BOTH.into_iter().find(|side| fits(G::players()[side.index()]))
}

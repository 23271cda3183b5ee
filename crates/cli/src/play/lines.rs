//! The game in plain text: moves and commands come in line by line, boards go out. For pipes and scripts.

use std::io::{BufRead, IsTerminal, stdin};
use std::time::Instant;

use tesuji_registry::BoardDescription;
use tesuji_search::{CancelToken, Choice};

use super::sitting::Sitting;
use crate::command::show::wrapped;
use crate::command::{counted, player};
use crate::draw::{Marks, Style, draw};
use crate::entry::Playable;
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::think::{interrupted, raise_on_interrupt, value_words};

const HELP: &str = "\
a move       plays it, as the game writes it
moves        lists the legal moves
board        draws the board again
go           lets the engine move for you
hint         what the engine would play
undo, redo   takes back to your last move, or plays it again
resign       gives up
save FILE    keeps the game there from now on
quit         ends";

pub(super) fn run<G: Playable>(mut sitting: Sitting<G>, out: &mut Out) -> Done {
    let stop = CancelToken::new();
    raise_on_interrupt(&stop);
    let mut input = stdin().lock();
    let prompts = stdin().is_terminal();
    board(&sitting, out)?;
    loop {
        while sitting.awaits_engine() && !interrupted() {
            engine_moves(&mut sitting, &stop, out)?;
        }
        if interrupted() {
            return farewell(&sitting, Err(Failure::No));
        }
        if let Some(verdict) = sitting.verdict() {
            out.line(format_args!("the game is over: {verdict}"))?;
            // A person may still want to take back; a script has had its game.
            if !prompts {
                return farewell(&sitting, Ok(()));
            }
        }
        if prompts {
            out.bytes(format!("{}> ", player::<G>(sitting.mover())).as_bytes())?;
            out.flush()?;
        }
        let mut line = Vec::new();
        match input.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return farewell(&sitting, Ok(())),
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&line);
        if !obey(&mut sitting, line.trim(), &stop, out)? {
            return farewell(&sitting, Ok(()));
        }
    }
}

/// Does what a line says; `false` when that is to end.
fn obey<G: Playable>(
    sitting: &mut Sitting<G>,
    line: &str,
    stop: &CancelToken,
    out: &mut Out,
) -> Result<bool, Failure> {
    let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let done = match verb.to_ascii_lowercase().as_str() {
        "" => Ok(()),
        "quit" | "exit" => return Ok(false),
        "help" | "?" => return out.line(HELP).map(|()| true),
        "board" => return board(sitting, out).map(|()| true),
        "moves" => {
            let words: Vec<String> =
                Sitting::legal(&sitting.record).into_iter().map(|(_, text)| text).collect();
            out.line(format_args!("{}:", counted(words.len(), "move")))?;
            for line in wrapped(&words) {
                out.line(line)?;
            }
            return Ok(true);
        }
        "go" if sitting.over() => Err("the game is over".to_owned()),
        "go" => return engine_moves(sitting, stop, out).map(|()| true),
        "hint" => return hint(sitting, stop, out).map(|()| true),
        "undo" => sitting.undo().map(|_| ()),
        "redo" => sitting.redo(),
        "save" if rest.is_empty() => Err("save needs the name of a file".to_owned()),
        "save" => match super::Keeper::at::<G>(rest.trim()) {
            Ok(keeper) => {
                sitting.keeper = Some(keeper);
                sitting.keep()
            }
            Err(Failure::Usage(message)) => Err(message),
            Err(other) => return Err(other),
        },
        _ => line.split_whitespace().try_for_each(|word| match sitting.awaits_human() {
            true => sitting.enter(word),
            false => Err(format!("{word:?}: it is not your move")),
        }),
    };
    match done {
        Ok(()) if line.is_empty() => {}
        Ok(()) => board(sitting, out)?,
        Err(message) => eprintln!("{message}"),
    }
    Ok(true)
}

/// The engine of the mover plays, or the helper if a person sits there.
fn engine_moves<G: Playable>(sitting: &mut Sitting<G>, stop: &CancelToken, out: &mut Out) -> Done {
    let mover = sitting.mover();
    let begun = Instant::now();
    let (choice, value) = think(sitting, stop);
    if interrupted() {
        return Ok(());
    }
    let done = match choice {
        Choice::Move { mv, .. } => {
            let text = sitting.record.now().print_move(mv);
            out.line(format_args!("{} plays {text}", player::<G>(mover)))?;
            sitting.play(mv, begun.elapsed(), value)
        }
        Choice::Claim => sitting.declare(),
        Choice::Resign => sitting.resign(),
        Choice::Over => Err("the engine found no move".to_owned()),
    };
    match done {
        Ok(()) => board(sitting, out),
        Err(message) => {
            eprintln!("{message}");
            Err(Failure::No)
        }
    }
}

fn think<G: Playable>(sitting: &mut Sitting<G>, stop: &CancelToken) -> (Choice<G::Move>, Option<f64>) {
    let record = sitting.record.clone();
    let seat = if sitting.awaits_human() { &mut sitting.helper } else { sitting.seat() };
    let limits = seat.limits();
    let Some(mut engine) = seat.lend() else { return (Choice::Over, None) };
    let mut value = None;
    let choice = engine.think(&record, &limits, stop, &mut |report| {
        value = report.lines.first().map(|line| f64::from(line.value.get()));
    });
    seat.back(Some(engine));
    (choice, value)
}

fn hint<G: Playable>(sitting: &mut Sitting<G>, stop: &CancelToken, out: &mut Out) -> Done {
    if sitting.over() {
        return out.line("the game is over");
    }
    let record = sitting.record.clone();
    let limits = sitting.helper.limits();
    let Some(mut engine) = sitting.helper.lend() else { return Ok(()) };
    let mut value = String::new();
    let choice = engine.think(&record, &limits, stop, &mut |report| {
        value = report.lines.first().map(|line| format!(" ({})", value_words(line))).unwrap_or_default();
    });
    sitting.helper.back(Some(engine));
    match choice {
        Choice::Move { mv, .. } => out.line(format_args!("hint: {}{value}", record.now().print_move(mv))),
        Choice::Claim => out.line("hint: declare the win"),
        Choice::Resign => out.line("hint: give up"),
        Choice::Over => out.line("there is no move"),
    }
}

fn board<G: Playable>(sitting: &Sitting<G>, out: &mut Out) -> Done {
    let record = &sitting.record;
    let picture = draw(&BoardDescription::of(record), &Marks::default(), Style::pick(out.colored));
    out.bytes(picture.ansi().as_bytes())?;
    if !sitting.over() {
        out.line(format_args!("{} to move", player::<G>(sitting.mover())))?;
    }
    Ok(())
}

/// Says where the game is kept.
fn farewell<G: Playable>(sitting: &Sitting<G>, done: Done) -> Done {
    if let Some(path) = sitting.keeper.as_ref().and_then(super::Keeper::path) {
        eprintln!("the game is kept in {}", path.display());
    }
    done
}

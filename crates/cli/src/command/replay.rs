//! `tesuji replay`: records checked move by move.

use tesuji_registry::{GameHandle, ReplayedRecord};

use super::counted;
use crate::args;
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(crate) fn run(game: &GameHandle, args: &args::Replay, out: &mut Out) -> Done {
    let source = args.source.load()?;
    let (mut records, mut faults) = (0, 0);
    let mut written = Ok(());
    game.replay(&source, &mut |record| {
        records += 1;
        faults += usize::from(record.error.is_some());
        if written.is_ok() {
            written = if args.json.json { out.json("replay", &record) } else { tell(&record, out) };
        }
    })?;
    written?;
    if !args.json.json {
        eprintln!("{}, {} with an error", counted(records, "record"), faults);
    }
    if faults > 0 { Err(Failure::No) } else { Ok(()) }
}

fn tell(record: &ReplayedRecord, out: &mut Out) -> Done {
    let (index, moves) = (record.index, counted(record.moves, "move"));
    match (&record.error_text, &record.result) {
        (Some(fault), _) => out.line(format_args!("record {index}: {moves} legal, then {fault}")),
        (None, None) => out.line(format_args!("record {index}: {moves}, unfinished")),
        (None, Some(result)) => out.line(format_args!("record {index}: {moves}, {result}")),
    }
}

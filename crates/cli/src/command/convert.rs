//! `tesuji convert`: between the record formats of a game.

use tesuji_registry::{ConvertEvent, GameHandle};

use super::replay::tell_summary;
use crate::args;
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(crate) fn run(game: &GameHandle, args: &args::Convert, out: &mut Out) -> Done {
    let corpus = args.records.request()?;
    let summary = out.events(
        |context, events| game.convert(&corpus, &args.to, args.cut(), context, events),
        |out, event| match event {
            ConvertEvent::Bytes { bytes } => out.bytes(&bytes),
            ConvertEvent::Refused { index, error } => {
                let place = error.line.map_or(String::new(), |line| format!(":{line}"));
                eprintln!("tesuji: {}{place}: record {index} left out: {}", error.file, error.message);
                Ok(())
            }
            ConvertEvent::Lost { index, error } => {
                eprintln!("tesuji: warning: {}: record {index}: {}", error.file, error.message);
                Ok(())
            }
            ConvertEvent::File(error) => {
                eprintln!("tesuji: {error}");
                Ok(())
            }
        },
    )?;
    out.flush()?;
    tell_summary(&summary.read);
    if summary.refused + summary.read.failed_files > 0 { Err(Failure::No) } else { Ok(()) }
}

//! `tesuji convert`: between the record formats of a game.

use tesuji_registry::{ConvertEvent, GameHandle};

use crate::args;
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(crate) fn run(game: &GameHandle, args: &args::Convert, out: &mut Out) -> Done {
    let source = args.source.load()?;
    let mut written = Ok(());
    let summary = game.convert(&source, &args.to, &mut |event| match event {
        ConvertEvent::Bytes { bytes } if written.is_ok() => written = out.bytes(&bytes),
        ConvertEvent::Bytes { .. } => {}
        ConvertEvent::Refused { index, reason } => eprintln!("record {index}: left out: {reason}"),
    })?;
    written?;
    if summary.refused > 0 { Err(Failure::No) } else { Ok(()) }
}

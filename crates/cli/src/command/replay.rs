//! `tesuji replay`: are these records legal, and how did each end?

use serde_json::json;

use super::show::outcome_word;
use super::{counted, each_record, player};
use crate::args;
use crate::entry::Playable;
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(crate) fn run<G: Playable>(args: &args::Replay, out: &mut Out) -> Done {
    let mut faults = 0;
    let mut records = 0;
    each_record::<G>(&args.source, |index, reading| {
        records += 1;
        let record = &reading.record;
        faults += usize::from(reading.fault.is_some());
        if args.json.json {
            let mut outcome = outcome_word(record);
            if outcome.is_null() {
                outcome = "unfinished".into();
            }
            let error = reading
                .fault
                .as_ref()
                .map(|fault| json!({ "move": fault.mv, "text": fault.text, "message": fault.message }));
            return out.json(
                "replay",
                json!({
                    "index": index,
                    "moves": record.plies().len(),
                    "outcome": outcome,
                    "reason": record.ending().map(|ending| ending.reason),
                    "error": error,
                }),
            );
        }
        let moves = counted(record.plies().len(), "move");
        match (&reading.fault, record.ending()) {
            (Some(fault), _) => out.line(format_args!("record {index}: {moves} legal, then {fault}")),
            (None, None) => out.line(format_args!("record {index}: {moves}, unfinished")),
            (None, Some(ending)) => {
                let result =
                    ending.winner.map_or("drawn".to_owned(), |side| format!("{} won", player::<G>(side)));
                out.line(format_args!("record {index}: {moves}, {result} ({})", ending.reason))
            }
        }
    })?;
    if !args.json.json {
        eprintln!("{}, {} with an error", counted(records, "record"), faults);
    }
    if faults > 0 { Err(Failure::No) } else { Ok(()) }
}

//! `tesuji records`: sets of records, with a report of what was left out.

use tesuji_registry::{GameHandle, RecordSet, RecordSetEvent, RecordSetKind, RecordSetResponse};
use tesuji_report::grouped;

use super::counted;
use crate::args;
use crate::failure::{Done, Failure};
use crate::out::Out;

/// Errors and warnings told; the others are counted.
const ERRORS: usize = 20;

pub(crate) fn run(game: &GameHandle, args: &args::RecordSets, out: &mut Out) -> Done {
    let request = args.request()?;
    let mut told = 0;
    let response = out.events(
        |context, events| game.record_sets(&request, context, events),
        |_, event| {
            told += 1;
            match event {
                _ if told > ERRORS => {}
                RecordSetEvent::Refused(error) => eprintln!("tesuji: {error}"),
                RecordSetEvent::Lost(error) => eprintln!("tesuji: warning: {error}"),
            }
            Ok(())
        },
    );
    if told > ERRORS {
        eprintln!("tesuji: and {}", counted(told - ERRORS, "more message"));
    }
    let response = response?;
    match args.json.json {
        true => out.json("records", &response)?,
        false => print(&response, out)?,
    }
    for set in response.sets.iter().filter(|set| set.records == 0) {
        eprintln!("tesuji: warning: {} is empty", set.file.display());
    }
    if response.failed_files > 0 {
        eprintln!("{} of {} could not be used", grouped(response.failed_files as u64), counted(response.files, "file"));
        return Err(Failure::No);
    }
    Ok(())
}

fn print(response: &RecordSetResponse, out: &mut Out) -> Done {
    let RecordSetResponse { files, read, kept, dropped, unwritable, limited, .. } = response;
    let reasons = dropped.reasons().into_iter().chain([(*unwritable, "that the format cannot hold")]);
    let reasons: Vec<(usize, &str)> = reasons.filter(|(count, _)| *count > 0).collect();
    let number = |count: usize| grouped(count as u64);
    let width = number(*read).len();
    let limited = if *limited { "; reading ended at the limit" } else { "" };
    out.line(format_args!("read     {:>width$}  of {}{limited}", number(*read), counted(*files, "file")))?;
    for (count, why) in reasons {
        out.line(format_args!("dropped  {:>width$}  {why}", number(count)))?;
    }
    out.line(format_args!("kept     {:>width$}", number(*kept)))?;
    let content = match (response.kind, &response.format) {
        (RecordSetKind::Records, Some(format)) => format!("records, {format}"),
        (RecordSetKind::Records, None) => "records".to_owned(),
        (RecordSetKind::List, _) => "a list of files".to_owned(),
    };
    for RecordSet { file, held_out, records, plies } in &response.sets {
        let part = match (response.sets.len(), held_out) {
            (1, _) => "all",
            (_, false) => "train",
            (_, true) => "test",
        };
        let plies = counted(*plies, "move");
        out.line(format_args!("{part:<8} {:>width$}  {} ({content}; {plies})", number(*records), file.display()))?;
    }
    Ok(())
}

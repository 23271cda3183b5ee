//! `tesuji replay`: records checked move by move.

use tesuji_registry::{CorpusSummary, GameHandle, NamedOpening, ReplayEvent, ReplayedRecord, SideName};
use tesuji_report::grouped;

use super::counted;
use crate::args;
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(crate) fn run(game: &GameHandle, args: &args::Replay, out: &mut Out) -> Done {
    let corpus = args.records.request()?;
    let many = args.records.is_many();
    let summary = out.events(
        |context, events| game.replay(&corpus, context, events),
        |out, event| match event {
            ReplayEvent::Record(record) if args.json.json => out.json("replay", &record),
            ReplayEvent::Record(record) => {
                for fault in &record.variation_faults {
                    eprintln!("tesuji: warning: {}: record {}: {fault}", record.file, record.index);
                }
                tell(game, &record, many, out)
            }
            ReplayEvent::File(error) => {
                eprintln!("tesuji: {error}");
                Ok(())
            }
        },
    )?;
    if !args.json.json {
        let CorpusSummary { records, faults, files, .. } = summary;
        let of_files = if many { format!(" of {}", counted(files, "file")) } else { String::new() };
        eprintln!("{}{of_files}, {} with an error", counted(records, "record"), grouped(faults as u64));
    }
    tell_summary(&summary);
    if summary.faults + summary.failed_files > 0 { Err(Failure::No) } else { Ok(()) }
}

/// What the filter left out, and how many files could not be used.
pub(super) fn tell_summary(summary: &CorpusSummary) {
    if let Some(filtered) = summary.filter_summary() {
        eprintln!("{filtered}");
    }
    if summary.failed_files > 0 {
        eprintln!("{} of {} could not be used", grouped(summary.failed_files as u64), counted(summary.files, "file"));
    }
}

fn tell(game: &GameHandle, record: &ReplayedRecord, many: bool, out: &mut Out) -> Done {
    let (index, moves) = (record.index, counted(record.moves, "move"));
    let line = record.error.as_ref().and_then(|error| error.line);
    let (place, suffix) = match (many, line) {
        (true, Some(line)) => (format!("{}:{line}: ", record.file), String::new()),
        (true, None) => (format!("{}: ", record.file), String::new()),
        (false, Some(line)) => (String::new(), format!(" (line {line})")),
        (false, None) => (String::new(), String::new()),
    };
    let opening = match opening_text(game, &record.openings) {
        Some(opening) => format!(", {opening}"),
        None => String::new(),
    };
    let told = match (&record.error_text, &record.result) {
        (Some(fault), _) => format!("{moves} legal, then {fault}{suffix}"),
        (None, None) => format!("{moves}, unfinished{opening}"),
        (None, Some(result)) => format!("{moves}, {result}{opening}"),
    };
    out.line(format_args!("{place}record {index}: {told}"))
}

/// `Tiger`; `black Fourth-File Rook (四間飛車), Mino (美濃囲い); white …`.
pub(super) fn opening_text(game: &GameHandle, openings: &[NamedOpening]) -> Option<String> {
    let names = |side: Option<SideName>| {
        let names: Vec<String> =
            openings.iter().filter(|opening| opening.side == side).map(NamedOpening::text).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let both = names(None);
    let sides = [SideName::First, SideName::Second];
    let each = sides.into_iter().filter_map(|side| Some(format!("{} {}", game.player(side), names(Some(side))?)));
    let parts: Vec<String> = both.into_iter().chain(each).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

//! All games of a file: analysed, printed, and written to a new file with values, lines and marks.

use tesuji_registry::{
    AnnotateEvent, AnnotateRequest, GameAnalysisEvent, GameHandle, MoveAnalysis, RecordSource, UnitValue,
};
use tesuji_store::{check_target, save};

use super::game::{print_head, print_move, print_summary};
use crate::args;
use crate::command::{counted, load};
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(super) fn run(game: &GameHandle, file: &str, target: &str, args: &args::Analyze, out: &mut Out) -> Done {
    check_target(target).map_err(|error| Failure::usage(format!("--annotate {error}")))?;
    let source = RecordSource { bytes: load(file)?, format: args.format.clone(), file: Some(file.to_owned()) };
    let request = AnnotateRequest { source, index: args.index, engine: args.engine.request(), file: target.to_owned() };
    let json = args.json.json;
    let mut values: Vec<UnitValue> = Vec::new();
    let records = out.events(
        |context, events| game.annotate(&request, context, events),
        |out, event| match event {
            AnnotateEvent::Refused { index, reason } => {
                eprintln!("tesuji: record {index} left out: {reason}");
                Ok(())
            }
            AnnotateEvent::Analysis { step: GameAnalysisEvent::Move(analysis), .. } if json => {
                out.json("analyze-game", &analysis)
            }
            _ if json => Ok(()),
            AnnotateEvent::Analysis { step: GameAnalysisEvent::Move(analysis), .. } => {
                values.extend(MoveAnalysis::value_for_first(&analysis));
                print_move(game, &analysis, out)
            }
            AnnotateEvent::Analysis { index, step } => {
                values.clear();
                out.line(format_args!("record {index}"))?;
                print_head(game, &step, out)
            }
            AnnotateEvent::Finished { summary, .. } => {
                print_summary(game, &summary, &values, out)?;
                out.line("")
            }
        },
    )?;
    save(target, &records.bytes).map_err(|error| Failure::Failed(error.to_string()))?;
    eprintln!("{} written to {target}", counted(records.written, "record"));
    if records.refused > 0 { Err(Failure::No) } else { Ok(()) }
}

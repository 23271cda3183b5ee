//! Analysis written into records: the value of each move, the line expected after it, and marks for bad moves.

use std::fmt;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_game::{Format, Notation, ParsedRecord, Record};
use tesuji_task::Context;

use crate::records::format_named;
use crate::{
    EngineRequest, Error, GameAnalysisEvent, GameAnalysisSummary, MoveAnalysis, Playable, RecordFiller, RecordSource,
    Registration,
};

/// How bad a move is, by what it lost against the best one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
pub enum MoveMark {
    /// An inaccuracy.
    #[serde(rename = "?!")]
    Dubious,
    /// A mistake.
    #[serde(rename = "?")]
    Mistake,
    /// A blunder.
    #[serde(rename = "??")]
    Blunder,
}

impl MoveMark {
    /// The mark of a loss in a unit; see docs/records.md for the thresholds.
    pub fn of(loss: f64, unit: &str) -> Option<MoveMark> {
        let [dubious, mistake, blunder] = match unit {
            "discs" => [2.0, 4.0, 8.0],
            "centipawns" => [200.0, 500.0, 1000.0],
            "pieces" => [0.25, 0.5, 1.0],
            "wins" => [0.2, 0.4, 0.6],
            "win %" => [10.0, 20.0, 30.0],
            _ => return None,
        };
        match loss {
            loss if loss >= blunder => Some(MoveMark::Blunder),
            loss if loss >= mistake => Some(MoveMark::Mistake),
            loss if loss >= dubious => Some(MoveMark::Dubious),
            _ => None,
        }
    }
}

impl fmt::Display for MoveMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            MoveMark::Dubious => "?!",
            MoveMark::Mistake => "?",
            MoveMark::Blunder => "??",
        })
    }
}

/// Asks for records with an analysis in them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AnnotateRequest {
    /// The file of records.
    pub source: RecordSource,
    /// Which record of it, from 1; all when absent.
    #[serde(default)]
    pub index: Option<usize>,
    /// The engine and its limits.
    #[serde(flatten)]
    pub engine: EngineRequest,
    /// The name of the new file, whose ending tells the format.
    pub file: String,
}

/// A step of the analysis of a file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum AnnotateEvent {
    /// A step of the analysis of a record.
    Analysis {
        /// The number of the record, from 1.
        index: usize,
        /// The step.
        step: GameAnalysisEvent,
    },
    /// A record was analysed.
    Finished {
        /// The number of the record, from 1.
        index: usize,
        /// What each side lost.
        summary: GameAnalysisSummary,
    },
    /// A record was left out.
    Refused {
        /// The number of the record, from 1.
        index: usize,
        /// Why.
        reason: String,
    },
}

/// Records with an analysis in them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AnnotatedRecords {
    /// The bytes of the new file.
    pub bytes: Vec<u8>,
    /// The records in it.
    pub written: usize,
    /// The records that were left out.
    pub refused: usize,
}

/// Analysis written into records.
pub trait AnnotateApi {
    /// Analyses records and returns them with values, expected lines and marks, as the bytes of a file.
    ///
    /// # Errors
    /// The name of the file tells no format that keeps values, there is no such record, the engine does not exist, or
    /// the operation was cancelled.
    fn annotate(
        &self,
        request: &AnnotateRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(AnnotateEvent),
    ) -> Result<AnnotatedRecords, Error>;
}

impl<G: Playable> AnnotateApi for Registration<G> {
    fn annotate(
        &self,
        request: &AnnotateRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(AnnotateEvent),
    ) -> Result<AnnotatedRecords, Error> {
        let format = format_of_file::<G>(&request.file, &request.source)?;
        let fill = self.filler(&request.source);
        let mut readings: Vec<(usize, ParsedRecord<G>)> = Vec::new();
        request.source.each::<G>(|index, reading| readings.push((index, reading)))?;
        if let Some(number) = request.index {
            let count = readings.len();
            readings.retain(|(index, _)| *index == number);
            if readings.is_empty() {
                return Err(Error::field("index", format!("{number}: the file has {count} records")));
            }
        }
        let (mut body, mut written, mut refused) = (Vec::new(), 0, 0);
        for (index, ParsedRecord { mut record, fault }) in readings {
            fill(&mut record);
            let done = match fault {
                Some(fault) => Err(fault.to_string()),
                None => {
                    let summary = self.annotate_record(&mut record, &request.engine, context, &mut |step| {
                        events(AnnotateEvent::Analysis { index, step });
                    })?;
                    events(AnnotateEvent::Finished { index, summary });
                    G::write(format, &record)
                }
            };
            match done {
                Ok(bytes) => {
                    body.extend(bytes);
                    written += 1;
                }
                Err(reason) => {
                    refused += 1;
                    events(AnnotateEvent::Refused { index, reason });
                }
            }
        }
        let bytes = [G::head(format, written), body].concat();
        Ok(AnnotatedRecords { bytes, written, refused })
    }
}

impl<G: Playable> Registration<G> {
    /// What files beside the source know about its records.
    pub(crate) fn filler(&self, source: &RecordSource) -> RecordFiller<G> {
        match (self.companions, &source.file) {
            (Some(companions), Some(file)) => companions(Path::new(file)),
            _ => Box::new(|_| {}),
        }
    }

    fn annotate_record(
        &self,
        record: &mut Record<G>,
        engine: &EngineRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(GameAnalysisEvent),
    ) -> Result<GameAnalysisSummary, Error> {
        let mut moves: Vec<MoveAnalysis> = Vec::new();
        let summary = self.analyze_record(record, engine, context, &mut |event| {
            if let GameAnalysisEvent::Move(analysis) = &event {
                moves.push(MoveAnalysis::clone(analysis));
            }
            events(event);
        })?;
        let mut now = record.start().clone();
        for (ply, (mv, analysis)) in record.moves().collect::<Vec<_>>().into_iter().zip(&moves).enumerate() {
            now.play(mv);
            annotate_move(record, ply, &now, analysis);
        }
        Ok(summary)
    }
}

/// The prefix of comments that an analysis wrote, and that the next one replaces.
const COMMENT: &str = "analysis: ";

/// Writes an analysis to a move; `now` is the position behind it.
fn annotate_move<G: Notation>(record: &mut Record<G>, ply: usize, now: &G, analysis: &MoveAnalysis) {
    let comment = record.plies().get(ply).map_or("", |ply| ply.comment.as_str());
    let mut lines: Vec<String> = comment.lines().filter(|line| !line.starts_with(COMMENT)).map(str::to_owned).collect();
    lines.extend(comment_of(analysis).map(|words| format!("{COMMENT}{words}")));
    let Some(mut note) = record.note_at(ply) else { return };
    // A win rate is not the unit of any record format.
    let value = analysis.value.shown.filter(|value| !value.unit.is_rate()).and_then(|value| value.number);
    note = note.set_value(value).set_comment(lines.join("\n"));
    note.line(line(now, &analysis.expected));
}

/// What a comment says about a move: how much it lost and what was better, or that the result is proven.
fn comment_of(analysis: &MoveAnalysis) -> Option<String> {
    let proven = analysis.value.shown.filter(|value| value.number.is_none() || value.unit.is_rate());
    match (analysis.mark, proven) {
        (Some(mark), _) => {
            let better = analysis.pv[..analysis.pv.len().min(5)].join(" ");
            Some(format!("{mark} lost {} {}, better {better}", analysis.loss_text(), analysis.value.unit))
        }
        (None, Some(value)) => Some(value.with_unit()),
        (None, None) => None,
    }
}

fn line<G: Notation>(now: &G, words: &[String]) -> Vec<G::Move> {
    let (mut now, mut line) = (now.clone(), Vec::new());
    for word in words {
        let Ok(mv) = now.parse_move(word) else { break };
        now.play(mv);
        line.push(mv);
    }
    line
}

/// The format of a new file by its ending: that of the source if it has this ending, else the first that keeps values.
fn format_of_file<G: Playable>(file: &str, source: &RecordSource) -> Result<Format, Error> {
    let ending = Path::new(file).extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    let fits = |format: &&Format| {
        format.keeps_notes && ending.as_deref().is_some_and(|ending| format.extensions.contains(&ending))
    };
    let own = match &source.format {
        Some(name) => format_named::<G>(name)?,
        None => G::detect(&source.bytes),
    };
    let found = Some(&own).filter(fits).or_else(|| G::FORMATS.iter().find(fits));
    found.copied().ok_or_else(|| {
        let known = G::FORMATS.iter().filter(|format| format.keeps_notes).flat_map(|format| format.extensions);
        let mut known: Vec<String> = known.map(|ending| format!(".{ending}")).collect();
        known.dedup();
        Error::field(
            "annotate",
            format!("{file:?}: no format with this ending keeps values; use {}", known.join(" or ")),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_have_marks_by_their_unit() {
        for (loss, unit, mark) in [
            (1.9, "discs", None),
            (2.0, "discs", Some("?!")),
            (4.0, "discs", Some("?")),
            (8.0, "discs", Some("??")),
            (199.0, "centipawns", None),
            (500.0, "centipawns", Some("?")),
            (1.0, "pieces", Some("??")),
            (0.2, "wins", Some("?!")),
            (25.0, "win %", Some("?")),
            (9999.0, "bananas", None),
        ] {
            assert_eq!(MoveMark::of(loss, unit).map(|mark| mark.to_string()).as_deref(), mark, "{loss} {unit}");
        }
    }
}

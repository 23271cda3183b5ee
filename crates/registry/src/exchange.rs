//! Records as data: read from any format of a game, and written in any.

use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_game::{Ending, Format, Notation, ParsedRecord, Ply, Record, RecordError, Side, reason};

use crate::board::outcome_word;
use crate::record_cut::lost_variations;
use crate::records::format_named;
use crate::{Error, GameEnding, Playable, Registration};

/// Asks for the records in a text or file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ImportRequest {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Their format; detected when absent.
    pub format: Option<String>,
    /// The most records to return; 0 for all.
    pub records: usize,
}

/// The records in a text or file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ImportResponse {
    /// The format: one of the game's, or `position`.
    pub format: String,
    /// What the format is.
    pub about: String,
    /// The records.
    pub records: Vec<RecordData>,
    /// What is wrong with them.
    pub faults: Vec<RecordFault>,
    /// Records that were left out since there are too many.
    pub omitted: usize,
}

/// A record as data. Only the moves are needed to write one.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RecordData {
    /// Its number, from 1.
    pub index: usize,
    /// The start position, if it is not the usual one.
    pub start: Option<String>,
    /// The moves in the game's notation.
    pub moves: Vec<String>,
    /// The moves in the notation of the country where the game is at home.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native: Option<Vec<String>>,
    /// What is noted at the moves, in their order; empty when nothing is.
    #[serde(rename = "plies", alias = "notes", skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<PlyNote>,
    /// Lines that branch off the game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<VariationData>,
    /// Players, place, date and other tags: `first`, `second`, `event`, `date`, …
    pub tags: BTreeMap<String, String>,
    /// The comment before the first move.
    pub comment: String,
    /// `first`, `second`, `draw` or `unfinished`.
    pub outcome: String,
    /// Why the game was over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The result for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// What is wrong with it; the moves before are there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<RecordFault>,
}

/// What is noted at a move.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PlyNote {
    /// The player's evaluation in the unit of the game, seen by that player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The time used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The line expected after the move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
    /// The comment.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub comment: String,
}

/// A line that branches off.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct VariationData {
    /// The line it leaves: 0 is the game, n the n-th variation.
    pub parent: usize,
    /// Plies from the start of the game to the branch.
    pub after: usize,
    /// The moves behind the branch.
    pub moves: Vec<String>,
    /// What is noted at them; empty when nothing is.
    #[serde(rename = "plies", alias = "notes", skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<PlyNote>,
}

/// What is wrong with a record.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RecordFault {
    /// The number of the record, from 1.
    pub record: usize,
    /// The line of the text, from 1; `null` in binary formats.
    pub line: Option<usize>,
    /// The number of the move, from 1.
    #[serde(rename = "move")]
    pub mv: Option<usize>,
    /// The offending text.
    pub token: String,
    /// What is wrong, and what would be right.
    pub message: String,
}

/// Asks for a record in a format.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct RecordExportRequest {
    /// The record.
    pub record: RecordData,
    /// The format; the game's default when absent.
    #[serde(default)]
    pub format: Option<String>,
}

/// A record in a format.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecordExport {
    /// The format.
    pub format: String,
    /// The usual ending of file names.
    pub extension: String,
    /// The file.
    pub bytes: Vec<u8>,
    /// What the format cannot keep.
    pub lost: Vec<String>,
}

/// Records as data.
pub trait ExchangeApi {
    /// The records in a text or file. A text that is one position gives a record without moves.
    ///
    /// # Errors
    /// There is no such format, or nothing in the text.
    fn import(&self, request: &ImportRequest) -> Result<ImportResponse, Error>;

    /// A record in a format.
    ///
    /// # Errors
    /// There is no such format, it cannot keep the record, or a move is illegal.
    fn export_record(&self, request: &RecordExportRequest) -> Result<RecordExport, Error>;
}

impl<G: Playable> ExchangeApi for Registration<G> {
    fn import(&self, request: &ImportRequest) -> Result<ImportResponse, Error> {
        let format = match &request.format {
            Some(name) => format_named::<G>(name)?,
            None => G::detect(&request.bytes),
        };
        let most = if request.records == 0 { usize::MAX } else { request.records };
        let (mut records, mut omitted) = (Vec::new(), 0);
        for (index, parsed) in G::read(format, &request.bytes).enumerate() {
            if records.len() < most {
                records.push(self.record_data(index + 1, &parsed));
            } else {
                omitted += 1;
            }
        }
        // A position alone is a game that has not begun.
        let is_game = |record: &RecordData| !record.moves.is_empty() || record.fault.is_none();
        if request.format.is_none()
            && !records.iter().any(is_game)
            && let Some(start) = position_in::<G>(&request.bytes)
        {
            let record = self.record_data(1, &ParsedRecord { record: Record::new(start), fault: None });
            return Ok(ImportResponse {
                format: "position".to_owned(),
                about: "a position".to_owned(),
                records: vec![record],
                faults: Vec::new(),
                omitted: 0,
            });
        }
        if records.is_empty() {
            let known: Vec<&str> = G::FORMATS.iter().map(|format| format.name).collect();
            let message = format!("there is no record and no position in it; formats: {}", known.join(", "));
            return Err(Error::field("text", message));
        }
        let faults = records.iter().filter_map(|record| record.fault.clone()).collect();
        let (format, about) = (format.name.to_owned(), format.about.to_owned());
        Ok(ImportResponse { format, about, records, faults, omitted })
    }

    fn export_record(&self, request: &RecordExportRequest) -> Result<RecordExport, Error> {
        let format = match &request.format {
            Some(name) => format_named::<G>(name).map_err(|error| Error::field("format", error))?,
            None => G::FORMATS[0],
        };
        let record = record_of::<G>(&request.record)?;
        let body =
            G::write(format, &record).map_err(|reason| Error::field("format", format!("{}: {reason}", format.name)))?;
        Ok(RecordExport {
            format: format.name.to_owned(),
            extension: format.extensions.first().unwrap_or(&"txt").to_string(),
            bytes: [G::head(format, 1), body].concat(),
            lost: lost(&record, format),
        })
    }
}

/// The position that a text is, if it is one and nothing else.
fn position_in<G: Notation>(bytes: &[u8]) -> Option<G> {
    let text = std::str::from_utf8(bytes).ok()?.trim();
    if text.is_empty() { None } else { G::parse(text).ok() }
}

fn lost<G: Playable>(record: &Record<G>, format: Format) -> Vec<String> {
    let mut lost = lost_variations(record, Some(format));
    let is_noted = |ply: &Ply<G::Move>| {
        ply.value.is_some() || ply.time.is_some() || !ply.comment.is_empty() || !ply.line.is_empty()
    };
    if !format.keeps_notes && record.plies().iter().any(is_noted) {
        lost.push(format!("values, times and comments are left out: {} has none", format.name));
    }
    lost
}

impl<G: Playable> Registration<G> {
    /// A record as data.
    pub(crate) fn record_data(&self, index: usize, parsed: &ParsedRecord<G>) -> RecordData {
        let ParsedRecord { record, fault } = parsed;
        let start = record.start();
        let is_usual = *start == G::start() && start.mover() == G::start().mover();
        let (moves, native, notes) = ply_data(start, record.plies());
        RecordData {
            index,
            start: (!is_usual).then(|| start.print()),
            native: native.filter(|_| !moves.is_empty()),
            moves,
            notes,
            variations: variations(record),
            tags: record.tags.iter().cloned().collect(),
            comment: record.comment.clone(),
            outcome: outcome_word(record).unwrap_or_else(|| reason::UNFINISHED.to_owned()),
            reason: record.ending().map(|ending| ending.reason.to_owned()),
            result: GameEnding::of(record, self.counting).map(|ending| ending.text),
            fault: fault.as_ref().map(|fault| RecordFault::of(index, fault)),
        }
    }
}

impl RecordFault {
    fn of(record: usize, RecordError { mv, text, message, line }: &RecordError) -> RecordFault {
        RecordFault { record, line: *line, mv: *mv, token: text.clone(), message: message.clone() }
    }
}

/// Moves with their native names and notes, from a position on.
fn ply_data<G: Playable>(start: &G, plies: &[Ply<G::Move>]) -> (Vec<String>, Option<Vec<String>>, Vec<PlyNote>) {
    let (mut now, mut before) = (start.clone(), None);
    let (mut moves, mut native, mut notes) = (Vec::new(), G::native().map(|_| Vec::new()), Vec::new());
    for ply in plies {
        moves.push(now.print_move(ply.mv));
        if let (Some(native), Some(name)) = (&mut native, now.native_move(ply.mv, before.replace(ply.mv))) {
            native.push(name);
        }
        now.play(ply.mv);
        notes.push(PlyNote {
            value: ply.value,
            seconds: ply.time.map(|time| time.as_secs_f64()),
            line: now.print_line(&ply.line),
            comment: ply.comment.clone(),
        });
    }
    if notes.iter().all(|note| *note == PlyNote::default()) {
        notes.clear();
    }
    (moves, native, notes)
}

fn variations<G: Playable>(record: &Record<G>) -> Vec<VariationData> {
    let data = |variation: &tesuji_game::Variation<G::Move>| {
        let before = record.line_up_to(variation.parent(), variation.after())?;
        let (moves, _, notes) = ply_data(before.now(), variation.plies());
        Some(VariationData { parent: variation.parent(), after: variation.after(), moves, notes })
    };
    record.variations().iter().filter_map(data).collect()
}

/// The record that data describes.
fn record_of<G: Playable>(data: &RecordData) -> Result<Record<G>, Error> {
    let start = match &data.start {
        Some(position) => G::parse(position).map_err(|error| Error::field("start", error))?,
        None => G::start(),
    };
    let mut record = Record::new(start);
    record.comment.clone_from(&data.comment);
    for (name, value) in &data.tags {
        record.set_tag(name, value);
    }
    push_plies(&mut record, &data.moves, &data.notes).map_err(|error| Error::field("moves", error))?;
    for (number, variation) in data.variations.iter().enumerate() {
        let wrong = |message: String| Error::field("variations", format!("variation {}: {message}", number + 1));
        let mut line = record
            .line_up_to(variation.parent, variation.after)
            .ok_or_else(|| wrong(format!("there is no line {} before it; 0 is the game", variation.parent)))?;
        if line.plies().len() < variation.after {
            return Err(wrong(format!("its line has only {} plies", line.plies().len())));
        }
        push_plies(&mut line, &variation.moves, &variation.notes).map_err(|error| wrong(error.to_string()))?;
        record.branch(variation.parent, variation.after, &line);
    }
    if let (None, Some(reason)) = (record.ending(), data.reason.as_deref().and_then(reason::named)) {
        let winner = match data.outcome.as_str() {
            "first" => Some(Side::First),
            "second" => Some(Side::Second),
            _ => None,
        };
        // The record is open, as was just seen.
        let _ = record.end(Ending { winner, reason });
    }
    Ok(record)
}

fn push_plies<G: Playable>(record: &mut Record<G>, moves: &[String], notes: &[PlyNote]) -> Result<(), RecordError> {
    for (index, text) in moves.iter().enumerate() {
        let before = record.plies().len();
        G::read_moves(record, text).map_err(|error| RecordError { mv: Some(index + 1), ..error })?;
        let Some(note) = notes.get(index).filter(|_| record.plies().len() > before) else { continue };
        let (mut now, mut line) = (record.now().clone(), Vec::new());
        for word in &note.line {
            let Ok(mv) = now.parse_move(word) else { break };
            now.play(mv);
            line.push(mv);
        }
        // A pass that nobody wrote comes first.
        if let Some(mut ply) = record.note() {
            if let Some(seconds) = note.seconds.filter(|seconds| (0.0..1e9).contains(seconds)) {
                ply = ply.time(Duration::from_secs_f64(seconds));
            }
            ply.set_value(note.value).set_comment(note.comment.clone()).line(line);
        }
    }
    Ok(())
}

//! Records: replayed move by move, and converted between the formats of a game.

use serde::{Deserialize, Serialize};
use tesuji_game::{Format, ParsedRecord, RecordError};
use tesuji_task::Context;

use crate::board::outcome_word;
use crate::corpus::CorpusRecord;
use crate::record_cut::lost_variations;
use crate::{
    CorpusRequest, CorpusSummary, Error, FileError, GameEnding, NamedOpening, Playable, RecordCut, Registration,
    SideName,
};

/// Records of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RecordSource {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// Their format; detected when absent.
    #[serde(default)]
    pub format: Option<String>,
    /// The file they came from, where files beside it may have more to tell.
    #[serde(default)]
    pub file: Option<String>,
}

/// A record that was replayed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReplayedRecord {
    /// Its file.
    pub file: String,
    /// Its number in the file, from 1.
    pub index: usize,
    /// Legal moves.
    pub moves: usize,
    /// `first`, `second`, `draw` or `unfinished`.
    pub outcome: String,
    /// Why the game was over.
    pub reason: Option<String>,
    /// The final score of both sides, the first player's first, in games that end with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<[u32; 2]>,
    /// The names of its opening, and of the castles of both sides.
    pub openings: Vec<NamedOpening>,
    /// What is wrong with it.
    pub error: Option<ReplayError>,
    /// Variations that cannot be read to their end; the game itself can.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variation_faults: Vec<String>,
    /// The word of the file for how the game ended, where it has one: a mated player may resign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated: Option<String>,
    /// The word of a server for how the game ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The same error as one line of text.
    #[serde(skip)]
    pub error_text: Option<String>,
    /// Who won.
    #[serde(skip)]
    pub winner: Option<SideName>,
    /// The result for people: `black won 41–23`.
    #[serde(skip)]
    pub result: Option<String>,
}

/// What is wrong with a record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReplayError {
    /// The move, from 1.
    #[serde(rename = "move")]
    pub number: Option<usize>,
    /// The offending text.
    pub text: String,
    /// Why it is wrong.
    pub message: String,
    /// The line of the file, from 1; `null` in binary formats.
    pub line: Option<usize>,
}

impl From<RecordError> for ReplayError {
    fn from(RecordError { mv: number, text, message, line }: RecordError) -> ReplayError {
        ReplayError { number, text, message, line }
    }
}

/// A step of a replay.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum ReplayEvent {
    /// A record was checked.
    Record(Box<ReplayedRecord>),
    /// A file cannot be read, or holds no records of the game.
    File(FileError),
}

/// How a conversion went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ConvertSummary {
    /// How the records were read.
    #[serde(flatten)]
    pub read: CorpusSummary,
    /// Records written.
    pub written: usize,
    /// Records left out.
    pub refused: usize,
}

/// A step of a conversion.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum ConvertEvent {
    /// Bytes of the new file, in order.
    Bytes {
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// A record was left out.
    Refused {
        /// Its number in the file, from 1.
        index: usize,
        /// Where it is and why.
        error: FileError,
    },
    /// Something of a record that was written is lost: variations, in a format that has none.
    Lost {
        /// Its number in the file, from 1.
        index: usize,
        /// Where it is and what is lost.
        error: FileError,
    },
    /// A file cannot be read, or holds no records of the game.
    File(FileError),
}

/// Work on records.
pub trait RecordsApi {
    /// Checks records move by move and tells each.
    ///
    /// # Errors
    /// A path does not exist, or the format or the filter is wrong.
    fn replay(
        &self,
        corpus: &CorpusRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(ReplayEvent),
    ) -> Result<CorpusSummary, Error>;

    /// Turns records, or parts of them, into another format of the game.
    ///
    /// # Errors
    /// A path does not exist, a format or the filter is wrong, or the game has no such parts.
    fn convert(
        &self,
        corpus: &CorpusRequest,
        to: &str,
        cut: RecordCut,
        context: Context<'_>,
        events: &mut dyn FnMut(ConvertEvent),
    ) -> Result<ConvertSummary, Error>;

    /// The name of the record format that keeps the most of a game, its usual file ending, and what comes before so
    /// many games of it.
    fn archive_format(&self, games: usize) -> ArchiveFormat;
}

/// The record format that keeps the most of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ArchiveFormat {
    /// Its name.
    pub name: String,
    /// The usual ending of file names.
    pub extension: String,
    /// What a file begins with.
    pub head: Vec<u8>,
}

impl<G: Playable> RecordsApi for Registration<G> {
    fn replay(
        &self,
        corpus: &CorpusRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(ReplayEvent),
    ) -> Result<CorpusSummary, Error> {
        let check = |CorpusRecord { file, index, parsed: ParsedRecord { record, fault }, .. }: CorpusRecord<'_, G>| {
            let ending = GameEnding::of(&record, self.counting);
            ReplayedRecord {
                file: file.name.display().to_string(),
                index,
                moves: record.plies().len(),
                outcome: outcome_word(&record).unwrap_or_else(|| "unfinished".to_owned()),
                reason: record.ending().map(|ending| ending.reason.to_owned()),
                openings: self.named_openings(&record),
                variation_faults: lost_variations(&record, None),
                stated: record.stated().map(str::to_owned),
                summary: record.summary().map(str::to_owned),
                error_text: fault.as_ref().map(ToString::to_string),
                error: fault.map(ReplayError::from),
                score: ending.as_ref().and_then(|ending| ending.score),
                winner: ending.as_ref().and_then(|ending| ending.winner),
                result: ending.map(|ending| ending.text),
            }
        };
        corpus.read(self, context, check, |result| match result {
            Ok(record) => events(ReplayEvent::Record(Box::new(record))),
            Err(error) => events(ReplayEvent::File(error)),
        })
    }

    fn convert(
        &self,
        corpus: &CorpusRequest,
        to: &str,
        cut: RecordCut,
        context: Context<'_>,
        events: &mut dyn FnMut(ConvertEvent),
    ) -> Result<ConvertSummary, Error> {
        let to = format_named::<G>(to)?;
        cut.check(self)?;
        // A format with a head needs the number of records first; the others are written as they come.
        let headed = !G::head(to, 0).is_empty();
        let (mut body, mut written, mut refused) = (Vec::new(), 0, 0);
        let convert =
            |CorpusRecord { file, index, parsed: ParsedRecord { record, fault }, .. }: CorpusRecord<'_, G>| {
                if !cut.wants(index) {
                    return None;
                }
                let refusal = |line: Option<usize>, reason: String| (index, file.error(line, reason));
                let lost: Vec<FileError> =
                    lost_variations(&record, Some(to)).into_iter().map(|words| file.error(None, words)).collect();
                let bytes = match fault {
                    Some(fault) => Err(refusal(fault.line, fault.to_string())),
                    None => {
                        let part = cut.apply(self, record).and_then(|record| G::write(to, &record));
                        part.map_err(|reason| refusal(None, reason))
                    }
                };
                Some(bytes.map(|bytes| (index, bytes, lost)))
            };
        let read = corpus.read(self, context, convert, |result| match result {
            Ok(None) => {}
            Ok(Some(Ok((index, bytes, lost)))) => {
                written += 1;
                if headed {
                    body.extend_from_slice(&bytes);
                } else {
                    events(ConvertEvent::Bytes { bytes });
                }
                lost.into_iter().for_each(|error| events(ConvertEvent::Lost { index, error }));
            }
            Ok(Some(Err((index, error)))) => {
                refused += 1;
                events(ConvertEvent::Refused { index, error });
            }
            Err(error) => events(ConvertEvent::File(error)),
        })?;
        if headed {
            let bytes = [G::head(to, written), body].concat();
            events(ConvertEvent::Bytes { bytes });
        }
        Ok(ConvertSummary { read, written, refused })
    }

    fn archive_format(&self, games: usize) -> ArchiveFormat {
        let format = self.format();
        ArchiveFormat {
            name: format.name.to_owned(),
            extension: format.extensions.first().unwrap_or(&"txt").to_string(),
            head: G::head(format, games),
        }
    }
}

impl RecordSource {
    /// Reads the records one after the other, numbered from 1.
    pub(crate) fn each<G: Playable>(&self, mut visit: impl FnMut(usize, ParsedRecord<G>)) -> Result<(), Error> {
        let format = match &self.format {
            Some(name) => format_named::<G>(name)?,
            None => G::detect(&self.bytes),
        };
        G::read(format, &self.bytes).enumerate().for_each(|(index, reading)| visit(index + 1, reading));
        Ok(())
    }

    /// The record of a number, from 1; one with a fault is refused.
    pub(crate) fn record<G: Playable>(&self, number: usize) -> Result<tesuji_game::Record<G>, Error> {
        let name = self.file.as_deref().unwrap_or("the file");
        let (mut found, mut count) = (None, 0);
        self.each::<G>(|index, reading| {
            count = index;
            if index == number {
                found = Some(reading);
            }
        })?;
        match found {
            None if count == 0 => Err(Error::invalid(format!("{name:?} holds no record"))),
            None => Err(Error::field("index", format!("{number}: {name:?} holds {count} records"))),
            Some(ParsedRecord { fault: Some(fault), .. }) => Err(Error::invalid(format!("{name:?}: {fault}"))),
            Some(ParsedRecord { record, fault: None }) => Ok(record),
        }
    }
}

/// The format of this name.
pub(crate) fn format_named<G: Playable>(name: &str) -> Result<Format, Error> {
    let found = G::FORMATS.iter().find(|format| format.name == name);
    found.copied().ok_or_else(|| {
        let known: Vec<&str> = G::FORMATS.iter().map(|format| format.name).collect();
        Error::invalid(format!("{} has no record format {name:?}; it has: {}", G::NAME, known.join(", ")))
    })
}

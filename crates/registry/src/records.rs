//! Records: replayed move by move, and converted between the formats of a game.

use std::path::Path;

use serde::{Deserialize, Serialize};
use tesuji_game::{Format, ParsedRecord};

use crate::board::outcome_word;
use crate::{Error, GameEnding, Playable, Registration, SideName};

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
    /// Its number, from 1.
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
    /// What is wrong with it.
    pub error: Option<ReplayError>,
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
}

/// How a conversion went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ConvertSummary {
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
        /// Its number, from 1.
        index: usize,
        /// Why.
        reason: String,
    },
}

/// Work on records.
pub trait RecordsApi {
    /// Checks records move by move and tells each.
    ///
    /// # Errors
    /// There is no such format.
    fn replay(&self, source: &RecordSource, events: &mut dyn FnMut(ReplayedRecord)) -> Result<(), Error>;

    /// Turns records into another format of the game.
    ///
    /// # Errors
    /// There is no such format.
    fn convert(
        &self,
        source: &RecordSource,
        to: &str,
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
    fn replay(&self, source: &RecordSource, events: &mut dyn FnMut(ReplayedRecord)) -> Result<(), Error> {
        source.each::<G>(|index, ParsedRecord { record, fault }| {
            let ending = GameEnding::of(&record, self.counting);
            events(ReplayedRecord {
                index,
                moves: record.plies().len(),
                outcome: outcome_word(&record).unwrap_or_else(|| "unfinished".to_owned()),
                reason: record.ending().map(|ending| ending.reason.to_owned()),
                error_text: fault.as_ref().map(ToString::to_string),
                error: fault.map(|fault| ReplayError { number: fault.mv, text: fault.text, message: fault.message }),
                score: ending.as_ref().and_then(|ending| ending.score),
                winner: ending.as_ref().and_then(|ending| ending.winner),
                result: ending.map(|ending| ending.text),
            });
        })
    }

    fn convert(
        &self,
        source: &RecordSource,
        to: &str,
        events: &mut dyn FnMut(ConvertEvent),
    ) -> Result<ConvertSummary, Error> {
        let to = format_named::<G>(to)?;
        // A format with a head needs the number of records first; the others are written as they come.
        let headed = !G::head(to, 0).is_empty();
        let mut body = Vec::new();
        let mut summary = ConvertSummary::default();
        let fill = self.companions.zip(source.file.as_ref()).map(|(companions, file)| companions(Path::new(file)));
        source.each::<G>(|index, mut reading| {
            if let Some(fill) = &fill {
                fill(&mut reading.record);
            }
            let written = match reading.fault {
                Some(fault) => Err(fault.to_string()),
                None => G::write(to, &reading.record),
            };
            match written {
                Ok(bytes) => {
                    summary.written += 1;
                    if headed {
                        body.extend_from_slice(&bytes);
                    } else {
                        events(ConvertEvent::Bytes { bytes });
                    }
                }
                Err(reason) => {
                    summary.refused += 1;
                    events(ConvertEvent::Refused { index, reason });
                }
            }
        })?;
        if headed {
            let bytes = [G::head(to, summary.written), body].concat();
            events(ConvertEvent::Bytes { bytes });
        }
        Ok(summary)
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

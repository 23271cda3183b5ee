//! Sets of records: filtered, without duplicates, split into games for training and games that are held out.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_engines::corpus::Corpus;
use tesuji_engines::record_list::{ListEntries, RecordList};
use tesuji_game::{Format, grouped};
use tesuji_search::Rng;
use tesuji_store::{FileStream, check_target, save};
use tesuji_task::Context;

use crate::corpus::CorpusRecord;
use crate::filter::game_key;
use crate::record_cut::lost_variations;
use crate::{CorpusInput, CorpusRequest, CorpusSummary, DroppedRecords, Error, FileError, Playable, Registration};

/// Asks for sets of records.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RecordSetRequest {
    /// The records. Those with a fault are never kept.
    #[serde(flatten)]
    pub corpus: CorpusRequest,
    /// The file to write, or its name without `.train` and `.test`.
    pub out: PathBuf,
    /// How the games are split; all in one set if absent.
    pub split: Option<RecordSplit>,
    /// Writes the records themselves even where a list of files would do.
    pub compact: bool,
    /// Keeps records with the same moves from the same start. They fall into the same set.
    pub keep_duplicates: bool,
}

/// How games are split. Which set a game falls into depends only on its moves and the seed.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct RecordSplit {
    /// The share of the games that is held out, between 0 and 1.
    pub share: f64,
    /// Another seed gives another split.
    pub seed: u64,
}

/// What was kept, and how many records were left out for which reason.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RecordSetResponse {
    /// Files.
    pub files: usize,
    /// Files that cannot be read or hold no records of the game.
    pub failed_files: usize,
    /// Records that were read: those kept and those dropped.
    pub read: usize,
    /// Records that were kept.
    pub kept: usize,
    /// Records that were left out, each counted once.
    pub dropped: DroppedRecords,
    /// Records that the format of the file cannot hold.
    pub unwritable: usize,
    /// Whether reading ended at the limit of the filter.
    pub limited: bool,
    /// Whether the sets are lists of files or files of records.
    pub kind: RecordSetKind,
    /// The format of the records in files of records.
    pub format: Option<String>,
    /// The sets.
    pub sets: Vec<RecordSet>,
}

/// What a set is written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordSetKind {
    /// A list of the files, each of which has one record.
    List,
    /// A file of the records.
    Records,
}

/// A set that was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecordSet {
    /// Its file.
    pub file: PathBuf,
    /// Whether its games are held out.
    pub held_out: bool,
    /// Records.
    pub records: usize,
    /// Plies of all of them.
    pub plies: usize,
}

/// Something that is told while sets are made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum RecordSetEvent {
    /// A file cannot be used, or a record is left out for a fault.
    Refused(FileError),
    /// Something of a record that was kept is lost: a variation that cannot be read, or any in a format without them.
    Lost(FileError),
}

/// Sets of records.
pub trait RecordSetApi {
    /// Filters and splits records.
    ///
    /// # Errors
    /// A path does not exist, the format, the filter or the split is wrong, no record is left, or a file cannot be
    /// written.
    fn record_sets(
        &self,
        request: &RecordSetRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(RecordSetEvent),
    ) -> Result<RecordSetResponse, Error>;
}

impl<G: Playable> RecordSetApi for Registration<G> {
    fn record_sets(
        &self,
        request: &RecordSetRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(RecordSetEvent),
    ) -> Result<RecordSetResponse, Error> {
        let request = request.completed()?;
        let corpus = request.corpus.open::<G>()?;
        let targets = request.targets();
        check_targets(&targets, &corpus)?;
        let of_bytes = |input: &CorpusInput| matches!(input, CorpusInput::Bytes { .. });
        let mut told = 0;
        if !request.compact && !request.corpus.inputs.iter().any(of_bytes) {
            let mut tell = |event| {
                told += usize::from(matches!(event, RecordSetEvent::Refused(_)));
                events(event);
            };
            let writers = targets.iter().map(ListWriter::new).collect::<Result<Vec<_>, Error>>()?;
            if let Some(response) = self.write_sets(&request, &corpus, writers, context, &mut tell)? {
                return Ok(response);
            }
        }
        // A file has several records. The errors come in the same order again.
        let mut skip = told;
        let mut tell = |event| match (&event, skip) {
            (RecordSetEvent::Refused(_), 1..) => skip -= 1,
            _ => events(event),
        };
        let writers = targets.iter().map(RecordWriter::new);
        let writers = writers.collect::<Result<Vec<_>, Error>>()?;
        let response = self.write_sets(&request, &corpus, writers, context, &mut tell)?;
        response.ok_or_else(|| Error::failed("the records cannot be written"))
    }
}

impl<G: Playable> Registration<G> {
    /// The format that keeps the most of a game and needs no header, so that records are written as they come.
    fn text_format(&self) -> Format {
        let is_text = |format: &Format| G::head(*format, 0).is_empty();
        let best = self.format();
        let mut others = G::FORMATS.iter().copied().filter(is_text);
        if is_text(&best) { best } else { others.next_back().unwrap_or(best) }
    }

    /// Writes the sets; `None` when that needs another kind of writer.
    fn write_sets<W: SetWriter>(
        &self,
        request: &RecordSetRequest,
        corpus: &Corpus<'_>,
        mut writers: Vec<W>,
        context: Context<'_>,
        events: &mut dyn FnMut(RecordSetEvent),
    ) -> Result<Option<RecordSetResponse>, Error> {
        let format = self.text_format();
        let map = |CorpusRecord { file, index, key, parsed }: CorpusRecord<'_, G>| {
            let record = &parsed.record;
            let key = key.unwrap_or_else(|| game_key(record));
            let lost = lost_variations(record, W::NEEDS_BYTES.then_some(format));
            let lost = lost.into_iter().map(|words| file.error(None, format!("record {index}: {words}"))).collect();
            let bytes = if W::NEEDS_BYTES { G::write(format, record) } else { Ok(Vec::new()) };
            let bytes = bytes.map_err(|reason| file.error(None, format!("record {index} left out: {reason}")));
            let plies = record.plies().len();
            bytes.map(|bytes| SetRecord { key, file: file.name.clone(), index, plies, bytes, lost })
        };
        let mut sets: Vec<RecordSet> = request.targets();
        let (mut unwritable, mut failure, mut is_wrong_kind) = (0, None, false);
        // Told at the end, since another kind of writer loses other things.
        let mut lost = Vec::new();
        let keep = |result: Result<Result<SetRecord, FileError>, FileError>| {
            match result {
                Ok(Ok(record)) if record.index > 1 && !W::NEEDS_BYTES => is_wrong_kind = true,
                Ok(Ok(mut record)) => {
                    lost.append(&mut record.lost);
                    let number = request.split.map_or(0, |split| usize::from(split.holds_out(record.key)));
                    sets[number].records += 1;
                    sets[number].plies += record.plies;
                    failure = writers[number].add(&record).err();
                }
                Ok(Err(error)) => {
                    unwritable += 1;
                    events(RecordSetEvent::Refused(error));
                }
                Err(error) => events(RecordSetEvent::Refused(error)),
            }
            failure.is_none() && !is_wrong_kind
        };
        let summary = request.corpus.read_while(corpus, self, context, map, keep)?;
        if let Some(failure) = failure {
            return Err(failure);
        }
        if is_wrong_kind {
            return Ok(None);
        }
        lost.into_iter().for_each(|error| events(RecordSetEvent::Lost(error)));
        let response = RecordSetResponse::new(summary, sets, unwritable, W::NEEDS_BYTES.then_some(format));
        if response.kept == 0 {
            return Err(Error::failed(response.nothing_left()));
        }
        for (writer, set) in writers.into_iter().zip(&response.sets) {
            writer.finish(G::NAME, &request.provenance(set))?;
        }
        Ok(Some(response))
    }
}

impl RecordSetRequest {
    /// The request with a filter that refuses what a set never has.
    fn completed(&self) -> Result<RecordSetRequest, Error> {
        if let Some(RecordSplit { share, .. }) = self.split.filter(|split| !(split.share > 0.0 && split.share < 1.0)) {
            return Err(Error::field("split", format!("{share} is no share of the games; 0.1 holds out a tenth")));
        }
        let mut request = self.clone();
        request.corpus.filter.no_faults = true;
        request.corpus.filter.no_duplicates = !self.keep_duplicates;
        Ok(request)
    }

    /// The sets, still empty.
    fn targets(&self) -> Vec<RecordSet> {
        let set = |suffix: &str, held_out: bool| {
            let mut file = self.out.clone().into_os_string();
            file.push(suffix);
            RecordSet { file: file.into(), held_out, records: 0, plies: 0 }
        };
        match self.split {
            None => vec![set("", false)],
            Some(_) => vec![set(".train", false), set(".test", true)],
        }
    }

    /// How a set was made, for the comments of a list.
    fn provenance(&self, set: &RecordSet) -> Vec<String> {
        let filter = serde_json::to_string(&self.corpus.filter).unwrap_or_default();
        let split = self.split.map(|RecordSplit { share, seed }| {
            let part = if set.held_out { "held out" } else { "not held out" };
            format!("{part}: split {share}, seed {seed}")
        });
        let count = format!("{} records, {} plies", set.records, set.plies);
        [Some(count), split, Some(format!("filter {filter}"))].into_iter().flatten().collect()
    }
}

impl RecordSplit {
    /// Whether the game of this key is held out.
    fn holds_out(self, key: u128) -> bool {
        let folded = (key >> 64) as u64 ^ key as u64;
        Rng::new(folded ^ Rng::new(self.seed).draw()).unit() < self.share
    }
}

impl RecordSetResponse {
    fn new(
        CorpusSummary { files, failed_files, records, dropped, limited, .. }: CorpusSummary,
        sets: Vec<RecordSet>,
        unwritable: usize,
        format: Option<Format>,
    ) -> RecordSetResponse {
        RecordSetResponse {
            files,
            failed_files,
            read: records + dropped.total(),
            kept: records - unwritable,
            dropped,
            unwritable,
            limited,
            kind: if format.is_some() { RecordSetKind::Records } else { RecordSetKind::List },
            format: format.map(|format| format.name.to_owned()),
            sets,
        }
    }

    fn nothing_left(&self) -> String {
        let RecordSetResponse { read, dropped, unwritable, .. } = self;
        let unwritable =
            (*unwritable > 0).then(|| format!("{} that the format cannot hold", grouped(*unwritable as u64)));
        let reasons: Vec<String> =
            [Some(dropped.summary()).filter(|text| !text.is_empty()), unwritable].into_iter().flatten().collect();
        let reasons = if reasons.is_empty() { String::new() } else { format!("; left out: {}", reasons.join(", ")) };
        format!("no record is left of the {} that were read, and nothing was written{reasons}", grouped(*read as u64))
    }
}

/// Refuses targets that cannot be written, and those that would replace a file that is read.
fn check_targets(targets: &[RecordSet], corpus: &Corpus<'_>) -> Result<(), Error> {
    for RecordSet { file, .. } in targets {
        check_target(file).map_err(|error| Error::field("out", error))?;
        let Ok(target) = fs::canonicalize(file) else { continue };
        let is_target = |path: &Path| {
            path.file_name() == target.file_name() && fs::canonicalize(path).is_ok_and(|path| path == target)
        };
        if corpus.files().iter().any(|input| is_target(&input.name)) {
            return Err(Error::field(
                "out",
                format!("{} is one of the files to read; choose another name", file.display()),
            ));
        }
    }
    Ok(())
}

/// A record on its way into a set.
struct SetRecord {
    key: u128,
    file: PathBuf,
    /// Its number in the file, from 1.
    index: usize,
    plies: usize,
    bytes: Vec<u8>,
    /// What of it is lost.
    lost: Vec<FileError>,
}

/// The file of a set under construction.
trait SetWriter: Sized {
    /// Whether it needs the bytes of the records.
    const NEEDS_BYTES: bool;

    fn add(&mut self, record: &SetRecord) -> Result<(), Error>;

    fn finish(self, game: &str, provenance: &[String]) -> Result<(), Error>;
}

/// A list of files.
struct ListWriter {
    file: PathBuf,
    paths: ListEntries,
    entries: Vec<String>,
}

impl ListWriter {
    fn new(set: &RecordSet) -> Result<ListWriter, Error> {
        let paths = ListEntries::of(&set.file).map_err(|error| Error::field("out", error))?;
        Ok(ListWriter { file: set.file.clone(), paths, entries: Vec::new() })
    }
}

impl SetWriter for ListWriter {
    const NEEDS_BYTES: bool = false;

    fn add(&mut self, record: &SetRecord) -> Result<(), Error> {
        let wrong = |error| Error::invalid(format!("{:?} cannot stand in a list: {error}; use --compact", record.file));
        self.entries.push(self.paths.entry(&record.file).map_err(wrong)?);
        Ok(())
    }

    fn finish(self, game: &str, provenance: &[String]) -> Result<(), Error> {
        let text = RecordList::text(game, provenance, &self.entries);
        save(self.file, text.as_bytes()).map_err(Error::failed)
    }
}

/// A file of records.
struct RecordWriter(BufWriter<FileStream>);

impl RecordWriter {
    fn new(set: &RecordSet) -> Result<RecordWriter, Error> {
        Ok(RecordWriter(BufWriter::new(FileStream::create(&set.file).map_err(Error::failed)?)))
    }
}

impl SetWriter for RecordWriter {
    const NEEDS_BYTES: bool = true;

    fn add(&mut self, record: &SetRecord) -> Result<(), Error> {
        self.0.write_all(&record.bytes).map_err(Error::failed)
    }

    fn finish(self, _: &str, _: &[String]) -> Result<(), Error> {
        let file = self.0.into_inner().map_err(|error| Error::failed(error.error()))?;
        file.finish().map_err(Error::failed)
    }
}

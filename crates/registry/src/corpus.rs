//! Records of files and folders, filtered and handed to what is done with them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
pub use tesuji_engines::corpus::FileError;
use tesuji_engines::corpus::{Corpus, CorpusFile, record_files};
use tesuji_engines::record_list::RecordList;
use tesuji_game::{ParsedRecord, grouped};
use tesuji_task::{Context, cores};

use crate::filter::{CompiledFilter, DropReason, game_key};
use crate::{Companions, DroppedRecords, Error, OpeningNamer, Playable, RecordFilter, Registration};

/// Records of any number of files and folders.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CorpusRequest {
    /// Where they are, in the order in which they are read.
    pub inputs: Vec<CorpusInput>,
    /// The format of all files; detected for each file if absent.
    pub format: Option<String>,
    /// Which records are wanted.
    pub filter: RecordFilter,
    /// Threads; all cores by default.
    pub threads: Option<usize>,
}

/// A file, a folder, or bytes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CorpusInput {
    /// A file; a folder: all files in it and in its folders with an extension of the game's record formats; or a list
    /// of files and folders.
    Path(PathBuf),
    /// The contents of a file.
    Bytes {
        /// The name to report.
        name: String,
        /// The contents.
        bytes: Vec<u8>,
    },
}

/// How the reading of records went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CorpusSummary {
    /// Files.
    pub files: usize,
    /// Files that cannot be read or hold no records of the game.
    pub failed_files: usize,
    /// Records that the filter accepts.
    pub records: usize,
    /// Those of them with a fault.
    pub faults: usize,
    /// Records that the filter left out.
    pub dropped: DroppedRecords,
    /// Whether reading ended at the limit of the filter, so that more records may follow.
    pub limited: bool,
}

impl CorpusSummary {
    /// What the filter did: `120 of 29,758 records match; left out: 29,638 by player`. `None` without a filter.
    pub fn filter_summary(&self) -> Option<String> {
        let CorpusSummary { records, dropped, limited, .. } = self;
        let (matching, all) = (grouped(*records as u64), grouped((records + dropped.total()) as u64));
        let left_out = match dropped.total() {
            0 => String::new(),
            _ => format!("; left out: {}", dropped.summary()),
        };
        match (limited, dropped.total()) {
            (true, _) => Some(format!("the first {matching} of {all} records read match{left_out}")),
            (false, 0) => None,
            (false, _) => Some(format!("{matching} of {all} records match{left_out}")),
        }
    }
}

/// Whether a path means a list of files of records: `@LIST`, or a file that begins as a list does.
pub fn is_record_list(path: &Path) -> bool {
    RecordList::at(path).is_some()
}

/// A record of a corpus that the filter accepts.
pub(crate) struct CorpusRecord<'a, G: Playable> {
    /// The file it is in.
    pub(crate) file: &'a CorpusFile<'a>,
    /// Its number in the file, from 1.
    pub(crate) index: usize,
    /// The key of its start and moves, if the filter needs it.
    pub(crate) key: Option<u128>,
    pub(crate) parsed: ParsedRecord<G>,
}

impl CorpusRequest {
    /// One file of bytes, without a filter.
    pub fn of_bytes(name: impl Into<String>, bytes: Vec<u8>) -> CorpusRequest {
        let inputs = vec![CorpusInput::Bytes { name: name.into(), bytes }];
        CorpusRequest { inputs, ..CorpusRequest::default() }
    }

    /// These files and folders, without a filter.
    pub fn of_paths(paths: impl IntoIterator<Item = impl Into<PathBuf>>) -> CorpusRequest {
        let inputs = paths.into_iter().map(|path| CorpusInput::Path(path.into())).collect();
        CorpusRequest { inputs, ..CorpusRequest::default() }
    }

    /// The files, with folders replaced by what is in them.
    pub(crate) fn open<G: Playable>(&self) -> Result<Corpus<'_>, Error> {
        let mut files = Vec::new();
        for input in &self.inputs {
            match input {
                CorpusInput::Path(path) => {
                    files.extend(record_files::<G>(std::slice::from_ref(path))?.into_iter().map(CorpusFile::at));
                }
                CorpusInput::Bytes { name, bytes } => files.push(CorpusFile::of_bytes(name, bytes)),
            }
        }
        Ok(Corpus::of_files::<G>(files, self.format.as_deref())?)
    }

    /// Reads the records on several threads: `map` works on those that the filter accepts, `keep` gets the results in
    /// order, and an error for each file that cannot be used and each record that the filter refuses for a fault.
    ///
    /// # Errors
    /// A path does not exist, a folder has no records, or the format or the filter is wrong.
    pub(crate) fn read<G: Playable, R: Send>(
        &self,
        game: &Registration<G>,
        context: Context<'_>,
        map: impl Fn(CorpusRecord<'_, G>) -> R + Sync,
        mut keep: impl FnMut(Result<R, FileError>),
    ) -> Result<CorpusSummary, Error> {
        let keep = |result| {
            keep(result);
            true
        };
        self.read_while(&self.open::<G>()?, game, context, map, keep)
    }

    /// The same for a corpus that is open, as long as `keep` returns `true`.
    ///
    /// # Errors
    /// The filter is wrong.
    pub(crate) fn read_while<G: Playable, R: Send>(
        &self,
        corpus: &Corpus<'_>,
        game: &Registration<G>,
        context: Context<'_>,
        map: impl Fn(CorpusRecord<'_, G>) -> R + Sync,
        mut keep: impl FnMut(Result<R, FileError>) -> bool,
    ) -> Result<CorpusSummary, Error> {
        let filter = self.filter.compile(G::REASONS)?;
        let mut summary = CorpusSummary { files: corpus.files().len(), ..CorpusSummary::default() };
        let limit = self.filter.limit.unwrap_or(usize::MAX);
        if limit == 0 {
            return Ok(CorpusSummary { limited: true, ..summary });
        }
        let (companions, openings) = (game.companions, game.openings);
        let (filter, map, threads) = (&filter, &map, self.threads.unwrap_or_else(cores));
        let open = |file| open_file(file, companions, openings, filter, map);
        let (mut seen, mut wanted) = (HashSet::new(), true);
        corpus.read::<G, _, _>(threads, context, open, |result| {
            match result {
                Ok(Ok(Mapped { key: Some(key), .. })) if !seen.insert(key) => {
                    summary.dropped.add(DropReason::Duplicate);
                }
                Ok(Ok(Mapped { is_faulty, result, .. })) => {
                    summary.records += 1;
                    summary.faults += usize::from(is_faulty);
                    wanted = keep(Ok(result));
                }
                Ok(Err(Refusal { reason, error })) => {
                    summary.dropped.add(reason);
                    error.into_iter().for_each(|error| wanted = keep(Err(error)));
                }
                Err(error) => {
                    summary.failed_files += 1;
                    wanted = keep(Err(error));
                }
            }
            summary.limited = summary.records >= limit;
            wanted && !summary.limited
        });
        if context.is_cancelled() && wanted && !summary.limited {
            return Err(Error::Cancelled);
        }
        Ok(summary)
    }
}

/// A record that the filter accepts, mapped.
struct Mapped<R> {
    is_faulty: bool,
    /// Set where equal records are refused.
    key: Option<u128>,
    result: R,
}

/// Why the filter refuses a record.
struct Refusal {
    reason: DropReason,
    /// Its fault, if that is the reason.
    error: Option<FileError>,
}

/// The function that maps the records of a file.
fn open_file<'a, G: Playable, R>(
    file: &'a CorpusFile<'a>,
    companions: Option<Companions<G>>,
    openings: Option<OpeningNamer<G>>,
    filter: &'a CompiledFilter,
    map: &'a impl Fn(CorpusRecord<'_, G>) -> R,
) -> impl FnMut(usize, ParsedRecord<G>) -> Result<Mapped<R>, Refusal> {
    let fill = companions.map(|companions| companions(&file.name));
    move |index, mut parsed| {
        if let Some(fill) = &fill {
            fill(&mut parsed.record);
        }
        if let Some(fault) = parsed.fault.as_ref().filter(|_| filter.refuses_faults()) {
            let error = Some(file.error(fault.line, format!("record {index}: {fault}")));
            return Err(Refusal { reason: DropReason::Faulty, error });
        }
        let record = &parsed.record;
        let named = || openings.map_or_else(Vec::new, |openings| openings(record));
        match filter.refusal(record, named) {
            Some(reason) => Err(Refusal { reason, error: None }),
            None => {
                let key = filter.refuses_duplicates().then(|| game_key(record));
                let is_faulty = parsed.fault.is_some();
                Ok(Mapped { is_faulty, key, result: map(CorpusRecord { file, index, key, parsed }) })
            }
        }
    }
}

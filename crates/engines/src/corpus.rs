//! Files and folders of records, read on several threads and kept in order.

use std::borrow::Cow;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_game::{Format, Formats, ParsedRecord, RecordError};
use tesuji_learn::JobError;
use tesuji_task::{Context, Progress, ordered_stream};

use crate::record_list::RecordList;

/// Files that threads may read beyond the one whose records are being kept.
const AHEAD: usize = 64;
/// Records that are handed over together.
const BATCH: usize = 256;
/// A file is foreign when so many records in a row have a fault and no legal move.
const FOREIGN: usize = 1000;
/// Where a zero byte shows that a file is not text.
const PREFIX: usize = 1 << 13;

/// Files of records, in the order in which they are read.
#[derive(Clone, Debug)]
pub struct Corpus<'b> {
    files: Vec<CorpusFile<'b>>,
    format: Option<Format>,
}

/// A file of records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CorpusFile<'b> {
    /// Its path, or what stands for one.
    pub name: PathBuf,
    bytes: Option<&'b [u8]>,
}

/// Why a file, or a record of it, cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileError {
    /// The file.
    pub file: String,
    /// The line, from 1, if the error has one.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

/// The results of some records of a file.
struct Batch<R> {
    results: Vec<Result<R, FileError>>,
    /// Bytes that are read when this batch is kept.
    bytes: u64,
}

impl<'b> CorpusFile<'b> {
    /// A file that is read when its turn comes.
    pub fn at(path: PathBuf) -> CorpusFile<'b> {
        CorpusFile { name: path, bytes: None }
    }

    /// Records that somebody has read already, such as standard input.
    pub fn of_bytes(name: impl Into<PathBuf>, bytes: &'b [u8]) -> CorpusFile<'b> {
        CorpusFile { name: name.into(), bytes: Some(bytes) }
    }

    /// An error of this file.
    pub fn error(&self, line: Option<usize>, message: impl ToString) -> FileError {
        FileError { file: self.name.display().to_string(), line, message: message.to_string() }
    }

    fn size(&self) -> u64 {
        match self.bytes {
            Some(bytes) => bytes.len() as u64,
            None => fs::metadata(&self.name).map_or(0, |about| about.len()),
        }
    }

    fn read(&self) -> Result<Cow<'_, [u8]>, FileError> {
        match self.bytes {
            Some(bytes) => Ok(Cow::Borrowed(bytes)),
            None => fs::read(&self.name).map(Cow::Owned).map_err(|error| self.error(None, error)),
        }
    }
}

impl<'b> Corpus<'b> {
    /// The files at these paths: see [`record_files`]. The format is detected for each file if absent.
    ///
    /// # Errors
    /// A path does not exist, a folder has no records, or there is no such format.
    pub fn open<G: Formats>(paths: &[PathBuf], format: Option<&str>) -> Result<Corpus<'b>, JobError> {
        let files = record_files::<G>(paths)?.into_iter().map(CorpusFile::at).collect();
        Corpus::of_files::<G>(files, format)
    }

    /// These files.
    ///
    /// # Errors
    /// There is no such format.
    pub fn of_files<G: Formats>(files: Vec<CorpusFile<'b>>, format: Option<&str>) -> Result<Corpus<'b>, JobError> {
        Ok(Corpus { files, format: format.map(find_format::<G>).transpose()? })
    }

    /// The files.
    pub fn files(&self) -> &[CorpusFile<'b>] {
        &self.files
    }

    /// Reads all records on several threads. `open` makes for each file the function that maps its records, numbered
    /// from 1. `keep` gets the results in order, and an error for each file that cannot be read or holds no records of
    /// the game; it returns whether to continue. Nothing depends on the number of threads.
    pub fn read<'a, G: Formats, R: Send, M: FnMut(usize, ParsedRecord<G>) -> R>(
        &'a self,
        threads: usize,
        context: Context<'_>,
        open: impl Fn(&'a CorpusFile<'b>) -> M + Sync,
        mut keep: impl FnMut(Result<R, FileError>) -> bool,
    ) {
        let total = self.files.iter().map(CorpusFile::size).sum();
        let (mut done, mut records) = (0, 0);
        let work = |file: &'a CorpusFile<'b>, emit: &mut dyn FnMut(Batch<R>) -> bool| {
            read_file::<G, R>(file, self.format, context, open(file), emit);
        };
        ordered_stream(threads.min(self.files.len()), AHEAD, self.files.iter(), work, context.cancel, |batch| {
            done += batch.bytes;
            records += batch.results.len();
            let note = format!("{records} records");
            (context.progress)(Progress { done, total, note: &note });
            batch.results.into_iter().all(&mut keep)
        });
    }
}

fn read_file<G: Formats, R>(
    file: &CorpusFile<'_>,
    format: Option<Format>,
    context: Context<'_>,
    mut map: impl FnMut(usize, ParsedRecord<G>) -> R,
    emit: &mut dyn FnMut(Batch<R>) -> bool,
) {
    let bytes = match file.read() {
        Ok(bytes) => bytes,
        Err(error) => {
            emit(Batch { results: vec![Err(error)], bytes: file.size() });
            return;
        }
    };
    let size = bytes.len() as u64;
    let format = format.unwrap_or_else(|| G::detect(&bytes));
    let is_text = G::head(format, 0).is_empty();
    if is_text && bytes.iter().take(PREFIX).any(|&byte| byte == 0) {
        let message = format!("a binary file, no records of {}; those are {}", G::NAME, format_names::<G>());
        emit(Batch { results: vec![Err(file.error(None, message))], bytes: size });
        return;
    }
    let mut results = Vec::new();
    // Whether a record had anything to do with the game, and the first fault before that.
    let (mut is_known, mut first_fault) = (false, None);
    for (index, parsed) in G::read(format, &bytes).enumerate() {
        is_known |= parsed.fault.is_none() || !parsed.record.plies().is_empty();
        if !is_known && first_fault.is_none() {
            first_fault.clone_from(&parsed.fault);
        }
        results.push(Ok(map(index + 1, parsed)));
        if !is_known && results.len() == FOREIGN {
            break;
        }
        if is_known && results.len() >= BATCH {
            let batch = Batch { results: std::mem::take(&mut results), bytes: 0 };
            if !emit(batch) || context.is_cancelled() {
                return;
            }
        }
    }
    // A single faulty record says best itself what is wrong with it.
    if let (false, Some(fault), 2..) = (is_known, first_fault, results.len()) {
        results = vec![Err(foreign::<G>(file, format, &fault))];
    }
    emit(Batch { results, bytes: size });
}

/// The error of a file in which nothing belongs to the game.
fn foreign<G: Formats>(file: &CorpusFile<'_>, format: Format, fault: &RecordError) -> FileError {
    let message = format!("no records of {}: nothing in it reads as {}; it begins with {fault}", G::NAME, format.name);
    file.error(fault.line, message)
}

/// The record format of this name.
pub fn find_format<G: Formats>(name: &str) -> Result<Format, JobError> {
    let found = G::FORMATS.iter().find(|format| format.name == name);
    found.copied().ok_or_else(|| {
        JobError::Input(format!("{} has no record format {name:?}; it has: {}", G::NAME, format_names::<G>()))
    })
}

fn format_names<G: Formats>() -> String {
    G::FORMATS.iter().map(|format| format.name).collect::<Vec<_>>().join(", ")
}

/// All files. A folder stands for the files in it and in its folders that have an extension of the game's record
/// formats, sorted by path; a [`RecordList`] for the files and folders that it names.
///
/// # Errors
/// A path does not exist, a folder has no such file, or a list is one of another game.
pub fn record_files<G: Formats>(paths: &[PathBuf]) -> Result<Vec<PathBuf>, JobError> {
    let mut files = Vec::new();
    for path in paths {
        let Some(list) = RecordList::at(path) else {
            files.extend(path_files::<G>(path)?);
            continue;
        };
        let RecordList { game, paths } = RecordList::read(&list)?;
        if let Some(game) = game.filter(|game| game != G::NAME) {
            return Err(JobError::Input(format!("{} lists records of {game}, not of {}", list.display(), G::NAME)));
        }
        for (line, path) in paths {
            let placed = |error: JobError| JobError::Input(format!("{}:{line}: {error}", list.display()));
            files.extend(path_files::<G>(&path).map_err(placed)?);
        }
    }
    Ok(files)
}

/// A file, or the files of records in a folder.
fn path_files<G: Formats>(path: &Path) -> Result<Vec<PathBuf>, JobError> {
    let unreadable = |error| JobError::Input(format!("cannot read {:?}: {error}", path.display().to_string()));
    if !fs::metadata(path).map_err(unreadable)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut inside = files_in::<G>(path).map_err(unreadable)?;
    if inside.is_empty() {
        let extensions: Vec<String> =
            G::FORMATS.iter().flat_map(|format| format.extensions).map(|ending| format!(".{ending}")).collect();
        return Err(JobError::Input(format!(
            "{} holds no records of {}: no file in it ends in {}",
            path.display(),
            G::NAME,
            distinct(extensions).join(", ")
        )));
    }
    inside.sort();
    Ok(inside)
}

fn distinct(mut words: Vec<String>) -> Vec<String> {
    words.sort();
    words.dedup();
    words
}

/// The files of records below a folder. Links to folders are not followed, so there are no cycles.
fn files_in<G: Formats>(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let is_known = |path: &Path| {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        G::FORMATS.iter().any(|format| format.extensions.contains(&extension.as_str()))
    };
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if is_known(&path) && path.is_file() {
                files.push(path);
            }
        }
    }
    Ok(files)
}

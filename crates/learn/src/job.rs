//! What the training jobs share: their errors, and the rules for the files they write.

use std::ffi::OsString;
use std::fmt::Display;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use tesuji_store::save;
use thiserror::Error;

/// Why a job did not finish.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum JobError {
    /// The request cannot be carried out: a bad value, or a file that cannot be used.
    #[error("{0}")]
    Input(String),
    /// One field of the request has a bad value.
    #[error("{field}: {message}")]
    Field {
        /// The field.
        field: &'static str,
        /// What is wrong with it.
        message: String,
    },
    /// The work failed, for example because the disk is full.
    #[error("{0}")]
    Failed(String),
    /// The job was cancelled. The text says what is saved.
    #[error("{0}")]
    Cancelled(String),
}

impl JobError {
    /// A bad request.
    pub fn input(error: impl Display) -> JobError {
        JobError::Input(error.to_string())
    }

    /// A bad value of one field of the request.
    pub fn field(field: &'static str, message: impl Display) -> JobError {
        JobError::Field { field, message: message.to_string() }
    }

    /// A failure of the work itself.
    pub fn failed(error: impl Display) -> JobError {
        JobError::Failed(error.to_string())
    }

    /// A file that exists and would be overwritten.
    pub fn exists(path: &Path) -> JobError {
        let path = path.display();
        JobError::Input(format!("{path} already exists and was made with other settings: choose another name"))
    }
}

/// The bytes of an input file.
pub fn read_input(path: &Path) -> Result<Vec<u8>, JobError> {
    fs::read(path).map_err(|error| JobError::Input(format!("{}: cannot be read: {error}", path.display())))
}

/// Writes a new file. An existing one is kept: that is an error unless it has the same bytes.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<(), JobError> {
    match fs::read(path) {
        Ok(existing) if existing == bytes => return Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        _ => {
            let path = path.display();
            return Err(JobError::Input(format!("{path} already exists with other contents: choose another name")));
        }
    }
    save(path, bytes).map_err(JobError::failed)
}

/// The path of a file or folder beside another: its name with a suffix.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// The last component of a path. Provenance names files without their folders.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// A warning if a file or folder that is no longer needed could not be removed.
pub(crate) fn removal_warning(path: &Path, removed: std::io::Result<()>) -> Option<String> {
    let error = removed.err().filter(|error| error.kind() != ErrorKind::NotFound)?;
    Some(format!("{} is no longer needed and cannot be removed: {error}", path.display()))
}

/// `1 game`, `2000 games`: for provenance, which is compared; people read [`tesuji_game::counted`].
pub fn counted(number: usize, word: &str) -> String {
    if number == 1 { format!("1 {word}") } else { format!("{number} {word}s") }
}

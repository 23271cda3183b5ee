//! Lists of files of records: a path per line, relative to the folder of the list.
//!
//! A list begins with a line that names the game, so that it is known wherever a file of records may stand. Lines that
//! begin with `#` are comments. A list without that first line is meant by `@LIST`.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use tesuji_learn::JobError;

/// The first words of a list.
const TITLE: &str = "# tesuji-records 1 ";
/// What stands before the path of a list on the command line.
const MARK: char = '@';

/// Files of records that a list names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecordList {
    /// The game; `None` in a list without a title.
    pub game: Option<String>,
    /// The files and folders, each with its line from 1.
    pub paths: Vec<(usize, PathBuf)>,
}

impl RecordList {
    /// The path of the list that `path` means: `@LIST`, or a file that begins as a list does.
    pub fn at(path: &Path) -> Option<PathBuf> {
        if let Some(list) = path.to_str().and_then(|text| text.strip_prefix(MARK)) {
            return Some(PathBuf::from(list));
        }
        // A pipe gives its bytes only once.
        if !path.is_file() {
            return None;
        }
        let mut begin = [0; TITLE.len()];
        File::open(path).and_then(|mut file| file.read_exact(&mut begin)).ok()?;
        (begin == *TITLE.as_bytes()).then(|| path.to_owned())
    }

    /// Reads a list.
    ///
    /// # Errors
    /// It cannot be read, is not text, or names no file.
    pub fn read(list: &Path) -> Result<RecordList, JobError> {
        let name = list.display().to_string();
        let failed = |error| JobError::Input(format!("cannot read the list {name:?}: {error}"));
        let text = fs::read_to_string(list).map_err(failed)?;
        let folder = list.parent().unwrap_or(Path::new(""));
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let game = text.lines().next().and_then(|line| line.strip_prefix(TITLE)).map(|game| game.trim().to_owned());
        let is_path = |line: &str| !line.trim().is_empty() && !line.starts_with('#');
        let lines = text.lines().enumerate().filter(|(_, line)| is_path(line));
        let paths: Vec<(usize, PathBuf)> = lines.map(|(index, line)| (index + 1, folder.join(line))).collect();
        if paths.is_empty() {
            return Err(JobError::Input(format!("{name} names no file; a list has a path on each line")));
        }
        Ok(RecordList { game, paths })
    }

    /// The text of a list.
    pub fn text(game: &str, comments: &[String], entries: &[String]) -> String {
        let comments = comments.iter().map(|comment| format!("# {}\n", comment.replace(['\n', '\r'], " ")));
        let entries = entries.iter().map(|entry| format!("{entry}\n"));
        std::iter::once(format!("{TITLE}{game}\n")).chain(comments).chain(entries).collect()
    }
}

/// Writes paths as the entries of a list.
pub struct ListEntries {
    /// The folder of the list, resolved.
    folder: PathBuf,
    /// Folders of files, resolved.
    resolved: HashMap<PathBuf, PathBuf>,
}

impl ListEntries {
    /// For a list at this path.
    ///
    /// # Errors
    /// Its folder does not exist.
    pub fn of(list: &Path) -> io::Result<ListEntries> {
        Ok(ListEntries { folder: fs::canonicalize(folder_of(list))?, resolved: HashMap::new() })
    }

    /// The entry of a file: an absolute path as it is, a relative one seen from the folder of the list.
    ///
    /// # Errors
    /// The path cannot stand in a list, or its folder does not exist.
    pub fn entry(&mut self, file: &Path) -> io::Result<String> {
        let path = if file.is_absolute() { file.to_owned() } else { self.relative(file)? };
        let text = path.to_str().filter(|text| !text.contains(['\n', '\r']));
        let Some(text) = text else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "its name has a line break or is not UTF-8"));
        };
        Ok(if text.starts_with('#') || text.trim() != text { format!("./{text}") } else { text.to_owned() })
    }

    fn relative(&mut self, file: &Path) -> io::Result<PathBuf> {
        let parent = folder_of(file);
        let resolved = match self.resolved.get(parent) {
            Some(resolved) => resolved,
            None => {
                let resolved = fs::canonicalize(parent)?;
                self.resolved.entry(parent.to_owned()).or_insert(resolved)
            }
        };
        let shared = resolved.components().zip(self.folder.components()).take_while(|(a, b)| a == b).count();
        let up = self.folder.components().skip(shared).map(|_| Component::ParentDir);
        let down = resolved.components().skip(shared);
        let path: PathBuf = up.chain(down).collect();
        Ok(path.join(file.file_name().unwrap_or(OsStr::new(""))))
    }
}

/// The folder of a file, `.` for a bare name.
fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("games.train");
        let entries = ["a.csa".to_owned(), "./#b.csa".to_owned(), "/c/d e.csa".to_owned()];
        fs::write(&list, RecordList::text("shogi", &["two\nlines".to_owned()], &entries)).unwrap();
        assert_eq!(RecordList::at(&list), Some(list.clone()));
        let read = RecordList::read(&list).unwrap();
        assert_eq!(read.game.as_deref(), Some("shogi"));
        let paths = [(3, folder.path().join("a.csa")), (4, folder.path().join("./#b.csa")), (5, "/c/d e.csa".into())];
        assert_eq!(read.paths, paths);
        // Without a title, only `@` makes a list of it.
        fs::write(&list, "a.csa\r\n\r\n# b.csa\r\n").unwrap();
        assert_eq!(RecordList::at(&list), None);
        let marked = PathBuf::from(format!("@{}", list.display()));
        assert_eq!(RecordList::at(&marked), Some(list.clone()));
        let read = RecordList::read(&list).unwrap();
        assert_eq!(read, RecordList { game: None, paths: vec![(1, folder.path().join("a.csa"))] });
        fs::write(&list, "# nothing\n").unwrap();
        assert!(RecordList::read(&list).unwrap_err().to_string().contains("names no file"));
        fs::write(&list, b"\xff\xfe\0").unwrap();
        assert!(RecordList::read(&list).unwrap_err().to_string().contains("cannot read the list"));
    }

    #[test]
    fn entries_are_seen_from_the_folder_of_the_list() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        for name in ["sets", "games/2016"] {
            fs::create_dir_all(root.join(name)).unwrap();
        }
        let mut entries = ListEntries { folder: root.join("sets"), resolved: HashMap::new() };
        entries.resolved.insert("games/2016".into(), root.join("games/2016"));
        entries.resolved.insert(".".into(), root.join("sets"));
        assert_eq!(entries.entry(Path::new("games/2016/a b.csa")).unwrap(), "../games/2016/a b.csa");
        assert_eq!(entries.entry(Path::new("#x.csa")).unwrap(), "./#x.csa");
        assert_eq!(entries.entry(Path::new("/abs/x.csa")).unwrap(), "/abs/x.csa");
        assert!(entries.entry(Path::new("a\nb.csa")).is_err());
        assert!(entries.entry(Path::new("missing/a.csa")).is_err());
    }
}

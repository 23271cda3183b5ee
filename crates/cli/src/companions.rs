//! Files that lie beside a file of records and tell more about it.

use std::path::Path;

use tesuji_game::Record;
use tesuji_othello::{Names, Othello};

/// Adds to a record what the companions of its file know.
pub(crate) type Filler<G> = Box<dyn Fn(&mut Record<G>)>;

/// WTHOR keeps players and tournaments as numbers; the names are in the `.JOU` and `.TRN` files of the same
/// folder, if they are there. One that cannot be read is as good as none.
pub(crate) fn wthor(file: &Path) -> Filler<Othello> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_base =
        |path: &Path, ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
    let names: Vec<Names> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| is_base(file, "wtb") && (is_base(path, "jou") || is_base(path, "trn")))
        .filter_map(|path| Names::parse(&std::fs::read(path).ok()?).ok())
        .collect();
    Box::new(move |record| names.iter().for_each(|names| names.fill(record)))
}

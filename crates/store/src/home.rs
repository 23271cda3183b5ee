//! Where this system wants the data of programs.

use std::path::PathBuf;

/// The folder of tesuji in the user's own data folder. It need not exist.
pub fn home() -> PathBuf {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    folder("XDG_DATA_HOME")
        .or_else(|| folder("LOCALAPPDATA"))
        .or_else(|| folder("HOME").map(|home| home.join(".local").join("share")))
        .unwrap_or_else(std::env::temp_dir)
        .join("tesuji")
}

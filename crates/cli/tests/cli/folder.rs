//! A folder of one test.

use std::fs;
use std::path::PathBuf;

/// An empty folder that goes when the test is over.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    /// The name must be no other test's.
    pub(crate) fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tesuji-cli-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.file(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

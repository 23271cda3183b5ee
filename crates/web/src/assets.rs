//! The files of the page: compiled in, or read from a folder while the page is being written.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The files compiled in, with their names.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The files of the page.
pub(crate) struct Assets {
    folder: Option<PathBuf>,
}

/// A file of the page.
pub(crate) struct Asset {
    pub(crate) bytes: Cow<'static, [u8]>,
    pub(crate) content_type: &'static str,
}

impl Assets {
    pub(crate) fn new(folder: Option<PathBuf>) -> Assets {
        Assets { folder }
    }

    /// The file of this name. A name is only ever compared: no path from a request reaches the file system.
    pub(crate) fn get(&self, name: &str) -> Option<Asset> {
        let content_type = content_type(name)?;
        let bytes = match &self.folder {
            None => FILES.iter().find(|(known, _)| *known == name).map(|(_, bytes)| Cow::Borrowed(*bytes))?,
            Some(folder) => {
                let mut files = Vec::new();
                walk(folder, folder, &mut files).ok()?;
                let (_, path) = files.into_iter().find(|(known, _)| known == name)?;
                Cow::Owned(fs::read(path).ok()?)
            }
        };
        Some(Asset { bytes, content_type })
    }
}

fn walk(root: &Path, folder: &Path, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(root, &path, files)?;
        } else if let Ok(name) = path.strip_prefix(root) {
            files.push((name.to_string_lossy().replace('\\', "/"), path));
        }
    }
    Ok(())
}

fn content_type(name: &str) -> Option<&'static str> {
    Some(match name.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => return None,
    })
}

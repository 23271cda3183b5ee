//! Manifest of a checkpoint: planes are written in chunks, and the manifest with their checksums is written
//! last.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use tesuji_store::disk::{Disk, Os};

use super::pace::Pace;
use crate::retrograde::error::RetrogradeError;

/// Bytes per chunk: few enough to be saved in a fraction of a second.
const CHUNK: usize = 16 << 20;
/// The first line of every manifest, with the format version.
const HEADER: &str = "tesuji-retrograde 1";

/// A manifest: lines of metadata, one line per chunk, and a checksum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Manifest {
    pub(super) facts: Vec<(String, String)>,
    /// Name of the plane, number, length and checksum.
    chunks: Vec<(String, usize, usize, u32)>,
}

impl Manifest {
    pub(super) fn new(facts: Vec<(String, String)>) -> Manifest {
        Manifest { facts, chunks: Vec::new() }
    }

    pub(super) fn fact(&self, name: &str) -> Option<&str> {
        self.facts.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
    }

    /// Writes a plane next to the manifest.
    pub(super) fn save_plane(
        &mut self,
        list: &Path,
        name: &str,
        bytes: &[u8],
        pace: &Pace,
    ) -> Result<(), RetrogradeError> {
        for (number, chunk) in bytes.chunks(CHUNK).enumerate() {
            pace.save()?;
            tesuji_store::save(chunk_path(list, name, number), chunk)?;
            self.chunks.push((name.to_owned(), number, chunk.len(), crc32fast::hash(chunk)));
        }
        Ok(())
    }

    /// Fills a plane from its chunks.
    pub(super) fn load_plane(
        &self,
        list: &Path,
        name: &str,
        bytes: &mut [u8],
        pace: &Pace,
    ) -> Result<(), RetrogradeError> {
        let saved: usize = self.chunks.iter().filter(|chunk| chunk.0 == name).map(|chunk| chunk.2).sum();
        if saved != bytes.len() {
            let what = format!("it lists {saved} bytes of {name:?}; {} are needed", bytes.len());
            return Err(RetrogradeError::Damaged { path: list.to_owned(), what });
        }
        let mut rest = bytes;
        for (_, number, length, sum) in self.chunks.iter().filter(|chunk| chunk.0 == name) {
            pace.read()?;
            let path = chunk_path(list, name, *number);
            let found = read(&path)?;
            if (found.len(), crc32fast::hash(&found)) != (*length, *sum) {
                let what = format!("these are not the {length} bytes that were saved; delete {}", list.display());
                return Err(RetrogradeError::Damaged { path, what });
            }
            let (part, after) = rest.split_at_mut(found.len());
            part.copy_from_slice(&found);
            rest = after;
        }
        Ok(())
    }

    /// The bytes of a plane.
    pub(super) fn length(&self, name: &str) -> usize {
        self.chunks.iter().filter(|chunk| chunk.0 == name).map(|chunk| chunk.2).sum()
    }

    /// Writes the manifest, which makes its chunks valid.
    pub(super) fn save(&self, path: &Path) -> Result<(), RetrogradeError> {
        let mut text = format!("{HEADER}\n");
        for (name, fact) in &self.facts {
            let _ = writeln!(text, "{name} {fact}");
        }
        for (name, number, length, sum) in &self.chunks {
            let _ = writeln!(text, "chunk {name} {number} {length} {sum:08x}");
        }
        let sum = crc32fast::hash(text.as_bytes());
        let _ = writeln!(text, "end {sum:08x}");
        Ok(tesuji_store::save(path, text.as_bytes())?)
    }

    /// Reads a manifest; `None` when there is none.
    pub(super) fn load(path: &Path) -> Result<Option<Manifest>, RetrogradeError> {
        if !path.exists() {
            return Ok(None);
        }
        let bytes = read(path)?;
        let text = String::from_utf8_lossy(&bytes);
        let header = text.lines().next().unwrap_or_default();
        if header.starts_with("tesuji-retrograde ") && header != HEADER {
            let (found, expected) = (header.to_owned(), HEADER.to_owned());
            return Err(RetrogradeError::Other { path: path.to_owned(), found, expected });
        }
        parse(&text).map(Some).ok_or_else(|| RetrogradeError::Damaged {
            path: path.to_owned(),
            what: "not a whole list of what was saved; delete it to go on without".to_owned(),
        })
    }
}

fn parse(text: &str) -> Option<Manifest> {
    let body = &text[..text.trim_end().rfind('\n')? + 1];
    let end = text[body.len()..].trim_end().strip_prefix("end ")?;
    if u32::from_str_radix(end, 16) != Ok(crc32fast::hash(body.as_bytes())) {
        return None;
    }
    let mut list = Manifest::new(Vec::new());
    let mut lines = body.lines();
    if lines.next()? != HEADER {
        return None;
    }
    for line in lines {
        let (name, rest) = line.split_once(' ')?;
        if name == "chunk" {
            let mut words = rest.split(' ');
            let plane = words.next()?.to_owned();
            let (number, length) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
            list.chunks.push((plane, number, length, u32::from_str_radix(words.next()?, 16).ok()?));
        } else {
            list.facts.push((name.to_owned(), rest.to_owned()));
        }
    }
    Some(list)
}

fn chunk_path(list: &Path, name: &str, number: usize) -> PathBuf {
    list.with_extension(format!("{name}.{number:03}"))
}

fn read(path: &Path) -> Result<Vec<u8>, RetrogradeError> {
    Os.read(path).map_err(|source| RetrogradeError::Read { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_as_it_was_written_or_not_at_all() {
        let mut list =
            Manifest::new(vec![("stage".to_owned(), "2".to_owned()), ("phase".to_owned(), "push 3 4".to_owned())]);
        list.chunks.push(("cells".to_owned(), 0, 5, 0xdead_beef));
        let mut text = format!("{HEADER}\nstage 2\nphase push 3 4\nchunk cells 0 5 deadbeef\n");
        let sum = crc32fast::hash(text.as_bytes());
        let _ = writeln!(text, "end {sum:08x}");
        assert_eq!(parse(&text), Some(list.clone()));
        assert_eq!((list.fact("phase"), list.fact("nothing"), list.length("cells")), (Some("push 3 4"), None, 5));
        for at in 0..text.len() {
            assert_eq!(parse(&text[..at]).is_some(), at + 1 == text.len(), "cut at {at}");
            let mut changed = text.clone().into_bytes();
            changed[at] ^= 1;
            let changed = String::from_utf8_lossy(&changed).into_owned();
            assert!(parse(&changed).is_none() || at + 1 == text.len(), "changed at {at}");
        }
    }
}

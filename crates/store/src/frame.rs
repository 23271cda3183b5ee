//! One frame for all data files that are read as a whole: magic, format version, payload, checksum.
//!
//! ```text
//! magic, 8 bytes | version, 4 | payload | CRC-32 of everything before it, 4
//! ```
//!
//! Numbers are little-endian. [`FileFrame`] writes and checks the frame, [`Fields`] reads the payload. Short text
//! files use [`seal`] and [`unseal`] instead: the last line holds the checksum. Both only make and check bytes;
//! [`save`](crate::save) puts them on the disk. Files that are too large to be read as a whole use
//! [`blocks`](crate::blocks), whose frame checks every block on its own.
//!
//! A file type is a constant, an encoder and a decoder:
//!
//! ```
//! use tesuji_store::frame::{Fields, FileFrame, FrameError};
//!
//! /// Scores of a game: a name and a list of numbers.
//! const SCORES: FileFrame = FileFrame { magic: b"tesujiX\n", version: 1 };
//!
//! fn encode(name: &str, scores: &[f32]) -> Vec<u8> {
//!     SCORES.write(|out| {
//!         out.extend((name.len() as u32).to_le_bytes());
//!         out.extend(name.as_bytes());
//!         out.extend(scores.iter().flat_map(|score| score.to_le_bytes()));
//!     })
//! }
//!
//! fn decode(bytes: &[u8]) -> Result<(String, Vec<f32>), FrameError> {
//!     let mut fields = Fields::new(SCORES.read(bytes)?);
//!     let length = fields.u32()? as usize;
//!     let name = String::from_utf8_lossy(fields.bytes(length)?).into_owned();
//!     let mut scores = Vec::new();
//!     while !fields.is_empty() {
//!         scores.push(f32::from_le_bytes(fields.array()?));
//!     }
//!     Ok((name, scores))
//! }
//!
//! let bytes = encode("sum", &[1.5, -2.0]);
//! assert_eq!(decode(&bytes), Ok(("sum".to_owned(), vec![1.5, -2.0])));
//! assert_eq!(decode(&bytes[..20]), Err(FrameError::Checksum));
//! assert_eq!(decode(b"something else"), Err(FrameError::Foreign));
//! ```

use thiserror::Error;

/// The bytes of a checksum.
const CHECKSUM: usize = 4;

/// The frame of one type of file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileFrame {
    /// The first bytes of every such file.
    pub magic: &'static [u8; 8],
    /// The version of the payload's layout. Change it when the meaning of a byte changes.
    pub version: u32,
}

/// Why bytes are not a file of the expected type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum FrameError {
    /// The magic is that of something else.
    #[error("not a file of this type")]
    Foreign,
    /// The layout belongs to another version of the program.
    #[error("the file has format {found}")]
    Version {
        /// The version in the file.
        found: u32,
    },
    /// The file ends too early.
    #[error("the file is cut short")]
    Short,
    /// The bytes are not those that were written.
    #[error("the checksum does not match")]
    Checksum,
}

impl FileFrame {
    /// The bytes of a file whose payload `fill` appends.
    pub fn write(&self, fill: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        let mut bytes = self.magic.to_vec();
        bytes.extend_from_slice(&self.version.to_le_bytes());
        fill(&mut bytes);
        let sum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// The payload of a file.
    ///
    /// # Errors
    /// The first of these that applies: another magic, another version, too few bytes, a wrong checksum.
    pub fn read<'b>(&self, bytes: &'b [u8]) -> Result<&'b [u8], FrameError> {
        let rest = bytes.strip_prefix(self.magic).ok_or(FrameError::Foreign)?;
        let (&version, rest) = rest.split_first_chunk().ok_or(FrameError::Short)?;
        let found = u32::from_le_bytes(version);
        if found != self.version {
            return Err(FrameError::Version { found });
        }
        let (payload, &sum) = rest.split_last_chunk().ok_or(FrameError::Short)?;
        if crc32fast::hash(&bytes[..bytes.len() - CHECKSUM]) != u32::from_le_bytes(sum) {
            return Err(FrameError::Checksum);
        }
        Ok(payload)
    }

    /// Whether bytes begin like a file of this type. They may still be damaged.
    pub fn matches(&self, bytes: &[u8]) -> bool {
        bytes.starts_with(self.magic)
    }
}

/// Reads a payload field by field, from the front.
///
/// # Errors
/// All methods return [`FrameError::Short`] when the payload has too few bytes left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fields<'b>(&'b [u8]);

impl<'b> Fields<'b> {
    /// The fields of a payload.
    pub fn new(payload: &'b [u8]) -> Fields<'b> {
        Fields(payload)
    }

    /// The next `length` bytes.
    pub fn bytes(&mut self, length: usize) -> Result<&'b [u8], FrameError> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(FrameError::Short)?;
        self.0 = rest;
        Ok(taken)
    }

    /// The next `N` bytes, for `from_le_bytes`.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], FrameError> {
        let (&taken, rest) = self.0.split_first_chunk().ok_or(FrameError::Short)?;
        self.0 = rest;
        Ok(taken)
    }

    /// The next number of four bytes.
    pub fn u32(&mut self) -> Result<u32, FrameError> {
        self.array().map(u32::from_le_bytes)
    }

    /// The next number of eight bytes.
    pub fn u64(&mut self) -> Result<u64, FrameError> {
        self.array().map(u64::from_le_bytes)
    }

    /// Everything not read yet.
    pub fn rest(&self) -> &'b [u8] {
        self.0
    }

    /// Whether everything has been read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Appends the checksum line to a text: the word, a blank and eight hexadecimal digits.
///
/// ```
/// use tesuji_store::frame::{seal, unseal};
///
/// let text = seal("tesuji example 1\nanswer 42\n".to_owned(), "sum");
/// assert!(text.ends_with("\nsum e3ade187\n"));
/// assert_eq!(unseal(&text, "sum"), Some("tesuji example 1\nanswer 42\n"));
/// assert_eq!(unseal(&text.replace("42", "43"), "sum"), None);
/// ```
pub fn seal(text: String, word: &str) -> String {
    let sum = crc32fast::hash(text.as_bytes());
    text + &format!("{word} {sum:08x}\n")
}

/// The lines before the checksum line of a sealed text; `None` when the checksum is missing or does not match.
pub fn unseal<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let length = text.strip_suffix('\n')?.rfind('\n')? + 1;
    let (body, last) = text.split_at(length);
    let sum = crc32fast::hash(body.as_bytes());
    (last == format!("{word} {sum:08x}\n")).then_some(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOY: FileFrame = FileFrame { magic: b"tesujiY\n", version: 3 };

    #[test]
    fn every_cut_and_every_changed_bit_is_an_error() {
        let whole = TOY.write(|out| out.extend(b"payload"));
        assert_eq!(TOY.read(&whole), Ok(&b"payload"[..]));
        assert!(TOY.matches(&whole));
        for length in 0..whole.len() {
            TOY.read(&whole[..length]).expect_err("a cut file");
        }
        for bit in 0..8 * whole.len() {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let error = TOY.read(&bytes).expect_err("a changed bit");
            let expected = match bit / 8 {
                0..8 => FrameError::Foreign,
                8..12 => FrameError::Version { found: 3 ^ 1 << (bit - 64) },
                _ => FrameError::Checksum,
            };
            assert_eq!(error, expected, "bit {bit}");
        }
    }

    #[test]
    fn the_layout_is_the_documented_one() {
        let bytes = TOY.write(|out| out.push(7));
        assert_eq!(bytes[..13], *b"tesujiY\n\x03\0\0\0\x07");
        assert_eq!(bytes[13..], crc32fast::hash(&bytes[..13]).to_le_bytes());
    }

    #[test]
    fn fields_end_where_the_payload_ends() {
        let mut fields = Fields::new(b"\x01\0\0\0ab");
        assert_eq!((fields.u32(), fields.u64()), (Ok(1), Err(FrameError::Short)));
        assert_eq!((fields.bytes(2), fields.rest(), fields.is_empty()), (Ok(&b"ab"[..]), &b""[..], true));
        assert_eq!((fields.bytes(1), fields.array::<1>()), (Err(FrameError::Short), Err(FrameError::Short)));
    }

    #[test]
    fn a_sealed_text_is_whole_or_refused() {
        let text = seal("one\ntwo\n".to_owned(), "end");
        assert_eq!(unseal(&text, "end"), Some("one\ntwo\n"));
        assert_eq!(unseal(&text, "sum"), None);
        for at in 0..text.len() {
            assert_eq!(unseal(&text[..at], "end"), None, "cut at {at}");
            let mut changed = text.clone().into_bytes();
            changed[at] ^= 1;
            assert_eq!(unseal(&String::from_utf8_lossy(&changed), "end"), None, "changed at {at}");
        }
    }
}

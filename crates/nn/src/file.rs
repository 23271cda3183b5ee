//! Network files: safetensors with metadata that name the architecture, the encoding and the SHA-256 of the weights.

use std::collections::BTreeMap;
use std::fmt::Write;

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::arch::{Architecture, ArchitectureError, Encoding};
use crate::foreign::{infer, strip_prefixes};
use crate::network::{Network, NetworkError};
use crate::safetensors::{NamedArray, Precision, Safetensors, SafetensorsError};

/// The value of the metadata `format`.
const FORMAT: &str = "tesuji/net/1";

/// A file that is not a network.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NetworkFileError {
    /// Not a safetensors file.
    #[error(transparent)]
    Safetensors(#[from] SafetensorsError),
    /// Not one of ours.
    #[error("the file does not say what network it contains: its metadata have no {key:?}")]
    Foreign {
        /// The missing entry.
        key: &'static str,
    },
    /// A format of another version.
    #[error("the format {found:?} is not known; this program reads {FORMAT}")]
    Format {
        /// The format that the file names.
        found: String,
    },
    /// An invalid architecture.
    #[error("the architecture of the file is invalid: {0}")]
    Architecture(#[from] ArchitectureError),
    /// An invalid encoding.
    #[error(
        "the encoding {text:?} of the file is invalid: write it as \"height=9,width=9,planes=104,policy-planes=27\""
    )]
    Encoding {
        /// The text in the file.
        text: String,
    },
    /// Damaged weights.
    #[error("the weights are damaged: their SHA-256 is {found}, and the file says {expected}")]
    Checksum {
        /// The checksum of the weights.
        found: String,
        /// The checksum in the metadata.
        expected: String,
    },
    /// A file without our metadata, whose tensors do not tell what network it is.
    #[error("the file does not say what network it contains, and its tensors do not tell: {problem}")]
    Inference {
        /// What does not fit.
        problem: String,
    },
    /// A network for other planes.
    #[error("the network belongs to another encoder: it has {found}, and the game {expected}")]
    Encoder {
        /// The encoding of the network.
        found: Encoding,
        /// The encoding of the game.
        expected: Encoding,
    },
    /// Tensors that do not fit the architecture.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// A network with what its file says about it.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkFile {
    /// The network.
    pub network: Network,
    /// Further metadata: the encoder of the game, the data and the commands that made it.
    pub metadata: BTreeMap<String, String>,
}

impl NetworkFile {
    /// The bytes of a safetensors file. Our own entries replace those of the same name in the metadata.
    pub fn write(&self, precision: Precision) -> Vec<u8> {
        let tensors: Vec<NamedArray> = self.network.to_arrays();
        let mut metadata = self.metadata.clone();
        metadata.insert("format".to_owned(), FORMAT.to_owned());
        metadata.insert("architecture".to_owned(), self.network.architecture().to_string());
        metadata.insert("encoding".to_owned(), self.network.encoding().to_string());
        metadata.insert("sha256".to_owned(), sha256(&Safetensors::data(&tensors, precision)));
        Safetensors { metadata, tensors }.write(precision)
    }

    /// Reads a file that [`NetworkFile::write`] has written.
    ///
    /// # Errors
    /// The file is damaged or foreign. A foreign file can be read with [`NetworkFile::read_for`].
    pub fn read(bytes: &[u8]) -> Result<NetworkFile, NetworkFileError> {
        let Safetensors { mut metadata, tensors } = Safetensors::read(bytes)?;
        let mut take = |key: &'static str| metadata.remove(key).ok_or(NetworkFileError::Foreign { key });
        let found = take("format")?;
        if found != FORMAT {
            return Err(NetworkFileError::Format { found });
        }
        let architecture: Architecture = take("architecture")?.parse()?;
        let text = take("encoding")?;
        let encoding = Encoding::parse(&text).ok_or(NetworkFileError::Encoding { text })?;
        let expected = take("sha256")?;
        // The data follow on the header; the reader has checked that.
        let header = bytes.first_chunk::<8>().map_or(0, |length| u64::from_le_bytes(*length) as usize);
        let found = sha256(&bytes[8 + header..]);
        if found != expected {
            return Err(NetworkFileError::Checksum { found, expected });
        }
        Ok(NetworkFile { network: Network::from_arrays(encoding, architecture, tensors)?, metadata })
    }

    /// Reads a file of ours or of another program, for a game if its encoding is given. Where our metadata are missing,
    /// the names and shapes of the tensors tell the network; a given architecture goes before. The text warns of what
    /// was assumed.
    ///
    /// # Errors
    /// The file is damaged, its tensors are those of another kind of network, or its encoding is not the given one.
    pub fn read_for(
        bytes: &[u8],
        encoding: Option<Encoding>,
        architecture: Option<Architecture>,
    ) -> Result<(NetworkFile, Option<String>), NetworkFileError> {
        match NetworkFile::read(bytes) {
            Err(NetworkFileError::Foreign { key: "format" }) => {}
            Err(error) => return Err(error),
            Ok(file) => {
                let found = file.network.encoding();
                return match encoding.filter(|expected| *expected != found) {
                    Some(expected) => Err(NetworkFileError::Encoder { found, expected }),
                    None => Ok((file, None)),
                };
            }
        }
        let Safetensors { metadata, mut tensors } = Safetensors::read(bytes)?;
        strip_prefixes(&mut tensors);
        let inferred = infer(&tensors, encoding, architecture)?;
        let network = Network::from_arrays(inferred.encoding, inferred.architecture, tensors)?;
        Ok((NetworkFile { network, metadata }, Some(inferred.warning)))
    }
}

/// The SHA-256 of some bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> NetworkFile {
        let encoding = Encoding { height: 4, width: 5, planes: 3, policy_planes: 2 };
        let architecture = "policy-value:blocks=1,channels=3,value-hidden=4".parse().unwrap();
        let metadata = BTreeMap::from([("command".to_owned(), "tesuji train".to_owned())]);
        NetworkFile { network: Network::new(encoding, architecture, 1), metadata }
    }

    #[test]
    fn networks_are_read_as_they_were_written() {
        assert_eq!(NetworkFile::read(&file().write(Precision::F32)), Ok(file()));
        let half = NetworkFile::read(&file().write(Precision::F16)).unwrap();
        assert_eq!(half.network.architecture(), file().network.architecture());
        assert_eq!(NetworkFile::read(&half.write(Precision::F16)), Ok(half));
    }

    #[test]
    fn a_flipped_bit_of_the_weights_is_noticed() {
        let bytes = file().write(Precision::F16);
        let header = u64::from_le_bytes(*bytes.first_chunk().unwrap()) as usize;
        for byte in (8 + header..bytes.len()).step_by(7) {
            let mut bytes = bytes.clone();
            bytes[byte] ^= 4;
            assert!(matches!(NetworkFile::read(&bytes), Err(NetworkFileError::Checksum { .. })));
        }
        for byte in 0..8 + header {
            let mut bytes = bytes.clone();
            bytes[byte] ^= 4;
            // Elsewhere only the free metadata and the white space may change unnoticed.
            if let Ok(read) = NetworkFile::read(&bytes) {
                assert_eq!(read.network, NetworkFile::read(&file().write(Precision::F16)).unwrap().network);
            }
        }
        for length in (0..bytes.len()).step_by(5) {
            assert!(NetworkFile::read(&bytes[..length]).is_err());
        }
    }

    #[test]
    fn the_checksum_is_sha_256() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn what_the_file_is_missing_is_named() {
        let change = |change: &dyn Fn(&mut Safetensors)| {
            let mut content = Safetensors::read(&file().write(Precision::F32)).unwrap();
            change(&mut content);
            NetworkFile::read(&content.write(Precision::F32)).unwrap_err().to_string()
        };
        assert!(change(&|file| file.metadata.clear()).contains("no \"format\""));
        let set = |key: &'static str, value: &'static str| {
            change(&move |file| drop(file.metadata.insert(key.into(), value.into())))
        };
        assert!(set("format", "tesuji/net/9").contains("this program reads tesuji/net/1"));
        assert!(set("architecture", "policy:layer=3").contains("did you mean layers?"));
        assert!(set("architecture", "policy-value:blocks=200,channels=1024").contains("has the shape"));
        assert!(set("encoding", "height=0,width=5,planes=3,policy-planes=2").contains("write it as"));
        assert!(set("encoding", "height=4,width=5,planes=4,policy-planes=2").contains("[3, 3, 3, 3] instead of"));
    }
}

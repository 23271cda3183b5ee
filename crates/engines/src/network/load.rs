//! Loads the network of a player. Engines of one process that use the same file share it.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tesuji_game::Planes;
use tesuji_nn::{Architecture, Arithmetic, Evaluator, NetworkFile, NetworkFileError, OnnxError, read_onnx_for};
use thiserror::Error;

use super::bits::{ENCODER, encoding_of};

/// The largest file that is read. A network of a gigabyte would need seconds for a position.
const MAX_BYTES: u64 = 1 << 30;

/// A file that is not a network for the game.
#[derive(Debug, Error)]
pub enum NetworkLoadError {
    /// Reading failed.
    #[error("the file cannot be read: {0}")]
    Read(#[from] io::Error),
    /// The file is too large.
    #[error("the file has {bytes} bytes; a network has at most {MAX_BYTES}")]
    TooLarge {
        /// Its size.
        bytes: u64,
    },
    /// Not a safetensors file with a network.
    #[error(transparent)]
    Safetensors(#[from] NetworkFileError),
    /// Not an ONNX file with a network.
    #[error(transparent)]
    Onnx(#[from] OnnxError),
    /// A network for another game or another encoding.
    #[error("the network reads {found}, and {game} is encoded as {expected}")]
    Encoder {
        /// The encoding of the network.
        found: String,
        /// The game.
        game: &'static str,
        /// The encoding of the game.
        expected: String,
    },
}

/// A network with what its file says about it.
#[derive(Debug)]
pub struct ReadNetwork {
    /// The network and its metadata.
    pub file: NetworkFile,
    /// What was assumed about a file of another program.
    pub warning: Option<String>,
}

/// Reads a network for a game from the bytes of a file: ONNX by its ending, else safetensors.
///
/// # Errors
/// The file is damaged, or its network is not one for the game.
pub fn read_network<G: Planes>(name: &Path, bytes: &[u8]) -> Result<ReadNetwork, NetworkLoadError> {
    let expected = encoding_of::<G>();
    let is_onnx = name.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("onnx"));
    let (file, mut warning) = match is_onnx {
        true => (NetworkFile { network: read_onnx_for(bytes, expected)?, metadata: BTreeMap::new() }, None),
        false => match NetworkFile::read(bytes) {
            Err(NetworkFileError::Foreign { key: "format" }) => NetworkFile::read_for(bytes, Some(expected), None)?,
            read => (read?, None),
        },
    };
    let mismatch = |found: String, expected: String| NetworkLoadError::Encoder { found, game: G::NAME, expected };
    let found = file.network.encoding();
    match file.metadata.get(ENCODER) {
        Some(found) if found != G::ENCODING.name => return Err(mismatch(found.clone(), G::ENCODING.name.to_owned())),
        _ if found != expected => return Err(mismatch(found.to_string(), expected.to_string())),
        Some(_) => {}
        None => {
            let assumed = format!("the file does not name its encoder, {} is assumed", G::ENCODING.name);
            warning = Some(warning.map_or(assumed.clone(), |warning: String| format!("{warning}; {assumed}")));
        }
    }
    Ok(ReadNetwork { file, warning })
}

/// A network that is ready to evaluate positions of a game.
#[derive(Debug)]
pub struct LoadedNetwork {
    pub(crate) evaluator: Evaluator,
    pub(crate) architecture: Architecture,
    /// Floating-point operations for a position.
    pub(crate) operations: usize,
    /// Positions that players have evaluated.
    pub(crate) evaluated: AtomicU64,
}

impl LoadedNetwork {
    /// Positions that the players of this process have evaluated with it.
    pub fn evaluated(&self) -> u64 {
        self.evaluated.load(Ordering::Relaxed)
    }

    fn new<G: Planes>(name: &Path, bytes: &[u8], arithmetic: Arithmetic) -> Result<LoadedNetwork, NetworkLoadError> {
        let ReadNetwork { file, warning } = read_network::<G>(name, bytes)?;
        if let Some(warning) = warning {
            tracing::warn!(game = G::NAME, file = %name.display(), "{warning}");
        }
        let NetworkFile { network, .. } = file;
        let (architecture, operations) = (network.architecture(), network.operations());
        let evaluator = Evaluator::new(&network, 1).with_arithmetic(&network, arithmetic);
        if evaluator.arithmetic() != arithmetic {
            tracing::warn!(
                "this processor has no instructions for bf16 (AMX, AVX-512 BF16): the network is computed in f32"
            );
        }
        Ok(LoadedNetwork { evaluator, architecture, operations, evaluated: AtomicU64::new(0) })
    }
}

/// A network in use: game, file, checksum and size of the file, arithmetic.
type Key = (&'static str, PathBuf, u32, usize, Arithmetic);

/// The networks that engines of this process use. A tournament makes new engines for every game.
static LOADED: Mutex<Vec<(Key, Weak<LoadedNetwork>)>> = Mutex::new(Vec::new());

/// The network of a file.
///
/// # Errors
/// The file cannot be read, is damaged, or contains no network for the game.
pub fn load_network<G: Planes>(path: &Path) -> Result<Arc<LoadedNetwork>, NetworkLoadError> {
    load_network_with::<G>(path, Arithmetic::Single)
}

/// The network of a file, computed with an arithmetic if this machine has it.
///
/// # Errors
/// The file cannot be read, is damaged, or contains no network for the game.
pub fn load_network_with<G: Planes>(
    path: &Path,
    arithmetic: Arithmetic,
) -> Result<Arc<LoadedNetwork>, NetworkLoadError> {
    let bytes = fs::metadata(path)?.len();
    if bytes > MAX_BYTES {
        return Err(NetworkLoadError::TooLarge { bytes });
    }
    shared::<G>(path, &fs::read(path)?, arithmetic)
}

/// The network of these bytes: the one in use, or a new one.
pub(super) fn shared<G: Planes>(
    path: &Path,
    bytes: &[u8],
    arithmetic: Arithmetic,
) -> Result<Arc<LoadedNetwork>, NetworkLoadError> {
    let key: Key = (G::NAME, path.to_owned(), crc32fast::hash(bytes), bytes.len(), arithmetic);
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    loaded.retain(|(_, network)| network.strong_count() > 0);
    let known = loaded.iter().find(|(known, _)| *known == key);
    if let Some(network) = known.and_then(|(_, network)| network.upgrade()) {
        return Ok(network);
    }
    let network = Arc::new(LoadedNetwork::new::<G>(path, bytes, arithmetic)?);
    loaded.push((key, Arc::downgrade(&network)));
    Ok(network)
}

#[cfg(test)]
mod tests {
    use tesuji_nn::{Network, OnnxNorms, Precision, write_onnx};
    use tesuji_ostle::Ostle;
    use tesuji_othello::Othello;

    use super::*;

    fn file(encoder: Option<&str>) -> NetworkFile {
        let architecture = "policy-value:blocks=1,channels=4".parse().expect("an architecture");
        let metadata: BTreeMap<_, _> = encoder.map(|name| (ENCODER.to_owned(), name.to_owned())).into_iter().collect();
        NetworkFile { network: Network::new(encoding_of::<Ostle>(), architecture, 1), metadata }
    }

    fn read(name: &str, bytes: &[u8]) -> Result<Option<String>, String> {
        read_network::<Ostle>(Path::new(name), bytes).map(|read| read.warning).map_err(|error| error.to_string())
    }

    #[test]
    fn only_networks_for_the_game_are_read() {
        let bytes = file(Some("ostle-7/1")).write(Precision::F16);
        assert_eq!(read("net.safetensors", &bytes), Ok(None));
        let unnamed = file(None).write(Precision::F32);
        let assumed = "the file does not name its encoder, ostle-7/1 is assumed";
        assert_eq!(read("net.safetensors", &unnamed), Ok(Some(assumed.to_owned())));
        let onnx = write_onnx(&file(None).network, OnnxNorms::Kept);
        assert_eq!(read("net.ONNX", &onnx), Ok(Some(assumed.to_owned())));
        let other = file(Some("ostle-9/2")).write(Precision::F32);
        let message = "the network reads ostle-9/2, and ostle is encoded as ostle-7/1";
        assert_eq!(read("net.safetensors", &other), Err(message.to_owned()));
        let othello = |bytes: &[u8]| read_network::<Othello>(Path::new("x"), bytes).expect_err("another").to_string();
        assert_eq!(othello(&bytes), "the network reads ostle-7/1, and othello is encoded as othello-3/1");
        assert_eq!(
            othello(&unnamed),
            "the network reads height=5,width=5,planes=7,policy-planes=4, and othello is encoded as \
             height=8,width=8,planes=3,policy-planes=1"
        );
        assert!(read("net.onnx", &bytes).is_err() && read("net.safetensors", &onnx).is_err());
        assert!(read("net.safetensors", b"").is_err() && read("net.safetensors", &bytes[..bytes.len() - 1]).is_err());
    }

    #[test]
    fn engines_share_the_network_of_a_file_until_it_changes() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("net.safetensors");
        fs::write(&path, file(Some("ostle-7/1")).write(Precision::F32)).expect("written");
        let load = || load_network::<Ostle>(&path).expect("a network");
        let (first, second) = (load(), load());
        assert!(Arc::ptr_eq(&first, &second));
        fs::write(&path, file(Some("ostle-7/1")).write(Precision::F16)).expect("written");
        assert!(!Arc::ptr_eq(&first, &load()));
        assert!(load_network::<Ostle>(folder.path()).is_err(), "a folder is no network");
    }
}

//! Loads networks. Engines of one process that use the same file share it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

use tesuji_learn::nnue::{FRAME, NnueWeights};

use super::halfkp;
use super::network::{Network, WIDTH};
use crate::SpecError;

/// A network of a file.
#[derive(Clone, Debug)]
pub(crate) enum LoadedNnue {
    /// One of our own.
    Own(Arc<Network<WIDTH>>),
    /// One of YaneuraOu.
    HalfKp(Arc<Network<{ halfkp::WIDTH }>>),
}

/// A network that engines may still use.
enum InUse {
    Own(Weak<Network<WIDTH>>),
    HalfKp(Weak<Network<{ halfkp::WIDTH }>>),
}

impl InUse {
    fn upgrade(&self) -> Option<LoadedNnue> {
        match self {
            InUse::Own(network) => network.upgrade().map(LoadedNnue::Own),
            InUse::HalfKp(network) => network.upgrade().map(LoadedNnue::HalfKp),
        }
    }
}

/// A file by its name, checksum and size.
type Key = (PathBuf, u32, usize);

/// The networks that engines of this process use. A tournament makes new engines for every game.
static LOADED: Mutex<Vec<(Key, InUse)>> = Mutex::new(Vec::new());

/// The largest file that is read.
const MAX_BYTES: u64 = 1 << 30;

/// The network of a file: one of our own, or one of YaneuraOu.
///
/// # Errors
/// The file cannot be read, is damaged, or holds no network for shogi.
pub(crate) fn load(path: &Path) -> Result<LoadedNnue, SpecError> {
    let wrong = |message: String| SpecError::value("eval", &path.display().to_string(), message);
    let unreadable = |error: std::io::Error| wrong(format!("the file cannot be read: {error}"));
    let size = fs::metadata(path).map_err(unreadable)?.len();
    if size > MAX_BYTES {
        return Err(wrong(format!("the file has {size} bytes; a network has at most {MAX_BYTES}")));
    }
    let bytes = fs::read(path).map_err(unreadable)?;
    let key = (path.to_owned(), crc32fast::hash(&bytes), bytes.len());
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    loaded.retain(|(_, network)| network.upgrade().is_some());
    if let Some(known) = loaded.iter().find(|(known, _)| *known == key).and_then(|(_, network)| network.upgrade()) {
        return Ok(known);
    }
    let network = parse(&bytes).map_err(wrong)?;
    let in_use = match &network {
        LoadedNnue::Own(network) => InUse::Own(Arc::downgrade(network)),
        LoadedNnue::HalfKp(network) => InUse::HalfKp(Arc::downgrade(network)),
    };
    loaded.push((key, in_use));
    Ok(network)
}

/// The network in the bytes of a file.
pub(super) fn parse(bytes: &[u8]) -> Result<LoadedNnue, String> {
    if FRAME.matches(bytes) {
        let weights = NnueWeights::read(bytes).map_err(|error| error.to_string())?;
        return Ok(LoadedNnue::Own(Arc::new(Network::new(&weights)?)));
    }
    Ok(LoadedNnue::HalfKp(Arc::new(halfkp::read(bytes)?)))
}

/// The network that ships.
pub(crate) fn shipped() -> Option<Arc<Network<WIDTH>>> {
    static SHIPPED: LazyLock<Option<Arc<Network<WIDTH>>>> = LazyLock::new(|| {
        let weights = NnueWeights::read(super::SHIPPED?).ok()?;
        Network::new(&weights).ok().map(Arc::new)
    });
    SHIPPED.clone()
}

//! Data files: atomic replacement, checksummed frames, block files, memory maps and journals. No other crate writes
//! data files. The meaning of the bytes belongs to the callers.
//!
//! [`save`] replaces a file atomically. A [`Journal`] grows by one checksummed line at a time, and an acknowledged
//! line is never lost. Both write through a [`Disk`], so that tests can simulate a power cut between any two steps.

pub mod blocks;
pub mod disk;
mod error;
pub mod frame;
mod home;
pub mod journal;
mod map;
mod save;
mod stream;

pub use disk::Disk;
pub use error::StoreError;
pub use home::home;
pub use journal::{Journal, JournalContent};
pub use map::Map;
pub use save::{check_target, save, save_on};
pub use stream::FileStream;

//! The only room that writes data files: whole or absent, checksummed, and journals that lose nothing. What the
//! bytes mean is not known here.
//!
//! [`save`] replaces a file as one step that has happened or has not. A [`Journal`] grows by one checked line at a
//! time, and a line that was acknowledged is never lost. Both write through a [`Disk`], so that the laws can pull
//! the plug between any two of its steps.

pub mod blocks;
pub mod disk;
mod error;
pub mod frame;
mod home;
pub mod journal;
mod map;
mod save;

pub use disk::Disk;
pub use error::StoreError;
pub use home::home;
pub use journal::{Journal, Reading};
pub use map::Map;
pub use save::{save, save_on};

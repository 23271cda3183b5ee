//! The games that ship with tesuji.

use crate::Entry;

/// All of them, in the order they are listed.
pub fn shipped() -> Vec<Entry> {
    vec![]
}

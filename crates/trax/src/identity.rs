//! Equality, hash and key: tiles relative to their bounding box, and the mover.

use std::hash::{Hash, Hasher};

use tesuji_game::Side;

use crate::edges::Edges;
use crate::hash;
use crate::position::Trax;
use crate::variant::Variant;

impl<V: Variant> Trax<V> {
    /// The rows of the bounding box.
    fn rows(&self) -> impl Iterator<Item = &[Edges]> {
        let frame = &self.board.frame;
        (frame.top..=frame.bottom).map(|y| {
            let start = self.board.cell(frame.left, y) as usize;
            &self.board.edges[start..start + frame.width()]
        })
    }

    pub(crate) fn identity_key(&self) -> u64 {
        if self.is_empty() {
            return self.turned.key();
        }
        let frame = &self.board.frame;
        board_key(hash::shift(self.board.sum, frame.left.into(), frame.top.into()), self.mover)
    }
}

/// The key of tiles with this shifted sum.
pub(crate) fn board_key(sum: u64, mover: Side) -> u64 {
    hash::mix(sum | (mover.index() as u64) << 63)
}

impl<V: Variant> PartialEq for Trax<V> {
    fn eq(&self, other: &Trax<V>) -> bool {
        let (mine, theirs) = (&self.board.frame, &other.board.frame);
        self.mover == other.mover
            && self.is_empty() == other.is_empty()
            && (mine.width(), mine.height()) == (theirs.width(), theirs.height())
            && (!self.is_empty() || self.turned == other.turned)
            && self.rows().eq(other.rows())
    }
}

impl<V: Variant> Eq for Trax<V> {}

impl<V: Variant> Hash for Trax<V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.mover.hash(state);
        if self.is_empty() {
            self.turned.hash(state);
        }
        self.rows().for_each(|row| row.hash(state));
    }
}

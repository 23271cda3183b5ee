//! A line of a record that branches off the game.

use crate::{Ending, Ply, RecordError};

/// A line that branches off the game or off an earlier variation. Its moves are legal.
///
/// [`Record::branch`](crate::Record::branch) adds one.
#[derive(Clone, PartialEq, Debug)]
pub struct Variation<M> {
    /// The line it leaves: 0 is the game, n the n-th variation.
    pub(crate) parent: usize,
    /// Plies of that line before the branch, counted from the start of the game.
    pub(crate) after: usize,
    pub(crate) plies: Vec<Ply<M>>,
    pub(crate) ending: Option<Ending>,
    pub(crate) fault: Option<RecordError>,
}

impl<M> Variation<M> {
    /// The line it leaves: 0 is the game, n the n-th variation.
    pub fn parent(&self) -> usize {
        self.parent
    }

    /// Plies from the start of the game to the branch.
    pub fn after(&self) -> usize {
        self.after
    }

    /// The moves behind the branch, with their annotations.
    pub fn plies(&self) -> &[Ply<M>] {
        &self.plies
    }

    /// How the line ends; `None` when it stops.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Why the rest of the line could not be read.
    pub fn fault(&self) -> Option<&RecordError> {
        self.fault.as_ref()
    }
}

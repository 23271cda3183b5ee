//! What was counted while a game was solved, kept in a small file of text beside its table: histograms, the longest wins,
//! the boards that no game reaches.

mod lines;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use tesuji_store::{StoreError, save};

use crate::reach::ReachCensus;
use crate::retrograde::{Census, Far};
use crate::table::{TableError, Title};

/// What was counted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Findings {
    /// Whether all stages were solved, so that moves from every class were counted.
    pub whole: bool,
    /// The worth of the start in plies, 0 for a draw; `None` when its class was not solved.
    pub start: Option<u8>,
    /// Each class.
    pub classes: Vec<Found>,
    /// The nodes that take longest to the end, the longest first.
    pub longest: Vec<Far>,
    /// The boards that no game reaches, class and number: those that no move leads to, or, once all distances from the
    /// start were found, those without one.
    pub unreached: Vec<(u8, u32)>,
    /// How many boards are how far from the start, if that was found out.
    pub reach: Option<ReachCensus>,
}

/// What was counted of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The class.
    pub class: u8,
    /// Its name.
    pub name: String,
    /// What was counted.
    pub census: Census,
}

impl Findings {
    /// The sum over all classes.
    pub fn total(&self) -> Census {
        let mut sum = Census::default();
        self.classes.iter().for_each(|found| sum.add(&found.census));
        sum
    }

    /// Gathers what the classes name into the lists of the whole.
    pub(crate) fn gather(&mut self) {
        let Census { longest, orphans, .. } = self.total();
        self.longest = longest;
        if self.reach.is_none() {
            self.unreached = orphans;
        }
    }

    /// The file in a directory.
    pub fn path(dir: &Path, title: &Title) -> PathBuf {
        dir.join(format!("{}.findings", title.game))
    }

    /// Reads the file of a directory; `None` when there is none.
    pub fn load(dir: &Path, title: &Title) -> Result<Option<Findings>, TableError> {
        let path = Findings::path(dir, title);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == ErrorKind::InvalidData => return Err(TableError::Head { path }),
            other => other.map_err(|source| TableError::Read { path: path.clone(), source })?,
        };
        lines::read(&text, title, &path).map(Some)
    }

    /// Writes the file, whole or not at all.
    pub fn save(&self, dir: &Path, title: &Title) -> Result<(), StoreError> {
        save(Findings::path(dir, title), lines::write(self, title).as_bytes())
    }
}

//! The step that finds the distances from the start.

use std::cell::RefCell;
use std::sync::Arc;

use tesuji_game::PerfectIndex;

use super::run::Run;
use super::{News, Task, Watch, WholeError};
use crate::reach::{self, Distances, Reached, UNREACHED, reach};
use crate::retrograde::{Control, ORPHANS, RetrogradeError};
use crate::table::TableError;

/// Numbers to a task.
const TASK: usize = 1 << 16;

impl<G: PerfectIndex + Send> Run<'_, G> {
    /// Finds the distances and writes them; `false` when told to stop.
    pub(super) fn reach(&mut self, watch: &mut Watch<'_>) -> Result<bool, WholeError> {
        let Task { dir, title, threads, memory, .. } = self.task;
        let written = match Distances::open(dir, Arc::clone(self.game), title) {
            // Stopped or killed between two files.
            Err(TableError::Missing { .. }) => false,
            other => other?.is_some(),
        };
        if written && self.findings.reach.is_some() {
            return Ok(true);
        }
        let needed = Reached::memory(&**self.game);
        if needed > *memory {
            return Err(RetrogradeError::Memory { needed, allowed: *memory }.into());
        }
        let watch = RefCell::new(watch);
        let reached =
            reach(&**self.game, self.start, *threads, Some(&mut self.shelf), &mut |depth, moves| {
                (watch.borrow_mut())(News::Reaching { depth, moves })
            })?;
        for note in self.shelf.take_notes() {
            (watch.borrow_mut())(News::Note(note));
        }
        let Some(reached) = reached else { return Ok(false) };
        if self.findings.reach.is_none() {
            let found = reach::census(&**self.game, &reached, *threads);
            (watch.borrow_mut())(News::Reached(&found));
            self.findings.reach = Some(found);
            self.findings.unreached = self.unreached(&reached);
            self.findings.save(dir, title)?;
        }
        let ended = reach::write(&**self.game, &reached, dir, title, *threads, &mut |progress| {
            (watch.borrow_mut())(News::Writing { class: "distances", progress }) != Control::Stop
        });
        match ended {
            Err(TableError::Stopped) => Ok(false),
            other => other.map(|_| true).map_err(WholeError::from),
        }
    }

    fn all_classes(&self) -> impl Iterator<Item = u8> {
        self.game.stages().iter().flat_map(|classes| classes.iter().copied())
    }

    /// The boards that no game reaches, class by class.
    fn unreached(&self, reached: &Reached) -> Vec<(u8, u32)> {
        let tasks: Vec<(u8, u32)> = self
            .all_classes()
            .flat_map(|class| (0..self.game.size(class)).step_by(TASK).map(move |start| (class, start)))
            .collect();
        let parts =
            tesuji_task::fold(self.task.threads, tasks, |(class, start), found: &mut Vec<(u8, u32)>| {
                let end = start.saturating_add(TASK as u32).min(self.game.size(class));
                let far = |&index: &u32| reached.get(class, index).first == UNREACHED;
                let boards =
                    (start..end).filter(far).filter(|&index| self.game.unrank(class, index).is_some());
                found.extend(boards.map(|index| (class, index)));
            });
        let mut found = parts.concat();
        found.sort_unstable();
        found.truncate(ORPHANS);
        found
    }
}

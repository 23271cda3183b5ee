//! The statistics of a class, counted in spans of indices, so that a stopped build resumes after the last complete span.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use tesuji_game::PerfectIndex;

use super::steps::Builder;
use super::{BuildError, BuildEvent, BuildObserver};
use crate::retrograde::checkpoint::Snapshot;
use crate::retrograde::{ClassStatistics, ClassValues, Control, span_statistics};
use crate::tablebase::{ClassSummary, TablebaseSummary};

/// The name of the snapshots.
pub(super) const STATE: &str = "count";
/// Spans per class.
const SPANS: u32 = 64;

impl<G: PerfectIndex + Send> Builder<'_, G> {
    /// Counts a class, resuming where an earlier run stopped; `None` when stopped again.
    pub(super) fn count(
        &mut self,
        class: u8,
        values: &ClassValues,
        watch: &mut BuildObserver<'_>,
    ) -> Result<Option<ClassSummary>, BuildError> {
        let (name, size) = (self.game.class_name(class), self.game.size(class));
        let (mut next, statistics) = self.resume_count(class, &name)?;
        let mut found = ClassSummary { class, name, statistics };
        let span = size.div_ceil(SPANS).max(1);
        while next < size {
            let end = next.saturating_add(span).min(size);
            let (shared, due) = (Mutex::new(&mut *watch), AtomicBool::new(false));
            let report = |done: u64| {
                // If another thread is reporting, skip this report.
                let Ok(mut watch) = shared.try_lock() else { return true };
                let done = u64::from(next) + done;
                let control = watch(BuildEvent::Counting { class: &found.name, done, total: u64::from(size) });
                due.fetch_or(control == Control::Checkpoint, Ordering::Relaxed);
                control != Control::Stop
            };
            let complete = self.summary.complete;
            let part = span_statistics(&**self.game, class, next..end, values, complete, self.job.threads, &report);
            let Some(part) = part else {
                self.save_count(next, &found)?;
                return Ok(None);
            };
            found.statistics.add(&part);
            next = end;
            if due.into_inner() {
                self.save_count(next, &found)?;
            }
        }
        watch(BuildEvent::Counted(&found));
        Ok(Some(found))
    }

    fn save_count(&mut self, next: u32, found: &ClassSummary) -> Result<(), BuildError> {
        let facts = [
            ("class", found.name.clone()),
            ("complete", self.summary.complete.to_string()),
            ("next", next.to_string()),
        ];
        let part = TablebaseSummary { classes: vec![found.clone()], ..TablebaseSummary::default() };
        let text = part.print(&self.job.id);
        Ok(self.checkpoints.save_state(STATE, &facts, &[("statistics", text.as_bytes())])?)
    }

    /// The index to go on with, and the statistics of the boards before it.
    fn resume_count(&mut self, class: u8, name: &str) -> Result<(u32, ClassStatistics), BuildError> {
        let (id, complete) = (&self.job.id, self.summary.complete.to_string());
        let mut found = (0, ClassStatistics::default());
        self.checkpoints.restore_state(STATE, &mut |state: &Snapshot| {
            if state.fact("class") != name || state.fact("complete") != complete {
                return Ok(false);
            }
            let mut text = vec![0; state.length("statistics")];
            state.load("statistics", &mut text)?;
            let text = String::from_utf8(text).unwrap_or_default();
            let part = TablebaseSummary::parse(&text, id, Path::new(STATE)).ok();
            let part = part.and_then(|mut part| part.classes.pop()).filter(|part| part.class == class);
            let next = state.numbers("next").first().and_then(|&next| u32::try_from(next).ok());
            let (Some(next), Some(part)) = (next, part) else { return Err(state.unreadable()) };
            found = (next, part.statistics);
            Ok(true)
        })?;
        Ok(found)
    }
}

//! What a training tells while it goes on, and when it saves.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tesuji_learn::{Control, News, Plan};
use tesuji_search::CancelToken;

use crate::out::{Out, Progress};

/// Somebody who watches.
pub(super) struct Watch {
    progress: Progress,
    every: Duration,
    stop: CancelToken,
    /// Steps made and the last time of saving, for each stage.
    stages: Mutex<Vec<(u32, Instant)>>,
}

impl Watch {
    pub(super) fn new(plan: &Plan, every: Duration, stop: CancelToken, out: &Out) -> Watch {
        let steps = plan.stages.len() as u64 * u64::from(plan.iterations);
        let stages = Mutex::new(vec![(0, Instant::now()); plan.stages.end]);
        Watch { progress: out.progress(steps), every, stop, stages }
    }

    pub(super) fn tell(&self, news: &News) -> Control {
        let mut stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        let mut order = Control::Continue;
        if let Some((steps, saved)) = stages.get_mut(news.stage) {
            // Its time begins with its first step.
            if *steps == 0 {
                *saved = Instant::now();
            }
            *steps = news.iteration;
            if saved.elapsed() >= self.every {
                *saved = Instant::now();
                order = Control::Checkpoint;
            }
        }
        self.progress.at(stages.iter().map(|stage| u64::from(stage.0)).sum());
        if self.stop.is_cancelled() { Control::Stop } else { order }
    }

    pub(super) fn done(&self) {
        self.progress.done();
    }
}

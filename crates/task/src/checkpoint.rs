//! When to write a checkpoint, and what a computation is told to do next.

use std::time::{Duration, Instant};

/// What a computation does after it has reported its progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// Go on.
    Continue,
    /// Write a checkpoint where that is possible, then go on.
    Checkpoint,
    /// Write a checkpoint and end.
    Stop,
}

/// Says when the next checkpoint is due.
#[derive(Clone, Copy, Debug)]
pub struct CheckpointSchedule {
    every: Duration,
    last: Instant,
}

impl CheckpointSchedule {
    /// A checkpoint every so often, the first one that long from now.
    pub fn new(every: Duration) -> CheckpointSchedule {
        CheckpointSchedule { every, last: Instant::now() }
    }

    /// Starts the interval anew, as after work that needed no checkpoint.
    pub fn restart(&mut self) {
        self.last = Instant::now();
    }

    /// Whether a checkpoint is due; if so, the next interval begins.
    pub fn due(&mut self) -> bool {
        let due = self.last.elapsed() >= self.every;
        if due {
            self.restart();
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn due_once_per_interval() {
        let mut always = CheckpointSchedule::new(Duration::ZERO);
        assert!(always.due() && always.due());
        let mut never = CheckpointSchedule::new(Duration::MAX);
        assert!(!never.due());
    }
}

//! How long a checkpoint may take once the work is cancelled.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tesuji_task::CancelToken;

use crate::retrograde::error::RetrogradeError;

/// What is saved after a cancellation must be saved within this time: a process that is asked to end has a second.
const GRACE: Duration = Duration::from_millis(600);

/// Ends reading and saving some time after a cancellation.
#[derive(Clone, Default, Debug)]
pub(super) struct Pace {
    cancel: CancelToken,
    /// When the cancellation was noticed.
    noticed: OnceLock<Instant>,
}

impl Pace {
    pub(super) fn new(cancel: &CancelToken) -> Pace {
        Pace { cancel: cancel.clone(), noticed: OnceLock::new() }
    }

    /// Whether to go on reading.
    pub(super) fn read(&self) -> Result<(), RetrogradeError> {
        if self.cancel.is_cancelled() { Err(RetrogradeError::Cancelled) } else { Ok(()) }
    }

    /// Whether to go on saving.
    pub(super) fn save(&self) -> Result<(), RetrogradeError> {
        let late = self.cancel.is_cancelled() && self.noticed.get_or_init(Instant::now).elapsed() >= GRACE;
        if late { Err(RetrogradeError::Cancelled) } else { Ok(()) }
    }
}

#[cfg(test)]
impl Pace {
    /// Cancelled so long ago that nothing is saved any more.
    pub(super) fn over() -> Pace {
        let pace = Pace::default();
        pace.cancel.cancel();
        Pace { noticed: OnceLock::from(Instant::now().checked_sub(GRACE).expect("a clock that has run")), ..pace }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancellation_ends_reading_at_once_and_saving_after_a_while() {
        let cancel = CancelToken::new();
        let pace = Pace::new(&cancel);
        assert!(pace.read().is_ok() && pace.save().is_ok());
        cancel.cancel();
        assert!(pace.read().is_err() && pace.save().is_ok());
        assert!(Pace::over().read().is_err() && Pace::over().save().is_err());
    }
}

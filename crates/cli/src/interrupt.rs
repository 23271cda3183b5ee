//! The ways a process is asked to end: Ctrl-C, termination signals, a reader of the output that is gone.
//!
//! The first request cancels what is under way, so that it is saved. A second Ctrl-C ends the process at once; a second
//! hang-up does not, since a lost connection sends several.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tesuji_task::CancelToken;

/// What a shell reports for a process that SIGINT ended.
const ENDED_BY_INTERRUPT: i32 = 130;

/// The requests to end this process.
pub(crate) struct Interrupt {
    state: Arc<InterruptState>,
    #[cfg(unix)]
    job_control: crate::signals::JobControl,
}

/// Who asks the process to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EndRequest {
    /// A person, by Ctrl-C.
    Interrupt,
    /// The system: SIGTERM, SIGHUP, or an output that nobody reads any more.
    Termination,
}

#[derive(Default)]
pub(crate) struct InterruptState {
    requested: AtomicBool,
    tokens: Mutex<Vec<CancelToken>>,
    screen: AtomicBool,
}

impl Interrupt {
    /// Starts to listen. Where that is not possible the default remains: a signal ends the process.
    pub(crate) fn install() -> Interrupt {
        let state = Arc::new(InterruptState::default());
        let handler = Arc::clone(&state);
        #[cfg(unix)]
        {
            crate::signals::listen(&handler);
            Interrupt { state, job_control: crate::signals::JobControl::default() }
        }
        #[cfg(not(unix))]
        {
            let _ = ctrlc::set_handler(move || handler.request(EndRequest::Interrupt));
            Interrupt { state }
        }
    }

    /// Leaves everything as it is: a signal ends the process. For work that has nothing to save.
    pub(crate) fn end_at_once() -> Interrupt {
        // Nor is there anybody to work for without a reader.
        #[cfg(unix)]
        crate::signals::watch_output(|| std::process::exit(0));
        Interrupt {
            state: Arc::default(),
            #[cfg(unix)]
            job_control: crate::signals::JobControl::default(),
        }
    }

    /// A token that the next request cancels.
    pub(crate) fn token(&self) -> CancelToken {
        let token = CancelToken::new();
        let mut tokens = self.state.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.push(token.clone());
        if self.state.requested.load(Ordering::SeqCst) {
            token.cancel();
        }
        token
    }

    /// Whether the full screen is active: then a forced end restores the terminal.
    pub(crate) fn set_screen(&self, active: bool) {
        self.state.screen.store(active, Ordering::SeqCst);
    }

    /// Signals that stop and continue the process.
    #[cfg(unix)]
    pub(crate) fn job_control(&self) -> &crate::signals::JobControl {
        &self.job_control
    }
}

impl InterruptState {
    /// Cancels all tokens. A Ctrl-C after an earlier request ends the process.
    pub(crate) fn request(&self, by: EndRequest) {
        let again = self.requested.swap(true, Ordering::SeqCst);
        if again && by == EndRequest::Interrupt {
            if self.screen.load(Ordering::SeqCst) {
                crate::play::screen::release_mouse();
                let _ = ratatui::try_restore();
            }
            std::process::exit(ENDED_BY_INTERRUPT);
        }
        let tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.iter().for_each(CancelToken::cancel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_cancels_all_tokens_and_later_ones() {
        let interrupt = Interrupt { state: Arc::default(), job_control: Default::default() };
        let (first, second) = (interrupt.token(), interrupt.token());
        first.cancel();
        assert!(!second.is_cancelled());
        interrupt.state.request(EndRequest::Interrupt);
        assert!(second.is_cancelled() && interrupt.token().is_cancelled());
    }

    /// A lost connection is told by the kernel, by the shell and by the terminal: the work in between is being saved.
    #[test]
    fn repeated_hang_ups_do_not_end_the_process() {
        let state = InterruptState::default();
        state.request(EndRequest::Interrupt);
        state.request(EndRequest::Termination);
        state.request(EndRequest::Termination);
        assert!(state.requested.load(Ordering::SeqCst));
    }
}

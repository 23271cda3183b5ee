//! Ctrl-C and termination signals: the first one cancels, the second one ends the process.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tesuji_task::CancelToken;

/// What a shell reports for a process that SIGINT ended.
const ENDED_BY_INTERRUPT: i32 = 130;

/// The signal handler of this process.
pub(crate) struct Interrupt(Arc<InterruptState>);

#[derive(Default)]
struct InterruptState {
    count: AtomicUsize,
    tokens: Mutex<Vec<CancelToken>>,
    screen: AtomicBool,
}

impl Interrupt {
    /// Installs the handler. Where that is not possible the default remains: a signal ends the process.
    pub(crate) fn install() -> Interrupt {
        let state = Arc::new(InterruptState::default());
        let handler = Arc::clone(&state);
        let _ = ctrlc::set_handler(move || handler.signal());
        Interrupt(state)
    }

    /// A token that the next signal cancels.
    pub(crate) fn token(&self) -> CancelToken {
        let token = CancelToken::new();
        let mut tokens = self.0.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.push(token.clone());
        if self.0.count.load(Ordering::SeqCst) > 0 {
            token.cancel();
        }
        token
    }

    /// Whether the full screen is active: then a forced end restores the terminal.
    pub(crate) fn set_screen(&self, active: bool) {
        self.0.screen.store(active, Ordering::SeqCst);
    }
}

impl InterruptState {
    fn signal(&self) {
        if self.count.fetch_add(1, Ordering::SeqCst) > 0 {
            if self.screen.load(Ordering::SeqCst) {
                ratatui::restore();
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
    fn a_signal_cancels_all_tokens_and_later_ones() {
        let interrupt = Interrupt(Arc::default());
        let (first, second) = (interrupt.token(), interrupt.token());
        first.cancel();
        assert!(!second.is_cancelled());
        interrupt.0.signal();
        assert!(second.is_cancelled() && interrupt.token().is_cancelled());
    }
}

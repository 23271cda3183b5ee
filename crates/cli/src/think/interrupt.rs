//! Ctrl-C: the first one asks to end, the second one does not ask.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use tesuji_search::CancelToken;

static TIMES: AtomicUsize = AtomicUsize::new(0);
static STOP: OnceLock<CancelToken> = OnceLock::new();

/// What a shell gives for a program that SIGINT ended.
const ENDED_BY_INTERRUPT: i32 = 130;

/// Raises `stop` when the user or the system wants this process to end; a second wish ends it at once. Only
/// the first call of a process counts.
pub(crate) fn raise_on_interrupt(stop: &CancelToken) {
    if STOP.set(stop.clone()).is_err() {
        return;
    }
    // Where no handler can be set the default remains: the process just ends.
    let _ = ctrlc::set_handler(|| {
        if TIMES.fetch_add(1, Ordering::SeqCst) > 0 {
            std::process::exit(ENDED_BY_INTERRUPT);
        }
        if let Some(stop) = STOP.get() {
            stop.cancel();
        }
    });
}

/// Whether somebody wants this process to end.
pub(crate) fn interrupted() -> bool {
    TIMES.load(Ordering::SeqCst) > 0
}

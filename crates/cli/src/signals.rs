//! Signals of Unix: those that ask for the end, those of job control, and an output whose reader is gone.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FileType, fstat};
use rustix::process::{Signal, getpid, kill_process};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;

use crate::interrupt::{EndRequest, InterruptState};

/// How often a reader that is gone is looked for. Not every kernel wakes a `poll` without events for it.
const WATCH: Timespec = Timespec { tv_sec: 0, tv_nsec: 250_000_000 };

/// Passes requests to end on from now on.
///
/// A signal that is ignored from the start stays ignored: `nohup` does that, and scripts to background commands.
pub(crate) fn listen(state: &Arc<InterruptState>) {
    let ignored = ignored_signals();
    let is_wanted = |signal: &i32| ignored & (1 << (signal - 1)) == 0;
    let handler = Arc::clone(state);
    if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP].into_iter().filter(is_wanted)) {
        spawn("signals", move || {
            for signal in signals.forever() {
                handler.request(if signal == SIGINT { EndRequest::Interrupt } else { EndRequest::Termination });
            }
        });
    }
    // A process that ignores hang-ups continues without a terminal.
    if is_wanted(&SIGHUP) {
        let handler = Arc::clone(state);
        watch_output(move || handler.request(EndRequest::Termination));
    }
}

/// Calls this when nobody reads our output any more: the terminal has hung up, or the pipe is closed.
pub(crate) fn watch_output(gone: impl FnOnce() + Send + 'static) {
    if is_read() {
        spawn("output", move || {
            if wait_until_output_is_gone() {
                gone();
            }
        });
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) {
    // Without the thread the default action of the signals is gone too, but an operation still ends by itself.
    let _ = thread::Builder::new().name(name.to_owned()).spawn(work);
}

/// Whether somebody reads our output: it is a terminal, even one that is gone already, or a pipe, and no file.
fn is_read() -> bool {
    fstat(rustix::stdio::stdout()).is_ok_and(|stat| {
        matches!(FileType::from_raw_mode(stat.st_mode), FileType::CharacterDevice | FileType::Fifo | FileType::Socket)
    })
}

/// Waits until the terminal hangs up or the other end of the pipe is closed; `false` where that cannot be told.
fn wait_until_output_is_gone() -> bool {
    let stdout = rustix::stdio::stdout();
    loop {
        let mut fds = [PollFd::new(&stdout, PollFlags::empty())];
        match poll(&mut fds, Some(&WATCH)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => return fds[0].revents().intersects(PollFlags::HUP | PollFlags::ERR),
            Err(_) => return false,
        }
    }
}

/// The signals that this process was started to ignore, as a set of bits; none where the system does not tell.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// The signals that stop and continue the process, for code that has changed the terminal and must restore it first.
#[derive(Default)]
pub(crate) struct JobControl(OnceLock<JobSignals>);

#[derive(Default)]
struct JobSignals {
    stop: Arc<AtomicBool>,
    resumed: Arc<AtomicBool>,
}

impl JobControl {
    /// From now on SIGTSTP does not stop the process by itself: [`JobControl::stop`] does.
    pub(crate) fn take_over(&self) {
        self.0.get_or_init(|| {
            let signals = JobSignals::default();
            // Where a handler cannot be installed the default remains.
            let _ = signal_hook::flag::register(SIGTSTP, Arc::clone(&signals.stop));
            let _ = signal_hook::flag::register(SIGCONT, Arc::clone(&signals.resumed));
            signals
        });
    }

    /// Whether the process was asked to stop since the last call.
    pub(crate) fn is_stop_requested(&self) -> bool {
        self.0.get().is_some_and(|signals| signals.stop.swap(false, Ordering::SeqCst))
    }

    /// Whether the process was continued since the last call. The terminal may have changed in between.
    pub(crate) fn is_resumed(&self) -> bool {
        self.0.get().is_some_and(|signals| signals.resumed.swap(false, Ordering::SeqCst))
    }

    /// Stops the process; returns when it is continued.
    pub(crate) fn stop(&self) {
        let _ = kill_process(getpid(), Signal::STOP);
    }
}

//! How long a thread waits for a core: on a busy machine that is most of the time.

use std::time::{Duration, Instant};

/// What the threads of an answer need of a core.
const WORK: Duration = Duration::from_millis(5);

/// How long this thread waits for a core during [`WORK`], measured while it does some `work`. Nothing where the system
/// does not tell the time of a thread.
pub(super) fn waiting_time(work: impl FnOnce()) -> Duration {
    let (began, before) = (Instant::now(), thread_time());
    work();
    let elapsed = began.elapsed();
    let (Some(before), Some(after)) = (before, thread_time()) else { return Duration::ZERO };
    let used = after.saturating_sub(before);
    let waited = elapsed.saturating_sub(used);
    // Much work waits more often.
    waited.mul_f64((WORK.as_secs_f64() / used.as_secs_f64().max(1e-6)).min(1.0))
}

/// The time that this thread had a core.
#[cfg(unix)]
fn thread_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).ok()
}

#[cfg(not(unix))]
fn thread_time() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_waiting_counts() {
        let (pause, began) = (Duration::from_millis(30), Instant::now());
        let slept = waiting_time(|| {
            while began.elapsed() < pause {
                std::thread::park_timeout(pause);
            }
        });
        assert_eq!(slept >= Duration::from_millis(25), cfg!(unix), "{slept:?}");
        // Twenty times the usual work counts a twentieth of its waiting.
        let busy = |time: Duration| {
            let start = thread_time();
            move || while thread_time().zip(start).is_some_and(|(now, start)| now - start < time) {}
        };
        let worked = waiting_time(|| {
            busy(20 * WORK)();
            while began.elapsed() < 10 * pause {
                std::thread::park_timeout(pause);
            }
        });
        assert!(worked < 10 * pause / 4, "{worked:?}");
    }
}

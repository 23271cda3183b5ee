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
    during_work(elapsed, after.saturating_sub(before))
}

/// The waiting during [`WORK`] of a thread that took this long for some work, and had a core for the time `used`.
fn during_work(elapsed: Duration, used: Duration) -> Duration {
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
        let pause = Duration::from_millis(30);
        let slept = waiting_time(|| {
            let began = Instant::now();
            while began.elapsed() < pause {
                std::thread::park_timeout(pause);
            }
        });
        assert_eq!(slept >= Duration::from_millis(25), cfg!(unix), "{slept:?}");
        let ms = Duration::from_millis;
        assert_eq!(during_work(ms(40), ms(4)), ms(36));
        assert_eq!(during_work(ms(40), ms(20)), ms(5));
        assert_eq!(during_work(ms(20), ms(20)), Duration::ZERO);
        assert_eq!(during_work(ms(7), Duration::ZERO), ms(7));
    }
}

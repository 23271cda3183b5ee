//! Work on several threads. No result depends on how many there are or on which of them does what.

use std::collections::BTreeMap;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::{CancelToken, CheckpointSchedule};

/// The number of threads to use when nobody says otherwise.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Runs `work` on each of so many threads and gathers what they return, in the order of their numbers.
pub fn on_threads<R: Send>(threads: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    if threads <= 1 {
        return vec![work(0)];
    }
    let work = &work;
    thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|number| scope.spawn(move || work(number))).collect();
        let join = |handle: thread::ScopedJoinHandle<'_, R>| {
            handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        handles.into_iter().map(join).collect()
    })
}

/// Does every task once, on whichever thread is free. Each thread folds its tasks into a value of its own, which are
/// returned.
pub fn fold<T: Send, S: Default + Send>(threads: usize, tasks: Vec<T>, work: impl Fn(T, &mut S) + Sync) -> Vec<S> {
    let queue = Mutex::new(tasks.into_iter());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    on_threads(threads, |_| {
        let mut sum = S::default();
        while let Some(task) = next() {
            work(task, &mut sum);
        }
        sum
    })
}

/// Does the tasks from 0 to `count` until one of them returns `false`.
pub fn for_each(threads: usize, count: usize, work: impl Fn(usize) -> bool + Sync) {
    let next = Mutex::new(0..count);
    on_threads(threads, |_| {
        loop {
            let task = next.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(task) = task else { return };
            if !work(task) {
                *next.lock().unwrap_or_else(PoisonError::into_inner) = 0..0;
            }
        }
    });
}

/// So long a result of [`ordered_map`] may wait until it is kept.
const INTERVAL: Duration = Duration::from_secs(10);

/// Maps jobs, numbered from `first` without a gap, on several threads and keeps the results in the order of the jobs.
///
/// Each thread makes its own worker. A worker returns `None` for a job that was cancelled. `keep` gets the results that
/// follow on those it had before, a few seconds' worth at a time. It ends when there are no more jobs, when `cancel` is
/// cancelled, or at the first error of a worker or of `keep`; what is ready by then is kept.
pub fn ordered_map<J, R: Send, E: Send, W: FnMut(u32, J) -> Result<Option<R>, E>>(
    threads: usize,
    first: u32,
    next: impl Fn() -> Option<(u32, J)> + Sync,
    worker: impl Fn() -> Result<W, E> + Sync,
    cancel: &CancelToken,
    mut keep: impl FnMut(Vec<R>) -> Result<(), E>,
) -> Result<(), E> {
    let (send, receive) = channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let send = send.clone();
            scope.spawn(|| {
                let send = send;
                let mut work = match worker() {
                    Ok(work) => work,
                    Err(error) => return drop(send.send((0, Err(error)))),
                };
                while !cancel.is_cancelled() {
                    let Some((number, job)) = next() else { return };
                    if send.send((number, work(number, job))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let (mut waiting, mut ready, mut wanted) = (BTreeMap::new(), Vec::new(), first);
        let mut schedule = CheckpointSchedule::new(INTERVAL);
        let ended = loop {
            match receive.recv_timeout(INTERVAL) {
                Ok((number, Ok(Some(result)))) => {
                    waiting.insert(number, result);
                }
                Ok((_, Ok(None))) | Err(RecvTimeoutError::Timeout) => {}
                Ok((_, Err(error))) => break Err(error),
                Err(RecvTimeoutError::Disconnected) => break Ok(()),
            }
            while let Some(result) = waiting.remove(&wanted) {
                ready.push(result);
                wanted += 1;
            }
            if !ready.is_empty()
                && schedule.due()
                && let Err(error) = keep(std::mem::take(&mut ready))
            {
                break Err(error);
            }
        };
        // After an error nothing is worth working on.
        ended.inspect_err(|_| cancel.cancel())?;
        if ready.is_empty() { Ok(()) } else { keep(ready) }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn every_task_is_done_once() {
        for threads in [0, 1, 2, 5] {
            let mut cells = vec![0u8; 1000];
            let sums = fold(threads, cells.chunks_mut(7).collect(), |chunk: &mut [u8], sum: &mut usize| {
                chunk.iter_mut().for_each(|cell| *cell += 1);
                *sum += chunk.len();
            });
            assert_eq!(sums.iter().sum::<usize>(), 1000);
            assert!(cells.iter().all(|&cell| cell == 1));
            assert_eq!(on_threads(threads, |number| number), (0..threads.max(1)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_task_that_says_no_ends_the_rest() {
        let done = AtomicUsize::new(0);
        for_each(1, 100, |task| {
            done.fetch_add(1, Ordering::Relaxed);
            task < 9
        });
        assert_eq!(done.into_inner(), 10);
    }

    #[test]
    fn results_are_kept_in_the_order_of_the_jobs() {
        for threads in [1, 2, 5] {
            let jobs = Mutex::new((3..50).map(|number| (number, number * 2)));
            let mut kept = Vec::new();
            let done: Result<(), String> = ordered_map(
                threads,
                3,
                || jobs.lock().unwrap().next(),
                || Ok(|number: u32, job: u32| Ok(Some(number + job))),
                &CancelToken::new(),
                |results| {
                    kept.extend(results);
                    Ok(())
                },
            );
            assert_eq!(done, Ok(()));
            assert_eq!(kept, (3..50).map(|number| 3 * number).collect::<Vec<u32>>());
        }
    }

    #[test]
    fn an_error_cancels_and_is_returned() {
        let jobs = Mutex::new(0..1000);
        let cancel = CancelToken::new();
        let done = ordered_map(
            2,
            0,
            || jobs.lock().unwrap().next().map(|number| (number, ())),
            || Ok(|number: u32, ()| if number == 5 { Err("five") } else { Ok(Some(number)) }),
            &cancel,
            |_| Ok(()),
        );
        assert_eq!(done, Err("five"));
        assert!(cancel.is_cancelled());
    }
}

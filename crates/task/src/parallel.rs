//! Work on several threads. No result depends on how many there are or on which of them does what.

use std::collections::BTreeMap;
use std::sync::mpsc::{RecvTimeoutError, channel, sync_channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::{CancelToken, CheckpointSchedule};

/// The number of threads to use when nobody says otherwise.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Runs `work` on each of so many threads and gathers what they return, in the order of their numbers. The calling
/// thread is the first of them.
pub fn on_threads<R: Send>(threads: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    if threads <= 1 {
        return vec![work(0)];
    }
    let work = &work;
    thread::scope(|scope| {
        let handles: Vec<_> = (1..threads).map(|number| scope.spawn(move || work(number))).collect();
        let join = |handle: thread::ScopedJoinHandle<'_, R>| {
            handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        let first = work(0);
        std::iter::once(first).chain(handles.into_iter().map(join)).collect()
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

/// Results of [`ordered_stream`] that wait to be kept, for each thread.
const QUEUED: usize = 8;

/// Does jobs on several threads and keeps their results in the order of the jobs, as soon as it is their turn.
///
/// A job emits any number of results. Threads work on at most `ahead` jobs beyond the one whose results are being kept,
/// and wait for a slow `keep`, so memory is bounded by the results of so many jobs. `emit` returns `false` when nobody
/// wants more. It ends when there are no more jobs, when `cancel` is cancelled, or when `keep` returns `false`.
pub fn ordered_stream<J: Send, R: Send>(
    threads: usize,
    ahead: usize,
    jobs: impl Iterator<Item = J> + Send,
    work: impl Fn(J, &mut dyn FnMut(R) -> bool) + Sync,
    cancel: &CancelToken,
    mut keep: impl FnMut(R) -> bool,
) {
    let threads = threads.max(1);
    let (send, receive) = sync_channel::<(usize, Option<R>)>(threads * QUEUED);
    let queue = JobQueue::new(jobs, ahead);
    thread::scope(|scope| {
        for _ in 0..threads {
            let (send, queue, work) = (send.clone(), &queue, &work);
            scope.spawn(move || {
                let _guard = CloseOnPanic(queue);
                while let Some((number, job)) = queue.next(cancel) {
                    work(job, &mut |result| send.send((number, Some(result))).is_ok());
                    if send.send((number, None)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        // Of jobs whose turn has not come: their results, and whether these are all.
        let mut waiting: BTreeMap<usize, (Vec<R>, bool)> = BTreeMap::new();
        let mut current = 0;
        'all: for (number, result) in &receive {
            match result {
                Some(result) if number == current => {
                    if !keep(result) {
                        break 'all;
                    }
                }
                result => {
                    let entry = waiting.entry(number).or_default();
                    entry.1 |= result.is_none();
                    entry.0.extend(result);
                }
            }
            while let Some((results, ended)) = waiting.remove(&current) {
                if !results.into_iter().all(&mut keep) {
                    break 'all;
                }
                if !ended {
                    break;
                }
                current += 1;
                queue.advance(current);
            }
        }
        // Threads that send find nobody, and those that wait are told.
        drop(receive);
        queue.close();
    });
}

/// The jobs of [`ordered_stream`].
struct JobQueue<I> {
    state: Mutex<JobQueueState<I>>,
    changed: Condvar,
    ahead: usize,
}

struct JobQueueState<I> {
    jobs: I,
    /// The number of the next job.
    next: usize,
    /// The job whose results are being kept.
    current: usize,
    closed: bool,
}

impl<I> JobQueue<I> {
    fn new(jobs: I, ahead: usize) -> JobQueue<I> {
        let state = Mutex::new(JobQueueState { jobs, next: 0, current: 0, closed: false });
        JobQueue { state, changed: Condvar::new(), ahead }
    }

    fn change(&self, change: impl FnOnce(&mut JobQueueState<I>)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }

    /// The results of all jobs before this one are kept.
    fn advance(&self, current: usize) {
        self.change(|state| state.current = current);
    }

    /// There are no more jobs.
    fn close(&self) {
        self.change(|state| state.closed = true);
    }
}

impl<J, I: Iterator<Item = J>> JobQueue<I> {
    /// The next job and its number, once it is not too far ahead.
    fn next(&self, cancel: &CancelToken) -> Option<(usize, J)> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.next > state.current + self.ahead && !state.closed {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.closed || cancel.is_cancelled() {
            return None;
        }
        let job = state.jobs.next()?;
        state.next += 1;
        Some((state.next - 1, job))
    }
}

/// A thread that panics never finishes its job, so the others must not wait for it.
struct CloseOnPanic<'a, I>(&'a JobQueue<I>);

impl<I> Drop for CloseOnPanic<'_, I> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.close();
        }
    }
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
    fn a_stream_keeps_the_order_of_jobs_and_of_their_results() {
        for threads in [0, 1, 2, 5] {
            for ahead in [0, 1, 3, 100] {
                let mut kept = Vec::new();
                let emit = |job: usize, emit: &mut dyn FnMut(usize) -> bool| {
                    // Later jobs tend to be done first.
                    let _ = (0..(job * 7) % 5).all(|part| emit(10 * job + part));
                };
                ordered_stream(threads, ahead, 0..60, emit, &CancelToken::new(), |result| {
                    kept.push(result);
                    true
                });
                let expected = (0..60).flat_map(|job| (0..(job * 7) % 5).map(move |part| 10 * job + part));
                assert_eq!(kept, expected.collect::<Vec<usize>>(), "{threads} threads, {ahead} ahead");
            }
        }
    }

    #[test]
    fn a_stream_ends_when_nobody_wants_more() {
        let begun = AtomicUsize::new(0);
        let mut kept = 0;
        let work = |job: usize, emit: &mut dyn FnMut(usize) -> bool| {
            begun.fetch_add(1, Ordering::Relaxed);
            while emit(job) {}
        };
        ordered_stream(3, 2, 0.., work, &CancelToken::new(), |_| {
            kept += 1;
            kept < 100
        });
        assert_eq!(kept, 100);
        assert!(begun.into_inner() <= 6);
        let cancel = CancelToken::new();
        let mut kept = Vec::new();
        ordered_stream(
            2,
            4,
            0..,
            |job: usize, emit| assert!(emit(job)),
            &cancel,
            |job| {
                kept.push(job);
                if job == 9 {
                    cancel.cancel();
                }
                true
            },
        );
        assert!(kept.len() >= 10 && kept.iter().copied().eq(0..kept.len()), "{kept:?}");
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

//! Work shared out among threads. Nothing here depends on who does what.

use std::sync::Mutex;
use std::thread;

/// Runs `work` on so many threads and gathers what each returns.
pub(crate) fn all<R: Send>(threads: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    if threads <= 1 {
        return vec![work(0)];
    }
    let work = &work;
    thread::scope(|scope| {
        let hands: Vec<_> = (0..threads).map(|hand| scope.spawn(move || work(hand))).collect();
        let join = |hand: thread::ScopedJoinHandle<'_, R>| {
            hand.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        hands.into_iter().map(join).collect()
    })
}

/// Does every task once, by whichever thread is free, and adds up what they return.
pub(crate) fn share<T: Send, S: Default + Send>(
    threads: usize,
    tasks: Vec<T>,
    work: impl Fn(T, &mut S) + Sync,
) -> Vec<S> {
    let queue = Mutex::new(tasks.into_iter());
    let next = || queue.lock().unwrap_or_else(|broken| broken.into_inner()).next();
    all(threads, |_| {
        let mut sum = S::default();
        while let Some(task) = next() {
            work(task, &mut sum);
        }
        sum
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_is_done_once() {
        for threads in [0, 1, 2, 5] {
            let mut cells = vec![0u8; 1000];
            let sums = share(threads, cells.chunks_mut(7).collect(), |chunk, sum: &mut usize| {
                chunk.iter_mut().for_each(|cell| *cell += 1);
                *sum += chunk.len();
            });
            assert_eq!(sums.iter().sum::<usize>(), 1000);
            assert!(cells.iter().all(|&cell| cell == 1));
        }
    }
}

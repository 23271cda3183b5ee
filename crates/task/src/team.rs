//! Threads that stay, for work that comes in many short phases.

use rayon_core::{ThreadPool, ThreadPoolBuilder};

/// A calling thread and helpers that wait for its next phase. New threads for every phase would begin at the end of the
/// queue of a busy machine each time.
#[derive(Debug)]
pub struct Team {
    helpers: Option<ThreadPool>,
    threads: usize,
}

impl Team {
    /// A team of so many threads, the caller included. Where the system refuses more threads, the caller works alone.
    pub fn new(threads: usize) -> Team {
        let threads = threads.max(1);
        let build = || ThreadPoolBuilder::new().num_threads(threads - 1).build().ok();
        Team { helpers: if threads > 1 { build() } else { None }, threads }
    }

    /// Its threads, the caller included.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Runs `work` once with each number below `count`, at most [`threads`](Team::threads) at a time. The caller does
    /// number 0, and returns when all are done.
    pub fn run(&self, count: usize, work: impl Fn(usize) + Sync) {
        let work = &work;
        match &self.helpers {
            Some(helpers) if count > 1 => helpers.in_place_scope(|scope| {
                for number in 1..count {
                    scope.spawn(move |_| work(number));
                }
                work(0);
            }),
            _ => (0..count).for_each(work),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Mutex;
    use std::thread;

    use super::*;

    #[test]
    fn every_number_is_done_once_in_every_phase_by_the_same_threads() {
        for threads in [0, 1, 2, 3] {
            let team = Team::new(threads);
            let seen = Mutex::new(HashSet::new());
            for phase in 0..50 {
                let done = Mutex::new(Vec::new());
                team.run(phase % 5, |number| {
                    done.lock().unwrap().push(number);
                    seen.lock().unwrap().insert(thread::current().id());
                });
                let mut done = done.into_inner().unwrap();
                done.sort_unstable();
                assert_eq!(done, (0..phase % 5).collect::<Vec<_>>());
            }
            assert!(seen.into_inner().unwrap().len() <= team.threads());
        }
    }

    #[test]
    fn a_phase_may_borrow_what_the_next_one_changes() {
        let team = Team::new(2);
        let mut parts = [0_u64; 4];
        for round in 1..=10 {
            let slots: Vec<Mutex<&mut u64>> = parts.iter_mut().map(Mutex::new).collect();
            team.run(4, |number| **slots[number].lock().unwrap() += round);
        }
        assert_eq!(parts, [55; 4]);
    }
}

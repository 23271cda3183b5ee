//! Work by several threads whose results are kept in the order of the jobs, a few seconds' worth at a time.

use std::collections::BTreeMap;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_search::Stop;

use crate::failure::{Done, Failure};

/// So long a result may wait until it is kept.
const WAIT: Duration = Duration::from_secs(10);

/// Does jobs, numbered without a gap, until there are no more or it is told to stop; `keep` gets the results that follow
/// on those it had before. Each thread has a worker of its own. A job without a result was stopped. A fault of a job,
/// or of keeping, ends it all.
pub(super) fn in_order<J, R: Send, W: FnMut(u32, J) -> Result<Option<R>, Failure>>(
    threads: usize,
    first: u32,
    next: impl Fn() -> Option<(u32, J)> + Sync,
    worker: impl Fn() -> Result<W, Failure> + Sync,
    stop: &Stop,
    mut keep: impl FnMut(Vec<R>) -> Done,
) -> Done {
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
                while !stop.raised() {
                    let Some((number, job)) = next() else { return };
                    if send.send((number, work(number, job))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let (mut waiting, mut ready, mut wanted) = (BTreeMap::new(), Vec::new(), first);
        let mut saved = Instant::now();
        let ended = loop {
            match receive.recv_timeout(WAIT) {
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
            if !ready.is_empty() && saved.elapsed() >= WAIT {
                if let Err(error) = keep(std::mem::take(&mut ready)) {
                    break Err(error);
                }
                saved = Instant::now();
            }
        };
        // Whatever went wrong, nothing is worth working on for.
        ended.inspect_err(|_| stop.raise())?;
        if ready.is_empty() { Ok(()) } else { keep(ready) }
    })
}

//! Message buffers: updates from boards to boards without locks. Threads collect messages while all state is
//! read-only, then each thread applies the messages to whole bands of boards that it owns.

use std::mem;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tesuji_task::CancelToken;

/// Boards per unit of scanning.
pub(crate) const BLOCK: usize = 1 << 14;

/// Messages that a thread collects before they are applied: few enough for the last-level cache, many enough
/// to amortise starting threads.
pub(crate) const ROUND: usize = 1 << 20;

/// Approximate number of bands: more than threads, so that no thread waits long.
const BANDS: usize = 32;

/// The recipient in the lower half, the content in the upper half.
pub(crate) type Message = u64;

/// The buffers of all threads, reused from round to round.
pub(crate) struct MessageBuffers {
    shift: u32,
    threads: Vec<Vec<Vec<Message>>>,
}

/// The buffers of one thread during a round, one per band.
pub(crate) struct ThreadBuffer<'a> {
    bands: &'a mut [Vec<Message>],
    shift: u32,
    count: usize,
}

impl ThreadBuffer<'_> {
    #[inline(always)]
    pub(crate) fn send(&mut self, to: u32, what: u32) {
        self.bands[(to >> self.shift) as usize].push(u64::from(to) | u64::from(what) << 32);
        self.count += 1;
    }
}

impl MessageBuffers {
    /// Buffers for `size` boards and `threads` threads.
    pub(crate) fn new(size: usize, threads: usize) -> MessageBuffers {
        // At least a block, so that small games have one band.
        let shift = (size / BANDS).max(BLOCK).ilog2() + 1;
        let bands = (size >> shift) + 1;
        MessageBuffers { shift, threads: vec![vec![Vec::new(); bands]; threads.max(1)] }
    }

    /// Boards per band, a power of two; the last band may be shorter.
    pub(crate) fn band(&self) -> usize {
        1 << self.shift
    }

    /// Collects messages from `block` on, until a round is full or no blocks are left. Returns the next block
    /// and the number of messages; `None` when cancelled, and then nothing is collected.
    pub(crate) fn collect(
        &mut self,
        block: usize,
        blocks: usize,
        cancel: &CancelToken,
        find: impl Fn(usize, &mut ThreadBuffer<'_>) + Sync,
    ) -> Option<(usize, u64)> {
        let next = AtomicUsize::new(block);
        let threads: Vec<_> = self.threads.iter_mut().map(Mutex::new).collect();
        let counts = tesuji_task::on_threads(threads.len(), |thread| {
            let mut bands = threads[thread].lock().unwrap_or_else(|broken| broken.into_inner());
            let mut out = ThreadBuffer { bands: bands.as_mut_slice(), shift: self.shift, count: 0 };
            while out.count < ROUND && !cancel.is_cancelled() {
                let block = next.fetch_add(1, Ordering::Relaxed);
                if block >= blocks {
                    break;
                }
                find(block, &mut out);
            }
            out.count as u64
        });
        if cancel.is_cancelled() {
            drop(threads);
            self.threads.iter_mut().flatten().for_each(Vec::clear);
            return None;
        }
        // Each thread increments once more after the last block.
        Some((next.into_inner().min(blocks), counts.iter().sum()))
    }

    /// Applies all messages to the bands they address, and clears the buffers. `apply` masks the lower half
    /// of a message to get the position in the band.
    pub(crate) fn apply_all<B: Send, S: Default + Send>(
        &mut self,
        bands: impl Iterator<Item = B>,
        apply: impl Fn(&mut B, &[Message], u32, &mut S) + Sync,
    ) -> Vec<S> {
        let threads = self.threads.len();
        let mut found: Vec<Vec<Vec<Message>>> = vec![Vec::with_capacity(threads); self.threads[0].len()];
        for thread in &mut self.threads {
            for (band, messages) in found.iter_mut().zip(thread) {
                band.push(mem::take(messages));
            }
        }
        let mask = (self.band() - 1) as u32;
        let tasks: Vec<_> = bands.zip(&mut found).collect();
        let sums = tesuji_task::fold(threads, tasks, |(mut band, found), sum: &mut S| {
            for messages in found {
                apply(&mut band, messages, mask, sum);
                messages.clear();
            }
        });
        // Returns the allocations to their threads.
        for (band, messages) in found.into_iter().enumerate() {
            for (thread, messages) in self.threads.iter_mut().zip(messages) {
                thread[band] = messages;
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_arrives_once() {
        for (size, threads) in [(10, 1), (3 * BLOCK + 5, 2), (40 * BLOCK, 3)] {
            let mut buffers = MessageBuffers::new(size, threads);
            let mut cells = vec![0u32; size];
            let (mut block, blocks, mut sent) = (0, size.div_ceil(BLOCK), 0);
            while block < blocks {
                let find = |block: usize, out: &mut ThreadBuffer<'_>| {
                    for at in block * BLOCK..((block + 1) * BLOCK).min(size) {
                        out.send((at * 7 % size) as u32, at as u32 % 5 + 1);
                    }
                };
                // A round that is cancelled leaves nothing behind.
                let cancel = CancelToken::new();
                let interrupted = |block: usize, out: &mut ThreadBuffer<'_>| {
                    find(block, out);
                    cancel.cancel();
                };
                assert_eq!(buffers.collect(block, blocks, &cancel, interrupted), None);
                let (next, count) = buffers.collect(block, blocks, &CancelToken::new(), find).unwrap();
                let band = buffers.band();
                let sums = buffers.apply_all(cells.chunks_mut(band), |cells, messages, mask, sum: &mut u64| {
                    for &message in messages {
                        cells[(message as u32 & mask) as usize] += (message >> 32) as u32;
                        *sum += 1;
                    }
                });
                assert_eq!(sums.iter().sum::<u64>(), count);
                (block, sent) = (next, sent + count);
            }
            let mut expected = vec![0; size];
            (0..size).for_each(|at| expected[at * 7 % size] += at as u32 % 5 + 1);
            assert_eq!((sent, cells), (size as u64, expected));
        }
    }
}

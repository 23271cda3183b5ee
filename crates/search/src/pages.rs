//! Memory for large hash tables: zeroed lazily by the system, so that any size opens at once, and in huge pages where
//! the system has them.
#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;

/// One cache line: eight words.
#[derive(Default, Debug)]
#[repr(C, align(64))]
pub struct CacheLine(
    /// The words.
    pub [AtomicU64; 8],
);

/// The size of a huge page.
const HUGE: usize = 2 << 20;

/// Zeroed cache lines, aligned to a huge page.
pub struct Pages {
    lines: NonNull<CacheLine>,
    count: usize,
    block: NonNull<u8>,
    layout: Layout,
}

// SAFETY: a `Pages` owns its memory exclusively, and nothing in it is tied to a thread.
unsafe impl Send for Pages {}
// SAFETY: a shared `Pages` hands out shared lines only, and those are atomic.
unsafe impl Sync for Pages {}

impl Pages {
    /// Allocates `count` lines, or the largest half, quarter, … of that the system can give; at least one.
    pub fn at_most(count: usize) -> Pages {
        let halves = std::iter::successors(Some(count.max(1)), |&count| (count > 1).then_some(count / 2));
        let found = halves.into_iter().find_map(Pages::new);
        found.unwrap_or_else(|| handle_alloc_error(Layout::new::<CacheLine>()))
    }

    /// Allocates `count` lines, if the system can.
    fn new(count: usize) -> Option<Pages> {
        // With a large alignment the allocator would write the zeros itself and so touch every page. One more page
        // leaves space to align by hand.
        let bytes = count.checked_mul(size_of::<CacheLine>())?;
        let layout = Layout::from_size_align(bytes.checked_add(HUGE)?, align_of::<u64>()).ok()?;
        // SAFETY: the layout is not empty: it holds at least a huge page.
        let block = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let ahead = block.addr().get().wrapping_neg() % HUGE;
        // SAFETY: less than `HUGE` bytes into a block that is `HUGE` bytes longer than the lines.
        let lines = unsafe { block.add(ahead) };
        huge(lines, bytes);
        Some(Pages { lines: lines.cast(), count, block, layout })
    }
}

impl Pages {
    /// Prefetches a line into the cache. Without such an instruction or line it does nothing.
    #[inline(always)]
    pub fn prefetch(&self, line: usize) {
        #[cfg(target_arch = "x86_64")]
        if let Some(line) = self.get(line) {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a hint that neither reads nor writes, with the address of a line.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(line).cast()) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = line;
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: this block was allocated with this layout, and no borrow of it is left.
        unsafe { dealloc(self.block.as_ptr(), self.layout) }
    }
}

impl Deref for Pages {
    type Target = [CacheLine];

    #[inline]
    fn deref(&self) -> &[CacheLine] {
        // SAFETY: `count` lines lie within the block, aligned to a huge page. Zeros are valid lines, and later writes
        // go through lines.
        unsafe { NonNull::slice_from_raw_parts(self.lines, self.count).as_ref() }
    }
}

impl DerefMut for Pages {
    fn deref_mut(&mut self) -> &mut [CacheLine] {
        // SAFETY: as above, and `self` is borrowed exclusively.
        unsafe { NonNull::slice_from_raw_parts(self.lines, self.count).as_mut() }
    }
}

impl std::fmt::Debug for Pages {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pages").field("lines", &self.count).finish()
    }
}

/// Asks the system for huge pages.
#[cfg(target_os = "linux")]
fn huge(start: NonNull<u8>, bytes: usize) {
    use rustix::mm::{Advice, madvise};
    // SAFETY: the range lies in our block and covers whole huge pages only, and this advice has no visible effect on
    // the content.
    let _ = unsafe { madvise(start.as_ptr().cast(), bytes - bytes % HUGE, Advice::LinuxHugepage) };
}

#[cfg(not(target_os = "linux"))]
fn huge(_: NonNull<u8>, _: usize) {}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    #[test]
    fn pages_are_zero_and_keep_writes() {
        assert_eq!(size_of::<CacheLine>(), 64);
        for count in [0, 1, 63, 1 << 15, (1 << 16) + 7] {
            let mut pages = Pages::new(count).unwrap();
            assert_eq!((pages.len(), pages.as_ptr().addr() % HUGE), (count, 0));
            assert!(pages.iter().flat_map(|line| &line.0).all(|word| word.load(Relaxed) == 0));
            for (number, line) in pages.iter().enumerate() {
                line.0[number % 8].store(number as u64 + 1, Relaxed);
            }
            for (number, line) in pages.iter_mut().enumerate() {
                assert_eq!(std::mem::take(line.0[number % 8].get_mut()), number as u64 + 1);
            }
            assert!(pages.iter().flat_map(|line| &line.0).all(|word| word.load(Relaxed) == 0));
        }
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(Pages::new(usize::MAX).is_none());
        assert!(Pages::new(usize::MAX / 64).is_none());
        assert!(!Pages::at_most(usize::MAX).is_empty());
    }
}

//! Memory for whole classes of boards: zeroed planes, in huge pages where the system offers them; the layout of several
//! classes in one plane; and the peak memory of a solution, computed in advance.

use std::fmt;
use std::io;
use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;
use tesuji_game::PerfectIndex;
use tesuji_task::CancelToken;

/// Bytes of memory that are asked for at a time.
const TOUCHED: usize = 4 << 20;
/// The smallest page of any system.
const PAGE: usize = 4096;

/// One byte, or one 16-bit word, per board.
pub struct Plane {
    pages: MmapMut,
    len: usize,
}

impl Plane {
    /// A zeroed plane of `len` bytes.
    pub fn zeros(len: usize) -> io::Result<Plane> {
        let pages = MmapMut::map_anon(len.max(1))?;
        // Advisory: without huge pages it is only slower.
        #[cfg(target_os = "linux")]
        let _ = pages.advise(memmap2::Advice::HugePage);
        Ok(Plane { pages, len })
    }

    /// Asks the system for all of the memory now, part by part, until cancelled; returns whether it is all there. The
    /// first write to a page waits for the system, and a pass over all boards that meets only new pages cannot be
    /// interrupted for seconds.
    pub(crate) fn touch(&mut self, cancel: &CancelToken) -> bool {
        self.chunks_mut(TOUCHED).all(|part| {
            part.iter_mut().step_by(PAGE).for_each(|byte| *byte = std::hint::black_box(*byte));
            !cancel.is_cancelled()
        })
    }

    /// The plane as 16-bit words.
    #[inline]
    pub(super) fn words(&self) -> &[u16] {
        bytemuck::cast_slice(self)
    }

    /// The plane as mutable 16-bit words.
    #[inline]
    pub(super) fn words_mut(&mut self) -> &mut [u16] {
        bytemuck::cast_slice_mut(self)
    }
}

impl Deref for Plane {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.pages[..self.len]
    }
}

impl DerefMut for Plane {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.pages[..self.len]
    }
}

impl fmt::Debug for Plane {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Plane").field("len", &self.len).finish()
    }
}

/// Bytes per board while its stage is solved: a word and two values.
const WORKING: u64 = 4;
/// Additional bytes per board at the end of a stage: a move, or a full copy when the stage has several
/// classes.
const FINISHING: [u64; 2] = [1, 3];

/// Memory needed by a solution, computed in advance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryBudget {
    /// Peak bytes of each stage.
    pub stages: Vec<u64>,
}

impl MemoryBudget {
    /// The memory for the first `stages` stages. Finished classes keep one byte per board, and two more
    /// without checkpoints.
    pub fn new<G: PerfectIndex>(game: &G, stages: usize, threads: usize, checkpoints: bool) -> MemoryBudget {
        let kept = if checkpoints { 1 } else { 3 };
        let mut earlier = 0;
        let mut needed = Vec::new();
        for classes in game.stages().iter().take(stages) {
            let boards: u64 = classes.iter().map(|&class| u64::from(game.size(class))).sum();
            let buffers = threads as u64 * (8 * (super::messages::ROUND as u64) * 2 + (16 << 20));
            needed.push(earlier + boards * (WORKING + FINISHING[usize::from(classes.len() > 1)]) + buffers);
            earlier += boards * kept;
        }
        MemoryBudget { stages: needed }
    }

    /// Peak bytes over all stages.
    pub fn peak(&self) -> u64 {
        self.stages.iter().copied().max().unwrap_or(0)
    }
}

/// The layout of several classes in one plane.
pub(crate) struct ClassLayout {
    /// The classes in order, with their offsets.
    classes: Vec<(u8, u32)>,
    /// The offset of each class; `None` for absent classes.
    starts: [Option<u32>; 256],
    size: u32,
}

impl ClassLayout {
    pub(crate) fn new<G: PerfectIndex>(game: &G, classes: &[u8]) -> io::Result<ClassLayout> {
        let mut layout = ClassLayout { classes: Vec::new(), starts: [None; 256], size: 0 };
        for &class in classes {
            layout.classes.push((class, layout.size));
            layout.starts[usize::from(class)] = Some(layout.size);
            layout.size = layout.size.checked_add(game.size(class)).ok_or_else(|| {
                io::Error::new(io::ErrorKind::InvalidInput, "more than 2³² boards at once cannot be numbered")
            })?;
        }
        Ok(layout)
    }

    /// The total number of indices.
    pub(crate) fn size(&self) -> usize {
        self.size as usize
    }

    /// The classes, in order.
    pub(crate) fn classes(&self) -> impl Iterator<Item = u8> + '_ {
        self.classes.iter().map(|&(class, _)| class)
    }

    /// The offset of a class.
    #[inline(always)]
    pub(crate) fn start(&self, class: u8) -> Option<u32> {
        self.starts[usize::from(class)]
    }

    /// The class of a position in the plane, and the index within the class.
    #[inline(always)]
    pub(crate) fn place(&self, at: usize) -> (u8, u32) {
        let found = self.classes.iter().rev().find(|&&(_, start)| start as usize <= at);
        let (class, start) = found.copied().unwrap_or_default();
        (class, (at - start as usize) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_asked_for_until_cancelled_and_keeps_what_is_in_it() {
        let mut plane = Plane::zeros(2 * TOUCHED + 5).expect("some memory");
        (plane[0], plane[PAGE], plane[2 * TOUCHED + 4]) = (7, 8, 9);
        let cancel = CancelToken::new();
        assert!(plane.touch(&cancel));
        assert_eq!((plane[0], plane[1], plane[PAGE], plane[2 * TOUCHED + 4]), (7, 0, 8, 9));
        cancel.cancel();
        assert!(!plane.touch(&cancel));
        assert!(Plane::zeros(0).expect("no memory").touch(&CancelToken::new()));
    }
}

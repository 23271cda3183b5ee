//! Memory for whole classes of boards: zeroed planes, in huge pages where the system offers them; the layout of several
//! classes in one plane; and the peak memory of a solution, computed in advance.

use std::fmt;
use std::io;
use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;
use tesuji_game::PerfectIndex;

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

//! Memory for whole classes of boards, zero at first and in huge pages where the system gives them, and the plan of
//! how much of it a solution needs.

use std::fmt;
use std::io;
use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;
use tesuji_game::PerfectIndex;

/// A byte, or a word, for every board.
pub struct Plane {
    pages: MmapMut,
    len: usize,
}

impl Plane {
    /// So many zeros.
    pub fn zeros(len: usize) -> io::Result<Plane> {
        let pages = MmapMut::map_anon(len.max(1))?;
        // Only a wish: a system without huge pages is slower, not wrong.
        #[cfg(target_os = "linux")]
        let _ = pages.advise(memmap2::Advice::HugePage);
        Ok(Plane { pages, len })
    }

    /// The plane as words of two bytes.
    #[inline]
    pub(super) fn words(&self) -> &[u16] {
        bytemuck::cast_slice(self)
    }

    /// The same, to be changed.
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

/// Bytes for a board while its stage is being solved: a word and two values.
const WORKING: u64 = 4;
/// Bytes for a board when its stage is solved, beyond the above: a move, or all of a copy when there are several
/// classes to tell apart.
const FINISHING: [u64; 2] = [1, 3];

/// How much memory a solution will take, found before any of it is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Budget {
    /// The most that each stage takes at any moment, in bytes.
    pub stages: Vec<u64>,
}

impl Budget {
    /// The memory for the first `stages` stages. Of finished classes one byte a board is kept, and two more when
    /// nothing is put on a shelf.
    pub fn new<G: PerfectIndex>(game: &G, stages: usize, threads: usize, shelf: bool) -> Budget {
        let kept = if shelf { 1 } else { 3 };
        let mut earlier = 0;
        let mut needed = Vec::new();
        for classes in game.stages().iter().take(stages) {
            let boards: u64 = classes.iter().map(|&class| u64::from(game.size(class))).sum();
            let boxes = threads as u64 * (8 * (super::boxes::ROUND as u64) * 2 + (16 << 20));
            needed.push(earlier + boards * (WORKING + FINISHING[usize::from(classes.len() > 1)]) + boxes);
            earlier += boards * kept;
        }
        Budget { stages: needed }
    }

    /// The most it takes at any moment, in bytes.
    pub fn peak(&self) -> u64 {
        self.stages.iter().copied().max().unwrap_or(0)
    }
}

//! Compression and expansion with PEXT and PDEP, and the loops around them compiled for these instructions.
#![allow(unsafe_code)] // Only to call functions with these target features.

pub(super) use here::*;

#[cfg(target_arch = "x86_64")]
mod here {
    use std::arch::x86_64::{_pdep_u32, _pext_u32};

    use tesuji_game::isa::{Isa, isa};
    use tesuji_game::{BoardRank, Predecessor};

    use crate::board::Ostle;
    use crate::index::compress::{BitCompress, free};
    use crate::index::{Index, predecessors};

    /// Proof that this machine has these instructions: only [`available`] makes one.
    #[derive(Clone, Copy)]
    pub(in crate::index) struct Bmi2(());

    /// Whether the functions below may be called.
    #[inline]
    pub(in crate::index) fn available() -> Option<Bmi2> {
        (isa() == Isa::Avx2).then_some(Bmi2(()))
    }

    impl BitCompress for Bmi2 {
        #[inline(always)]
        fn compress(self, set: u32, taken: u32) -> u32 {
            // SAFETY: the instruction was found.
            unsafe { _pext_u32(set, free(taken)) }
        }

        #[inline(always)]
        fn expand(self, set: u32, taken: u32) -> u32 {
            // SAFETY: the instruction was found.
            unsafe { _pdep_u32(set, free(taken)) }
        }
    }

    /// As in `BitCompress`.
    #[cfg(test)]
    pub(in crate::index) fn compress(found: Bmi2, set: u32, taken: u32) -> u32 {
        found.compress(set, taken)
    }

    /// As in `BitCompress`.
    #[cfg(test)]
    pub(in crate::index) fn expand(found: Bmi2, set: u32, taken: u32) -> u32 {
        found.expand(set, taken)
    }

    /// The place of a board.
    #[inline]
    pub(in crate::index) fn rank(found: Bmi2, index: &Index, board: Ostle) -> BoardRank {
        #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
        fn rank(found: Bmi2, index: &Index, board: Ostle) -> BoardRank {
            index.rank_by(found, board)
        }
        // SAFETY: the instructions were found.
        unsafe { rank(found, index, board) }
    }

    /// The board of a number.
    #[inline]
    pub(in crate::index) fn unrank(found: Bmi2, index: &Index, class: u8, number: u32) -> Option<Ostle> {
        #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
        fn unrank(found: Bmi2, index: &Index, class: u8, number: u32) -> Option<Ostle> {
            index.unrank_by(found, class, number)
        }
        // SAFETY: the instructions were found.
        unsafe { unrank(found, index, class, number) }
    }

    /// The moves that lead to a board, within its stage or into it.
    #[inline]
    pub(in crate::index) fn predecessors<const FALLS: bool>(
        found: Bmi2,
        index: &Index,
        class: u8,
        number: u32,
        visit: impl FnMut(Predecessor),
    ) {
        #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
        fn inner<const FALLS: bool>(
            found: Bmi2,
            index: &Index,
            class: u8,
            number: u32,
            visit: impl FnMut(Predecessor),
        ) {
            predecessors::predecessors::<FALLS, _>(found, index, class, number, visit);
        }
        // SAFETY: the instructions were found.
        unsafe { inner::<FALLS>(found, index, class, number, visit) }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod here {
    use tesuji_game::{BoardRank, Predecessor};

    use crate::board::Ostle;
    use crate::index::Index;

    /// Never made.
    #[derive(Clone, Copy)]
    pub(in crate::index) enum Bmi2 {}

    pub(in crate::index) fn available() -> Option<Bmi2> {
        None
    }

    #[cfg(test)]
    pub(in crate::index) fn compress(found: Bmi2, _: u32, _: u32) -> u32 {
        match found {}
    }

    #[cfg(test)]
    pub(in crate::index) fn expand(found: Bmi2, _: u32, _: u32) -> u32 {
        match found {}
    }

    pub(in crate::index) fn rank(found: Bmi2, _: &Index, _: Ostle) -> BoardRank {
        match found {}
    }

    pub(in crate::index) fn unrank(found: Bmi2, _: &Index, _: u8, _: u32) -> Option<Ostle> {
        match found {}
    }

    pub(in crate::index) fn predecessors<const FALLS: bool>(
        found: Bmi2,
        _: &Index,
        _: u8,
        _: u32,
        _: impl FnMut(Predecessor),
    ) {
        match found {}
    }
}

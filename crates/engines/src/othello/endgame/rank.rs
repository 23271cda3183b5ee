//! In which order moves are tried: what leaves the opponent few and bad answers comes first.

/// A second opinion on moves, where the tree is large enough to pay for it.
///
/// Without one the search orders moves by the opponent's mobility, corners and parity. An evaluation that
/// learned from games knows better, and costs more.
pub trait Rank {
    /// With so many empty squares or more, moves are ranked by [`Rank::rank`].
    const FROM: u32;

    /// How good the position seems to its mover, in 64ths of a disc.
    fn rank(&self, own: u64, other: u64) -> i32;
}

/// No second opinion.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unranked;

impl Rank for Unranked {
    const FROM: u32 = u32::MAX;

    #[inline(always)]
    fn rank(&self, _: u64, _: u64) -> i32 {
        0
    }
}

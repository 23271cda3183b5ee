//! The numbers of one position: proof, disproof, and what a disproof rests on.

/// Larger than every number of an open position.
pub(super) const INFINITE: u32 = u32::MAX;
const LARGEST: u32 = 1 << 30;

/// What a disproof rests on when it rests on nothing but the position.
pub(super) const NOTHING: u32 = u32::MAX;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mark {
    /// 0 when the attacker wins, [`INFINITE`] when not.
    pub(super) proof: u32,
    /// The other way round.
    pub(super) disproof: u32,
    /// How many plies the win takes at most.
    pub(super) plies: u32,
    /// The number of the earliest place on the path that a disproof needs; 0 for the bound of depth.
    pub(super) rests: u32,
}

impl Mark {
    /// An open position.
    pub(super) fn open(proof: u32, disproof: u32) -> Mark {
        Mark {
            proof: proof.clamp(1, LARGEST),
            disproof: disproof.clamp(1, LARGEST),
            plies: 0,
            rests: NOTHING,
        }
    }

    /// The attacker wins within `plies`.
    pub(super) const fn won(plies: u32) -> Mark {
        Mark { proof: 0, disproof: INFINITE, plies, rests: NOTHING }
    }

    /// The attacker does not win, as long as the place `rests` is on the path.
    pub(super) const fn held(rests: u32) -> Mark {
        Mark { proof: INFINITE, disproof: 0, plies: 0, rests }
    }

    pub(super) const fn is_proven(self) -> bool {
        self.proof == 0
    }

    pub(super) const fn is_disproven(self) -> bool {
        self.disproof == 0
    }

    /// Whether it is a property of the position, whatever led there.
    pub(super) const fn is_absolute(self) -> bool {
        self.rests == NOTHING
    }

    /// The number the side to move wants to bring to 0: of a node, the least among its children.
    #[inline]
    pub(super) const fn wanted(self, attacking: bool) -> u32 {
        if attacking { self.proof } else { self.disproof }
    }

    /// The number the other side wants to bring to 0: of a node, all its children count.
    #[inline]
    pub(super) const fn feared(self, attacking: bool) -> u32 {
        self.wanted(!attacking)
    }

    /// The mark of a node at `place` on the path, given its children. There must be one.
    pub(super) fn fold(children: impl Iterator<Item = Mark>, attacking: bool, place: u32) -> Mark {
        let (mut least, mut hardest, mut open) = (INFINITE, 0, 0u32);
        let mut shortest = u32::MAX;
        let mut longest = 0;
        let (mut firmest, mut weakest) = (0, NOTHING);
        for child in children {
            let (wanted, feared) = (child.wanted(attacking), child.feared(attacking));
            least = least.min(wanted);
            hardest = hardest.max(feared);
            open += u32::from(feared != 0);
            if child.is_proven() {
                shortest = shortest.min(child.plies);
                longest = longest.max(child.plies);
            }
            if child.is_disproven() {
                firmest = firmest.max(child.rests);
                weakest = weakest.min(child.rests);
            }
        }
        // The circle closes here: what stood before does not matter.
        let settle = |rests: u32| if rests >= place { NOTHING } else { rests };
        match (least, open) {
            (0, _) if attacking => Mark::won(shortest + 1),
            (_, 0) if !attacking => Mark::won(longest + 1),
            (0, _) => Mark::held(settle(firmest)),
            (_, 0) => Mark::held(settle(weakest)),
            _ => {
                let sum = hardest.saturating_add(open - 1);
                if attacking { Mark::open(least, sum) } else { Mark::open(sum, least) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fold(children: &[Mark], attacking: bool) -> Mark {
        Mark::fold(children.iter().copied(), attacking, 5)
    }

    #[test]
    fn the_attacker_needs_one_child_and_the_defender_all() {
        let (open, won, held) = (Mark::open(3, 4), Mark::won(2), Mark::held(NOTHING));
        assert_eq!(fold(&[open, won, Mark::won(6), held], true), Mark::won(3));
        assert_eq!(fold(&[won, Mark::won(6)], false), Mark::won(7));
        assert_eq!(fold(&[open, won, held], false), Mark::held(NOTHING));
        assert_eq!(fold(&[held, held], true), Mark::held(NOTHING));
        assert_eq!(fold(&[open, Mark::open(2, 9), held], true), Mark::open(2, 10));
        assert_eq!(fold(&[open, Mark::open(2, 9), won], false), Mark::open(4, 4));
    }

    #[test]
    fn a_disproof_rests_on_the_earliest_place_it_needs() {
        assert_eq!(fold(&[Mark::held(3), Mark::held(4)], true), Mark::held(3));
        assert_eq!(fold(&[Mark::held(3), Mark::held(4)], false), Mark::held(4));
        // The place itself, or a later one, is reached again by whoever comes here.
        assert_eq!(fold(&[Mark::held(5), Mark::held(NOTHING)], true), Mark::held(NOTHING));
        assert_eq!(fold(&[Mark::held(5), Mark::held(4)], true), Mark::held(4));
        assert_eq!(fold(&[Mark::held(0), Mark::held(9)], true), Mark::held(0));
    }
}

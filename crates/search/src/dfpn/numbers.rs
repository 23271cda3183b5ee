//! The proof and disproof number of a position, and the path that a disproof depends on.

/// Larger than every number of an unsolved position.
pub(super) const INFINITE: u32 = u32::MAX;
const MAX_FINITE: u32 = 1 << 30;

/// The dependence of a disproof that holds on every path.
pub(super) const NO_PATH: u32 = u32::MAX;

/// Proof and disproof number of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ProofNumbers {
    /// The proof number: 0 if the attacker wins, [`INFINITE`] if not.
    pub(super) proof: u32,
    /// The disproof number: the other way round.
    pub(super) disproof: u32,
    /// The length of a proven win in plies, at most.
    pub(super) plies: u32,
    /// The earliest index on the path that a disproof depends on; 0 for the depth limit, [`NO_PATH`] for none.
    pub(super) path_index: u32,
}

impl ProofNumbers {
    /// An unsolved position.
    pub(super) fn unsolved(proof: u32, disproof: u32) -> ProofNumbers {
        ProofNumbers {
            proof: proof.clamp(1, MAX_FINITE),
            disproof: disproof.clamp(1, MAX_FINITE),
            plies: 0,
            path_index: NO_PATH,
        }
    }

    /// Proven: the attacker wins within `plies`.
    pub(super) const fn proven(plies: u32) -> ProofNumbers {
        ProofNumbers { proof: 0, disproof: INFINITE, plies, path_index: NO_PATH }
    }

    /// Disproven, as long as the position at `path_index` is on the path.
    pub(super) const fn disproven(path_index: u32) -> ProofNumbers {
        ProofNumbers { proof: INFINITE, disproof: 0, plies: 0, path_index }
    }

    pub(super) const fn is_proven(self) -> bool {
        self.proof == 0
    }

    pub(super) const fn is_disproven(self) -> bool {
        self.disproof == 0
    }

    /// Whether it holds on every path.
    pub(super) const fn is_path_independent(self) -> bool {
        self.path_index == NO_PATH
    }

    /// The number that the side to move minimises (phi): the minimum over the children.
    #[inline]
    pub(super) const fn phi(self, attacking: bool) -> u32 {
        if attacking { self.proof } else { self.disproof }
    }

    /// The number that the other side minimises (delta): all children count.
    #[inline]
    pub(super) const fn delta(self, attacking: bool) -> u32 {
        self.phi(!attacking)
    }

    /// The numbers of a node at `index` on the path from those of its children, of which there is at least one. Each comes
    /// with whether its move is like the one before.
    pub(super) fn from_children(
        children: impl Iterator<Item = (ProofNumbers, bool)>,
        attacking: bool,
        index: u32,
    ) -> ProofNumbers {
        let (mut min_phi, mut max_delta, mut open) = (INFINITE, 0, OpenGroups::default());
        let mut shortest = u32::MAX;
        let mut longest = 0;
        let (mut latest, mut earliest) = (0, NO_PATH);
        for (child, alike) in children {
            let (phi, delta) = (child.phi(attacking), child.delta(attacking));
            min_phi = min_phi.min(phi);
            max_delta = max_delta.max(delta);
            open.add(delta != 0, alike);
            if child.is_proven() {
                shortest = shortest.min(child.plies);
                longest = longest.max(child.plies);
            }
            if child.is_disproven() {
                latest = latest.max(child.path_index);
                earliest = earliest.min(child.path_index);
            }
        }
        // A cycle that closes here or later does not depend on the path before.
        let before = |path_index: u32| if path_index >= index { NO_PATH } else { path_index };
        match (min_phi, open.count) {
            (0, _) if attacking => ProofNumbers::proven(shortest + 1),
            (_, 0) if !attacking => ProofNumbers::proven(longest + 1),
            (0, _) => ProofNumbers::disproven(before(latest)),
            (_, 0) => ProofNumbers::disproven(before(earliest)),
            _ => {
                let sum = max_delta.saturating_add(open.count - 1);
                if attacking { ProofNumbers::unsolved(min_phi, sum) } else { ProofNumbers::unsolved(sum, min_phi) }
            }
        }
    }
}

/// Counts unsolved children. Moves that are alike count once.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OpenGroups {
    pub(super) count: u32,
    /// The present group has been counted.
    counted: bool,
}

impl OpenGroups {
    /// Adds a child; `alike` if its move is like the one before.
    #[inline]
    pub(super) fn add(&mut self, open: bool, alike: bool) {
        self.counted &= alike;
        self.count += u32::from(open && !self.counted);
        self.counted |= open;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(children: &[ProofNumbers], attacking: bool) -> ProofNumbers {
        ProofNumbers::from_children(children.iter().map(|&child| (child, false)), attacking, 5)
    }

    #[test]
    fn the_attacker_needs_one_child_and_the_defender_all() {
        let (open, proven, disproven) =
            (ProofNumbers::unsolved(3, 4), ProofNumbers::proven(2), ProofNumbers::disproven(NO_PATH));
        assert_eq!(numbers(&[open, proven, ProofNumbers::proven(6), disproven], true), ProofNumbers::proven(3));
        assert_eq!(numbers(&[proven, ProofNumbers::proven(6)], false), ProofNumbers::proven(7));
        assert_eq!(numbers(&[open, proven, disproven], false), ProofNumbers::disproven(NO_PATH));
        assert_eq!(numbers(&[disproven, disproven], true), ProofNumbers::disproven(NO_PATH));
        assert_eq!(numbers(&[open, ProofNumbers::unsolved(2, 9), disproven], true), ProofNumbers::unsolved(2, 10));
        assert_eq!(numbers(&[open, ProofNumbers::unsolved(2, 9), proven], false), ProofNumbers::unsolved(4, 4));
    }

    #[test]
    fn moves_that_are_alike_count_once() {
        let open = ProofNumbers::unsolved(3, 4);
        let sum =
            |children: &[(ProofNumbers, bool)]| ProofNumbers::from_children(children.iter().copied(), false, 5).proof;
        assert_eq!(sum(&[(open, false), (open, false), (open, false)]), 5);
        assert_eq!(sum(&[(open, false), (open, true), (open, false), (open, true)]), 4);
        // A group counts as long as one of its moves is unsolved.
        assert_eq!(sum(&[(open, false), (ProofNumbers::proven(2), false), (open, true), (open, true)]), 4);
        assert_eq!(sum(&[(ProofNumbers::proven(2), false), (open, true)]), 3);
    }

    #[test]
    fn a_disproof_depends_on_the_earliest_position_it_needs() {
        assert_eq!(
            numbers(&[ProofNumbers::disproven(3), ProofNumbers::disproven(4)], true),
            ProofNumbers::disproven(3)
        );
        assert_eq!(
            numbers(&[ProofNumbers::disproven(3), ProofNumbers::disproven(4)], false),
            ProofNumbers::disproven(4)
        );
        // A cycle through the node itself or a later one exists on every path to the node.
        assert_eq!(
            numbers(&[ProofNumbers::disproven(5), ProofNumbers::disproven(NO_PATH)], true),
            ProofNumbers::disproven(NO_PATH)
        );
        assert_eq!(
            numbers(&[ProofNumbers::disproven(5), ProofNumbers::disproven(4)], true),
            ProofNumbers::disproven(4)
        );
        assert_eq!(
            numbers(&[ProofNumbers::disproven(0), ProofNumbers::disproven(9)], true),
            ProofNumbers::disproven(0)
        );
    }
}

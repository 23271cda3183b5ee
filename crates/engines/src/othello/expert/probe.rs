//! ProbCut: a shallow search that is clear of the window by some standard deviations stands for the deep one.

use super::kernel::Kernel;
use super::spot::Spot;
use super::walk::Walk;

/// With so many plies to go or more, and so many to the end of the game, branches may be left out.
const FROM: u32 = 3;
const FROM_TO_THE_END: u32 = 13;

/// A score beside the window, if a shallow search makes it likely enough.
#[inline(always)]
pub(super) fn probed<K: Kernel>(walk: &mut Walk<'_, K>, spot: &Spot, depth: u32, alpha: i32) -> Option<i32> {
    let deviations = walk.level.deviations()?;
    let empties = spot.node.empties;
    if depth < FROM || depth == empties && depth < FROM_TO_THE_END {
        return None;
    }
    let shallow = shallow(depth);
    let margin = (deviations * error(empties, depth, shallow)).ceil() as i32;
    let glimpse = walk.eval.whole(&spot.numbers, empties);
    let slack = (deviations * error(empties, shallow, 0) * 0.5) as i32;
    let beta = alpha + 1;
    let high = beta + margin;
    if high < 64 && glimpse >= high - slack && walk.ahead(spot, shallow, high - 1) >= high {
        return Some(beta);
    }
    let low = alpha - margin;
    if low > -64 && glimpse <= low + slack && walk.ahead(spot, shallow, low) <= low {
        return Some(alpha);
    }
    None
}

/// The depth of the shallow search: about a quarter, and as odd or even as the deep one.
const fn shallow(depth: u32) -> u32 {
    2 * (depth / 4) + depth % 2
}

/// The standard deviation, in discs, of what a search finds about what a deeper one does.
pub(super) fn error(empties: u32, depth: u32, shallow: u32) -> f32 {
    let (empties, depth, shallow) = (empties as f32, depth as f32, shallow as f32);
    0.5 * (depth - shallow).sqrt() * (2.3 - 0.05 * shallow) * (1.1 - 0.008 * empties)
}

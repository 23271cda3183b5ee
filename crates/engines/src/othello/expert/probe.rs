//! ProbCut: a shallow search that is clear of the window by some standard deviations stands for the deep one.

use super::super::cuts::Cuts;
use super::kernel::Kernel;
use super::spot::Spot;
use super::walk::Walk;

/// With so many plies to go or more, branches may be left out.
const FROM: u32 = 3;

/// What part of the measured deviation is believed in on the way to the end of the game. Each selective round there only
/// leads the next, and the last leaves nothing out: bolder cuts solve sooner. From 0.3 to 0.5 it hardly matters: FFO 40 to
/// 44 took from 129 to 135 million positions, and 139 with the margins made by hand before.
const SOLVING: f32 = 0.5;
/// And before the end is in sight: about what the margins made by hand came to. Games have not been asked yet.
const PLAYING: f32 = 0.5;
/// What part of its deviation the evaluation alone may be on the wrong side of the margin by, for the shallow search
/// to be worth a try.
const GLIMPSE: f32 = 0.5;

/// A score beside the window, if a shallow search makes it likely enough.
#[inline(always)]
pub(super) fn probed<K: Kernel>(walk: &mut Walk<'_, K>, spot: &Spot, depth: u32, alpha: i32) -> Option<i32> {
    let deviations = walk.level.deviations()?;
    let empties = spot.node.empties;
    if depth < FROM {
        return None;
    }
    let shallow = shallow(depth);
    let doubt = walk.doubts.of(empties, depth);
    let margin = (deviations * doubt.shallow).ceil() as i32;
    let glimpse = walk.judged(spot);
    let slack = (deviations * doubt.glimpse) as i32;
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

/// The depth of the shallow search: about half, and as odd or even as the deep one.
const fn shallow(depth: u32) -> u32 {
    2 * (depth / 4) + depth % 2
}

/// How far what a search to some depth would find may be from what is known before.
#[derive(Clone, Copy, Default, Debug)]
struct Doubt {
    /// From the shallow search.
    shallow: f32,
    /// The shallow search from the evaluation alone.
    glimpse: f32,
}

/// All doubts, by the number of empty squares and the depth.
#[derive(Debug)]
pub(super) struct Doubts(Box<[[Doubt; 64]; 61]>);

impl Doubts {
    pub(super) fn new(cuts: &Cuts) -> Doubts {
        let mut all = Box::new([[Doubt::default(); 64]; 61]);
        for empties in 0..=60 {
            for depth in FROM..=empties {
                let (part, shallow) = (if depth == empties { SOLVING } else { PLAYING }, shallow(depth));
                all[empties as usize][depth as usize] = Doubt {
                    shallow: part * cuts.deviation(empties, depth, shallow),
                    glimpse: GLIMPSE * part * cuts.deviation(empties, shallow, 0),
                };
            }
        }
        Doubts(all)
    }

    #[inline(always)]
    fn of(&self, empties: u32, depth: u32) -> Doubt {
        self.0[empties.min(60) as usize][(depth & 63) as usize]
    }
}

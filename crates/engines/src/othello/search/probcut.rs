//! Multi-ProbCut (Buro 1997): a shallow search that is outside the window by some standard deviations replaces the deep
//! one.

use super::super::probcut::ProbCutParameters;
use super::kernel::Kernel;
use super::node::PatternNode;
use super::thread::SearchThread;

/// The least depth of a node that may be cut.
const MIN_DEPTH: u32 = 3;

/// The fraction of the measured deviation that a search to the end of the game uses. The last iteration cuts nothing, so
/// bold cuts in the iterations before only make it faster. Values from 0.3 to 0.5 hardly differ: FFO #40–#44 took 129 to
/// 135 million nodes, and 139 with margins tuned by hand.
const SOLVE_FRACTION: f32 = 0.5;
/// The fraction that other searches use: about the former margins tuned by hand. It has not been tuned by matches.
const MIDGAME_FRACTION: f32 = 0.5;
/// The static evaluation may miss the bound of the shallow search by this fraction of its deviation.
const EVAL_FRACTION: f32 = 0.5;

/// A bound from a shallow search if it is likely enough.
#[inline(always)]
pub(super) fn probcut<K: Kernel>(
    search: &mut SearchThread<'_, K>,
    position: &PatternNode,
    depth: u32,
    alpha: i32,
) -> Option<i32> {
    let deviations = search.selectivity.deviations()?;
    let empties = position.node.empties;
    if depth < MIN_DEPTH {
        return None;
    }
    let probcut_depth = probcut_depth(depth);
    let sigma = search.margins.get(empties, depth);
    let margin = (deviations * sigma.search).ceil() as i32;
    let eval = search.evaluate(position);
    let slack = (deviations * sigma.eval) as i32;
    let beta = alpha + 1;
    let high = beta + margin;
    if high < 64 && eval >= high - slack && search.nws(position, probcut_depth, high - 1) >= high {
        return Some(beta);
    }
    let low = alpha - margin;
    if low > -64 && eval <= low + slack && search.nws(position, probcut_depth, low) <= low {
        return Some(alpha);
    }
    None
}

/// The depth of the shallow search: about half, with the parity of the deep search.
const fn probcut_depth(depth: u32) -> u32 {
    2 * (depth / 4) + depth % 2
}

/// Standard deviations in discs, scaled.
#[derive(Clone, Copy, Default, Debug)]
struct ProbCutSigma {
    /// Of the shallow search from the deep search.
    search: f32,
    /// Of the static evaluation from the shallow search.
    eval: f32,
}

/// The standard deviations by the number of empties and the depth.
#[derive(Debug)]
pub(super) struct ProbCutMargins(Box<[[ProbCutSigma; 64]; 61]>);

impl ProbCutMargins {
    pub(super) fn new(model: &ProbCutParameters) -> ProbCutMargins {
        let mut all = Box::new([[ProbCutSigma::default(); 64]; 61]);
        for empties in 0..=60 {
            for depth in MIN_DEPTH..=empties {
                let fraction = if depth == empties { SOLVE_FRACTION } else { MIDGAME_FRACTION };
                let shallow = probcut_depth(depth);
                all[empties as usize][depth as usize] = ProbCutSigma {
                    search: fraction * model.deviation(empties, depth, shallow),
                    eval: EVAL_FRACTION * fraction * model.deviation(empties, shallow, 0),
                };
            }
        }
        ProbCutMargins(all)
    }

    #[inline(always)]
    fn get(&self, empties: u32, depth: u32) -> ProbCutSigma {
        self.0[empties.min(60) as usize][(depth & 63) as usize]
    }
}

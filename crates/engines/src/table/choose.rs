//! Which of equally good moves to play: in a draw the one that is hardest to answer, in a loss the one that leaves the
//! winner the fewest ways.

use std::cmp::Reverse;

use tesuji_game::{HasPerfectIndex, Move, Outcome};
use tesuji_search::Rng;
use tesuji_solve::tablebase::TablebaseError;

use super::prospect::{Oracle, Prospect};

/// The moves that keep what the position is worth: the quickest of those that win, the slowest of those that lose.
pub(super) fn best<G: HasPerfectIndex>(prospects: &[Prospect<G>]) -> Vec<Prospect<G>> {
    let most = prospects.iter().map(|prospect| prospect.value().0).max();
    prospects.iter().filter(|prospect| Some(prospect.value().0) == most).copied().collect()
}

/// Puts equally good moves in the order they are to be played in. `stood` tells how often a position has stood in this
/// game.
pub(super) fn order<G: HasPerfectIndex>(
    oracle: &Oracle<G>,
    now: &G,
    seed: u64,
    equals: &mut Vec<Prospect<G>>,
    stood: impl Fn(&G) -> usize,
) -> Result<(), TablebaseError> {
    if equals.len() < 2 {
        return Ok(());
    }
    let mut judged = Vec::with_capacity(equals.len());
    for prospect in &*equals {
        let trouble = match prospect.outcome {
            Outcome::Draw => (stood(&prospect.after), trap(oracle, prospect)?),
            Outcome::Loss => (0, resistance(oracle, prospect)?),
            Outcome::Win => (0, Trouble::default()),
        };
        judged.push(((trouble, lot(now, seed, prospect.mv)), *prospect));
    }
    // Stable: with the seed 0 the order of the rules decides.
    judged.sort_by_key(|&(key, _)| key);
    *equals = judged.into_iter().map(|(_, prospect)| prospect).collect();
    Ok(())
}

/// What an opponent has to cope with; the least is the most unpleasant.
type Trouble = (Reverse<u32>, u32, Reverse<u32>);

/// Shares are compared in so many parts of the whole.
const WHOLE: u32 = 1 << 20;

/// A drawing move as a trap: the more of the replies lose the better, then the fewer hold the draw. Of the same number
/// the better ones lose late, for who looks ahead sees the others.
fn trap<G: HasPerfectIndex>(oracle: &Oracle<G>, prospect: &Prospect<G>) -> Result<Trouble, TablebaseError> {
    let replies = oracle.prospects(&prospect.after)?;
    let (mut lost, mut held, mut plies) = (0, 0, 0);
    for reply in &replies {
        match reply.outcome {
            Outcome::Loss => {
                lost += 1;
                plies += u32::from(reply.plies.unwrap_or(0));
            }
            _ => held += 1,
        }
    }
    let share = lost * WHOLE / (replies.len() as u32).max(1);
    Ok((Reverse(share), held, Reverse(plies)))
}

/// A lost move as an obstacle: the fewer replies win as fast as can be, the better; then the fewer win at all.
fn resistance<G: HasPerfectIndex>(
    oracle: &Oracle<G>,
    prospect: &Prospect<G>,
) -> Result<Trouble, TablebaseError> {
    if prospect.after.outcome().is_some() {
        return Ok((Reverse(0), u32::MAX, Reverse(0)));
    }
    let replies = oracle.prospects(&prospect.after)?;
    let fastest = best(&replies).len() as u32;
    let wins = replies.iter().filter(|reply| reply.outcome == Outcome::Win).count() as u32;
    Ok((Reverse(0), fastest, Reverse(WHOLE.saturating_sub(wins))))
}

/// The lot that a move draws: it depends on seed and position alone, so that a game does not depend on those before it.
fn lot<G: HasPerfectIndex>(now: &G, seed: u64, mv: G::Move) -> u64 {
    if seed == 0 {
        return 0;
    }
    let place = Rng::new(seed ^ now.key()).draw();
    Rng::new(place ^ u64::from(mv.to_bits())).draw()
}

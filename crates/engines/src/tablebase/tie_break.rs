//! The order of equally good moves: in a draw the move that is hardest to answer, in a loss the one that leaves the
//! winner the fewest ways.

use std::cmp::Reverse;

use tesuji_game::{HasPerfectIndex, Move, Outcome};
use tesuji_search::Rng;
use tesuji_solve::tablebase::TablebaseError;

use super::moves::{MoveProber, ProbedMove};

/// The moves with the value of the position: the fastest wins, or the slowest losses.
pub(super) fn best<G: HasPerfectIndex>(moves: &[ProbedMove<G>]) -> Vec<ProbedMove<G>> {
    let most = moves.iter().map(|probed| probed.value().0).max();
    moves.iter().filter(|probed| Some(probed.value().0) == most).copied().collect()
}

/// Sorts equally good moves. `occurrences` counts how often a position has occurred in this game.
pub(super) fn sort<G: HasPerfectIndex>(
    prober: &MoveProber<G>,
    now: &G,
    seed: u64,
    equals: &mut Vec<ProbedMove<G>>,
    occurrences: impl Fn(&G) -> usize,
) -> Result<(), TablebaseError> {
    if equals.len() < 2 {
        return Ok(());
    }
    let mut keyed = Vec::with_capacity(equals.len());
    for probed in &*equals {
        let difficulty = match probed.outcome {
            Outcome::Draw => (occurrences(&probed.after), difficulty_of_draw(prober, probed)?),
            Outcome::Loss => (0, difficulty_of_loss(prober, probed)?),
            Outcome::Win => (0, Difficulty::default()),
        };
        keyed.push(((difficulty, random_key(now, seed, probed.mv)), *probed));
    }
    // The sort is stable: with seed 0 the order of move generation decides.
    keyed.sort_by_key(|&(key, _)| key);
    *equals = keyed.into_iter().map(|(_, probed)| probed).collect();
    Ok(())
}

/// How hard a move is to answer; the smallest is the hardest.
type Difficulty = (Reverse<u32>, u32, Reverse<u32>);

/// The fixed-point 1 of shares.
const ONE: u32 = 1 << 20;

/// A drawing move is hard to answer if a large share of the replies lose, then if few hold the draw, then if the losing
/// replies lose late, because a search sees early losses.
fn difficulty_of_draw<G: HasPerfectIndex>(
    prober: &MoveProber<G>,
    probed: &ProbedMove<G>,
) -> Result<Difficulty, TablebaseError> {
    let replies = prober.probe_all(&probed.after)?;
    let (mut losing, mut holding, mut plies) = (0, 0, 0);
    for reply in &replies {
        match reply.outcome {
            Outcome::Loss => {
                losing += 1;
                plies += u32::from(reply.plies.unwrap_or(0));
            }
            _ => holding += 1,
        }
    }
    let share = losing * ONE / (replies.len() as u32).max(1);
    Ok((Reverse(share), holding, Reverse(plies)))
}

/// A losing move is hard to answer if few replies win at full speed, then if few win at all.
fn difficulty_of_loss<G: HasPerfectIndex>(
    prober: &MoveProber<G>,
    probed: &ProbedMove<G>,
) -> Result<Difficulty, TablebaseError> {
    if probed.after.outcome().is_some() {
        return Ok((Reverse(0), u32::MAX, Reverse(0)));
    }
    let replies = prober.probe_all(&probed.after)?;
    let fastest = best(&replies).len() as u32;
    let wins = replies.iter().filter(|reply| reply.outcome == Outcome::Win).count() as u32;
    Ok((Reverse(0), fastest, Reverse(ONE.saturating_sub(wins))))
}

/// A random number that depends on seed, position and move alone, so that a game does not depend on those before it.
fn random_key<G: HasPerfectIndex>(now: &G, seed: u64, mv: G::Move) -> u64 {
    if seed == 0 {
        return 0;
    }
    let position = Rng::new(seed ^ now.key()).draw();
    Rng::new(position ^ u64::from(mv.to_bits())).draw()
}

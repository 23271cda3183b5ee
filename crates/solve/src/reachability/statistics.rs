//! Statistics of distances, by the rules and by the counting of the published search of Ostle.

use tesuji_game::{NO_MOVE, PerfectIndex, Successor};
use tesuji_task::CancelToken;

use super::{DistanceMap, UNREACHED};

/// Boards per task.
const TASK: usize = 1 << 14;

/// Positions by distance from the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DistanceStatistics {
    /// Boards by their distance.
    pub boards: Vec<u64>,
    /// Unreachable boards.
    pub unreached: u64,
    /// Positions by the rules, up to symmetry: a board and the forbidden move, if any. Forbidden moves that a
    /// symmetry of the board maps to each other make one position.
    pub positions: Vec<u64>,
    /// Nodes as the published search of Ostle counts them. It plays forbidden moves too, which changes no
    /// distance, and identifies nodes by the board before, up to symmetry, where that matters. The index
    /// decides where it matters: that search forbids slightly more than the rules.
    pub published: Vec<u64>,
}

impl Default for DistanceStatistics {
    fn default() -> DistanceStatistics {
        DistanceStatistics { boards: vec![0; 256], unreached: 0, positions: vec![0; 256], published: vec![0; 256] }
    }
}

impl DistanceStatistics {
    fn add(&mut self, other: &DistanceStatistics) {
        self.unreached += other.unreached;
        for (totals, counts) in [
            (&mut self.boards, &other.boards),
            (&mut self.positions, &other.positions),
            (&mut self.published, &other.published),
        ] {
            totals.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }

    /// Adds the boards with nothing forbidden.
    fn alone(&mut self, counts: &[u64]) {
        for totals in [&mut self.positions, &mut self.published] {
            totals.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }
}

/// Counts all boards; `None` when cancelled.
pub fn statistics<G: PerfectIndex>(
    game: &G,
    distances: &DistanceMap,
    threads: usize,
    cancel: &CancelToken,
) -> Option<DistanceStatistics> {
    let tasks: Vec<usize> = (0..distances.layout.size()).step_by(TASK).collect();
    let parts = tesuji_task::fold(threads, tasks, |start, sum: &mut DistanceStatistics| {
        if cancel.is_cancelled() {
            return;
        }
        let mut around = Neighbours::default();
        for at in start..(start + TASK).min(distances.layout.size()) {
            let (class, index) = distances.layout.place(at);
            if let Some(board) = game.unrank(class, index) {
                count(game, distances, (class, index, board), &mut around, sum);
            }
        }
    });
    if cancel.is_cancelled() {
        return None;
    }
    let mut sum = DistanceStatistics::default();
    parts.iter().for_each(|part| sum.add(part));
    if let Some(alone) = &distances.alone {
        sum.alone(alone);
    }
    let cut = |counts: &mut Vec<u64>| {
        let end = counts.iter().rposition(|&count| count != 0).map_or(0, |last| last + 1);
        counts.truncate(end);
    };
    cut(&mut sum.boards);
    cut(&mut sum.positions);
    cut(&mut sum.published);
    Some(sum)
}

/// The successors of a board, reused to save allocations.
#[derive(Default)]
struct Neighbours {
    /// Successors by reversible moves.
    boards: Vec<(u8, u32)>,
    /// The same with the forbidden move, the least of its equivalents.
    positions: Vec<(u8, u32, u8)>,
}

/// Counts the successors of a board. With a move forbidden, each position has one predecessor.
fn count<G: PerfectIndex>(
    game: &G,
    distances: &DistanceMap,
    (class, index, board): (u8, u32, G::Board),
    around: &mut Neighbours,
    sum: &mut DistanceStatistics,
) {
    let distance = distances.get(class, index);
    if distance.first == UNREACHED {
        sum.unreached += 1;
        return;
    }
    sum.boards[usize::from(distance.first)] += 1;
    if distances.alone.is_none()
        && let Some(depth) = distances.depth_without_ko(game, class, index)
    {
        sum.positions[usize::from(depth)] += 1;
        sum.published[usize::from(depth)] += 1;
    }
    around.boards.clear();
    around.positions.clear();
    game.successors(board, |mv, step| {
        let Successor::Board(next, reply) = step else { return };
        if reply == NO_MOVE {
            return;
        }
        let place = game.rank(next);
        if !around.boards.contains(&(place.class, place.index)) {
            around.boards.push((place.class, place.index));
            sum.published[usize::from(distance.first) + 1] += 1;
        }
        let mut forbidden = game.image(reply, place.symmetry);
        if place.symmetric {
            game.equivalent_moves(next, reply, |equivalent| {
                forbidden = forbidden.min(game.image(equivalent, place.symmetry));
            });
        }
        let position = (place.class, place.index, forbidden);
        if !around.positions.contains(&position)
            && let Some(depth) = distance.after(mv)
        {
            around.positions.push(position);
            sum.positions[usize::from(depth)] += 1;
        }
    });
}

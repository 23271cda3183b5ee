//! Counting what can be reached, by the rules and as the published search of Ostle counts.

use tesuji_game::{NO_MOVE, PerfectIndex, Successor};

use super::{DistanceMap, UNREACHED};

/// Boards to a task.
const TASK: usize = 1 << 14;

/// How many positions are how far from the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DistanceStatistics {
    /// Boards by the depth of their first arrival.
    pub boards: Vec<u64>,
    /// Boards never reached.
    pub unreached: u64,
    /// Positions by the rules, up to symmetry: a board and the move forbidden there, if any. Two forbidden moves of
    /// a board are one position when a symmetry of the board makes one of the other.
    pub positions: Vec<u64>,
    /// Nodes as the published search of Ostle counts. It plays forbidden moves too, which changes no first arrival of a
    /// board, and tells nodes apart by the board before, up to symmetry, wherever that matters. Where it matters is
    /// for the numbering to say: that search forbids a little more than the rules do.
    pub published: Vec<u64>,
}

impl Default for DistanceStatistics {
    fn default() -> DistanceStatistics {
        DistanceStatistics {
            boards: vec![0; 256],
            unreached: 0,
            positions: vec![0; 256],
            published: vec![0; 256],
        }
    }
}

impl DistanceStatistics {
    fn add(&mut self, other: &DistanceStatistics) {
        self.unreached += other.unreached;
        for (sums, counts) in [
            (&mut self.boards, &other.boards),
            (&mut self.positions, &other.positions),
            (&mut self.published, &other.published),
        ] {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }

    /// Adds the boards on which nothing is forbidden.
    fn alone(&mut self, counts: &[u64]) {
        for sums in [&mut self.positions, &mut self.published] {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }
}

/// Counts all boards.
pub fn statistics<G: PerfectIndex>(game: &G, reached: &DistanceMap, threads: usize) -> DistanceStatistics {
    let tasks: Vec<usize> = (0..reached.spans.size()).step_by(TASK).collect();
    let parts = tesuji_task::fold(threads, tasks, |start, sum: &mut DistanceStatistics| {
        let mut around = Neighbours::default();
        for at in start..(start + TASK).min(reached.spans.size()) {
            let (class, index) = reached.spans.place(at);
            if let Some(board) = game.unrank(class, index) {
                count(game, reached, (class, index, board), &mut around, sum);
            }
        }
    });
    let mut sum = DistanceStatistics::default();
    parts.iter().for_each(|part| sum.add(part));
    if let Some(alone) = &reached.alone {
        sum.alone(alone);
    }
    let cut = |counts: &mut Vec<u64>| {
        let end = counts.iter().rposition(|&count| count != 0).map_or(0, |last| last + 1);
        counts.truncate(end);
    };
    cut(&mut sum.boards);
    cut(&mut sum.positions);
    cut(&mut sum.published);
    sum
}

/// The boards after one, kept to spare allocations.
#[derive(Default)]
struct Neighbours {
    /// Where reversible moves lead.
    boards: Vec<(u8, u32)>,
    /// The same with what is forbidden there, the least of its twins.
    positions: Vec<(u8, u32, u8)>,
}

/// Counts what the moves of a board lead to: with something forbidden, no other board leads there.
fn count<G: PerfectIndex>(
    game: &G,
    reached: &DistanceMap,
    (class, index, board): (u8, u32, G::Board),
    around: &mut Neighbours,
    sum: &mut DistanceStatistics,
) {
    let distance = reached.get(class, index);
    if distance.first == UNREACHED {
        sum.unreached += 1;
        return;
    }
    sum.boards[usize::from(distance.first)] += 1;
    if reached.alone.is_none()
        && let Some(depth) = reached.depth_without_ko(game, class, index)
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
            game.equivalent_moves(next, reply, |twin| {
                forbidden = forbidden.min(game.image(twin, place.symmetry))
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

//! Counting what can be reached, by the rules and as the published search of Ostle counts.

use tesuji_game::{NO_MOVE, Ranked, Step};

use super::{Distance, Reached, UNREACHED};
use crate::retrograde::crew;

/// Boards to a task.
const TASK: usize = 1 << 14;

/// How many positions are how far from the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReachCensus {
    /// Boards by the depth of their first arrival.
    pub boards: Vec<u64>,
    /// Boards never reached.
    pub unreached: u64,
    /// Positions by the rules, up to symmetry: a board and the move forbidden there, if any. Two forbidden moves of
    /// a board are one position when a symmetry of the board makes one of the other.
    pub positions: Vec<u64>,
    /// Nodes of the published search. It plays forbidden moves too, which changes no first arrival. And it tells
    /// nodes apart by the board before, up to symmetry, whenever some reply leads to an image of that board: also
    /// when no rule forbids that reply. Empty when not asked for.
    pub published: Vec<u64>,
}

impl Default for ReachCensus {
    fn default() -> ReachCensus {
        ReachCensus { boards: vec![0; 256], unreached: 0, positions: vec![0; 256], published: vec![0; 256] }
    }
}

impl ReachCensus {
    fn add(&mut self, other: &ReachCensus) {
        self.unreached += other.unreached;
        for (sums, counts) in [
            (&mut self.boards, &other.boards),
            (&mut self.positions, &other.positions),
            (&mut self.published, &other.published),
        ] {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }
}

/// Counts all boards; the published way too if asked for, which takes as long again.
pub fn census<G: Ranked>(game: &G, reached: &Reached, published: bool, threads: usize) -> ReachCensus {
    let tasks: Vec<usize> = (0..reached.spans.size()).step_by(TASK).collect();
    let parts = crew::share(threads, tasks, |start, sum: &mut ReachCensus| {
        let mut around = Around::default();
        for at in start..(start + TASK).min(reached.spans.size()) {
            let (class, index) = reached.spans.place(at);
            if let Some(board) = game.unrank(class, index) {
                count(game, reached, (class, index, board), published, &mut around, sum);
            }
        }
    });
    let mut sum = ReachCensus::default();
    parts.iter().for_each(|part| sum.add(part));
    let cut = |counts: &mut Vec<u64>| {
        let end = counts.iter().rposition(|&count| count != 0).map_or(0, |last| last + 1);
        counts.truncate(end);
    };
    cut(&mut sum.boards);
    cut(&mut sum.positions);
    cut(&mut sum.published);
    sum
}

/// The boards around one, kept to spare allocations.
#[derive(Default)]
struct Around {
    /// Boards after a reply within the stage.
    after: Vec<(u8, u32)>,
    /// Boards before, each with its depth.
    before: Vec<(u8, u32, u8)>,
    /// Forbidden moves counted, each as the least of its twins.
    forbidden: Vec<u8>,
}

fn count<G: Ranked>(
    game: &G,
    reached: &Reached,
    (class, index, board): (u8, u32, G::Board),
    published: bool,
    around: &mut Around,
    sum: &mut ReachCensus,
) {
    let Distance { first, .. } = reached.get(class, index);
    if first == UNREACHED {
        sum.unreached += 1;
        return;
    }
    sum.boards[usize::from(first)] += 1;
    if let Some(depth) = reached.depth_without_ko(game, class, index) {
        sum.positions[usize::from(depth)] += 1;
    }
    let symmetric = game.rank(board).symmetric;
    around.after.clear();
    around.forbidden.clear();
    game.successors(board, |mv, step| {
        let Step::On(next, reply) = step else { return };
        if published {
            let place = game.rank(next);
            around.after.push((place.class, place.index));
        }
        if reply == NO_MOVE {
            return;
        }
        let mut least = mv;
        if symmetric {
            game.twins(board, mv, |twin| least = least.min(twin));
        }
        if !around.forbidden.contains(&least) {
            around.forbidden.push(least);
            if let Some(depth) = reached.depth_after(game, next, reply) {
                sum.positions[usize::from(depth)] += 1;
            }
        }
    });
    if published {
        count_published(game, reached, (class, index), first, around, sum);
    }
}

fn count_published<G: Ranked>(
    game: &G,
    reached: &Reached,
    (class, index): (u8, u32),
    first: u8,
    around: &mut Around,
    sum: &mut ReachCensus,
) {
    around.before.clear();
    let mut visit = |back: tesuji_game::Back| {
        let depth = reached.get(back.class, back.index).first;
        if depth != UNREACHED {
            around.before.push((back.class, back.index, depth + 1));
        }
    };
    game.predecessors(class, index, &mut visit);
    game.entrances(class, index, &mut visit);
    around.before.sort_unstable();
    around.before.dedup();
    // The start has no board before.
    let mut without = if first == 0 { 0 } else { UNREACHED };
    for &(class, index, depth) in &around.before {
        if around.after.contains(&(class, index)) {
            sum.published[usize::from(depth)] += 1;
        } else {
            without = without.min(depth);
        }
    }
    if without != UNREACHED {
        sum.published[usize::from(without)] += 1;
    }
}

//! Counting what a solution says.

use tesuji_game::{NO_MOVE, Ranked, Step};

use super::crew;
use super::values::Values;

/// Boards to a task.
const TASK: usize = 1 << 14;

/// How many boards of a class are worth what.
///
/// *Nodes* are a board with nothing forbidden, if some move that cannot be taken back leads to it, and a board once for
/// every board, up to symmetry, that a reversible move of it leads to. Two moves to images of one board are one node,
/// although the rules tell them apart.
///
/// The published solution of Ostle has a few more: it takes a move for reversible whenever some reply leads to an
/// image of the board before, and forbids that reply, which the rules do not. How many, `coincidences` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Census {
    /// Boards.
    pub boards: u64,
    /// Boards that win at once.
    pub wins_at_once: u64,
    /// Other boards that a symmetry maps to themselves.
    pub symmetric: u64,
    /// Boards by their value with nothing forbidden.
    pub first: Vec<u64>,
    /// Boards whose value another move being forbidden changes.
    pub exceptions: u64,
    /// Nodes by their value, of boards that do not win at once.
    pub nodes: Vec<u64>,
    /// Boards that no irreversible move leads to.
    pub unled: u64,
    /// Boards without symmetry that have two moves to images of one board.
    pub merged: u64,
    /// Those of them where it matters which of the two is forbidden.
    pub ambiguous: u64,
    /// Pairs of a board and one, up to symmetry, from which a move leads there and to which a move leads back, though
    /// none takes the other back.
    pub coincidences: u64,
}

impl Default for Census {
    fn default() -> Census {
        Census {
            boards: 0,
            wins_at_once: 0,
            symmetric: 0,
            first: vec![0; 256],
            exceptions: 0,
            nodes: vec![0; 256],
            unled: 0,
            merged: 0,
            ambiguous: 0,
            coincidences: 0,
        }
    }
}

impl Census {
    /// Adds another class.
    pub fn add(&mut self, other: &Census) {
        self.boards += other.boards;
        self.wins_at_once += other.wins_at_once;
        self.symmetric += other.symmetric;
        self.exceptions += other.exceptions;
        self.unled += other.unled;
        self.merged += other.merged;
        self.ambiguous += other.ambiguous;
        self.coincidences += other.coincidences;
        for (sum, count) in self.first.iter_mut().zip(&other.first) {
            *sum += count;
        }
        for (sum, count) in self.nodes.iter_mut().zip(&other.nodes) {
            *sum += count;
        }
    }
}

/// Counts a class. With `whole`, moves from later stages lead to boards too; without, the class is counted as if its
/// stage were the whole game.
pub fn census<G: Ranked>(game: &G, class: u8, values: &Values, whole: bool, threads: usize) -> Census {
    let tasks: Vec<usize> = (0..values.len()).step_by(TASK).collect();
    let parts = crew::share(threads, tasks, |start, census: &mut Census| {
        let mut around = Around::default();
        for index in start..(start + TASK).min(values.len()) {
            count(game, class, index as u32, values, whole, &mut around, census);
        }
    });
    let mut sum = Census::default();
    parts.iter().for_each(|part| sum.add(part));
    sum
}

/// The boards around one, kept to spare allocations.
#[derive(Default)]
struct Around {
    /// Where reversible moves lead, and the value when they are forbidden.
    targets: Vec<(u8, u32, u8)>,
    /// Where the other moves within the stage lead.
    others: Vec<(u8, u32)>,
    /// From where such moves come.
    sources: Vec<(u8, u32)>,
}

fn count<G: Ranked>(
    game: &G,
    class: u8,
    index: u32,
    values: &Values,
    whole: bool,
    around: &mut Around,
    census: &mut Census,
) {
    let Some(board) = game.unrank(class, index) else { return };
    let value = values.get(index as usize);
    census.boards += 1;
    census.first[usize::from(value.first)] += 1;
    if game.wins_at_once(board) {
        census.wins_at_once += 1;
        return;
    }
    let symmetric = game.is_symmetric(board);
    census.symmetric += u64::from(symmetric);
    census.exceptions += u64::from(value.mv != NO_MOVE);

    let Around { targets, others, sources } = around;
    targets.clear();
    others.clear();
    sources.clear();
    game.predecessors(class, index, |back| {
        if back.reply == NO_MOVE {
            sources.push((back.class, back.index));
        }
    });
    let mut led = !sources.is_empty();
    if whole && !led {
        game.entrances(class, index, |_| led = true);
    }
    if led {
        census.nodes[usize::from(value.first)] += 1;
    } else {
        census.unled += 1;
    }

    game.successors(board, |mv, step| {
        if let Step::On(next, reply) = step {
            let place = game.rank(next);
            if reply == NO_MOVE {
                others.push((place.class, place.index));
            } else {
                targets.push((place.class, place.index, value.when_forbidden(mv)));
            }
        }
    });
    targets.sort_unstable();
    let (mut merged, mut ambiguous) = (false, false);
    for (at, target) in targets.iter().enumerate() {
        let again = at > 0 && (targets[at - 1].0, targets[at - 1].1) == (target.0, target.1);
        if again {
            merged = true;
            ambiguous |= targets[at - 1].2 != target.2;
        } else {
            census.nodes[usize::from(target.2)] += 1;
        }
    }
    census.merged += u64::from(merged && !symmetric);
    census.ambiguous += u64::from(ambiguous && !symmetric);

    let reversible = |place: &(u8, u32)| targets.iter().any(|target| (target.0, target.1) == *place);
    others.retain(|place| sources.contains(place) && !reversible(place));
    others.sort_unstable();
    others.dedup();
    census.coincidences += others.len() as u64;
}

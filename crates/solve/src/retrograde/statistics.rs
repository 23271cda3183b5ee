//! Statistics of a solved class.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tesuji_game::{NO_MOVE, PerfectIndex, Successor};

use super::values::{BoardSource, ClassValues};

/// Boards per task.
const TASK: usize = 1 << 14;

/// Counts of the boards of a class by value.
///
/// *Nodes* are positions: a board with nothing forbidden, if an irreversible move leads to it, and a board
/// once for each board (up to symmetry) that one of its reversible moves leads to. Two moves to images of one
/// board count as one node, although the rules distinguish them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassStatistics {
    /// Boards.
    pub boards: u64,
    /// Boards with a win in one.
    pub wins_at_once: u64,
    /// Symmetric boards without a win in one.
    pub symmetric: u64,
    /// Boards by their value with nothing forbidden.
    pub first: Vec<u64>,
    /// Boards with an exceptional move.
    pub exceptions: u64,
    /// Nodes by value, of boards without a win in one.
    pub nodes: Vec<u64>,
    /// Boards that no irreversible move leads to.
    pub unled: u64,
    /// Asymmetric boards with two moves to images of one board.
    pub merged: u64,
    /// Those where the value depends on which of the two is forbidden.
    pub ambiguous: u64,
    /// The nodes with the longest distance to the end, in descending order: at most [`LONGEST`].
    pub longest: Vec<LongestEntry>,
    /// Boards without predecessors, at most [`ORPHANS`]; only counted for a completely solved game.
    pub orphans: Vec<(u8, u32)>,
}

/// The number of longest nodes kept.
pub const LONGEST: usize = 100;
/// The number of boards without predecessors kept.
pub const ORPHANS: usize = 100_000;

/// A node with a long distance to the end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LongestEntry {
    /// Plies to the end, odd for a win.
    pub plies: u8,
    /// The class of the board.
    pub class: u8,
    /// Its index.
    pub index: u32,
    /// The forbidden move in the frame of the representative; [`NO_MOVE`] for none.
    pub forbidden: u8,
}

impl Default for ClassStatistics {
    fn default() -> ClassStatistics {
        ClassStatistics {
            boards: 0,
            wins_at_once: 0,
            symmetric: 0,
            first: vec![0; 256],
            exceptions: 0,
            nodes: vec![0; 256],
            unled: 0,
            merged: 0,
            ambiguous: 0,
            longest: Vec::new(),
            orphans: Vec::new(),
        }
    }
}

impl ClassStatistics {
    /// Adds the statistics of another class.
    pub fn add(&mut self, other: &ClassStatistics) {
        self.boards += other.boards;
        self.wins_at_once += other.wins_at_once;
        self.symmetric += other.symmetric;
        self.exceptions += other.exceptions;
        self.unled += other.unled;
        self.merged += other.merged;
        self.ambiguous += other.ambiguous;
        for (sum, count) in self.first.iter_mut().zip(&other.first) {
            *sum += count;
        }
        for (sum, count) in self.nodes.iter_mut().zip(&other.nodes) {
            *sum += count;
        }
        self.longest.extend(&other.longest);
        self.shorten();
        self.orphans.extend(&other.orphans);
        self.orphans.sort_unstable();
        self.orphans.truncate(ORPHANS);
    }

    fn orphan(&mut self, class: u8, index: u32) {
        if self.orphans.len() < ORPHANS {
            self.orphans.push((class, index));
        }
    }

    fn shorten(&mut self) {
        self.longest.sort_unstable_by_key(|far| (std::cmp::Reverse(far.plies), far.class, far.index, far.forbidden));
        self.longest.truncate(LONGEST);
    }
}

/// Statistics under construction.
#[derive(Default)]
struct Counting {
    statistics: ClassStatistics,
    /// Shorter distances are not among the longest.
    floor: u8,
}

impl Counting {
    fn node(&mut self, far: LongestEntry) {
        self.statistics.nodes[usize::from(far.plies)] += 1;
        if far.plies >= self.floor.max(1) {
            let longest = &mut self.statistics.longest;
            longest.push(far);
            if longest.len() == 2 * LONGEST {
                self.statistics.shorten();
                self.floor = self.statistics.longest.last().map_or(0, |last| last.plies);
            }
        }
    }
}

/// Counts a class. With `complete`, moves from later stages count as predecessors too.
///
/// `watch` gets the number of processed indices, from any thread, and returns `false` to stop; then the
/// result is `None`.
pub fn class_statistics<G: PerfectIndex>(
    game: &G,
    class: u8,
    values: &ClassValues,
    complete: bool,
    threads: usize,
    watch: &(dyn Fn(u64) -> bool + Sync),
) -> Option<ClassStatistics> {
    let span = 0..u32::try_from(values.len()).unwrap_or(u32::MAX);
    span_statistics(game, class, span, values, complete, threads, watch)
}

/// Counts the boards of a class with these indices, as [`class_statistics`] counts all.
pub(crate) fn span_statistics<G: PerfectIndex>(
    game: &G,
    class: u8,
    span: Range<u32>,
    values: &impl BoardSource,
    complete: bool,
    threads: usize,
    watch: &(dyn Fn(u64) -> bool + Sync),
) -> Option<ClassStatistics> {
    let tasks: Vec<u32> = span.clone().step_by(TASK).collect();
    let (done, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
    let parts = tesuji_task::fold(threads, tasks, |start, counting: &mut Counting| {
        if stopped.load(Ordering::Relaxed) {
            return;
        }
        let mut targets = Vec::new();
        let end = start.saturating_add(TASK as u32).min(span.end);
        for index in start..end {
            count(game, class, index, values, complete, &mut targets, counting);
        }
        let counted = u64::from(end - start);
        if !watch(done.fetch_add(counted, Ordering::Relaxed) + counted) {
            stopped.store(true, Ordering::Relaxed);
        }
    });
    let mut sum = ClassStatistics::default();
    parts.iter().for_each(|part| sum.add(&part.statistics));
    (!stopped.into_inner()).then_some(sum)
}

/// Class and index after a reversible move, the value when that move is forbidden, and the move.
type Target = (u8, u32, u8, u8);

fn count<G: PerfectIndex>(
    game: &G,
    class: u8,
    index: u32,
    values: &impl BoardSource,
    complete: bool,
    targets: &mut Vec<Target>,
    counting: &mut Counting,
) {
    let Some(board) = game.unrank(class, index) else { return };
    let value = values.board(index);
    let statistics = &mut counting.statistics;
    statistics.boards += 1;
    statistics.first[usize::from(value.first)] += 1;
    if game.wins_in_one(board) {
        statistics.wins_at_once += 1;
        if complete && !is_led_to(game, class, index, board) {
            statistics.orphan(class, index);
        }
        return;
    }
    let symmetric = game.is_symmetric(board);
    statistics.symmetric += u64::from(symmetric);
    statistics.exceptions += u64::from(value.mv != NO_MOVE);

    let (mut orphan, mut led) = (true, false);
    game.predecessors(class, index, |back| {
        orphan = false;
        led |= back.reply == NO_MOVE;
    });
    if complete && !led {
        game.conversions(class, index, |_| led = true);
        if orphan && !led {
            statistics.orphan(class, index);
        }
    }
    let far = |plies: u8, forbidden: u8| LongestEntry { plies, class, index, forbidden };
    if led {
        counting.node(far(value.first, NO_MOVE));
    } else {
        counting.statistics.unled += 1;
    }

    targets.clear();
    game.successors(board, |mv, step| match step {
        Successor::Board(next, reply) if reply != NO_MOVE => {
            let place = game.rank(next);
            targets.push((place.class, place.index, value.when_forbidden(mv), mv));
        }
        _ => {}
    });
    targets.sort_unstable();
    let (mut merged, mut ambiguous) = (false, false);
    for (at, target) in targets.iter().enumerate() {
        let again = at > 0 && (targets[at - 1].0, targets[at - 1].1) == (target.0, target.1);
        if again {
            merged = true;
            ambiguous |= targets[at - 1].2 != target.2;
        } else {
            counting.node(far(target.2, target.3));
        }
    }
    let statistics = &mut counting.statistics;
    statistics.merged += u64::from(merged && !symmetric);
    statistics.ambiguous += u64::from(ambiguous && !symmetric);
}

/// Whether a board has a predecessor.
fn is_led_to<G: PerfectIndex>(game: &G, class: u8, index: u32, board: G::Board) -> bool {
    let mut led = false;
    // A reversible move implies a predecessor, and is cheaper to find.
    game.successors(board, |_, step| led |= matches!(step, Successor::Board(_, reply) if reply != NO_MOVE));
    if !led {
        game.predecessors(class, index, |_| led = true);
        game.conversions(class, index, |_| led = true);
    }
    led
}

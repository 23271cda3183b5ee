//! Perft: leaves of the game tree, depth by depth.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use cpu_time::ProcessTime;
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use tesuji_game::perft::{self, PerftTable};
use tesuji_task::{Context, cores, for_each};

use crate::machine::free_memory;
use crate::{Error, Playable, PositionSpec, Registration};

/// What to count.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PerftRequest {
    /// From where.
    #[serde(flatten)]
    pub at: PositionSpec,
    /// How many plies deep.
    pub depth: u32,
    /// Also count the leaves under each first move.
    pub divide: bool,
    /// Count different positions instead of leaves.
    pub distinct: bool,
    /// Count different positions up to the symmetries of the board.
    pub classes: bool,
    /// Threads; all cores when absent.
    pub threads: Option<usize>,
    /// Size of a table of counted positions in MiB; none when absent.
    pub hash: Option<u64>,
}

/// The leaves of one depth.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PerftRow {
    /// The name of the game.
    pub game: String,
    /// The depth.
    pub depth: u32,
    /// Different positions, where those were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// The leaves.
    pub leaves: u64,
    /// Wall time.
    pub seconds: f64,
    /// CPU time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
    /// The leaves under each first move, in the order of the game.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "as_map")]
    #[serde(deserialize_with = "from_map")]
    pub moves: Option<Vec<(String, u64)>>,
}

fn as_map<S: Serializer>(moves: &Option<Vec<(String, u64)>>, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    for (mv, leaves) in moves.iter().flatten() {
        map.serialize_entry(mv, leaves)?;
    }
    map.end()
}

fn from_map<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Vec<(String, u64)>>, D::Error> {
    Ok(Option::<BTreeMap<String, u64>>::deserialize(from)?.map(|map| map.into_iter().collect()))
}

/// Counting the game tree.
pub trait PerftApi {
    /// Whether a finished game above the depth counts as a leaf.
    fn finished_is_leaf(&self) -> bool;

    /// Counts depth by depth and tells each.
    ///
    /// # Errors
    /// The position or a move does not exist, the table does not fit into memory, or the board has no symmetries.
    fn perft(
        &self,
        request: &PerftRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(PerftRow),
    ) -> Result<(), Error>;
}

impl<G: Playable> PerftApi for Registration<G> {
    fn finished_is_leaf(&self) -> bool {
        G::FINISHED_IS_LEAF
    }

    fn perft(
        &self,
        request: &PerftRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(PerftRow),
    ) -> Result<(), Error> {
        let mut game = request.at.record::<G>()?.now().clone();
        if request.distinct || request.classes {
            let identity = match (request.classes, self.class) {
                (false, _) => perft::identity::<G>,
                (true, Some(class)) => class,
                (true, None) => {
                    return Err(Error::field("classes", format!("{} has no symmetries", G::NAME)));
                }
            };
            distinct(&mut game, request.depth, identity, events);
            return Ok(());
        }
        let table = request.hash.map(table).transpose()?;
        let threads = request.threads.unwrap_or_else(cores);
        for depth in request.depth.min(1)..=request.depth {
            let (wall, cpu) = (Instant::now(), ProcessTime::now());
            let (leaves, divided) = leaves(&mut game, depth, table.as_ref(), threads, context);
            if context.is_cancelled() {
                return Err(Error::Cancelled);
            }
            events(PerftRow {
                game: G::NAME.to_owned(),
                depth,
                positions: None,
                leaves,
                seconds: wall.elapsed().as_secs_f64(),
                cpu_seconds: Some(cpu.elapsed().as_secs_f64()),
                moves: (request.divide && depth == request.depth).then_some(divided),
            });
        }
        Ok(())
    }
}

/// Different positions of each depth.
fn distinct<G: Playable>(game: &mut G, depth: u32, identity: fn(&G) -> u128, events: &mut dyn FnMut(PerftRow)) {
    let begun = Instant::now();
    let counts = perft::distinct(game, depth, identity);
    let seconds = begun.elapsed().as_secs_f64();
    for (row, count) in (1..).zip(counts) {
        events(PerftRow {
            game: G::NAME.to_owned(),
            depth: row,
            positions: Some(count),
            leaves: count,
            seconds: if row == depth { seconds } else { 0.0 },
            cpu_seconds: None,
            moves: None,
        });
    }
}

/// A table that fits into the memory of this machine.
fn table(mebibytes: u64) -> Result<PerftTable, Error> {
    let available = free_memory().map_or(u64::MAX, |bytes| bytes >> 20);
    if mebibytes > available {
        return Err(Error::field("hash", format!("{mebibytes}: this machine has {available} MiB to spare")));
    }
    Ok(PerftTable::new(mebibytes as usize))
}

/// Prefixes per thread: enough that no thread is left with a large one at the end.
const PREFIXES: usize = 24;

/// All leaves, and those under each first move.
fn leaves<G: Playable>(
    game: &mut G,
    depth: u32,
    table: Option<&PerftTable>,
    threads: usize,
    context: Context<'_>,
) -> (u64, Vec<(String, u64)>) {
    let below = |game: &mut G, depth: u32| match table {
        Some(table) => perft::walk_hashed(game, depth, table),
        None => game.leaves(depth),
    };
    if depth < 2 {
        let divided = perft::prefixes(game, depth.min(1)).done;
        let named = divided.into_iter().map(|(mv, _)| (game.print_move(mv), 1)).collect();
        return (below(game, depth), named);
    }
    let mut plies = 1;
    let mut prefixes = perft::prefixes(game, plies);
    while prefixes.open.len() < PREFIXES * threads && plies + 2 < depth {
        plies += 1;
        prefixes = perft::prefixes(game, plies);
    }
    let open = &prefixes.open;
    let totals = Mutex::new(prefixes.done);
    let counter = context.counter(open.len() as u64);
    let root: &G = game;
    for_each(threads.min(open.len()), open.len(), |index| {
        let mut game = root.clone();
        for &mv in &open[index] {
            game.play(mv);
        }
        let leaves = below(&mut game, depth - plies);
        let mut totals = totals.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(total) = totals.iter_mut().find(|(mv, _)| Some(mv) == open[index].first()) {
            total.1 += leaves;
        }
        drop(totals);
        counter.add(1)
    });
    let totals = totals.into_inner().unwrap_or_else(PoisonError::into_inner);
    let all = totals.iter().map(|(_, leaves)| leaves).sum();
    let all = if totals.is_empty() { u64::from(G::FINISHED_IS_LEAF) } else { all };
    (all, totals.into_iter().map(|(mv, leaves)| (game.print_move(mv), leaves)).collect())
}

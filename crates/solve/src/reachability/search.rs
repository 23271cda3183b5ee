//! Breadth-first search for the distance of every board from the start.

use tesuji_game::{BoardRank, NO_MOVE, PerfectIndex, Successor};
use tesuji_task::CancelToken;

use super::{Distance, DistanceMap, UNREACHED};
use crate::retrograde::checkpoint::Snapshot;
use crate::retrograde::messages::{BLOCK, Message, MessageBuffers, ThreadBuffer};
use crate::retrograde::{CheckpointDir, Control, Plane, RetrogradeError};

/// Flag of a message, above the forbidden move: nothing is forbidden.
const ALONE: u32 = 1 << 8;

/// A search in progress.
struct DistanceSearch {
    distances: DistanceMap,
    progress: SearchState,
    /// One bit per board: reached with nothing forbidden.
    alone: Plane,
    /// Boards by the depth at which that bit was set.
    counts: Vec<u64>,
}

/// The position of the search. Everything before it is done, everything after it is not begun.
#[derive(Clone, Copy, Default)]
struct SearchState {
    depth: u8,
    block: usize,
    sent: u64,
    arrived: u64,
    done: bool,
}

/// Finds the distance of every board from `start`. `watch` gets the depth and the number of moves followed,
/// several times a second; the result is `None` when it returns [`Control::Stop`] and when cancelled.
///
/// With checkpoints an interrupted search resumes, and the result is saved there.
pub fn search<G: PerfectIndex>(
    game: &G,
    start: G::Board,
    threads: usize,
    mut checkpoints: Option<&mut CheckpointDir>,
    cancel: &CancelToken,
    watch: &mut dyn FnMut(u8, u64) -> Control,
) -> Result<Option<DistanceMap>, RetrogradeError> {
    let place = game.rank(start);
    let mut distances = DistanceMap::new(game, (place.class, place.index)).map_err(RetrogradeError::Allocation)?;
    distances.set(place.class, place.index, Distance { first: 0, mv: NO_MOVE, second: UNREACHED });
    let mut alone = Plane::zeros(distances.layout.size().div_ceil(8)).map_err(RetrogradeError::Allocation)?;
    let planes = [&mut distances.first, &mut distances.mv, &mut distances.second, &mut alone];
    if !planes.into_iter().all(|plane| plane.touch(cancel)) {
        return Ok(None);
    }
    let mut search = DistanceSearch { distances, progress: SearchState::default(), alone, counts: vec![0; 256] };
    search.counts[0] = 1;
    if let Some(begin) = search.distances.layout.start(place.class) {
        let at = (begin + place.index) as usize;
        search.alone[at / 8] |= 1 << (at % 8);
    }
    if let Some(checkpoints) = &mut checkpoints {
        checkpoints.restore_state("reach", &mut |state| search.restore(state))?;
    }
    let mut buffers = MessageBuffers::new(search.distances.layout.size(), threads);
    while !search.progress.done {
        let SearchState { depth, sent, .. } = search.progress;
        let order = if cancel.is_cancelled() { Control::Stop } else { watch(depth, sent) };
        if order != Control::Continue
            && let Some(checkpoints) = &mut checkpoints
        {
            search.save(checkpoints)?;
        }
        if order == Control::Stop {
            return Ok(None);
        }
        round(game, &mut search, &mut buffers, cancel);
        if let Some(checkpoints) = &mut checkpoints
            && search.progress.done
        {
            search.save(checkpoints)?;
        }
    }
    search.distances.alone = Some(search.counts);
    Ok(Some(search.distances))
}

/// Expands some boards, none when cancelled, and advances the depth when all are done.
fn round<G: PerfectIndex>(game: &G, search: &mut DistanceSearch, buffers: &mut MessageBuffers, cancel: &CancelToken) {
    let DistanceSearch { distances, progress, alone, counts } = search;
    let SearchState { depth, block, .. } = *progress;
    let blocks = distances.layout.size().div_ceil(BLOCK);
    let shared: &DistanceMap = distances;
    let find = |block: usize, out: &mut ThreadBuffer<'_>| find(game, shared, depth, block, out);
    let Some((next, count)) = buffers.collect(block, blocks, cancel, find) else { return };
    let band = buffers.band();
    let later = distances.second.chunks_mut(band).zip(alone.chunks_mut(band / 8));
    let bands = distances.first.chunks_mut(band).zip(distances.mv.chunks_mut(band)).zip(later);
    let bands = bands.map(|((first, mv), (second, alone))| DistanceBand { first, mv, second, alone });
    let totals = buffers.apply_all(bands, |band, messages, mask, sum: &mut Arrivals| {
        band.arrive(messages, mask, depth + 1, sum);
    });
    progress.sent += count;
    for arrived in totals {
        progress.arrived += arrived.boards;
        counts[usize::from(depth) + 1] += arrived.alone;
    }
    progress.block = next;
    if next == blocks {
        // Depths are bytes, stored plus one.
        progress.done = progress.arrived == 0 || depth >= UNREACHED - 2;
        (progress.depth, progress.block, progress.arrived) = (depth + 1, 0, 0);
    }
}

impl DistanceSearch {
    fn from(&self) -> String {
        let (class, index) = self.distances.start;
        format!("{class} {index}")
    }

    fn save(&self, checkpoints: &mut CheckpointDir) -> Result<(), RetrogradeError> {
        let SearchState { depth, block, sent, arrived, done } = self.progress;
        let info = [
            ("from", self.from()),
            ("progress", format!("{depth} {block} {sent} {arrived} {}", u8::from(done))),
            ("alone", self.counts.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")),
        ];
        let DistanceMap { first, mv, second, .. } = &self.distances;
        let planes: [(&str, &[u8]); 4] = [("first", first), ("move", mv), ("second", second), ("alone", &self.alone)];
        checkpoints.save_state("reach", &info, &planes)
    }

    /// Restores a snapshot, unless it has another start.
    fn restore(&mut self, state: &Snapshot) -> Result<bool, RetrogradeError> {
        if state.fact("from") != self.from() {
            return Ok(false);
        }
        let &[depth, block, sent, arrived, done] = &state.numbers("progress")[..] else {
            return Err(state.unreadable());
        };
        self.counts = state.numbers("alone");
        if self.counts.len() != 256 {
            return Err(state.unreadable());
        }
        state.load("alone", &mut self.alone)?;
        state.load("first", &mut self.distances.first)?;
        state.load("move", &mut self.distances.mv)?;
        state.load("second", &mut self.distances.second)?;
        let (depth, block) = (depth as u8, block as usize);
        self.progress = SearchState { depth, block, sent, arrived, done: done != 0 };
        Ok(true)
    }
}

/// Collects the moves from the boards of a block that are expanded at this depth.
fn find<G: PerfectIndex>(game: &G, distances: &DistanceMap, depth: u8, block: usize, out: &mut ThreadBuffer<'_>) {
    let range = block * BLOCK..((block + 1) * BLOCK).min(distances.layout.size());
    let mut send = |next: G::Board, reply: u8| {
        let place = game.rank(next);
        if let Some(start) = distances.layout.start(place.class) {
            // No move is recorded when nothing is forbidden, or when an equivalent of the forbidden move is
            // allowed.
            let what = forbidden(game, next, reply, place).map_or(0, |mv| u32::from(mv) + 1);
            let alone = if reply == NO_MOVE { ALONE } else { 0 };
            out.send(start + place.index, what | alone);
        }
    };
    for offset in memchr::memchr_iter(depth + 1, &distances.first[range.clone()]) {
        let at = range.start + offset;
        let (class, index) = distances.layout.place(at);
        let except = distances.at(at).mv;
        let Some(board) = game.unrank(class, index) else { continue };
        game.successors(board, |mv, step| match step {
            Successor::Board(next, reply) if mv != except => send(next, reply),
            _ => {}
        });
    }
    for offset in memchr::memchr_iter(depth + 1, &distances.second[range.clone()]) {
        let at = range.start + offset;
        let (class, index) = distances.layout.place(at);
        let mv = distances.at(at).mv;
        if let Some((next, reply)) = game.unrank(class, index).and_then(|board| game.after(board, mv)) {
            send(next, reply);
        }
    }
}

/// The forbidden move on a board just reached, in the frame of its representative.
#[inline]
fn forbidden<G: PerfectIndex>(game: &G, board: G::Board, reply: u8, place: BoardRank) -> Option<u8> {
    if reply == NO_MOVE {
        return None;
    }
    if place.symmetric {
        let mut equivalent = false;
        game.equivalent_moves(board, reply, |mv| equivalent |= mv != reply);
        if equivalent {
            return None;
        }
    }
    Some(game.image(reply, place.symmetry))
}

/// The boards that one thread owns while messages are applied.
struct DistanceBand<'b> {
    first: &'b mut [u8],
    mv: &'b mut [u8],
    second: &'b mut [u8],
    alone: &'b mut [u8],
}

#[derive(Default)]
struct Arrivals {
    /// Boards reached for the first time, or for the first time in a second way.
    boards: u64,
    /// Boards reached for the first time with nothing forbidden.
    alone: u64,
}

impl DistanceBand<'_> {
    /// Marks boards as reached at `depth`.
    fn arrive(&mut self, messages: &[Message], mask: u32, depth: u8, sum: &mut Arrivals) {
        let DistanceBand { first, mv, second, alone } = self;
        for &message in messages {
            let (at, forbidden) = ((message as u32 & mask) as usize, (message >> 32) as u8);
            if message >> 32 & u64::from(ALONE) != 0 {
                let (byte, bit) = (&mut alone[at / 8], 1 << (at % 8));
                sum.alone += u64::from(*byte & bit == 0);
                *byte |= bit;
            }
            if first[at] == 0 {
                first[at] = depth + 1;
                mv[at] = forbidden;
                sum.boards += 1;
            } else if mv[at] != 0 && mv[at] != forbidden && second[at] == 0 {
                if first[at] == depth + 1 {
                    // Two arrivals at the same depth: together they allow every move.
                    mv[at] = 0;
                } else {
                    second[at] = depth + 1;
                    sum.boards += 1;
                }
            }
        }
    }
}

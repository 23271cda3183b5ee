//! One layer: every board worth so many plies tells the boards before it.
//!
//! Work alternates between finding moves, when all threads read everything, and applying them, when each thread owns
//! whole bands of boards. So nothing is locked and no update is lost, and because the updates of a layer may come in
//! any order, neither the number of threads nor their pace shows in the result.

use std::sync::atomic::{AtomicUsize, Ordering};

use tesuji_game::{NO_MOVE, Ranked};

use super::cell::{Cell, State};
use super::crew;
use super::stage::{BLOCK, Phase, Stage};

/// How many moves a thread gathers before they are applied: few enough for the last cache, many enough that
/// starting threads costs nothing.
pub(super) const ROUND: usize = 1 << 20;

/// About so many bands: more than threads, so that none waits long for another.
const BANDS: usize = 32;

/// A move found: the board before at bit 0, the move at 32, whether it is reversible at 40.
type Edge = u64;

#[inline(always)]
fn edge(at: u32, mv: u8, reversible: bool) -> Edge {
    u64::from(at) | u64::from(mv) << 32 | u64::from(reversible) << 40
}

/// Where the threads put their moves, kept from round to round.
pub(super) struct Boxes {
    shift: u32,
    hands: Vec<Vec<Vec<Edge>>>,
}

impl Boxes {
    pub(super) fn new(size: usize, threads: usize) -> Boxes {
        // No smaller than a block, so that small games have one band.
        let shift = (size / BANDS).max(BLOCK).ilog2() + 1;
        let bands = (size >> shift) + 1;
        Boxes { shift, hands: vec![vec![Vec::new(); bands]; threads.max(1)] }
    }
}

/// Follows the moves of some boards worth `layer`; `false` when all have been followed.
pub(super) fn round<G: Ranked>(stage: &mut Stage<'_, G>, boxes: &mut Boxes) -> bool {
    let Phase::Push { layer, block } = stage.phase else { return false };
    if block >= stage.blocks() {
        return false;
    }
    let next = AtomicUsize::new(block);
    let hands: Vec<_> = boxes.hands.iter_mut().map(std::sync::Mutex::new).collect();
    let shared: &Stage<'_, G> = stage;
    let counts = crew::all(hands.len(), |hand| {
        let mut bands = hands[hand].lock().unwrap_or_else(|broken| broken.into_inner());
        let mut count = 0;
        while count < ROUND {
            let block = next.fetch_add(1, Ordering::Relaxed);
            if block >= shared.blocks() {
                break;
            }
            count += find(shared, layer, block, boxes.shift, &mut bands);
        }
        count
    });
    drop(hands);
    let edges: usize = counts.iter().sum();
    let decided = apply(stage, layer, boxes);
    stage.progress.edges += edges as u64;
    if decided > 0 {
        stage.progress.busy = layer;
        stage.progress.decided += decided;
    }
    // Each thread took one number too many when none was left.
    let block = next.load(Ordering::Relaxed).min(stage.blocks());
    stage.phase = Phase::Push { layer, block };
    true
}

/// Finds the moves into the boards of a block that are worth `layer`.
#[inline(always)]
fn find<G: Ranked>(
    stage: &Stage<'_, G>,
    layer: u8,
    block: usize,
    shift: u32,
    bands: &mut [Vec<Edge>],
) -> usize {
    let range = block * BLOCK..((block + 1) * BLOCK).min(stage.size);
    let mut count = 0;
    // Boards that win at once were seen from the boards before them, on the first look.
    if layer > 1 {
        for offset in memchr::memchr_iter(layer, &stage.first[range.clone()]) {
            let at = range.start + offset;
            let (class, index) = stage.place(at);
            // Whoever came by the reply of the move that matters did not come to this value.
            let except = stage.cell(at).exception().unwrap_or(u8::MAX);
            stage.game.predecessors(class, index, |back| {
                if back.reply != except && !back.symmetric {
                    let at = stage.start(back.class).unwrap_or(0) + back.index;
                    bands[(at >> shift) as usize].push(edge(at, back.mv, back.reply != NO_MOVE));
                    count += 1;
                }
            });
        }
    }
    for offset in memchr::memchr_iter(layer, &stage.second[range.clone()]) {
        let at = range.start + offset;
        let cell = stage.cell(at);
        if let Some(mv) = cell.exception().filter(|_| cell.second_known())
            && let Some(edge) = before(stage, at, mv)
        {
            bands[(edge as u32 >> shift) as usize].push(edge);
            count += 1;
        }
    }
    count
}

/// The one move after which `mv` is forbidden on the board `at`: it leads back from where `mv` leads to.
fn before<G: Ranked>(stage: &Stage<'_, G>, at: usize, mv: u8) -> Option<Edge> {
    let game = stage.game;
    let (class, index) = stage.place(at);
    let (board, reply) = game.after(game.unrank(class, index)?, mv)?;
    if game.is_symmetric(board) {
        return None;
    }
    let place = game.rank(board);
    Some(edge(stage.start(place.class)? + place.index, game.image(reply, place.symmetry), true))
}

/// Applies all moves found and empties the boxes; returns how many boards were decided by it.
fn apply<G: Ranked>(stage: &mut Stage<'_, G>, layer: u8, boxes: &mut Boxes) -> u64 {
    let (band, threads) = (1usize << boxes.shift, boxes.hands.len());
    let cells = stage.cells.words_mut().chunks_mut(band);
    let values = stage.first.chunks_mut(band).zip(stage.second.chunks_mut(band));
    // Each band with what every hand has for it.
    let mut found: Vec<Vec<Vec<Edge>>> = (0..cells.len()).map(|_| Vec::with_capacity(threads)).collect();
    for hand in &mut boxes.hands {
        for (band, edges) in hand.iter_mut().enumerate() {
            found[band].push(std::mem::take(edges));
        }
    }
    let tasks: Vec<_> = cells.zip(values).zip(&mut found).collect();
    let mask = (band - 1) as u32;
    let sums = crew::share(threads, tasks, |((cells, (first, second)), found), decided: &mut u64| {
        for edges in found {
            if layer % 2 == 1 {
                refute(cells, edges, mask);
            } else {
                *decided += win(cells, first, second, edges, mask, layer + 1);
            }
            edges.clear();
        }
    });
    // The memory goes back to whom it came from.
    for (band, edges) in found.into_iter().enumerate() {
        for (hand, edges) in boxes.hands.iter_mut().zip(edges) {
            hand[band] = edges;
        }
    }
    sums.iter().sum()
}

/// The boards after are won by their mover: the moves there are refuted.
fn refute(cells: &mut [u16], edges: &[Edge], mask: u32) {
    for &edge in edges {
        let at = (edge as u32 & mask) as usize;
        cells[at] = Cell(cells[at]).refute((edge >> 32) as u8).0;
    }
}

/// The boards after are lost by their mover: the moves there win in `value` plies.
fn win(cells: &mut [u16], first: &mut [u8], second: &mut [u8], edges: &[Edge], mask: u32, value: u8) -> u64 {
    let mut decided = 0;
    for &edge in edges {
        let at = (edge as u32 & mask) as usize;
        let (mv, reversible) = ((edge >> 32) as u8, edge >> 40 & 1 != 0);
        let cell = Cell(cells[at]);
        let becomes = match cell.state() {
            State::Final => continue,
            State::Open | State::Bound => {
                first[at] = value;
                if reversible {
                    cell.becomes(State::Pending, mv)
                } else {
                    cell.becomes(State::Final, NO_MOVE)
                }
            }
            // The only move not refuted is the one that wins now; without it the board is lost, as known.
            State::Leaning => {
                first[at] = value;
                cell.becomes(State::Final, cell.mv())
            }
            // Two ways to win as soon as this: no single one matters.
            State::Pending if first[at] == value => {
                cells[at] = cell.becomes(State::Final, NO_MOVE).0;
                continue;
            }
            State::Pending => {
                second[at] = value;
                cell.becomes(State::Final, cell.mv())
            }
        };
        cells[at] = becomes.0;
        decided += 1;
    }
    decided
}

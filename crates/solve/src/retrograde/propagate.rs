//! Propagation of one layer: every board of a given distance to win updates its predecessors.
//!
//! Two phases alternate. While moves are collected, all threads read everything; while they are applied, each thread owns
//! whole bands of boards. So there are no locks and no lost updates. The updates of a layer commute, so neither the number
//! of threads nor their pace affects the result.

use tesuji_game::{NO_MOVE, PerfectIndex};
use tesuji_task::CancelToken;

use super::BoardValue;
use super::evaluate::evaluate;
use super::memory::{ClassLayout, Plane};
use super::messages::{BLOCK, MessageBuffers, ThreadBuffer};
use super::stage::{EarlierValues, KnownUpTo, Phase, Stage};
use super::state::{BoardState, Status};

/// The content of a message: the move into the board, and above it whether that move is reversible.
#[inline(always)]
fn update(mv: u8, reversible: bool) -> u32 {
    u32::from(mv) | u32::from(reversible) << 8
}

/// Propagates some boards of the layer, none when cancelled; `false` when the layer is complete.
pub(super) fn round<G: PerfectIndex>(
    stage: &mut Stage<'_, G>,
    buffers: &mut MessageBuffers,
    cancel: &CancelToken,
) -> bool {
    let Phase::Propagate { layer, block } = stage.phase else { return false };
    if block >= stage.blocks() {
        return false;
    }
    let shared: &Stage<'_, G> = stage;
    let find = |block: usize, out: &mut ThreadBuffer<'_>| find(shared, layer, block, out);
    let Some((block, edges)) = buffers.collect(block, shared.blocks(), cancel, find) else { return true };
    let band = buffers.band();
    let values = stage.first.chunks_mut(band).zip(stage.second.chunks_mut(band));
    let bands = stage.states.words_mut().chunks_mut(band).zip(values);
    let decided = buffers.apply_all(bands, |(states, (first, second)), edges, mask, decided: &mut u64| {
        let moves = edges.iter().map(|&edge| Edge {
            at: (edge as u32 & mask) as usize,
            mv: (edge >> 32) as u8,
            reversible: edge >> 40 & 1 != 0,
        });
        if layer % 2 == 1 {
            refute(states, moves);
        } else {
            *decided += win(states, first, second, moves, layer + 1);
        }
    });
    let decided: u64 = decided.iter().sum();
    stage.progress.edges += edges;
    if decided > 0 {
        stage.progress.last_active = layer;
        stage.progress.decided += decided;
    }
    stage.phase = Phase::Propagate { layer, block };
    true
}

/// Collects the moves into the boards of a block that belong to the layer.
#[inline(always)]
fn find<G: PerfectIndex>(stage: &Stage<'_, G>, layer: u8, block: usize, out: &mut ThreadBuffer<'_>) {
    let range = block * BLOCK..((block + 1) * BLOCK).min(stage.size);
    // Initialisation already accounted for moves into boards that win in one.
    if layer > 1 {
        for offset in memchr::memchr_iter(layer, &stage.first[range.clone()]) {
            let at = range.start + offset;
            let (class, index) = stage.layout.place(at);
            // A predecessor whose reply is the exceptional move gets the second value instead.
            let except = stage.state(at).exception().unwrap_or(u8::MAX);
            stage.game.predecessors(class, index, |back| {
                if back.reply != except && !back.symmetric {
                    let at = stage.layout.start(back.class).unwrap_or(0) + back.index;
                    out.send(at, update(back.mv, back.reply != NO_MOVE));
                }
            });
        }
    }
    for offset in memchr::memchr_iter(layer, &stage.second[range.clone()]) {
        let at = range.start + offset;
        let state = stage.state(at);
        if let Some(mv) = state.exception().filter(|_| state.second_known())
            && let Some((before, mv)) = before(stage, at, mv)
        {
            out.send(before, update(mv, true));
        }
    }
}

/// The predecessor and move after which `mv` is forbidden on the board `at`.
fn before<G: PerfectIndex>(stage: &Stage<'_, G>, at: usize, mv: u8) -> Option<(u32, u8)> {
    let game = stage.game;
    let (class, index) = stage.layout.place(at);
    let (board, reply) = game.after(game.unrank(class, index)?, mv)?;
    let place = game.rank(board);
    let start = stage.layout.start(place.class).filter(|_| !place.symmetric)?;
    Some((start + place.index, game.image(reply, place.symmetry)))
}

/// A move into a board of the layer.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    /// The place of the board before.
    pub(super) at: usize,
    pub(super) mv: u8,
    pub(super) reversible: bool,
}

/// The successors are won for their mover: these moves are refuted.
#[inline(always)]
pub(super) fn refute(states: &mut [u16], edges: impl Iterator<Item = Edge>) {
    for Edge { at, mv, .. } in edges {
        states[at] = BoardState(states[at]).refute(mv).0;
    }
}

/// The successors are lost for their mover: these moves win in `value` plies.
#[inline(always)]
pub(super) fn win(
    states: &mut [u16],
    first: &mut [u8],
    second: &mut [u8],
    edges: impl Iterator<Item = Edge>,
    value: u8,
) -> u64 {
    let mut decided = 0;
    for Edge { at, mv, reversible } in edges {
        let state = BoardState(states[at]);
        let becomes = match state.status() {
            Status::Final => continue,
            Status::Open | Status::Bound => {
                first[at] = value;
                if reversible { state.becomes(Status::Pending, mv) } else { state.becomes(Status::Final, NO_MOVE) }
            }
            // The only move left wins; without it the board is lost, at the known distance.
            Status::Leaning => {
                first[at] = value;
                state.becomes(Status::Final, state.mv())
            }
            // Two moves win equally fast, so there is no exception.
            Status::Pending if first[at] == value => {
                states[at] = state.becomes(Status::Final, NO_MOVE).0;
                continue;
            }
            Status::Pending => {
                second[at] = value;
                state.becomes(Status::Final, state.mv())
            }
        };
        states[at] = becomes.0;
        decided += 1;
    }
    decided
}

/// Ends the layer: scans for boards without moves left, applies wins through earlier stages, and evaluates
/// symmetric boards.
///
/// A board that one of these steps has decided is left alone by a second pass. So when cancelled, the layer stays open
/// with what was decided by then, and ending it again does the rest.
pub(super) fn end_layer<G: PerfectIndex>(
    stage: &mut Stage<'_, G>,
    earlier: &EarlierValues<'_>,
    threads: usize,
    cancel: &CancelToken,
) {
    let Phase::Propagate { layer, .. } = stage.phase else { return };
    let scan = if layer % 2 == 1 { losses } else { wins };
    let decided = scan(stage, layer + 1, threads, cancel) + symmetric_boards(stage, earlier, layer, threads, cancel);
    if decided > 0 {
        stage.progress.last_active = layer;
        stage.progress.decided += decided;
    }
    if cancel.is_cancelled() {
        return;
    }
    let quiet = layer.saturating_sub(stage.progress.last_active) >= 2 && layer > stage.progress.horizon;
    // Values are bytes, and the largest are reserved.
    stage.phase = if quiet || layer >= 250 { Phase::Done } else { Phase::Propagate { layer: layer + 1, block: 0 } };
}

/// Boards with all moves refuted are lost in `value` plies; boards with one move left are lost without it.
fn losses<G: PerfectIndex>(stage: &mut Stage<'_, G>, value: u8, threads: usize, cancel: &CancelToken) -> u64 {
    let (game, layout) = (stage.game, &stage.layout);
    let tasks = blocks(&mut stage.states, &mut stage.first, &mut stage.second);
    let sums = tesuji_task::fold(threads, tasks, |(start, (states, (first, second))), decided: &mut u64| {
        if cancel.is_cancelled() {
            return;
        }
        *decided += losses_in(states, first, second, value, |offset, mv| reversible(game, layout, start + offset, mv));
    });
    sums.iter().sum()
}

/// [`losses`] of some boards. `reversible` tells whether a move of one of them can be taken back.
#[inline(always)]
pub(super) fn losses_in(
    states: &mut [u16],
    first: &mut [u8],
    second: &mut [u8],
    value: u8,
    reversible: impl Fn(usize, u8) -> bool,
) -> u64 {
    let mut decided = 0;
    // Most chunks have no match: a branch-free loop rejects them.
    for (stretch, states) in states.chunks_mut(64).enumerate() {
        if !states.iter().fold(false, |any, &state| any | BoardState(state).ran_out()) {
            continue;
        }
        for (offset, word) in states.iter_mut().enumerate() {
            let (state, at) = (BoardState(*word), 64 * stretch + offset);
            let limit = second[at];
            let open_to_loss = limit.is_multiple_of(2) && limit <= value;
            if !state.ran_out() || !(open_to_loss || state.status() == Status::Leaning) {
                continue;
            }
            decided += 1;
            let becomes = match (state.status(), state.count()) {
                (Status::Leaning, 0) => {
                    first[at] = value;
                    state.becomes(Status::Final, state.mv())
                }
                (Status::Open | Status::Bound, 0) => {
                    first[at] = value;
                    state.becomes(Status::Final, NO_MOVE)
                }
                (Status::Open, _) if reversible(at, state.mv()) => {
                    second[at] = value;
                    state.becomes(Status::Leaning, state.mv())
                }
                (Status::Open, _) => state.becomes(Status::Bound, state.mv()),
                (Status::Pending, _) => {
                    second[at] = value;
                    state.becomes(Status::Final, state.mv())
                }
                _ => state,
            };
            *word = becomes.0;
        }
    }
    decided
}

/// Boards whose moves to earlier stages win in `value` plies.
fn wins<G: PerfectIndex>(stage: &mut Stage<'_, G>, value: u8, threads: usize, cancel: &CancelToken) -> u64 {
    if value > stage.progress.horizon {
        return 0;
    }
    let tasks = blocks(&mut stage.states, &mut stage.first, &mut stage.second);
    let sums = tesuji_task::fold(threads, tasks, |(_, (states, (first, second))), decided: &mut u64| {
        if cancel.is_cancelled() {
            return;
        }
        *decided += wins_in(states, first, second, value);
    });
    sums.iter().sum()
}

/// [`wins`] of some boards.
#[inline(always)]
pub(super) fn wins_in(states: &mut [u16], first: &mut [u8], second: &[u8], value: u8) -> u64 {
    let mut decided = 0;
    for at in memchr::memchr_iter(value, second) {
        let state = BoardState(states[at]);
        let becomes = match state.status() {
            Status::Final | Status::Leaning => continue,
            Status::Open | Status::Bound => {
                first[at] = value;
                state.becomes(Status::Final, NO_MOVE)
            }
            Status::Pending if first[at] == value => {
                states[at] = state.becomes(Status::Final, NO_MOVE).0;
                continue;
            }
            // The second value is the limit, which is already stored there.
            Status::Pending => state.becomes(Status::Final, state.mv()),
        };
        states[at] = becomes.0;
        decided += 1;
    }
    decided
}

/// Evaluates symmetric boards forwards, from the values up to this layer; none when cancelled.
fn symmetric_boards<G: PerfectIndex>(
    stage: &mut Stage<'_, G>,
    earlier: &EarlierValues<'_>,
    layer: u8,
    threads: usize,
    cancel: &CancelToken,
) -> u64 {
    let shared: &Stage<'_, G> = stage;
    let open: Vec<u32> = shared
        .symmetric_boards
        .iter()
        .copied()
        .filter(|&at| shared.state(at as usize).status() != Status::Final)
        .collect();
    let known = KnownUpTo { stage: shared, earlier, layer };
    let found = tesuji_task::fold(threads, open.chunks(256).collect(), |boards: &[u32], found: &mut Vec<_>| {
        if cancel.is_cancelled() {
            return;
        }
        for &at in boards {
            let (class, index) = shared.layout.place(at as usize);
            if let Some(board) = shared.game.unrank(class, index) {
                found.push((at as usize, evaluate(shared.game, board, &known)));
            }
        }
    });
    if cancel.is_cancelled() {
        return 0;
    }
    let mut decided = 0;
    for (at, value) in found.into_iter().flatten() {
        let (states, first, second) = (stage.states.words_mut(), &mut stage.first, &mut stage.second);
        decided += u64::from(evaluated(&mut states[at], &mut first[at], &mut second[at], value));
    }
    decided
}

/// Stores what a forward evaluation says of a symmetric board; returns whether that is new.
pub(super) fn evaluated(cell: &mut u16, first: &mut u8, second: &mut u8, value: BoardValue) -> bool {
    let state = BoardState(*cell);
    let status = match (value.first, value.mv, value.second) {
        (0, NO_MOVE, _) | (0, _, 0) => Status::Open,
        (0, ..) => Status::Leaning,
        (_, NO_MOVE, _) => Status::Final,
        (.., 0) => Status::Pending,
        _ => Status::Final,
    };
    if status == state.status() && value.first == *first {
        return false;
    }
    let mv = if status == Status::Open { 0 } else { value.mv };
    *cell = state.becomes(status, mv).0;
    *first = value.first;
    if matches!(status, Status::Leaning | Status::Final) && value.mv != NO_MOVE {
        *second = value.second;
    }
    true
}

type Block<'a> = (usize, (&'a mut [u16], (&'a mut [u8], &'a mut [u8])));

/// The stage, split into tasks.
fn blocks<'a>(states: &'a mut Plane, first: &'a mut Plane, second: &'a mut Plane) -> Vec<Block<'a>> {
    // Small games have several tasks too.
    let size = (states.words().len() / 64).clamp(64, 16 * BLOCK);
    let values = first.chunks_mut(size).zip(second.chunks_mut(size));
    (0..).step_by(size).zip(states.words_mut().chunks_mut(size).zip(values)).collect()
}

fn reversible<G: PerfectIndex>(game: &G, layout: &ClassLayout, at: usize, mv: u8) -> bool {
    let (class, index) = layout.place(at);
    let board = game.unrank(class, index);
    board.and_then(|board| game.after(board, mv)).is_some_and(|(_, reply)| reply != NO_MOVE)
}

//! Propagation of one layer: every board of a given distance to win updates its predecessors.
//!
//! Two phases alternate. While moves are collected, all threads read everything; while they are applied, each thread owns
//! whole bands of boards. So there are no locks and no lost updates. The updates of a layer commute, so neither the number
//! of threads nor their pace affects the result.

use tesuji_game::{NO_MOVE, PerfectIndex};

use super::evaluate::evaluate;
use super::memory::{ClassLayout, Plane};
use super::messages::{BLOCK, Message, MessageBuffers, ThreadBuffer};
use super::stage::{EarlierValues, KnownUpTo, Phase, Stage};
use super::state::{BoardState, Status};

/// The content of a message: the move into the board, and above it whether that move is reversible.
#[inline(always)]
fn news(mv: u8, reversible: bool) -> u32 {
    u32::from(mv) | u32::from(reversible) << 8
}

/// Propagates some boards of the layer; `false` when the layer is complete.
pub(super) fn round<G: PerfectIndex>(stage: &mut Stage<'_, G>, buffers: &mut MessageBuffers) -> bool {
    let Phase::Push { layer, block } = stage.phase else { return false };
    if block >= stage.blocks() {
        return false;
    }
    let shared: &Stage<'_, G> = stage;
    let (block, edges) = buffers.gather(block, shared.blocks(), |block, out| find(shared, layer, block, out));
    let band = buffers.band();
    let values = stage.first.chunks_mut(band).zip(stage.second.chunks_mut(band));
    let bands = stage.cells.words_mut().chunks_mut(band).zip(values);
    let decided = buffers.deliver(bands, |(cells, (first, second)), edges, mask, decided: &mut u64| {
        if layer % 2 == 1 {
            refute(cells, edges, mask);
        } else {
            *decided += win(cells, first, second, edges, mask, layer + 1);
        }
    });
    let decided: u64 = decided.iter().sum();
    stage.progress.edges += edges;
    if decided > 0 {
        stage.progress.busy = layer;
        stage.progress.decided += decided;
    }
    stage.phase = Phase::Push { layer, block };
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
            let (class, index) = stage.spans.place(at);
            // A predecessor whose reply is the exceptional move gets the second value instead.
            let except = stage.cell(at).exception().unwrap_or(u8::MAX);
            stage.game.predecessors(class, index, |back| {
                if back.reply != except && !back.symmetric {
                    let at = stage.spans.start(back.class).unwrap_or(0) + back.index;
                    out.send(at, news(back.mv, back.reply != NO_MOVE));
                }
            });
        }
    }
    for offset in memchr::memchr_iter(layer, &stage.second[range.clone()]) {
        let at = range.start + offset;
        let cell = stage.cell(at);
        if let Some(mv) = cell.exception().filter(|_| cell.second_known())
            && let Some((before, mv)) = before(stage, at, mv)
        {
            out.send(before, news(mv, true));
        }
    }
}

/// The predecessor and move after which `mv` is forbidden on the board `at`.
fn before<G: PerfectIndex>(stage: &Stage<'_, G>, at: usize, mv: u8) -> Option<(u32, u8)> {
    let game = stage.game;
    let (class, index) = stage.spans.place(at);
    let (board, reply) = game.after(game.unrank(class, index)?, mv)?;
    let place = game.rank(board);
    let start = stage.spans.start(place.class).filter(|_| !place.symmetric)?;
    Some((start + place.index, game.image(reply, place.symmetry)))
}

/// The successors are won for their mover: these moves are refuted.
fn refute(cells: &mut [u16], edges: &[Message], mask: u32) {
    for &edge in edges {
        let at = (edge as u32 & mask) as usize;
        cells[at] = BoardState(cells[at]).refute((edge >> 32) as u8).0;
    }
}

/// The successors are lost for their mover: these moves win in `value` plies.
fn win(
    cells: &mut [u16],
    first: &mut [u8],
    second: &mut [u8],
    edges: &[Message],
    mask: u32,
    value: u8,
) -> u64 {
    let mut decided = 0;
    for &edge in edges {
        let at = (edge as u32 & mask) as usize;
        let (mv, reversible) = ((edge >> 32) as u8, edge >> 40 & 1 != 0);
        let cell = BoardState(cells[at]);
        let becomes = match cell.state() {
            Status::Final => continue,
            Status::Open | Status::Bound => {
                first[at] = value;
                if reversible {
                    cell.becomes(Status::Pending, mv)
                } else {
                    cell.becomes(Status::Final, NO_MOVE)
                }
            }
            // The only move left wins; without it the board is lost, at the known distance.
            Status::Leaning => {
                first[at] = value;
                cell.becomes(Status::Final, cell.mv())
            }
            // Two moves win equally fast, so there is no exception.
            Status::Pending if first[at] == value => {
                cells[at] = cell.becomes(Status::Final, NO_MOVE).0;
                continue;
            }
            Status::Pending => {
                second[at] = value;
                cell.becomes(Status::Final, cell.mv())
            }
        };
        cells[at] = becomes.0;
        decided += 1;
    }
    decided
}

/// Ends the layer: scans for boards without moves left, applies wins through earlier stages, and evaluates
/// symmetric boards.
pub(super) fn end_layer<G: PerfectIndex>(
    stage: &mut Stage<'_, G>,
    earlier: &EarlierValues<'_>,
    threads: usize,
) {
    let Phase::Push { layer, .. } = stage.phase else { return };
    let scanned =
        if layer % 2 == 1 { losses(stage, layer + 1, threads) } else { wins(stage, layer + 1, threads) };
    let decided = scanned + apart(stage, earlier, layer, threads);
    if decided > 0 {
        stage.progress.busy = layer;
        stage.progress.decided += decided;
    }
    let quiet = layer.saturating_sub(stage.progress.busy) >= 2 && layer > stage.progress.horizon;
    // Values are bytes, and the largest are reserved.
    stage.phase =
        if quiet || layer >= 250 { Phase::Done } else { Phase::Push { layer: layer + 1, block: 0 } };
}

/// Boards with all moves refuted are lost in `value` plies; boards with one move left are lost without it.
fn losses<G: PerfectIndex>(stage: &mut Stage<'_, G>, value: u8, threads: usize) -> u64 {
    let (game, spans) = (stage.game, &stage.spans);
    let tasks = blocks(&mut stage.cells, &mut stage.first, &mut stage.second);
    let sums = tesuji_task::fold(threads, tasks, |(start, (cells, (first, second))), decided: &mut u64| {
        // Most chunks have no match: a branch-free loop rejects them.
        for (stretch, cells) in cells.chunks_mut(64).enumerate() {
            if !cells.iter().fold(false, |any, &cell| any | BoardState(cell).ran_out()) {
                continue;
            }
            for (offset, word) in cells.iter_mut().enumerate() {
                let (cell, at) = (BoardState(*word), 64 * stretch + offset);
                let limit = second[at];
                let open_to_loss = limit % 2 == 0 && limit <= value;
                if !cell.ran_out() || !(open_to_loss || cell.state() == Status::Leaning) {
                    continue;
                }
                *decided += 1;
                let becomes = match (cell.state(), cell.count()) {
                    (Status::Leaning, 0) => {
                        first[at] = value;
                        cell.becomes(Status::Final, cell.mv())
                    }
                    (Status::Open | Status::Bound, 0) => {
                        first[at] = value;
                        cell.becomes(Status::Final, NO_MOVE)
                    }
                    (Status::Open, _) if reversible(game, spans, start + at, cell.mv()) => {
                        second[at] = value;
                        cell.becomes(Status::Leaning, cell.mv())
                    }
                    (Status::Open, _) => cell.becomes(Status::Bound, cell.mv()),
                    (Status::Pending, _) => {
                        second[at] = value;
                        cell.becomes(Status::Final, cell.mv())
                    }
                    _ => cell,
                };
                *word = becomes.0;
            }
        }
    });
    sums.iter().sum()
}

/// Boards whose moves to earlier stages win in `value` plies.
fn wins<G: PerfectIndex>(stage: &mut Stage<'_, G>, value: u8, threads: usize) -> u64 {
    if value > stage.progress.horizon {
        return 0;
    }
    let tasks = blocks(&mut stage.cells, &mut stage.first, &mut stage.second);
    let sums = tesuji_task::fold(threads, tasks, |(_, (cells, (first, second))), decided: &mut u64| {
        for at in memchr::memchr_iter(value, second) {
            let cell = BoardState(cells[at]);
            let becomes = match cell.state() {
                Status::Final | Status::Leaning => continue,
                Status::Open | Status::Bound => {
                    first[at] = value;
                    cell.becomes(Status::Final, NO_MOVE)
                }
                Status::Pending if first[at] == value => {
                    cells[at] = cell.becomes(Status::Final, NO_MOVE).0;
                    continue;
                }
                // The second value is the limit, which is already stored there.
                Status::Pending => cell.becomes(Status::Final, cell.mv()),
            };
            cells[at] = becomes.0;
            *decided += 1;
        }
    });
    sums.iter().sum()
}

/// Evaluates symmetric boards forwards, from the values up to this layer.
fn apart<G: PerfectIndex>(
    stage: &mut Stage<'_, G>,
    earlier: &EarlierValues<'_>,
    layer: u8,
    threads: usize,
) -> u64 {
    let shared: &Stage<'_, G> = stage;
    let open: Vec<u32> = shared
        .apart
        .iter()
        .copied()
        .filter(|&at| shared.cell(at as usize).state() != Status::Final)
        .collect();
    let known = KnownUpTo { stage: shared, earlier, layer };
    let found =
        tesuji_task::fold(threads, open.chunks(256).collect(), |boards: &[u32], found: &mut Vec<_>| {
            for &at in boards {
                let (class, index) = shared.spans.place(at as usize);
                if let Some(board) = shared.game.unrank(class, index) {
                    found.push((at as usize, evaluate(shared.game, board, &known)));
                }
            }
        });
    let mut decided = 0;
    for (at, value) in found.into_iter().flatten() {
        let cell = BoardState(stage.cells.words()[at]);
        let state = match (value.first, value.mv, value.second) {
            (0, NO_MOVE, _) | (0, _, 0) => Status::Open,
            (0, ..) => Status::Leaning,
            (_, NO_MOVE, _) => Status::Final,
            (.., 0) => Status::Pending,
            _ => Status::Final,
        };
        if state == cell.state() && value.first == stage.first[at] {
            continue;
        }
        let mv = if state == Status::Open { 0 } else { value.mv };
        stage.cells.words_mut()[at] = cell.becomes(state, mv).0;
        stage.first[at] = value.first;
        if matches!(state, Status::Leaning | Status::Final) && value.mv != NO_MOVE {
            stage.second[at] = value.second;
        }
        decided += 1;
    }
    decided
}

type Block<'a> = (usize, (&'a mut [u16], (&'a mut [u8], &'a mut [u8])));

/// The stage, split into tasks.
fn blocks<'a>(cells: &'a mut Plane, first: &'a mut Plane, second: &'a mut Plane) -> Vec<Block<'a>> {
    let size = 16 * BLOCK;
    let values = first.chunks_mut(size).zip(second.chunks_mut(size));
    (0..).step_by(size).zip(cells.words_mut().chunks_mut(size).zip(values)).collect()
}

fn reversible<G: PerfectIndex>(game: &G, spans: &ClassLayout, at: usize, mv: u8) -> bool {
    let (class, index) = spans.place(at);
    let board = game.unrank(class, index);
    board.and_then(|board| game.after(board, mv)).is_some_and(|(_, reply)| reply != NO_MOVE)
}

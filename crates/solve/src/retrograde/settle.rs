//! The end of a layer: boards that ran out of moves, boards that an earlier stage wins for, and the symmetric ones.

use tesuji_game::{NO_MOVE, PerfectIndex};

use super::boxes::BLOCK;
use super::cell::{Cell, State};
use super::forward::evaluate;
use super::memory::Plane;
use super::spans::Spans;
use super::stage::{Earlier, Phase, Stage, UpTo};

/// Ends the layer and goes on to the next, or says that nothing more can be found.
pub(super) fn end_layer<G: PerfectIndex>(stage: &mut Stage<'_, G>, earlier: &Earlier<'_>, threads: usize) {
    let Phase::Push { layer, .. } = stage.phase else { return };
    let scanned =
        if layer % 2 == 1 { losses(stage, layer + 1, threads) } else { wins(stage, layer + 1, threads) };
    let decided = scanned + apart(stage, earlier, layer, threads);
    if decided > 0 {
        stage.progress.busy = layer;
        stage.progress.decided += decided;
    }
    let quiet = layer.saturating_sub(stage.progress.busy) >= 2 && layer > stage.progress.horizon;
    // Values are bytes, and the greatest stand for something else.
    stage.phase =
        if quiet || layer >= 250 { Phase::Done } else { Phase::Push { layer: layer + 1, block: 0 } };
}

/// Boards all of whose moves are refuted are lost in `value` plies; those with one left are lost without it.
fn losses<G: PerfectIndex>(stage: &mut Stage<'_, G>, value: u8, threads: usize) -> u64 {
    let (game, spans) = (stage.game, &stage.spans);
    let tasks = blocks(&mut stage.cells, &mut stage.first, &mut stage.second);
    let sums = tesuji_task::fold(threads, tasks, |(start, (cells, (first, second))), decided: &mut u64| {
        // Most stretches hold nothing: told by a loop without branches.
        for (stretch, cells) in cells.chunks_mut(64).enumerate() {
            if !cells.iter().fold(false, |any, &cell| any | Cell(cell).ran_out()) {
                continue;
            }
            for (offset, word) in cells.iter_mut().enumerate() {
                let (cell, at) = (Cell(*word), 64 * stretch + offset);
                let limit = second[at];
                let open_to_loss = limit % 2 == 0 && limit <= value;
                if !cell.ran_out() || !(open_to_loss || cell.state() == State::Leaning) {
                    continue;
                }
                *decided += 1;
                let becomes = match (cell.state(), cell.count()) {
                    (State::Leaning, 0) => {
                        first[at] = value;
                        cell.becomes(State::Final, cell.mv())
                    }
                    (State::Open | State::Bound, 0) => {
                        first[at] = value;
                        cell.becomes(State::Final, NO_MOVE)
                    }
                    (State::Open, _) if reversible(game, spans, start + at, cell.mv()) => {
                        second[at] = value;
                        cell.becomes(State::Leaning, cell.mv())
                    }
                    (State::Open, _) => cell.becomes(State::Bound, cell.mv()),
                    (State::Pending, _) => {
                        second[at] = value;
                        cell.becomes(State::Final, cell.mv())
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
            let cell = Cell(cells[at]);
            let becomes = match cell.state() {
                State::Final | State::Leaning => continue,
                State::Open | State::Bound => {
                    first[at] = value;
                    cell.becomes(State::Final, NO_MOVE)
                }
                State::Pending if first[at] == value => {
                    cells[at] = cell.becomes(State::Final, NO_MOVE).0;
                    continue;
                }
                // The second value is the limit, which stands there already.
                State::Pending => cell.becomes(State::Final, cell.mv()),
            };
            cells[at] = becomes.0;
            *decided += 1;
        }
    });
    sums.iter().sum()
}

/// Symmetric boards are looked at forwards, by what is known up to this layer.
fn apart<G: PerfectIndex>(stage: &mut Stage<'_, G>, earlier: &Earlier<'_>, layer: u8, threads: usize) -> u64 {
    let shared: &Stage<'_, G> = stage;
    let open: Vec<u32> =
        shared.apart.iter().copied().filter(|&at| shared.cell(at as usize).state() != State::Final).collect();
    let known = UpTo { stage: shared, earlier, layer };
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
        let cell = Cell(stage.cells.words()[at]);
        let state = match (value.first, value.mv, value.second) {
            (0, NO_MOVE, _) | (0, _, 0) => State::Open,
            (0, ..) => State::Leaning,
            (_, NO_MOVE, _) => State::Final,
            (.., 0) => State::Pending,
            _ => State::Final,
        };
        if state == cell.state() && value.first == stage.first[at] {
            continue;
        }
        let mv = if state == State::Open { 0 } else { value.mv };
        stage.cells.words_mut()[at] = cell.becomes(state, mv).0;
        stage.first[at] = value.first;
        if matches!(state, State::Leaning | State::Final) && value.mv != NO_MOVE {
            stage.second[at] = value.second;
        }
        decided += 1;
    }
    decided
}

type Block<'a> = (usize, (&'a mut [u16], (&'a mut [u8], &'a mut [u8])));

/// The stage in pieces that threads can take.
fn blocks<'a>(cells: &'a mut Plane, first: &'a mut Plane, second: &'a mut Plane) -> Vec<Block<'a>> {
    let size = 16 * BLOCK;
    let values = first.chunks_mut(size).zip(second.chunks_mut(size));
    (0..).step_by(size).zip(cells.words_mut().chunks_mut(size).zip(values)).collect()
}

fn reversible<G: PerfectIndex>(game: &G, spans: &Spans, at: usize, mv: u8) -> bool {
    let (class, index) = spans.place(at);
    let board = game.unrank(class, index);
    board.and_then(|board| game.after(board, mv)).is_some_and(|(_, reply)| reply != NO_MOVE)
}

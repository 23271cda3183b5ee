//! One layer: every board worth so many plies tells the boards before it.
//!
//! Work alternates between finding moves, when all threads read everything, and applying them, when each thread owns
//! whole bands of boards. So nothing is locked and no update is lost, and because the updates of a layer may come in
//! any order, neither the number of threads nor their pace shows in the result.

use tesuji_game::{NO_MOVE, PerfectIndex};

use super::boxes::{BLOCK, Boxes, Message, Outbox};
use super::cell::{Cell, State};
use super::stage::{Phase, Stage};

/// What a board is told: the move that leads from it, and above that whether it is reversible.
#[inline(always)]
fn news(mv: u8, reversible: bool) -> u32 {
    u32::from(mv) | u32::from(reversible) << 8
}

/// Follows the moves of some boards worth `layer`; `false` when all have been followed.
pub(super) fn round<G: PerfectIndex>(stage: &mut Stage<'_, G>, boxes: &mut Boxes) -> bool {
    let Phase::Push { layer, block } = stage.phase else { return false };
    if block >= stage.blocks() {
        return false;
    }
    let shared: &Stage<'_, G> = stage;
    let (block, edges) = boxes.gather(block, shared.blocks(), |block, out| find(shared, layer, block, out));
    let band = boxes.band();
    let values = stage.first.chunks_mut(band).zip(stage.second.chunks_mut(band));
    let bands = stage.cells.words_mut().chunks_mut(band).zip(values);
    let decided = boxes.deliver(bands, |(cells, (first, second)), edges, mask, decided: &mut u64| {
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

/// Finds the moves into the boards of a block that are worth `layer`.
#[inline(always)]
fn find<G: PerfectIndex>(stage: &Stage<'_, G>, layer: u8, block: usize, out: &mut Outbox<'_>) {
    let range = block * BLOCK..((block + 1) * BLOCK).min(stage.size);
    // Boards that win at once were seen from the boards before them, on the first look.
    if layer > 1 {
        for offset in memchr::memchr_iter(layer, &stage.first[range.clone()]) {
            let at = range.start + offset;
            let (class, index) = stage.spans.place(at);
            // Whoever came by the reply of the move that matters did not come to this value.
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

/// The one move after which `mv` is forbidden on the board `at`: it leads back from where `mv` leads to.
fn before<G: PerfectIndex>(stage: &Stage<'_, G>, at: usize, mv: u8) -> Option<(u32, u8)> {
    let game = stage.game;
    let (class, index) = stage.spans.place(at);
    let (board, reply) = game.after(game.unrank(class, index)?, mv)?;
    let place = game.rank(board);
    let start = stage.spans.start(place.class).filter(|_| !place.symmetric)?;
    Some((start + place.index, game.image(reply, place.symmetry)))
}

/// The boards after are won by their mover: the moves there are refuted.
fn refute(cells: &mut [u16], edges: &[Message], mask: u32) {
    for &edge in edges {
        let at = (edge as u32 & mask) as usize;
        cells[at] = Cell(cells[at]).refute((edge >> 32) as u8).0;
    }
}

/// The boards after are lost by their mover: the moves there win in `value` plies.
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

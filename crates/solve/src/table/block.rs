//! A block: the values of boards next to each other, as symbols.

use std::ops::Range;

use tesuji_game::{NO_MOVE, Ranked, Step};

use super::context::{NO_SECOND, Past, outcomes};
use super::counts::Counts;
use super::head::Kind;
use super::model::Model;
use super::rans::{Decoder, encode};
use crate::retrograde::{Value, Values};

/// A value that no solution has: where, and what is wrong with it.
pub(super) struct Misfit {
    pub(super) index: u32,
    pub(super) what: &'static str,
}

/// Calls `visit` with what is coded of each board: its first value, its second and the place of its move. Boards that
/// win at once are only told to `at_once`.
fn each<G: Ranked>(
    game: &G,
    class: u8,
    span: Range<u32>,
    values: &Values,
    kind: Kind,
    mut at_once: impl FnMut(),
    mut visit: impl FnMut(u32, u8, u8, u8) -> Result<(), Misfit>,
) -> Result<(), Misfit> {
    for index in span {
        let Some(board) = game.unrank(class, index) else { continue };
        let value = values.get(index as usize);
        let misfit = |what| Err(Misfit { index, what });
        if game.wins_at_once(board) {
            if value != (Value { first: 1, mv: NO_MOVE, second: 0 }) {
                return misfit("the board wins at once, and the value says something else");
            }
            at_once();
            continue;
        }
        if value.first == 1 || value.second == 1 {
            return misfit("the board does not win at once, and the value says so");
        }
        let value = if kind == Kind::Exact { value } else { outcomes(value) };
        if value.mv == NO_MOVE {
            visit(index, value.first, NO_SECOND, 0)?;
        } else {
            let Some(order) = place(game, board, value.mv) else {
                return misfit("the move that matters is none that can be taken back");
            };
            visit(index, value.first, value.second, order)?;
        }
    }
    Ok(())
}

/// Counts the symbols of a block.
pub(super) fn count<G: Ranked>(
    game: &G,
    class: u8,
    span: Range<u32>,
    values: &Values,
    kind: Kind,
    counts: &mut Counts,
) -> Result<(), Misfit> {
    let mut past = Past::default();
    let mut at_once = 0u64;
    each(
        game,
        class,
        span,
        values,
        kind,
        || at_once += 1,
        |_, first, second, order| {
            counts.symbol(past.first(), first);
            counts.symbol(past.second(first), second);
            if second != NO_SECOND {
                counts.symbol(past.order(first), order);
            }
            counts.board(first, second != NO_SECOND);
            past.push(first, second, order);
            Ok(())
        },
    )?;
    (0..at_once).for_each(|_| counts.at_once());
    Ok(())
}

/// Codes a block by a model that counted it.
pub(super) fn code<G: Ranked>(
    game: &G,
    class: u8,
    span: Range<u32>,
    values: &Values,
    kind: Kind,
    model: &Model,
) -> Result<Vec<u8>, Misfit> {
    let mut past = Past::default();
    let mark = mark(&span);
    let mut shares = Vec::with_capacity(3 * span.len());
    each(
        game,
        class,
        span,
        values,
        kind,
        || {},
        |index, first, second, order| {
            let mut symbol = |context, symbol| match model.share(context, symbol) {
                Some(share) => {
                    shares.push(share);
                    Ok(())
                }
                None => Err(Misfit { index, what: "the value changed while it was being written" }),
            };
            symbol(past.first(), first)?;
            symbol(past.second(first), second)?;
            if second != NO_SECOND {
                symbol(past.order(first), order)?;
            }
            past.push(first, second, order);
            Ok(())
        },
    )?;
    Ok(encode(&shares, mark))
}

/// Tells the blocks of a class from each other, so that one in the place of another is noticed.
fn mark(span: &Range<u32>) -> u16 {
    (span.start.wrapping_mul(0x9e37_79b1) >> 16) as u16
}

/// The boards of a block: first value, second value, place of the move.
pub(super) struct Decoded(Box<[[u8; 3]]>);

impl Decoded {
    /// Reads a block back; `None` when it is not the code of so many boards.
    pub(super) fn new<G: Ranked>(
        game: &G,
        class: u8,
        span: Range<u32>,
        bytes: &[u8],
        model: &Model,
    ) -> Option<Decoded> {
        let mut boards = vec![[0, NO_SECOND, 0]; span.len()].into_boxed_slice();
        let mut decoder = Decoder::new(bytes, mark(&span))?;
        let mut past = Past::default();
        for (index, cell) in span.zip(&mut boards) {
            let Some(board) = game.unrank(class, index) else { continue };
            if game.wins_at_once(board) {
                cell[0] = 1;
                continue;
            }
            let first = model.next(&mut decoder, past.first())?;
            let second = model.next(&mut decoder, past.second(first))?;
            let order = if second == NO_SECOND { 0 } else { model.next(&mut decoder, past.order(first))? };
            past.push(first, second, order);
            *cell = [first, second, order];
        }
        decoder.is_done().then_some(Decoded(boards))
    }

    /// The value of a board, whose move is as the numbered board sees it; `None` when there is no such move.
    pub(super) fn value<G: Ranked>(&self, game: &G, class: u8, index: u32, at: usize) -> Option<Value> {
        let [first, second, order] = *self.0.get(at)?;
        if second == NO_SECOND {
            return Some(Value { first, mv: NO_MOVE, second: 0 });
        }
        let mv = reversible(game, game.unrank(class, index)?, order)?;
        Some(Value { first, mv, second })
    }
}

/// The place of a move among those that can be taken back.
fn place<G: Ranked>(game: &G, board: G::Board, mv: u8) -> Option<u8> {
    let (mut seen, mut found) = (0u8, None);
    each_reversible(game, board, |reversible| {
        if reversible == mv && found.is_none() {
            found = Some(seen);
        }
        seen += 1;
    });
    found
}

/// The move at a place among those that can be taken back.
fn reversible<G: Ranked>(game: &G, board: G::Board, place: u8) -> Option<u8> {
    let (mut seen, mut found) = (0u8, None);
    each_reversible(game, board, |mv| {
        if seen == place {
            found = Some(mv);
        }
        seen += 1;
    });
    found
}

fn each_reversible<G: Ranked>(game: &G, board: G::Board, mut visit: impl FnMut(u8)) {
    game.successors(board, |mv, step| {
        if matches!(step, Step::On(_, reply) if reply != NO_MOVE) {
            visit(mv);
        }
    });
}

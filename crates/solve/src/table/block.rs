//! A block: boards next to each other, as symbols.

use std::ops::Range;

use tesuji_game::PerfectIndex;

use super::cell::{Cell, Past, Source, Sums};
use super::counts::Counts;
use super::model::Model;
use super::rans::{Decoder, encode};

/// A board that cannot be coded: where, and what is wrong with it.
pub(super) struct Misfit {
    pub(super) index: u32,
    pub(super) what: &'static str,
}

/// Calls `visit` with what is to be coded of each board, and whether it is known without.
fn each<G: PerfectIndex, S: Source>(
    game: &G,
    class: u8,
    span: Range<u32>,
    source: &S,
    mut visit: impl FnMut(u32, Cell, bool) -> Result<(), Misfit>,
) -> Result<(), Misfit> {
    for index in span {
        let Some(board) = game.unrank(class, index) else { continue };
        let cell = source.cell(game, index, board).map_err(|what| Misfit { index, what })?;
        visit(index, cell, S::Past::known(game, board).is_some())?;
    }
    Ok(())
}

/// Counts the symbols of a block.
pub(super) fn count<G: PerfectIndex, S: Source>(
    game: &G,
    class: u8,
    span: Range<u32>,
    source: &S,
    counts: &mut Counts<S>,
) -> Result<(), Misfit> {
    let mut past = S::Past::default();
    each(game, class, span, source, |_, cell, known| {
        counts.sums.board(cell, known);
        if !known {
            let [first, second, order] = cell;
            counts.symbol(past.first(), first);
            counts.symbol(past.second(first), second);
            if second != S::Past::ALONE {
                counts.symbol(past.order(first, second), order);
            }
            past.push(cell);
        }
        Ok(())
    })
}

/// Codes a block by a model that counted it.
pub(super) fn code<G: PerfectIndex, S: Source>(
    game: &G,
    class: u8,
    span: Range<u32>,
    source: &S,
    model: &Model,
) -> Result<Vec<u8>, Misfit> {
    let mut past = S::Past::default();
    let mark = mark(&span);
    let mut shares = Vec::with_capacity(3 * span.len());
    each(game, class, span, source, |index, cell, known| {
        if known {
            return Ok(());
        }
        let [first, second, order] = cell;
        let mut symbol = |context, symbol| match model.share(context, symbol) {
            Some(share) => {
                shares.push(share);
                Ok(())
            }
            None => Err(Misfit { index, what: "the value changed while it was being written" }),
        };
        symbol(past.first(), first)?;
        symbol(past.second(first), second)?;
        if second != S::Past::ALONE {
            symbol(past.order(first, second), order)?;
        }
        past.push(cell);
        Ok(())
    })?;
    Ok(encode(&shares, mark))
}

/// Tells the blocks of a class from each other, so that one in the place of another is noticed.
fn mark(span: &Range<u32>) -> u16 {
    (span.start.wrapping_mul(0x9e37_79b1) >> 16) as u16
}

/// The boards of a block. A number that no board has is first 0, and has no move.
pub(crate) struct Decoded(Box<[Cell]>);

impl Decoded {
    /// Reads a block back; `None` when it is not the code of so many boards.
    pub(super) fn new<G: PerfectIndex, P: Past>(
        game: &G,
        class: u8,
        span: Range<u32>,
        bytes: &[u8],
        model: &Model,
    ) -> Option<Decoded> {
        let mut cells = vec![[0, P::ALONE, 0]; span.len()].into_boxed_slice();
        let mut decoder = Decoder::new(bytes, mark(&span))?;
        let mut past = P::default();
        for (index, cell) in span.zip(&mut cells) {
            let Some(board) = game.unrank(class, index) else { continue };
            if let Some(known) = P::known(game, board) {
                *cell = known;
                continue;
            }
            let first = model.next(&mut decoder, past.first())?;
            let second = model.next(&mut decoder, past.second(first))?;
            let order =
                if second == P::ALONE { 0 } else { model.next(&mut decoder, past.order(first, second))? };
            *cell = [first, second, order];
            past.push(*cell);
        }
        decoder.is_done().then_some(Decoded(cells))
    }

    /// What was coded of a board; `None` when there are fewer.
    pub(crate) fn cell(&self, at: usize) -> Option<Cell> {
        self.0.get(at).copied()
    }
}

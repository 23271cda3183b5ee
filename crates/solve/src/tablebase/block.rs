//! A block: boards with consecutive indices, entropy-coded.

use std::ops::Range;

use tesuji_game::PerfectIndex;

use super::coding::{CodedEntry, CodingContext, EntryCounts, EntrySource};
use super::model::SymbolModel;
use super::rans::{Decoder, encode};

/// A board that cannot be coded.
pub(super) struct CodingError {
    pub(super) index: u32,
    pub(super) what: &'static str,
}

/// Calls `visit` with the entry of each board, and whether it is implied by the rules.
fn each<G: PerfectIndex, S: EntrySource>(
    game: &G,
    class: u8,
    span: Range<u32>,
    source: &S,
    mut visit: impl FnMut(u32, CodedEntry, bool) -> Result<(), CodingError>,
) -> Result<(), CodingError> {
    for index in span {
        let Some(board) = game.unrank(class, index) else { continue };
        let entry = source.entry(game, index, board).map_err(|what| CodingError { index, what })?;
        visit(index, entry, S::CodingContext::known(game, board).is_some())?;
    }
    Ok(())
}

/// Counts the symbols of a block.
pub(super) fn count<G: PerfectIndex, S: EntrySource>(
    game: &G,
    class: u8,
    span: Range<u32>,
    source: &S,
    counts: &mut SymbolCounts<S>,
) -> Result<(), CodingError> {
    let mut past = S::CodingContext::default();
    each(game, class, span, source, |_, entry, known| {
        counts.totals.board(entry, known);
        if !known {
            let [first, second, order] = entry;
            counts.symbol(past.first(), first);
            counts.symbol(past.second(first), second);
            if second != S::CodingContext::ALONE {
                counts.symbol(past.order(first, second), order);
            }
            past.push(entry);
        }
        Ok(())
    })
}

/// Codes a block with the model of its class.
pub(super) fn code<G: PerfectIndex, S: EntrySource>(
    game: &G,
    class: u8,
    span: Range<u32>,
    source: &S,
    model: &SymbolModel,
) -> Result<Vec<u8>, CodingError> {
    let mut past = S::CodingContext::default();
    let mark = mark(&span);
    let mut ranges = Vec::with_capacity(3 * span.len());
    each(game, class, span, source, |index, entry, known| {
        if known {
            return Ok(());
        }
        let [first, second, order] = entry;
        let mut symbol = |context, symbol| match model.range(context, symbol) {
            Some(range) => {
                ranges.push(range);
                Ok(())
            }
            None => Err(CodingError { index, what: "the value changed while it was being written" }),
        };
        symbol(past.first(), first)?;
        symbol(past.second(first), second)?;
        if second != S::CodingContext::ALONE {
            symbol(past.order(first, second), order)?;
        }
        past.push(entry);
        Ok(())
    })?;
    Ok(encode(&ranges, mark))
}

/// A number per block, mixed into the code, so that a block in the wrong place is detected.
fn mark(span: &Range<u32>) -> u16 {
    (span.start.wrapping_mul(0x9e37_79b1) >> 16) as u16
}

/// The entries of a block. An index without a board has no move and the value 0.
pub(crate) struct DecodedBlock(Box<[CodedEntry]>);

impl DecodedBlock {
    /// Decodes a block; `None` when it is not the code of that many boards.
    pub(super) fn new<G: PerfectIndex, P: CodingContext>(
        game: &G,
        class: u8,
        span: Range<u32>,
        bytes: &[u8],
        model: &SymbolModel,
    ) -> Option<DecodedBlock> {
        let mut cells = vec![[0, P::ALONE, 0]; span.len()].into_boxed_slice();
        let mut decoder = Decoder::new(bytes, mark(&span))?;
        let mut past = P::default();
        for (index, entry) in span.zip(&mut cells) {
            let Some(board) = game.unrank(class, index) else { continue };
            if let Some(known) = P::known(game, board) {
                *entry = known;
                continue;
            }
            let first = model.next(&mut decoder, past.first())?;
            let second = model.next(&mut decoder, past.second(first))?;
            let order = if second == P::ALONE { 0 } else { model.next(&mut decoder, past.order(first, second))? };
            *entry = [first, second, order];
            past.push(*entry);
        }
        decoder.is_done().then_some(DecodedBlock(cells))
    }

    /// The entry at a position; `None` beyond the end.
    pub(crate) fn entry(&self, at: usize) -> Option<CodedEntry> {
        self.0.get(at).copied()
    }
}

/// Symbol counts of a task or of a class.
pub(super) struct SymbolCounts<S: EntrySource> {
    symbols: Vec<u32>,
    /// Other totals.
    pub(super) totals: S::EntryCounts,
}

impl<S: EntrySource> Default for SymbolCounts<S> {
    fn default() -> SymbolCounts<S> {
        SymbolCounts { symbols: vec![0; S::CodingContext::CONTEXTS * 256], totals: S::EntryCounts::default() }
    }
}

impl<S: EntrySource> SymbolCounts<S> {
    #[inline(always)]
    pub(super) fn symbol(&mut self, context: usize, symbol: u8) {
        self.symbols[context * 256 + usize::from(symbol)] += 1;
    }

    /// Adds to the count of a symbol by its number among all contexts; `false` when there is no such symbol.
    pub(super) fn add_symbols(&mut self, number: usize, count: u32) -> bool {
        self.symbols.get_mut(number).map(|sum| *sum += count).is_some()
    }

    /// The counts of all contexts, 256 symbols each.
    pub(super) fn symbols(&self) -> &[u32] {
        &self.symbols
    }

    pub(super) fn add(&mut self, other: &SymbolCounts<S>) {
        for (sum, count) in self.symbols.iter_mut().zip(&other.symbols) {
            *sum += count;
        }
        self.totals.add(&other.totals);
    }
}

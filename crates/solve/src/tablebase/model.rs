//! The adaptive model: symbol frequencies per context, shared by encoder and decoder.

use super::rans::{Decoder, Frequency, SCALE, SCALE_BITS};

/// Buckets of the scale, as an index into the symbols.
const PARTS: usize = 256;
const PART_BITS: u32 = SCALE_BITS - PARTS.ilog2();
/// Marks a context that does not occur.
const ABSENT: u16 = u16::MAX;

/// A symbol of a context with its range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SymbolRange {
    range: Frequency,
    symbol: u8,
}

/// A context that occurs.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ContextTable {
    /// Most frequent first.
    entries: Vec<SymbolRange>,
    /// For each bucket, the first symbol in it.
    parts: Box<[u8; PARTS]>,
}

/// All contexts of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SymbolModel {
    numbers: Vec<u16>,
    tables: Vec<ContextTable>,
}

impl SymbolModel {
    /// The model of these counts, 256 per context.
    pub(super) fn of(counts: &[u32]) -> SymbolModel {
        let mut model = SymbolModel { numbers: vec![ABSENT; counts.len() / 256], tables: Vec::new() };
        for (context, counts) in counts.chunks_exact(256).enumerate() {
            let widths = scaled(counts);
            if let Some(table) = ContextTable::new(&widths) {
                model.insert(context, table);
            }
        }
        model
    }

    fn insert(&mut self, context: usize, table: ContextTable) {
        self.numbers[context] = self.tables.len() as u16;
        self.tables.push(table);
    }

    #[inline(always)]
    fn table(&self, context: usize) -> Option<&ContextTable> {
        self.tables.get(usize::from(*self.numbers.get(context)?))
    }

    /// The range of a symbol; `None` when it does not occur in this context.
    pub(super) fn range(&self, context: usize, symbol: u8) -> Option<Frequency> {
        let entries = &self.table(context)?.entries;
        entries.iter().find(|entry| entry.symbol == symbol).map(|entry| entry.range)
    }

    /// Decodes the next symbol; `None` when the context does not occur.
    #[inline(always)]
    pub(super) fn next(&self, decoder: &mut Decoder<'_>, context: usize) -> Option<u8> {
        let table = self.table(context)?;
        let slot = decoder.slot();
        let begin = usize::from(table.parts[usize::from(slot >> PART_BITS) % PARTS]);
        let after = |entry: &&SymbolRange| slot.wrapping_sub(entry.range.start) <= entry.range.width;
        let entry = table.entries.get(begin..)?.iter().find(after)?;
        decoder.pass(slot, entry.range)?;
        Some(entry.symbol)
    }

    /// Appends the model to a header: the number of contexts; for each its number, its symbol count minus
    /// one, and each symbol with its width.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&(self.tables.len() as u32).to_le_bytes());
        for (context, &number) in self.numbers.iter().enumerate() {
            let Some(table) = self.tables.get(usize::from(number)) else { continue };
            bytes.extend_from_slice(&(context as u16).to_le_bytes());
            bytes.push((table.entries.len() - 1) as u8);
            for entry in &table.entries {
                bytes.push(entry.symbol);
                bytes.extend_from_slice(&entry.range.width.to_le_bytes());
            }
        }
    }

    /// Parses a model of `contexts` contexts; `None` when it is inconsistent.
    pub(super) fn read(mut bytes: &[u8], contexts: usize) -> Option<SymbolModel> {
        let mut model = SymbolModel { numbers: vec![ABSENT; contexts], tables: Vec::new() };
        let count = u32::from_le_bytes(take(&mut bytes)?);
        for _ in 0..count {
            let context = usize::from(u16::from_le_bytes(take(&mut bytes)?));
            let [symbols] = take(&mut bytes)?;
            let mut widths = Vec::with_capacity(usize::from(symbols) + 1);
            for _ in 0..=symbols {
                let [symbol, low, high] = take(&mut bytes)?;
                widths.push((symbol, u32::from(u16::from_le_bytes([low, high])) + 1));
            }
            if *model.numbers.get(context)? != ABSENT {
                return None;
            }
            model.insert(context, ContextTable::new(&widths)?);
        }
        bytes.is_empty().then_some(model)
    }
}

impl ContextTable {
    /// A table of symbols and widths, which must add up to the scale.
    fn new(widths: &[(u8, u32)]) -> Option<ContextTable> {
        let mut entries = Vec::with_capacity(widths.len());
        let mut parts = Box::new([0; PARTS]);
        let mut start = 0u32;
        for (number, &(symbol, width)) in widths.iter().enumerate() {
            let end = start.checked_add(width).filter(|&end| width > 0 && end <= SCALE)?;
            let range = Frequency { start: start as u16, width: (width - 1) as u16 };
            entries.push(SymbolRange { range, symbol });
            let first = start.div_ceil(1 << PART_BITS) as usize;
            let last = end.div_ceil(1 << PART_BITS) as usize;
            parts[first..last].fill(u8::try_from(number).ok()?);
            start = end;
        }
        (start == SCALE).then_some(ContextTable { entries, parts })
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*taken)
}

/// Scales counts to widths, widest first; empty when all counts are zero.
fn scaled(counts: &[u32]) -> Vec<(u8, u32)> {
    let total: u64 = counts.iter().map(|&count| u64::from(count)).sum();
    let mut widths: Vec<(u8, u32)> = (0..=u8::MAX)
        .zip(counts)
        .filter(|&(_, &count)| count > 0)
        // Every symbol that occurs needs a nonzero width.
        .map(|(symbol, &count)| (symbol, (u64::from(count) * u64::from(SCALE) / total).max(1) as u32))
        .collect();
    widths.sort_by_key(|&(symbol, width)| (std::cmp::Reverse(width), symbol));
    let sum: u32 = widths.iter().map(|&(_, width)| width).sum();
    if sum <= SCALE {
        if let Some(widest) = widths.first_mut() {
            widest.1 += SCALE - sum;
        }
        return widths;
    }
    let mut excess = sum - SCALE;
    for (_, width) in &mut widths {
        let cut = excess.min(*width / 2);
        *width -= cut;
        excess -= cut;
    }
    widths.sort_by_key(|&(symbol, width)| (std::cmp::Reverse(width), symbol));
    widths
}

#[cfg(test)]
mod tests {
    use super::super::rans::encode;
    use super::*;

    #[test]
    fn widths_fill_the_scale_whatever_the_counts() {
        let mut cases = vec![vec![1; 256], vec![u32::MAX; 256], vec![0; 256], vec![7; 1]];
        let mut skewed = vec![1; 256];
        skewed[9] = u32::MAX;
        cases.push(skewed);
        cases.push((0..256).map(|symbol| 1 << (symbol % 32)).collect());
        for counts in cases {
            let widths = scaled(&counts);
            assert_eq!(widths.len(), counts.iter().filter(|&&count| count > 0).count());
            assert_eq!(ContextTable::new(&widths).is_some(), !widths.is_empty());
            assert!(widths.is_sorted_by_key(|&(_, width)| std::cmp::Reverse(width)));
        }
    }

    #[test]
    fn a_model_is_read_as_it_was_written_or_not_at_all() {
        let mut counts = vec![0; 256 * 256];
        let text = b"neighbours in a numbering are alike, neighbours in a numbering are alike";
        for pair in text.windows(2) {
            counts[256 * usize::from(pair[0]) + usize::from(pair[1])] += 1;
        }
        let model = SymbolModel::of(&counts);
        let mut bytes = Vec::new();
        model.write(&mut bytes);
        assert_eq!(SymbolModel::read(&bytes, 256), Some(model.clone()));
        assert_eq!(SymbolModel::read(&bytes, 100), None, "a context too high");
        for length in 0..bytes.len() {
            assert_eq!(SymbolModel::read(&bytes[..length], 256), None, "cut at {length}");
        }

        let ranges: Option<Vec<Frequency>> =
            text.windows(2).map(|pair| model.range(usize::from(pair[0]), pair[1])).collect();
        let coded = encode(&ranges.expect("all came"), 5);
        let mut decoder = Decoder::new(&coded, 5).expect("long enough");
        for pair in text.windows(2) {
            assert_eq!(model.next(&mut decoder, usize::from(pair[0])), Some(pair[1]));
        }
        assert!(decoder.is_done());
        assert_eq!((model.range(0, 0), model.next(&mut decoder, 255)), (None, None));
    }
}

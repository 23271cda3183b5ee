//! Entropy coding by asymmetric numeral systems (rANS, Duda 2013) with a 32-bit state and 16-bit
//! renormalisation.
//!
//! The encoder works from the last symbol to the first, so the decoder runs forwards and each symbol may
//! depend on those before it.

/// Frequencies of a context add up to 2 to this power.
pub(super) const SCALE_BITS: u32 = 14;
pub(super) const SCALE: u32 = 1 << SCALE_BITS;
/// The least state between two symbols. The encoder starts, and the decoder ends, with this plus the mark.
const LEAST: u32 = 1 << 16;

/// The range of a symbol on the scale.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Frequency {
    pub(super) start: u16,
    /// Minus one, so that one symbol may have the whole scale.
    pub(super) width: u16,
}

/// Encodes symbols by their ranges; no bytes for no symbols. Decoding with another mark fails.
pub(super) fn encode(ranges: &[Frequency], mark: u16) -> Vec<u8> {
    if ranges.is_empty() {
        return Vec::new();
    }
    let mut words = Vec::with_capacity(ranges.len() / 4);
    let mut state = LEAST + u32::from(mark);
    for range in ranges.iter().rev() {
        let (start, width) = (u32::from(range.start), u32::from(range.width) + 1);
        if u64::from(state) >= u64::from(width) << (32 - SCALE_BITS) {
            words.push(state as u16);
            state >>= 16;
        }
        state = ((state / width) << SCALE_BITS) + state % width + start;
    }
    let mut bytes = state.to_le_bytes().to_vec();
    bytes.extend(words.iter().rev().flat_map(|word| word.to_le_bytes()));
    bytes
}

/// Decodes symbols.
pub(super) struct Decoder<'b> {
    state: u32,
    rest: &'b [u8],
    last: u32,
}

impl<'b> Decoder<'b> {
    /// Starts on the output of [`encode`]; `None` when it is too short.
    pub(super) fn new(bytes: &'b [u8], mark: u16) -> Option<Decoder<'b>> {
        let last = LEAST + u32::from(mark);
        let (state, rest) = match bytes {
            [] => (last, bytes),
            _ => (u32::from_le_bytes(*bytes.first_chunk()?), &bytes[4..]),
        };
        Some(Decoder { state, rest, last })
    }

    /// The position of the next symbol on the scale.
    #[inline(always)]
    pub(super) fn slot(&self) -> u16 {
        (self.state & (SCALE - 1)) as u16
    }

    /// Consumes the symbol whose range contains this slot; `None` at the end of the input.
    #[inline(always)]
    pub(super) fn pass(&mut self, slot: u16, range: Frequency) -> Option<()> {
        self.state = (u32::from(range.width) + 1)
            .wrapping_mul(self.state >> SCALE_BITS)
            .wrapping_add(u32::from(slot.wrapping_sub(range.start)));
        if self.state < LEAST {
            let (word, rest) = self.rest.split_first_chunk()?;
            self.state = self.state << 16 | u32::from(u16::from_le_bytes(*word));
            self.rest = rest;
        }
        Some(())
    }

    /// Whether the input is exactly consumed.
    pub(super) fn is_done(&self) -> bool {
        self.state == self.last && self.rest.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: u16 = 0xbeef;

    fn decode(bytes: &[u8], count: usize, ranges: &[Frequency], mark: u16) -> Option<Vec<usize>> {
        let mut decoder = Decoder::new(bytes, mark)?;
        let mut found = Vec::new();
        for _ in 0..count {
            let slot = decoder.slot();
            let at = ranges.iter().rposition(|range| range.start <= slot)?;
            decoder.pass(slot, ranges[at])?;
            found.push(at);
        }
        decoder.is_done().then_some(found)
    }

    #[test]
    fn symbols_come_back_and_take_the_room_they_are_worth() {
        let starts = [0u16, 1, 3, 1000, 12_000];
        let ends = [1u16, 3, 1000, 12_000, SCALE as u16];
        let ranges: Vec<Frequency> =
            starts.iter().zip(ends).map(|(&start, end)| Frequency { start, width: end - start - 1 }).collect();
        let mut seed = 1u32;
        for count in [0, 1, 2, 3, 100, 10_000] {
            let symbols: Vec<usize> = (0..count)
                .map(|_| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    ends.iter().filter(|&&end| u32::from(end) <= seed >> (32 - SCALE_BITS)).count()
                })
                .collect();
            let bytes = encode(&symbols.iter().map(|&symbol| ranges[symbol]).collect::<Vec<_>>(), MARK);
            assert_eq!(decode(&bytes, count, &ranges, MARK), Some(symbols.clone()));
            let value: f64 =
                symbols.iter().map(|&symbol| (f64::from(SCALE) / (f64::from(ranges[symbol].width) + 1.0)).log2()).sum();
            assert!(bytes.len() as f64 <= value / 8.0 * 1.001 + 6.0, "{} bytes for {value} bits", bytes.len());
            if count > 0 {
                assert_eq!(decode(&bytes[..bytes.len() - 1], count, &ranges, MARK), None);
                assert_eq!(decode(&bytes, count, &ranges, MARK + 1), None);
                assert_eq!(decode(&bytes, count - 1, &ranges, MARK), None);
            }
        }
    }

    #[test]
    fn a_symbol_that_always_comes_takes_no_room() {
        let all = Frequency { start: 0, width: (SCALE - 1) as u16 };
        let bytes = encode(&[all; 1000], MARK);
        assert_eq!(bytes.len(), 4);
        assert_eq!(decode(&bytes, 1000, &[all], MARK), Some(vec![0; 1000]));
    }
}

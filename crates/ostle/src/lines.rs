//! What every push does to the row or column it happens in, worked out once by the letter of the rules.
//!
//! A line is five digits, ten bits: the same digits as the board's. Which line it is on the board, and that
//! a column's digits lie apart, is left to `play`.

use crate::board::SIDE;

/// What a move changes in its line, in 16 bits.
///
/// ```text
/// bit 0                     10       12              15
///     digits to change (xor) | fallen | reply + 1 or 0 |
/// ```
///
/// The digits are those that the next mover sees. `fallen` is the digit of the piece that fell. The reply is
/// the place in the line of the piece, or hole, whose opposite move would take everything back. All of it is
/// zero for a hole that cannot go there, and for places without a piece of the mover's.
#[derive(Clone, Copy)]
pub(crate) struct Change(u16);

impl Change {
    #[inline]
    pub(crate) fn digits(self) -> u64 {
        u64::from(self.0 & 0x3ff)
    }

    #[inline]
    pub(crate) fn fallen(self) -> usize {
        usize::from(self.0 >> 10 & 3)
    }

    #[inline]
    pub(crate) fn reply(self) -> usize {
        usize::from(self.0 >> 12)
    }
}

/// What the piece or hole at `place` of the line `digits` can do: step to the place before, and to the one
/// behind.
#[inline]
pub(crate) fn changes(digits: u64, place: usize) -> [Change; 2] {
    CHANGES[(digits as usize & 0x3ff) << 3 | place & 7]
}

/// Eight per line, of which five are used: a shift is cheaper than a multiplication and a bounds check.
static CHANGES: [[Change; 2]; 1 << 13] = {
    let mut table = [[Change(0); 2]; 1 << 13];
    let mut line = 0;
    while line < 1 << 10 {
        let mut place = 0;
        while place < SIDE {
            table[line << 3 | place] = [change(line, place, false), change(line, place, true)];
            place += 1;
        }
        line += 1;
    }
    table
};

const fn digit(line: usize, place: usize) -> usize {
    line >> (2 * place) & 3
}

const fn change(line: usize, place: usize, on: bool) -> Change {
    match digit(line, place) {
        1 => push(line, place, on),
        3 => hole(line, place, on),
        _ => Change(0),
    }
}

/// The place one step on, or `SIDE` beyond the end: before the first place, the subtraction wraps.
const fn next(place: usize, on: bool) -> usize {
    let next = if on { place + 1 } else { place.wrapping_sub(1) };
    if next < SIDE { next } else { SIDE }
}

const fn push(line: usize, place: usize, on: bool) -> Change {
    // Each piece of the chain goes where the one before it stood; the last meets a gap, the hole or the edge.
    let (mut after, mut at) = (line & !(3 << (2 * place)), place);
    loop {
        let piece = digit(line, at);
        let to = next(at, on);
        if to == SIDE || digit(line, to) == 3 {
            return seen_by_next(line ^ after, piece, 0);
        }
        after = after & !(3 << (2 * to)) | piece << (2 * to);
        if digit(line, to) == 0 {
            let reply = if piece == 2 { to + 1 } else { 0 };
            return seen_by_next(line ^ after, 0, reply);
        }
        at = to;
    }
}

const fn hole(line: usize, place: usize, on: bool) -> Change {
    let to = next(place, on);
    if to == SIDE || digit(line, to) != 0 {
        return Change(0);
    }
    seen_by_next(3 << (2 * place) | 3 << (2 * to), 0, to + 1)
}

const fn seen_by_next(changed: usize, fallen: usize, reply: usize) -> Change {
    let swapped = (changed & 0x155) << 1 | changed >> 1 & 0x155;
    Change((swapped | fallen << 10 | reply << 12) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line after a move, its digits as the mover saw them, with what fell and the reply.
    fn moved(line: &str, place: usize, on: usize) -> (String, usize, usize) {
        let digits = line.bytes().rev().fold(0, |digits, byte| digits << 2 | u64::from(byte - b'0'));
        let change = changes(digits, place)[on];
        let after = digits ^ (change.digits() & 0x155) << 1 ^ change.digits() >> 1 & 0x155;
        let text = (0..SIDE).map(|place| char::from(b'0' + (after >> (2 * place) & 3) as u8)).collect();
        (text, change.fallen(), change.reply())
    }

    #[test]
    fn pushes_go_by_the_rules() {
        let cases = [
            ("01000", 1, 1, "00100", 0, 0),
            ("01200", 1, 1, "00120", 0, 4),
            ("01210", 1, 1, "00121", 0, 0),
            ("01220", 1, 0, "10220", 0, 0),
            ("11222", 0, 1, "01122", 2, 0),
            ("11222", 0, 0, "01222", 1, 0),
            ("12302", 0, 1, "01302", 2, 0),
            ("12012", 0, 1, "01212", 0, 3),
            ("31000", 1, 0, "30000", 1, 0),
            ("01300", 2, 1, "01030", 0, 4),
            ("01300", 2, 0, "01300", 0, 0),
            ("00003", 4, 1, "00003", 0, 0),
        ];
        for (line, place, on, after, fallen, reply) in cases {
            assert_eq!(moved(line, place, on), (after.to_owned(), fallen, reply), "{line} {place} {on}");
        }
    }
}

//! The effect of every push on its row or column, computed at compile time from the rules.
//!
//! A line is five digits, ten bits: the same digits as the board's. Which line it is on the board, and that
//! a column's digits lie apart, is left to `play`.

use crate::board::SIDE;
use crate::play::Fallen;

/// What a move changes in its line.
///
/// The digits, to be xored, are those that the next mover sees. All of it is blank for a hole that cannot go
/// there, and for places without a piece of the mover's.
#[derive(Clone, Copy)]
pub(crate) struct Change {
    digits: u16,
    kind: u8,
    pub(crate) fallen: Fallen,
}

/// How many kinds of change there are.
pub(crate) const KINDS: usize = 8;

impl Change {
    const NONE: Change = Change { digits: 0, kind: 0, fallen: Fallen::Nothing };

    #[inline(always)]
    pub(crate) fn digits(self) -> usize {
        usize::from(self.digits & 0x3ff)
    }

    /// 0 when nothing falls and nothing can be taken back; 1 or 2 when a piece with that digit falls; from 3
    /// on the place in the line, plus 3, of the piece or hole whose opposite move would take all back.
    #[inline(always)]
    pub(crate) fn kind(self) -> usize {
        usize::from(self.kind & 7)
    }
}

/// The kind of a change that the piece or hole at `place` can take back.
pub(crate) const fn reply(place: usize) -> usize {
    place + 3
}

/// What the piece or hole at `place` of the line `digits` can do: step to the place before, and to the one
/// behind.
#[inline(always)]
pub(crate) fn changes(digits: u64, place: usize) -> &'static [Change; 2] {
    &CHANGES[(digits as usize & 0x3ff) * SIDE + (place & 7)]
}

/// Five for each line, and a few unused ones that avoid a bounds check.
static CHANGES: [[Change; 2]; (1 << 10) * SIDE + 8] = {
    let mut table = [[Change::NONE; 2]; (1 << 10) * SIDE + 8];
    let mut line = 0;
    while line < 1 << 10 {
        let mut place = 0;
        while place < SIDE {
            table[line * SIDE + place] = [change(line, place, false), change(line, place, true)];
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
        _ => Change::NONE,
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
            return seen_by_next(line ^ after, piece);
        }
        after = after & !(3 << (2 * to)) | piece << (2 * to);
        if digit(line, to) == 0 {
            // Only the opponent can answer, so only an own piece at the far end can push all back.
            return seen_by_next(line ^ after, if piece == 2 { reply(to) } else { 0 });
        }
        at = to;
    }
}

const fn hole(line: usize, place: usize, on: bool) -> Change {
    let to = next(place, on);
    if to == SIDE || digit(line, to) != 0 {
        return Change::NONE;
    }
    seen_by_next(3 << (2 * place) | 3 << (2 * to), reply(to))
}

const fn seen_by_next(changed: usize, kind: usize) -> Change {
    let digits = (changed & 0x155) << 1 | changed >> 1 & 0x155;
    let fallen = match kind {
        1 => Fallen::Own,
        2 => Fallen::Other,
        _ => Fallen::Nothing,
    };
    Change { digits: digits as u16, kind: kind as u8, fallen }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line after a move, its digits as the mover saw them, and the kind of the change.
    fn moved(line: &str, place: usize, on: usize) -> (String, usize) {
        let digits = line.bytes().rev().fold(0, |digits, byte| digits << 2 | u64::from(byte - b'0'));
        let change = changes(digits, place)[on];
        let changed = change.digits() as u64;
        let after = digits ^ (changed & 0x155) << 1 ^ changed >> 1 & 0x155;
        let text = (0..SIDE).map(|place| char::from(b'0' + (after >> (2 * place) & 3) as u8)).collect();
        (text, change.kind())
    }

    #[test]
    fn pushes_go_by_the_rules() {
        let cases = [
            ("01000", 1, 1, "00100", 0),
            ("01200", 1, 1, "00120", reply(3)),
            ("01210", 1, 1, "00121", 0),
            ("01220", 1, 0, "10220", 0),
            ("11222", 0, 1, "01122", 2),
            ("11222", 0, 0, "01222", 1),
            ("12302", 0, 1, "01302", 2),
            ("12012", 0, 1, "01212", reply(2)),
            ("31000", 1, 0, "30000", 1),
            ("01300", 2, 1, "01030", reply(3)),
            ("01300", 2, 0, "01300", 0),
            ("00003", 4, 1, "00003", 0),
        ];
        for (line, place, on, after, kind) in cases {
            assert_eq!(moved(line, place, on), (after.to_owned(), kind), "{line} {place} {on}");
        }
    }
}

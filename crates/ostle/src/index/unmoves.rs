//! Retraction of pushes: every push that leads to a line, found by trying all pushes of all lines.

use crate::board::SIDE;
use crate::lines::changes;
use crate::play::Fallen;

/// A push, seen from the line it left.
///
/// The sets are xored with the pieces of the pushing side and of the other side in the line.
#[derive(Clone, Copy)]
pub(super) struct Unmove {
    /// Changes of the side that pushed.
    pub(super) pusher: u8,
    /// Changes of the other side.
    pub(super) other: u8,
    /// Where the push began, times four, plus 1 when it went on rather than back.
    pub(super) mv: u8,
    /// The same for the reply that would take it back, or `NONE`.
    pub(super) reply: u8,
}

/// No reply.
pub(super) const NONE: u8 = u8::MAX;

/// Pushes by the line they left, which is a number of ten bits: the mover's pieces, then the opponent's, the hole
/// counting as both. The mover is the side that did not push.
pub(super) struct Unmoves {
    ends: Vec<u16>,
    list: Vec<Unmove>,
}

impl Unmoves {
    /// The pushes that dropped what `fallen` says.
    pub(super) fn new(fallen: Fallen) -> Unmoves {
        let mut found: Vec<(usize, Unmove)> = Vec::new();
        for digits in 0..1usize << (2 * SIDE) {
            let [before_own, before_other] = [0, 1].map(|bit| side(digits, bit));
            if (before_own & before_other).count_ones() > 1 {
                continue;
            }
            for place in (0..SIDE).filter(|place| digits >> (2 * place) & 3 == 1) {
                for (on, change) in changes(digits as u64, place).iter().enumerate() {
                    if change.fallen != fallen {
                        continue;
                    }
                    // What the next mover sees: the sides exchanged, then the change.
                    let swapped = (digits & 0x155) << 1 | digits >> 1 & 0x155;
                    let after = swapped ^ change.digits();
                    let [own, other] = [0, 1].map(|bit| side(after, bit));
                    let step = |place: usize, on: usize| (4 * place + on) as u8;
                    let taken_back = fallen == Fallen::Nothing && change.kind() >= 3;
                    let reply = if taken_back { step(change.kind() - 3, on ^ 1) } else { NONE };
                    let unmove =
                        Unmove { pusher: other ^ before_own, other: own ^ before_other, mv: step(place, on), reply };
                    found.push((usize::from(own) | usize::from(other) << SIDE, unmove));
                }
            }
        }
        found.sort_by_key(|&(line, _)| line);
        let ends = (0..1 << (2 * SIDE)).map(|line| found.partition_point(|&(at, _)| at <= line) as u16);
        Unmoves { ends: ends.collect(), list: found.into_iter().map(|(_, unmove)| unmove).collect() }
    }

    /// The pushes that may have left a line.
    #[inline(always)]
    pub(super) fn of(&self, line: u32) -> &[Unmove] {
        let line = line as usize;
        let start = if line == 0 { 0 } else { usize::from(self.ends[line - 1]) };
        &self.list[start..usize::from(self.ends[line])]
    }
}

/// Every second bit of the five digits.
fn side(digits: usize, bit: usize) -> u8 {
    (0..SIDE).fold(0, |set, place| set | (digits >> (2 * place + bit) & 1) << place) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_its_past() {
        let unmoves = Unmoves::new(Fallen::Nothing);
        // ..2.. : the opponent came from the left, or from the right.
        assert_eq!(unmoves.of(0b00100 << 5).len(), 2);
        // .21.. : from the left alone, or pushing the 1, which can push back; from the right nobody came.
        let past = unmoves.of(0b00100 | 0b00010 << 5);
        assert_eq!(past.iter().map(|unmove| (unmove.mv, unmove.reply)).collect::<Vec<_>>(), [(1, 8), (1, NONE)]);
        // An empty line that nobody left: whoever dropped off its ends.
        let falls = Unmoves::new(Fallen::Own);
        assert_eq!(falls.of(0).iter().map(|unmove| unmove.mv).collect::<Vec<_>>(), [0, 17]);
    }
}

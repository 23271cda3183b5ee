//! Perft in plain arithmetic. The positions before the last ply are collected and then counted in one loop, which the
//! compiler vectorises.

use super::super::position_buffer::PositionBuffer;
use super::super::rays::{INSIDE, RAYS, STEPS};
use super::mobility;

/// Perft.
pub fn leaves(own: u64, other: u64, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => one_ply(own, other),
        _ => {
            let mut buffer = PositionBuffer::new();
            walk(own, other, depth, &mut buffer) + buffer.counted()
        }
    }
}

/// One ply down: without a move, either the pass or the finished game is the one leaf.
#[inline(always)]
fn one_ply(own: u64, other: u64) -> u64 {
    u64::from(mobility(own, other).count_ones().max(1))
}

/// The leaves two or more plies down, apart from those under the positions that are buffer on the way.
fn walk(own: u64, other: u64, depth: u32, buffer: &mut PositionBuffer) -> u64 {
    let runs = Runs::of(own, other);
    let mut squares = runs.ends() & !(own | other);
    if squares == 0 {
        return match mobility(other, own) {
            0 => 1,
            _ if depth == 2 => one_ply(other, own),
            _ => walk(other, own, depth - 1, buffer),
        };
    }
    let mut count = 0;
    if depth == 2 && buffer.is_nearly_full() {
        count += buffer.counted();
    }
    while squares != 0 {
        let changed = runs.changed(squares.trailing_zeros() as usize);
        squares &= squares - 1;
        if depth == 2 {
            buffer.push(other & !changed, own | changed);
        } else {
            count += walk(other & !changed, own | changed, depth - 1, buffer);
        }
    }
    count
}

/// The opposing discs that stand in an unbroken run next to one of ours, by direction.
struct Runs {
    /// Runs that begin above one of ours and go up the bits.
    up: [u64; 4],
    /// Runs that begin below one of ours and go down the bits.
    down: [u64; 4],
}

impl Runs {
    /// A run has at most six discs: one, two, and twice two more.
    #[inline]
    fn of(own: u64, other: u64) -> Runs {
        let mut runs = Runs { up: [0; 4], down: [0; 4] };
        for direction in 0..4 {
            let (step, between) = (STEPS[direction], other & INSIDE[direction]);
            let mut up = between & own << step;
            let mut down = between & own >> step;
            up |= between & up << step;
            down |= between & down >> step;
            let pairs_up = between & between << step;
            let pairs_down = pairs_up >> step;
            for _ in 0..2 {
                up |= pairs_up & up << (2 * step);
                down |= pairs_down & down >> (2 * step);
            }
            runs.up[direction] = up;
            runs.down[direction] = down;
        }
        runs
    }

    /// The squares next to the runs, on the side away from ours; some hold discs.
    #[inline]
    fn ends(&self) -> u64 {
        (0..4).fold(0, |ends, direction| {
            ends | self.up[direction] << STEPS[direction] | self.down[direction] >> STEPS[direction]
        })
    }

    /// The disc on this square and those it flips: every run that the move touches, because runs end at an own disc by
    /// construction.
    #[inline]
    fn changed(&self, square: usize) -> u64 {
        let rays = &RAYS[square];
        let mut changed = rays.here[0];
        for direction in 0..4 {
            let up = rays.up[direction];
            let stops = up & !self.down[direction];
            changed |= up & !stops & stops.wrapping_sub(1);
            let down = rays.down[direction];
            let stops = down & !self.up[direction];
            changed |= down & !(u64::MAX >> (stops | 1).leading_zeros());
        }
        changed
    }
}

impl PositionBuffer {
    #[inline]
    fn push(&mut self, own: u64, other: u64) {
        self.own[self.count] = own;
        self.other[self.count] = other;
        self.count += 1;
    }

    /// Counts the moves of all collected positions, at least one each, and clears the buffer.
    #[inline(never)]
    fn counted(&mut self) -> u64 {
        let positions = self.own.iter().zip(&self.other).take(self.count);
        self.count = 0;
        positions.map(|(&own, &other)| one_ply(own, other)).sum()
    }
}

//! Counting what the last disc of a game turns over, without turning it.

use tesuji_othello::Square;

/// Twice the discs that the last disc on `square` turns over. Every other square holds a disc: ours, or one
/// of the opponent.
///
/// The line of each direction is gathered into a byte by a mask and a product. Beside a short diagonal the
/// byte is empty, which reads as discs of the opponent that nothing brackets.
#[inline(always)]
pub(super) fn last_gain(own: u64, square: Square) -> i32 {
    let (column, row) = (usize::from(square.column()) & 7, usize::from(square.row()) & 7);
    let [falling, rising] = DIAGONALS[square.index()];
    let lying = own >> (8 * row);
    let standing = (own >> column & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let falling = (own & falling).wrapping_mul(0x0101_0101_0101_0101) >> 56;
    let rising = (own & rising).wrapping_mul(0x0101_0101_0101_0101) >> 56;
    let gain = |place: usize, line: u64| i32::from(GAIN[place][(line & 0xff) as usize]);
    gain(column, lying) + gain(row, standing) + gain(column, falling) + gain(column, rising)
}

/// Twice the discs turned in one line, by the place of the last disc and our discs in the line.
static GAIN: [[u8; 256]; 8] = gains();

const fn gains() -> [[u8; 256]; 8] {
    let mut all = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut line = 0;
        while line < 256 {
            all[place][line] = 2 * (run(line, place as i32, 1) + run(line, place as i32, -1));
            line += 1;
        }
        place += 1;
    }
    all
}

/// The discs between the place and the first of ours in one direction; none where there is no such disc.
const fn run(line: usize, place: i32, step: i32) -> u8 {
    let mut at = place + step;
    let mut count = 0;
    while at >= 0 && at < 8 {
        if line >> at & 1 != 0 {
            return count;
        }
        count += 1;
        at += step;
    }
    0
}

/// The two diagonals through each square, without the square itself.
static DIAGONALS: [[u64; 2]; 64] = diagonals();

const fn diagonals() -> [[u64; 2]; 64] {
    let mut all = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let (across, down) = (other % 8 - square % 8, other / 8 - square / 8);
            if other != square && across == down {
                all[square as usize][0] |= 1 << other;
            }
            if other != square && across == -down {
                all[square as usize][1] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use tesuji_othello::flips;
    use tesuji_search::Rng;

    use super::*;

    #[test]
    fn the_gain_is_twice_what_is_turned() {
        let mut rng = Rng::new(1);
        for index in 0..64 {
            let square = Square::new(index).unwrap();
            for _ in 0..2000 {
                let own = [rng.draw(), rng.draw() & rng.draw(), rng.draw() | rng.draw()][rng.below(3)];
                let own = own & !square.bit();
                let turned = flips(own, !own & !square.bit(), square).count_ones() as i32;
                assert_eq!(last_gain(own, square), 2 * turned, "{own:#x} {square}");
            }
        }
    }
}

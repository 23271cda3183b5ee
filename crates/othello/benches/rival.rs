//! The other classic way to turn discs without wide registers: the four lines through a square are packed
//! into bytes by multiplication, and two small tables do the rest. It lost to rays and carries, and stays
//! here so that the comparison can be repeated.

use tesuji_othello::Square;

/// By place in the line and the six inner discs of the opponent: where a disc of ours would bracket them.
static OUTFLANK: [[u8; 64]; 8] = outflank();
/// By place in the line and the brackets that are ours: the discs between.
static FLIPPED: [[u8; 256]; 8] = flipped();

const fn outflank() -> [[u8; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut place = 0;
    while place < 8 {
        let mut inner = 0;
        while inner < 64 {
            let other = (inner as u32) << 1;
            let mut end = place + 1;
            while end < 8 && other >> end & 1 == 1 {
                end += 1;
            }
            if end > place + 1 && end < 8 {
                table[place][inner] |= 1 << end;
            }
            let mut end = place as i32 - 1;
            while end >= 0 && other >> end & 1 == 1 {
                end -= 1;
            }
            if end < place as i32 - 1 && end >= 0 {
                table[place][inner] |= 1 << end;
            }
            inner += 1;
        }
        place += 1;
    }
    table
}

const fn flipped() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut brackets = 0;
        while brackets < 256 {
            let mut end = 0;
            while end < 8 {
                if brackets >> end & 1 == 1 {
                    let (low, high) = if end < place { (end, place) } else { (place, end) };
                    let mut between = low + 1;
                    while between < high {
                        table[place][brackets] |= 1 << between;
                        between += 1;
                    }
                }
                end += 1;
            }
            brackets += 1;
        }
        place += 1;
    }
    table
}

const COLUMN: u64 = 0x0101_0101_0101_0101;

/// The line from a1 to h8 and its parallels, by row minus column plus 7; then those from h1 to a8, by row plus
/// column.
static DIAGONALS: [[u64; 15]; 2] = diagonals();

const fn diagonals() -> [[u64; 15]; 2] {
    let mut sets = [[0; 15]; 2];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        sets[0][row + 7 - column] |= 1 << square;
        sets[1][row + column] |= 1 << square;
        square += 1;
    }
    sets
}

#[inline(always)]
fn line(place: usize, own: u64, other: u64) -> u64 {
    let brackets = OUTFLANK[place][(other >> 1 & 0x3f) as usize] & own as u8;
    u64::from(FLIPPED[place][usize::from(brackets)])
}

/// The discs that a disc on the empty `square` would turn over.
#[inline]
pub(crate) fn flips(own: u64, other: u64, square: Square) -> u64 {
    let (row, column) = (usize::from(square.row()), usize::from(square.column()));
    let across = line(column, own >> (8 * row), other >> (8 * row)) << (8 * row);
    let upright = |set: u64| (set >> column & COLUMN).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let down = (line(row, upright(own), upright(other)) & 0x7f).wrapping_mul(0x0002_0408_1020_4081) & COLUMN;
    let slant = |mask: u64| {
        let pack = |set: u64| (set & mask).wrapping_mul(COLUMN) >> 56;
        line(column, pack(own), pack(other)).wrapping_mul(COLUMN) & mask
    };
    let falling = DIAGONALS[0][row + 7 - column];
    let rising = DIAGONALS[1][row + column];
    across | down << column | slant(falling) | slant(rising)
}

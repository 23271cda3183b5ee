//! The weights of one stage, laid out for speed: a table for each shape, as long as a power of two, so that a
//! number of either sign finds its weight by its lowest bits alone; and one for the freedom of both sides.

use super::freedom::Freedom;
use super::numbers::Numbers;
use super::shapes::{INSTANCES, PLAIN, SHAPES};

/// Weights in 128ths of a disc.
pub(super) type Weight = i16;

/// The table of a shape.
type Table<const SIZE: usize> = [Weight; SIZE];

/// The tables of all shapes, in their order, and of freedom.
#[derive(Clone)]
pub(super) struct Tables {
    corner: Table<0x8000>,
    wide: [Table<0x1_0000>; 3],
    row: [Table<0x2000>; 4],
    diagonal_7: Table<0x1000>,
    diagonal_6: Table<0x400>,
    diagonal_5: Table<0x100>,
    diagonal_4: Table<0x80>,
    broad: [Table<0x1_0000>; 3],
    freedom: Table<{ Freedom::WEIGHTS }>,
}

/// The weight of a number.
#[inline(always)]
fn weight<const SIZE: usize>(table: &Table<SIZE>, number: i16) -> i32 {
    i32::from(table[number as usize & (SIZE - 1)])
}

impl Tables {
    /// All weights zero.
    pub(super) const ZERO: Tables = Tables {
        corner: [0; 0x8000],
        wide: [[0; 0x1_0000]; 3],
        row: [[0; 0x2000]; 4],
        diagonal_7: [0; 0x1000],
        diagonal_6: [0; 0x400],
        diagonal_5: [0; 0x100],
        diagonal_4: [0; 0x80],
        broad: [[0; 0x1_0000]; 3],
        freedom: [0; Freedom::WEIGHTS],
    };

    /// The table of a shape.
    pub(super) fn shape(&mut self, shape: usize) -> &mut [Weight] {
        match shape {
            0 => &mut self.corner,
            1..=3 => &mut self.wide[shape - 1],
            4..=7 => &mut self.row[shape - 4],
            8 => &mut self.diagonal_7,
            9 => &mut self.diagonal_6,
            10 => &mut self.diagonal_5,
            11 => &mut self.diagonal_4,
            _ => &mut self.broad[shape - PLAIN],
        }
    }

    /// The same to be read.
    pub(super) fn kept(&self, shape: usize) -> &[Weight] {
        match shape {
            0 => &self.corner,
            1..=3 => &self.wide[shape - 1],
            4..=7 => &self.row[shape - 4],
            8 => &self.diagonal_7,
            9 => &self.diagonal_6,
            10 => &self.diagonal_5,
            11 => &self.diagonal_4,
            _ => &self.broad[shape - PLAIN],
        }
    }

    /// The table of freedom.
    pub(super) fn freedom(&mut self) -> &mut [Weight] {
        &mut self.freedom
    }

    /// Whether only the shapes that other programs have are worth anything.
    pub(super) fn is_plain(&self) -> bool {
        self.broad.iter().flatten().chain(&self.freedom).all(|&weight| weight == 0)
    }

    /// The sum of the weights of all patterns, and of the freedom of both sides with so many empty squares.
    #[inline(always)]
    pub(super) fn sum(&self, numbers: &Numbers, empties: u32, freedom: Freedom) -> i32 {
        let n = &numbers.0;
        let mut sum = 0;
        for lane in 0..4 {
            sum += weight(&self.corner, n[lane]);
            sum += weight(&self.wide[0], n[4 + lane]);
            sum += weight(&self.wide[1], n[8 + lane]);
            sum += weight(&self.wide[2], n[12 + lane]);
            sum += weight(&self.row[0], n[16 + lane]);
            sum += weight(&self.row[1], n[20 + lane]);
            sum += weight(&self.row[2], n[24 + lane]);
            sum += weight(&self.diagonal_7, n[30 + lane]);
            sum += weight(&self.diagonal_6, n[34 + lane]);
            sum += weight(&self.diagonal_5, n[38 + lane]);
            sum += weight(&self.diagonal_4, n[42 + lane]);
            sum += weight(&self.broad[0], n[46 + lane]);
            sum += weight(&self.broad[1], n[50 + lane]);
            sum += weight(&self.broad[2], n[54 + lane]);
            sum += weight(&self.broad[2], n[58 + lane]);
        }
        for number in freedom.numbers(empties) {
            sum += i32::from(self.freedom[number]);
        }
        sum + weight(&self.row[3], n[28]) + weight(&self.row[3], n[29])
    }
}

const _: () = {
    // The lanes that `sum` reads are those of the shapes.
    let firsts = [0, 4, 8, 12, 16, 20, 24, 28, 30, 34, 38, 42, 46, 50, 54];
    let mut at = 0;
    while at < firsts.len() {
        assert!(SHAPES[at].first == firsts[at]);
        at += 1;
    }
    assert!(INSTANCES == 62);
};

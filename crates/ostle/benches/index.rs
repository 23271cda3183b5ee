//! The perfect index beside the tables that earlier solvers used, on the same boards: CPU time and memory for each
//! look-up. Then what the index costs in each class, and a check of a hundred million numbers of each.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::hint::black_box;

use cpu_time::ThreadTime;
use tesuji_game::{Game, PerfectIndex, Symmetric};
use tesuji_ostle::{Index, Ostle};

const ROUNDS: usize = 3;
const QUERIES: usize = 1 << 20;

fn main() {
    let index = Index::new();
    for kind in [5, 0] {
        compare(&index, kind);
    }
    costs(&index);
    let numbers = std::env::var("TESUJI_NUMBERS").ok().and_then(|word| word.parse().ok()).unwrap_or(100_000_000);
    check(&index, numbers);
}

/// A hash that mixes as well as any and costs two instructions.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, key: u64) {
        let key = (self.0 ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = key ^ key >> 32;
    }
}

/// Draws the same numbers on every machine.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * u64::from(n)) >> 32) as u32
    }
}

/// A sorted list in level order: the middle first, then the middles of both halves, and so on.
fn level_order(sorted: &[u64]) -> Vec<u64> {
    fn fill(sorted: &mut std::slice::Iter<'_, u64>, order: &mut [u64], at: usize) {
        if at < order.len() {
            fill(sorted, order, 2 * at);
            order[at] = *sorted.next().unwrap_or(&u64::MAX);
            fill(sorted, order, 2 * at + 1);
        }
    }
    let mut order = vec![0; sorted.len() + 1];
    fill(&mut sorted.iter(), &mut order, 1);
    order
}

/// The place of a key in level order.
fn search(order: &[u64], key: u64) -> usize {
    let mut at = 1;
    while at < order.len() {
        at = 2 * at + usize::from(order[at] < key);
    }
    at >> (at.trailing_ones() + 1)
}

/// What it is, the bytes it takes, and how it finds a board.
type Row<'a> = (&'static str, f64, Box<dyn Fn(Ostle) -> usize + 'a>);

/// Boards of four pieces a side with the hole on one kind of cell, by every kind of table.
fn compare(index: &Index, kind: usize) {
    let starts = index.hole_starts(0);
    let range = starts[kind]..starts[kind + 1];
    let mut sorted: Vec<u64> =
        range.clone().filter_map(|number| index.unrank(0, number)).map(Ostle::canonical_code).collect();
    sorted.sort_unstable();
    let boards = sorted.len();
    let order = level_order(&sorted);
    let table: HashMap<u64, u32, BuildHasherDefault<Mix>> = sorted.iter().copied().zip(0..).collect();
    let mut draw = Draw(0x9e37_79b9_7f4a_7c15);
    let mut queries = Vec::new();
    while queries.len() < QUERIES {
        let board = index.unrank(0, range.start + draw.below(range.end - range.start));
        queries.extend(board.map(|board| board.image(draw.below(8) as usize)));
    }

    // Every row finds the place of a value of one byte; what it takes to find that place is counted per board.
    let slots = (range.end - range.start) as usize;
    let values = vec![1u8; slots.max(2 * boards)];
    let buckets = (table.capacity() * 8 / 7).next_power_of_two();
    let keys = std::mem::size_of::<(u64, u32)>() + 1;
    let rows: [Row<'_>; 5] = [
        ("perfect index", slots as f64, Box::new(|board| (index.rank(board).index - range.start) as usize)),
        ("sorted, binary search", 9.0 * boards as f64, {
            let sorted = &sorted;
            Box::new(|board| sorted.binary_search(&board.canonical_code()).unwrap_or(0))
        }),
        ("sorted, level order", 9.0 * boards as f64, {
            let order = &order;
            Box::new(|board| search(order, board.canonical_code()))
        }),
        ("hash table", (buckets * keys + boards) as f64, {
            let table = &table;
            Box::new(|board| table.get(&board.canonical_code()).map_or(0, |&at| at as usize))
        }),
        ("smallest code of the images alone", 0.0, Box::new(|board| board.canonical_code() as usize & 1)),
    ];
    println!("{boards} boards, four pieces a side, hole of kind {kind}; {QUERIES} look-ups");
    println!("{:36} {:>10} {:>12}  {:>8}", "table", "CPU ns", "bytes/board", "found");
    let mut best = [f64::MAX; 5];
    let mut found = [0; 5];
    for _ in 0..ROUNDS {
        for (row, (_, _, look)) in rows.iter().enumerate() {
            let start = ThreadTime::now();
            found[row] = queries.iter().map(|&board| usize::from(values[look(board)])).sum();
            best[row] = best[row].min(start.elapsed().as_secs_f64());
        }
    }
    for ((what, bytes, _), (best, found)) in rows.iter().zip(best.iter().zip(found)) {
        let (ns, per_board) = (best / QUERIES as f64 * 1e9, bytes / boards as f64);
        println!("{what:36} {ns:10.1} {per_board:12.2}  {found:8}");
    }
    println!();
}

/// What the index and the moves cost in each class, for boards in order and at random.
fn costs(index: &Index) {
    println!("{:36} {:>10} {:>10} {:>12}", "CPU ns", "in order", "at random", "per board");
    for class in 0..4u8 {
        let mut draw = Draw(0x2545_f491_4f6c_dd1d);
        let first = index.size(class) / 3;
        let ordered: Vec<u32> = (first..first + QUERIES as u32 / 4).collect();
        let random: Vec<u32> = (0..QUERIES / 4).map(|_| draw.below(index.size(class))).collect();
        let name = index.class_name(class);
        row(&format!("{name} unrank"), &ordered, &random, |number| {
            (1, index.unrank(class, number).map_or(0, |board| board.bits()))
        });
        row(&format!("{name} unrank and rank"), &ordered, &random, |number| {
            (1, index.unrank(class, number).map_or(0, |board| index.rank(board).index.into()))
        });
        row(&format!("{name} moves back, numbered, each"), &ordered, &random, |number| {
            let (mut count, mut sum) = (0, 0u64);
            index.predecessors(class, number, |back| {
                count += 1;
                sum += u64::from(back.index) + u64::from(back.mv);
            });
            (count, sum)
        });
        if class == 3 {
            continue;
        }
        row(&format!("{name} falls back, numbered, each"), &ordered, &random, |number| {
            let (mut count, mut sum) = (0, 0u64);
            index.conversions(class, number, |back| {
                count += 1;
                sum += u64::from(back.index) + u64::from(back.mv);
            });
            (count, sum)
        });
    }
    println!();
}

fn row(what: &str, ordered: &[u32], random: &[u32], one: impl Fn(u32) -> (u64, u64)) {
    let (mut times, mut count) = ([f64::MAX; 2], 0);
    for _ in 0..ROUNDS {
        for (time, numbers) in times.iter_mut().zip([ordered, random]) {
            let start = ThreadTime::now();
            let (mut units, mut sum) = (0, 0u64);
            for &number in numbers {
                let (more, value) = one(number);
                units += more;
                sum = sum.wrapping_add(value);
            }
            black_box(sum);
            *time = time.min(start.elapsed().as_secs_f64() / units.max(1) as f64 * 1e9);
            count = units;
        }
    }
    let per_board = count as f64 / random.len() as f64;
    println!("{what:36} {:10.1} {:10.1} {per_board:12.2}", times[0], times[1]);
}

/// Unranks and ranks: all of the smallest class, and so many random numbers of each other.
fn check(index: &Index, numbers: u64) {
    assert_eq!({ Ostle::start() }.count(), 24);
    for class in 0..4u8 {
        let mut draw = Draw(0x853c_49e6_748f_ea9b);
        let (size, start) = (index.size(class), ThreadTime::now());
        let (mut boards, mut wrong) = (0u64, 0u64);
        let mut look = |number: u32| {
            if let Some(board) = index.unrank(class, number) {
                boards += 1;
                wrong += u64::from(index.rank(board).index != number);
            }
        };
        if class == 0 && numbers > 1_000_000 {
            (0..size).for_each(&mut look);
        } else {
            (0..numbers).for_each(|_| look(draw.below(size)));
        }
        let seconds = start.elapsed().as_secs_f64();
        println!("{}: {boards} boards numbered back and forth, {wrong} wrong, {seconds:.1} s", index.class_name(class));
    }
}

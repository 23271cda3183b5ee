//! How fast a table answers: `TESUJI_TABLE=DIR cargo bench -p tesuji-solve --bench probe`, with the table of Ostle, or of
//! some of its classes, in that directory. `TESUJI_PROBES` says how many boards are asked about, a million unless told.
//!
//! Boards are drawn evenly from all that do not win at once, as those never need the table. *Cold* is a cache that holds
//! hardly anything, so that every question decodes a block, whose bytes the system may or may not have in memory;
//! *warm* asks again for boards of which the blocks are there. Both by CPU time and by the clock on the wall.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use tesuji_game::PerfectIndex;
use tesuji_ostle::{Index, Ostle};
use tesuji_solve::tablebase::{ClassInfo, DEFAULT_CACHE, Metric, Tablebase, TablebaseError, TablebaseId};

/// Blocks of the warm rows: few enough for the cache.
const WARM_BLOCKS: usize = 2000;

fn main() -> Result<(), TablebaseError> {
    let Ok(dir) = std::env::var("TESUJI_TABLE") else {
        println!("no table to ask: name its directory in TESUJI_TABLE");
        return Ok(());
    };
    let probes = std::env::var("TESUJI_PROBES").ok().and_then(|word| word.parse().ok()).unwrap_or(1_000_000);
    let game = Arc::new(Index::new());
    let id = TablebaseId { game: "ostle".to_owned(), rules: 1, index: 1 };
    for metric in [Metric::Dtw, Metric::Wdl] {
        let open = |cache| Tablebase::open_metric(&dir, Arc::clone(&game), &id, metric, cache);
        let table = match open(0) {
            Err(TablebaseError::NotFound { .. }) => continue,
            other => other?,
        };
        let begun = Instant::now();
        drop(open(0)?);
        println!("{metric:?}: opened in {:.1} ms", begun.elapsed().as_secs_f64() * 1e3);
        for facts in table.info() {
            let coded = facts.boards - facts.wins_at_once;
            println!(
                "  class {}: {} bytes, {:.3} bits a board, {:.3} a board that does not win at once",
                facts.name,
                facts.bytes,
                8.0 * facts.bytes as f64 / facts.boards as f64,
                8.0 * facts.bytes as f64 / coded as f64
            );
        }
        let mut draw = Draw(0x9e37_79b9_7f4a_7c15);
        let classes: Vec<&ClassInfo> = table.info().collect();
        let boards: Vec<Ostle> = (0..probes).map(|_| draw.board(&game, &classes, None)).collect();
        measure("cold", &table, &boards)?;

        let table = open(DEFAULT_CACHE)?;
        let blocks: Vec<(u8, u32)> = (0..WARM_BLOCKS).map(|_| draw.block(&classes)).collect();
        let boards: Vec<Ostle> = (0..probes).map(|_| draw.board(&game, &classes, Some(&blocks))).collect();
        for &board in &boards {
            table.probe(board)?;
        }
        measure("warm", &table, &boards)?;
    }
    Ok(())
}

/// Probes every board, and prints the median and the slow end.
fn measure(what: &str, table: &Tablebase<Index>, boards: &[Ostle]) -> Result<(), TablebaseError> {
    let (mut cpu, mut wall) = (Vec::new(), Vec::new());
    for &board in boards {
        let (thread, clock) = (ThreadTime::now(), Instant::now());
        black_box(table.probe(black_box(board))?);
        wall.push(clock.elapsed());
        cpu.push(thread.elapsed());
    }
    for (clock, mut times) in [("CPU", cpu), ("wall", wall)] {
        times.sort_unstable();
        let at = |part: f64| micros(times[((times.len() - 1) as f64 * part) as usize]);
        println!(
            "  {what}, {} probes, {clock}: median {:.2} µs, 99 % {:.2} µs, 99.9 % {:.2} µs, longest {:.0} µs",
            times.len(),
            at(0.5),
            at(0.99),
            at(0.999),
            at(1.0)
        );
    }
    Ok(())
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// The same numbers on every machine.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((u128::from(self.0) * u128::from(n)) >> 64) as u64
    }

    /// A uniformly random index of the tablebase.
    fn number<'f>(&mut self, classes: &[&'f ClassInfo]) -> (&'f ClassInfo, u32) {
        let mut number = self.below(classes.iter().map(|facts| u64::from(facts.size)).sum());
        for facts in classes {
            if number < u64::from(facts.size) {
                return (facts, number as u32);
            }
            number -= u64::from(facts.size);
        }
        (classes[0], 0)
    }

    fn block(&mut self, classes: &[&ClassInfo]) -> (u8, u32) {
        let (facts, number) = self.number(classes);
        (facts.class, number / facts.block)
    }

    /// A board without a win in one, of any block or of these.
    fn board(&mut self, game: &Index, classes: &[&ClassInfo], blocks: Option<&[(u8, u32)]>) -> Ostle {
        loop {
            let (class, number) = match blocks {
                None => {
                    let (facts, number) = self.number(classes);
                    (facts.class, number)
                }
                Some(blocks) => {
                    let (class, block) = blocks[self.below(blocks.len() as u64) as usize];
                    let boards = classes.iter().find(|facts| facts.class == class).map_or(1, |facts| facts.block);
                    (class, block * boards + self.below(boards.into()) as u32)
                }
            };
            let board = game.unrank(class, number).filter(|&board| !game.wins_in_one(board));
            if let Some(board) = board {
                return board;
            }
        }
    }
}

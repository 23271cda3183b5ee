//! `tesuji perft`: counting the game tree on all cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use serde_json::{Map, Value, json};
use tesuji_game::perft::{self, PerftTable};

use super::reach;
use crate::args;
use crate::entry::{Playable, Registration};
use crate::failure::{Done, Failure};
use crate::out::{Out, Progress};

pub(crate) fn run<G: Playable>(shelf: &Registration<G>, args: &args::Perft, out: &mut Out) -> Done {
    let mut game = reach::<G>(&args.at)?.now().clone();
    if args.distinct || args.classes {
        return positions(shelf, args, &mut game, out);
    }
    let table = args.hash.map(table).transpose()?;
    let threads = args.threads.map_or_else(cores, usize::from);
    if !args.json.json {
        let mode = if G::FINISHED_IS_LEAF { "one leaf" } else { "no leaf" };
        eprintln!("{}: a finished game counts as {mode} of every larger depth; threads: {threads}", G::NAME);
        out.line(format_args!(
            "{:>5} {:>20} {:>10} {:>10} {:>15}",
            "depth", "leaves", "seconds", "CPU", "leaves/s"
        ))?;
    }
    for depth in args.depth.min(1)..=args.depth {
        let last = depth == args.depth;
        let (wall, cpu) = (Instant::now(), ProcessTime::now());
        let count = Count { table: table.as_ref(), threads, divide: args.divide && last };
        let (leaves, divided) = count.leaves(&mut game, depth, out);
        let (seconds, cpu) = (wall.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
        if args.json.json {
            let mut fields = json!({ "game": G::NAME, "depth": depth, "leaves": leaves,
                "seconds": seconds, "cpu_seconds": cpu });
            if count.divide {
                fields["moves"] =
                    Value::Object(divided.into_iter().map(|(mv, n)| (mv, n.into())).collect::<Map<_, _>>());
            }
            out.json("perft", fields)?;
        } else {
            if count.divide {
                for (mv, leaves) in divided {
                    out.line(format_args!("{mv:>5} {leaves:>20}"))?;
                }
            }
            let rate = leaves as f64 / seconds.max(1e-9);
            out.line(format_args!("{depth:>5} {leaves:>20} {seconds:>10.3} {cpu:>10.3} {rate:>15.0}"))?;
        }
    }
    Ok(())
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A table that fits the memory of this machine, or a word about it.
fn table(mebibytes: u64) -> Result<PerftTable, Failure> {
    let available = available_mebibytes().unwrap_or(u64::MAX);
    if mebibytes > available {
        return Err(Failure::usage(format!("--hash {mebibytes}: this machine has {available} MiB to spare")));
    }
    Ok(PerftTable::new(mebibytes as usize))
}

/// What Linux says is free without swapping; other systems do not say.
fn available_mebibytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes >> 10)
}

/// How to count.
struct Count<'a> {
    table: Option<&'a PerftTable>,
    threads: usize,
    divide: bool,
}

/// Beginnings per thread: enough that no thread is left with a large one at the end.
const SHARES: usize = 24;

impl Count<'_> {
    /// All leaves, and those under each first move.
    fn leaves<G: Playable>(&self, game: &mut G, depth: u32, out: &Out) -> (u64, Vec<(String, u64)>) {
        if depth < 2 {
            let leaves = self.below(game, depth);
            let divided = perft::prefixes(game, depth.min(1)).done;
            return (leaves, divided.into_iter().map(|(mv, _)| (game.print_move(mv), 1)).collect());
        }
        let mut plies = 1;
        let mut shares = perft::prefixes(game, plies);
        while shares.open.len() < SHARES * self.threads && plies + 2 < depth {
            plies += 1;
            shares = perft::prefixes(game, plies);
        }
        let totals = Mutex::new(shares.done);
        let (next, progress) = (AtomicUsize::new(0), out.progress(shares.open.len() as u64));
        std::thread::scope(|scope| {
            for _ in 0..self.threads.min(shares.open.len()) {
                let mut game = game.clone();
                let (open, totals, next, progress) = (&shares.open, &totals, &next, &progress);
                scope.spawn(move || self.take(&mut game, depth - plies, open, next, totals, progress));
            }
        });
        progress.done();
        let totals = totals.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        let all = totals.iter().map(|(_, leaves)| leaves).sum();
        let all = if totals.is_empty() { u64::from(G::FINISHED_IS_LEAF) } else { all };
        (all, totals.into_iter().map(|(mv, leaves)| (game.print_move(mv), leaves)).collect())
    }

    /// Counts below one beginning after another until none is left.
    fn take<G: Playable>(
        &self,
        game: &mut G,
        depth: u32,
        open: &[Vec<G::Move>],
        next: &AtomicUsize,
        totals: &Mutex<Vec<(G::Move, u64)>>,
        progress: &Progress,
    ) {
        while let Some(prefix) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
            let undos: Vec<G::Undo> = prefix.iter().map(|&mv| game.play(mv)).collect();
            let leaves = self.below(game, depth);
            undos.into_iter().rev().for_each(|undo| game.undo(undo));
            let mut totals = totals.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            if let Some(total) = totals.iter_mut().find(|(mv, _)| Some(mv) == prefix.first()) {
                total.1 += leaves;
            }
            drop(totals);
            progress.step();
        }
    }

    fn below<G: Playable>(&self, game: &mut G, depth: u32) -> u64 {
        match self.table {
            Some(table) => perft::walk_hashed(game, depth, table),
            None => game.leaves(depth),
        }
    }
}

/// `--distinct` and `--classes`.
fn positions<G: Playable>(shelf: &Registration<G>, args: &args::Perft, game: &mut G, out: &mut Out) -> Done {
    let identity = if args.classes {
        shelf.class.ok_or_else(|| Failure::usage(format!("--classes: {} has no symmetries", G::NAME)))?
    } else {
        perft::identity::<G>
    };
    let begun = Instant::now();
    let counts = perft::distinct(game, args.depth, identity);
    let gone = begun.elapsed();
    for (depth, count) in (1..).zip(counts) {
        if args.json.json {
            out.json(
                "perft",
                json!({ "game": G::NAME, "depth": depth, "positions": count, "leaves": count,
                "seconds": if depth == args.depth { gone } else { Duration::ZERO }.as_secs_f64() }),
            )?;
        } else {
            out.line(format_args!("{depth:>5} {count:>20}"))?;
        }
    }
    Ok(())
}

//! `tesuji bench`: fixed work per game; the leaves are a signature, the speed is news.

use cpu_time::ProcessTime;
use serde_json::json;

use crate::Entry;
use crate::args;
use crate::entry::{Playable, Shelf};
use crate::failure::Done;
use crate::out::Out;

/// What one game did.
pub(crate) struct Measure {
    leaves: u64,
    /// CPU time of the fastest of three runs.
    seconds: f64,
}

pub(crate) fn measure<G: Playable>(shelf: &Shelf<G>) -> Measure {
    let mut best = Measure { leaves: 0, seconds: f64::INFINITY };
    for _ in 0..3 {
        let begun = ProcessTime::now();
        best.leaves = 0;
        for (position, depth) in shelf.bench {
            let game = if position.is_empty() { Ok(G::start()) } else { G::parse(position) };
            best.leaves += game.map_or(0, |mut game| game.leaves(*depth));
        }
        best.seconds = best.seconds.min(begun.elapsed().as_secs_f64());
    }
    best
}

pub(crate) fn run(games: &[Entry], args: &args::Bench, out: &mut Out) -> Done {
    let chosen: Vec<&Entry> = games
        .iter()
        .filter(|entry| args.games.is_empty() || args.games.iter().any(|name| name == entry.name()))
        .collect();
    if !args.json.json {
        out.line(format_args!("{:<12}{:>14} {:>10} {:>16}", "game", "leaves", "CPU s", "leaves/s, 1 core"))?;
    }
    let mut signature = Vec::new();
    for entry in chosen {
        let Measure { leaves, seconds } = entry.tool().bench();
        signature.push(format!("{} {leaves}", entry.name()));
        if args.json.json {
            out.json("bench", json!({ "game": entry.name(), "nodes": leaves, "seconds": seconds }))?;
        } else {
            let rate = leaves as f64 / seconds.max(1e-9);
            out.line(format_args!("{:<12}{leaves:>14} {seconds:>10.3} {rate:>16.0}", entry.name()))?;
        }
    }
    if !args.json.json {
        out.line("")?;
        out.line(format_args!("Bench: {}", signature.join(" ")))?;
    }
    Ok(())
}

//! `tesuji bench`: fixed positions searched to a fixed depth by one thread; the nodes are a signature, the
//! speed is news.

use cpu_time::ProcessTime;
use serde_json::json;
use tesuji_engines::Spec;
use tesuji_game::Record;
use tesuji_search::{CancelToken, Limits};

use crate::Entry;
use crate::args;
use crate::entry::{Playable, Registration};
use crate::failure::{Done, Failure};
use crate::out::Out;

/// Small enough that old entries give way, so that the table's habits are part of the signature.
const ENGINE: &str = "alphabeta:threads=1,hash=4";
/// The fastest of so many runs is told.
const RUNS: usize = 3;

/// What one game did.
pub(crate) struct Measure {
    nodes: u64,
    /// CPU time of the fastest run.
    seconds: f64,
}

pub(crate) fn measure<G: Playable>(shelf: &Registration<G>) -> Result<Measure, Failure> {
    let mut best: Option<Measure> = None;
    for _ in 0..RUNS {
        let begun = ProcessTime::now();
        let nodes = search(shelf)?;
        let seconds = begun.elapsed().as_secs_f64();
        match &mut best {
            // The same work twice must be the same work: nothing may hang on time or on what was before.
            Some(best) if best.nodes != nodes => {
                let before = best.nodes;
                return Err(Failure::Failed(format!("{}: {before} nodes, then {nodes}", G::NAME)));
            }
            Some(best) => best.seconds = best.seconds.min(seconds),
            None => best = Some(Measure { nodes, seconds }),
        }
    }
    best.ok_or_else(|| Failure::Failed("nothing was measured".to_owned()))
}

/// Nodes of all positions of the game, the default evaluation at the leaves.
fn search<G: Playable>(shelf: &Registration<G>) -> Result<u64, Failure> {
    let wrong = |what: String| Failure::Failed(format!("the benchmark of {}: {what}", G::NAME));
    let spec = Spec::parse(ENGINE).map_err(|error| wrong(error.to_string()))?;
    let mut engine = (shelf.engines.make)(&spec).map_err(|error| wrong(error.to_string()))?;
    let mut nodes = 0;
    for (position, depth) in shelf.bench {
        let game = if position.is_empty() { Ok(G::start()) } else { G::parse(position) };
        let record = Record::new(game.map_err(|error| wrong(error.to_string()))?);
        engine.forget();
        let mut visited = 0;
        let limits = Limits { depth: Some(*depth), lines: 1, ..Limits::default() };
        engine.think(&record, &limits, &CancelToken::new(), &mut |report| visited = report.nodes);
        nodes += visited;
    }
    Ok(nodes)
}

pub(crate) fn run(games: &[Entry], args: &args::Bench, out: &mut Out) -> Done {
    let chosen: Vec<&Entry> = games
        .iter()
        .filter(|entry| args.games.is_empty() || args.games.iter().any(|name| name == entry.name()))
        .collect();
    if !args.json.json {
        out.line(format_args!("{:<12}{:>12} {:>10} {:>16}", "game", "nodes", "CPU s", "nodes/s, 1 core"))?;
    }
    let mut signature = Vec::new();
    for entry in chosen {
        let Measure { nodes, seconds } = entry.tool().bench()?;
        signature.push(format!("{} {nodes}", entry.name()));
        if args.json.json {
            out.json("bench", json!({ "game": entry.name(), "nodes": nodes, "seconds": seconds }))?;
        } else {
            let rate = nodes as f64 / seconds.max(1e-9);
            out.line(format_args!("{:<12}{nodes:>12} {seconds:>10.3} {rate:>16.0}", entry.name()))?;
        }
    }
    if !args.json.json {
        out.line("")?;
        out.line(format_args!("Bench: {}", signature.join(" ")))?;
    }
    Ok(())
}

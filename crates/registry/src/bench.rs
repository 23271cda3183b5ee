//! The fixed benchmark: positions searched to a fixed depth by one thread. The nodes are a signature of behaviour.

use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};
use tesuji_engines::Spec;
use tesuji_game::Record;
use tesuji_search::Limits;
use tesuji_task::CancelToken;

use crate::{Error, Playable, Registration};

/// The table is small enough that old entries are replaced, so that replacement is part of the signature.
const ENGINE: &str = "alphabeta:threads=1,hash=4";
/// The fastest of this many runs is reported.
const RUNS: usize = 3;

/// The benchmark of one game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BenchResult {
    /// The name of the game.
    pub game: String,
    /// Nodes of all positions.
    pub nodes: u64,
    /// CPU time of the fastest run.
    pub seconds: f64,
}

/// The fixed benchmark.
pub trait BenchApi {
    /// Searches the benchmark positions of the game.
    ///
    /// # Errors
    /// Two runs differ, or the operation was cancelled.
    fn bench(&self, cancel: &CancelToken) -> Result<BenchResult, Error>;

    /// The nodes of one run: the signature of the search.
    ///
    /// # Errors
    /// The operation was cancelled.
    fn bench_nodes(&self, cancel: &CancelToken) -> Result<u64, Error>;
}

impl<G: Playable> BenchApi for Registration<G> {
    fn bench(&self, cancel: &CancelToken) -> Result<BenchResult, Error> {
        let mut best = BenchResult { game: G::NAME.to_owned(), nodes: 0, seconds: f64::INFINITY };
        for run in 0..RUNS {
            let begun = ProcessTime::now();
            let nodes = search(self, cancel)?;
            // The same work must visit the same nodes: nothing may depend on time or on earlier searches.
            if run > 0 && nodes != best.nodes {
                return Err(Error::failed(format!("{}: {} nodes, then {nodes}", G::NAME, best.nodes)));
            }
            best.nodes = nodes;
            best.seconds = best.seconds.min(begun.elapsed().as_secs_f64());
        }
        Ok(best)
    }

    fn bench_nodes(&self, cancel: &CancelToken) -> Result<u64, Error> {
        search(self, cancel)
    }
}

/// Nodes of all positions, with the default evaluation.
fn search<G: Playable>(game: &Registration<G>, cancel: &CancelToken) -> Result<u64, Error> {
    let wrong = |what: &dyn std::fmt::Display| Error::failed(format!("the benchmark of {}: {what}", G::NAME));
    let spec = Spec::parse(ENGINE).map_err(|error| wrong(&error))?;
    let mut engine = (game.engines.make)(&spec).map_err(|error| wrong(&error))?;
    let mut nodes = 0;
    for (position, depth) in game.bench {
        let start = if position.is_empty() { Ok(G::start()) } else { G::parse(position) };
        let record = Record::new(start.map_err(|error| wrong(&error))?);
        engine.forget();
        let mut visited = 0;
        let limits = Limits { depth: Some(*depth), lines: 1, ignore_book: true, ..Limits::default() };
        engine.think(&record, &limits, cancel, &mut |report| visited = report.nodes);
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        nodes += visited;
    }
    Ok(nodes)
}

//! `tesuji solve`: a whole game, exactly, into a table.

pub(crate) mod endings;
pub(crate) mod machine;
pub(crate) mod published;
pub(crate) mod summary;
mod teller;

use std::fs;
use std::sync::Arc;

use tesuji_game::{HasPerfectIndex, PerfectIndex};
use tesuji_report::Histogram;
use tesuji_search::CancelToken;
use tesuji_solve::retrograde::MemoryBudget;
use tesuji_solve::tablebase::TablebaseSummary;
use tesuji_solve::tablebase::build::{self, BuildJob, BuildResult};
use tesuji_solve::tablebase::{Metric, TablebaseId};
use tesuji_store::save;

use super::{tables, title};
use crate::args;
use crate::entry::Playable;
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::think::raise_on_interrupt;
use teller::Teller;

pub(crate) fn run<G: Playable + HasPerfectIndex>(args: &args::Solve, out: &mut Out) -> Done {
    if args.published {
        let message = format!("--published: no other solution of {} is known", G::NAME);
        return Err(Failure::usage(message));
    }
    solve::<G, G::Index>(Arc::new(G::index()), title::<G>(), args, out)
}

/// Solves a game over a numbering of its boards.
fn solve<G: Playable + HasPerfectIndex, R: PerfectIndex<Board = G> + Send>(
    game: Arc<R>,
    id: TablebaseId,
    args: &args::Solve,
    out: &mut Out,
) -> Done {
    let stages = match &args.pieces {
        _ if args.reach_only => 0,
        None => G::STAGES.len(),
        Some(asked) => {
            G::STAGES.iter().position(|stage| stage == asked).map(|stage| stage + 1).ok_or_else(|| {
                Failure::usage(format!(
                    "--pieces {asked:?}: {} is solved with {}",
                    G::NAME,
                    any_of(G::STAGES)
                ))
            })?
        }
    };
    let dir = tables(args.out.as_deref());
    fs::create_dir_all(&dir)
        .map_err(|error| Failure::usage(format!("--out {}: cannot be made: {error}", dir.display())))?;
    let threads = threads(args);
    let memory = args.memory.map(|mib| mib << 20).or_else(machine::free_memory).unwrap_or(u64::MAX);
    let needed = MemoryBudget::new(&*game, stages, threads, true).peak();
    if needed > memory {
        let (needed, memory) = (needed >> 20, memory >> 20);
        let fewer = if stages > 1 { "solve fewer pieces first with --pieces, " } else { "" };
        return Err(Failure::Failed(format!(
            "this needs {needed} MiB of memory and may use {memory} MiB: end other programs, {fewer}or allow more with \
             --memory"
        )));
    }
    let metric = if args.wdl { Metric::Wdl } else { Metric::Dtw };
    let reach = args.reach || args.reach_only;
    let task = BuildJob { dir, id, metric, stages, reach, threads, memory };
    let stop = CancelToken::new();
    raise_on_interrupt(&stop);
    let mut teller = Teller::new(args, out.quiet(), G::STAGES);
    let (into, needed) = (task.dir.display(), needed >> 20);
    teller.say(&match stages.checked_sub(1) {
        None => format!("finding the way to all boards of {}, into {into}: {threads} threads", G::NAME),
        Some(last) => format!(
            "solving {} with {} pieces into {into}: {needed} MiB of memory, {threads} threads",
            G::NAME,
            G::STAGES[last]
        ),
    });
    let made = build::build(&game, G::start(), &task, &mut |news| teller.tell(news, stop.is_cancelled()));
    teller.end();
    match made.map_err(|error| Failure::Failed(error.to_string()))? {
        BuildResult::Done(summary) if args.reach_only => {
            summary::print_reach(&summary, &teller, args.json.json, out)
        }
        BuildResult::Done(summary) => {
            draw::<G>(&task, &summary)?;
            summary::print(&game, &task, &summary, &teller, args.json.json, out)
        }
        BuildResult::Stopped if stop.is_cancelled() => Err(Failure::Failed(
            "interrupted; what was done is saved, and the same command goes on".to_owned(),
        )),
        BuildResult::Stopped => {
            teller.say("the time is over; what was done is saved, and the same command goes on");
            Ok(())
        }
    }
}

/// Draws the histograms beside the table.
fn draw<G: Playable>(task: &BuildJob, summary: &TablebaseSummary) -> Done {
    let total = summary.total();
    let cut = |counts: &[u64]| {
        let end = counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        counts[..end].to_vec()
    };
    let boards = cut(&total.first);
    let by_plies = Histogram {
        title: &format!("{}: boards by plies to the end", G::NAME),
        axis: "plies to the end under best play",
        kinds: Some(["the mover loses", "the mover wins", "drawn"]),
        counts: &boards,
    };
    let reach = summary.reach.as_ref().map(|reach| Histogram {
        title: "boards by plies from the start",
        axis: "plies of the shortest game that leads there",
        kinds: None,
        counts: &reach.boards,
    });
    let name = &task.id.game;
    for (what, histogram) in [("plies", Some(by_plies)), ("reach", reach)] {
        if let Some(histogram) = histogram {
            let path = task.dir.join(format!("{name}-{what}.svg"));
            save(path, histogram.svg().as_bytes()).map_err(|error| Failure::Failed(error.to_string()))?;
        }
    }
    Ok(())
}

fn threads(args: &args::Solve) -> usize {
    args.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// `8, 9 or 10`.
fn any_of(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

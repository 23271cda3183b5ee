//! `tesuji solve ostle`: a whole game into a tablebase.

use std::path::Path;

use tesuji_registry::{
    BoardCounts, DistanceTotals, Error, GameHandle, ProcessesRequest, PublishedComparison, TablebaseRequest,
    TablebaseResponse, TablebaseTotals,
};
use tesuji_report::{Histogram, grouped};
use tesuji_store::save;
use tesuji_task::Context;

use super::progress::BuildProgress;
use crate::args;
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(super) fn run(game: &GameHandle, args: &args::SolveTablebase, out: &mut Out) -> Done {
    if let Some(position) = &args.position {
        let name = game.name();
        let message = format!("{position:?}: {name} is solved whole; ask `tesuji query {name}` for a position");
        return Err(Failure::usage(message));
    }
    let request = TablebaseRequest {
        directory: args.out.clone(),
        pieces: args.pieces.clone(),
        reach: args.reach,
        reach_only: args.reach_only,
        wdl: args.wdl,
        published: args.published,
        time_limit: args.time_limit,
        checkpoint: args.checkpoint,
        memory: args.memory.map(|mib| mib << 20),
        threads: args.workers.map(usize::from).or(args.threads.get()),
        processes: args.processes.zip(args.process).map(|(processes, process)| ProcessesRequest {
            processes: processes.into(),
            process: process.into(),
            hosts: args.hosts.clone(),
            wait: args.wait,
        }),
    };
    let cancel = out.cancel_on_interrupt();
    let mut progress = BuildProgress::new(game.name(), out);
    let bar = progress.bar();
    let context = Context { cancel: &cancel, progress: &bar };
    let built = game.build_tablebase(&request, context, &mut |event| progress.event(event));
    progress.end();
    let unfinished = |why: &str| {
        let (saved, command) = (progress.saved(), request.command(game.name()));
        Failure::Failed(format!("{why}: the table is not complete; {saved}, and `{command}` goes on"))
    };
    let built = built.map_err(|error| match error {
        Error::Cancelled => unfinished("interrupted"),
        error => error.into(),
    })?;
    if built.stopped {
        return Err(unfinished("the time limit is over"));
    }
    if let Some(together) = request.processes.as_ref().filter(|together| together.process > 0) {
        progress.log(&format!("process {} is done: process 0 has the table", together.process));
        return Ok(());
    }
    if args.json.json {
        if let Some(total) = &built.total {
            plots(&built, total)?;
            built.classes.iter().try_for_each(|class| out.json("solve-table", class))?;
            return out.json("solve-table", total);
        }
        return built.distances.iter().try_for_each(|distances| out.json("solve-table", distances));
    }
    match &built.total {
        Some(total) => {
            plots(&built, total)?;
            print_totals(&built, total, out)?;
        }
        None => built.distances.iter().try_for_each(|distances| print_distances(distances, out))?,
    }
    compare(&built.published, out)
}

/// Draws the histograms beside the tablebase.
fn plots(built: &TablebaseResponse, total: &TablebaseTotals) -> Done {
    let by_plies = Histogram {
        title: &format!("{}: boards by plies to the end", total.game),
        axis: "plies to the end under best play",
        kinds: Some(["the mover loses", "the mover wins", "drawn"]),
        counts: &total.counts.boards_by_plies,
    };
    let by_depth = built.distances.as_ref().map(|distances| Histogram {
        title: "boards by plies from the start",
        axis: "plies of the shortest game that leads there",
        kinds: None,
        counts: &distances.boards_by_depth,
    });
    for (what, histogram) in [("plies", Some(by_plies)), ("reach", by_depth)] {
        if let Some(histogram) = histogram {
            let path = Path::new(&built.directory).join(format!("{}-{what}.svg", built.name));
            save(path, histogram.svg().as_bytes()).map_err(|error| Failure::Failed(error.to_string()))?;
        }
    }
    Ok(())
}

fn print_totals(built: &TablebaseResponse, total: &TablebaseTotals, out: &mut Out) -> Done {
    out.line(format_args!(
        "{:<8}{:>15}{:>14}{:>15}{:>15}{:>13}{:>9}{:>15}",
        "class", "boards", "win at once", "wins", "losses", "draws", "longest", "bytes"
    ))?;
    for class in &built.classes {
        row(out, &class.class, &class.counts, class.bytes)?;
    }
    if built.classes.len() > 1 {
        row(out, "all", &total.counts, total.bytes)?;
    }
    out.line("")?;
    out.line(format_args!("{} positions of a board and what is forbidden there", grouped(total.counts.nodes)))?;
    match total.start_plies {
        None => {}
        Some(0) => out.line("the start: a draw")?,
        Some(plies) => {
            let verb = if plies % 2 == 1 { "wins" } else { "loses" };
            out.line(format_args!("the start: the mover {verb} in {plies} plies"))?;
        }
    }
    if let Some((plies, position)) = &total.longest_position {
        out.line(format_args!("the longest way to the end: {plies} plies: {position}"))?;
    }
    if let Some(distances) = &built.distances {
        let deepest = distances.boards_by_depth.len().saturating_sub(1);
        let unreached = grouped(distances.unreached);
        out.line(format_args!("from the start: {deepest} plies at most; {unreached} boards are never reached"))?;
    }
    let peak = total.peak_bytes.map_or(String::new(), |bytes| format!(", {} MiB of memory at most", bytes >> 20));
    out.line(format_args!("{:.0} s, {:.0} s of CPU time{peak}", total.seconds, total.cpu_seconds))?;
    out.line(&built.directory)
}

fn row(out: &mut Out, name: &str, counts: &BoardCounts, bytes: u64) -> Done {
    out.line(format_args!(
        "{name:<8}{:>15}{:>14}{:>15}{:>15}{:>13}{:>9}{:>15}",
        grouped(counts.boards),
        grouped(counts.wins_at_once),
        grouped(counts.wins),
        grouped(counts.losses),
        grouped(counts.draws),
        counts.boards_by_plies.len().saturating_sub(1),
        grouped(bytes)
    ))
}

fn print_distances(distances: &DistanceTotals, out: &mut Out) -> Done {
    let DistanceTotals { boards_by_depth: boards, positions_by_depth: positions, .. } = distances;
    out.line(format_args!("{:<6}{:>15}{:>16}", "plies", "boards", "positions"))?;
    let at = |counts: &[u64], depth: usize| grouped(counts.get(depth).copied().unwrap_or(0));
    for depth in 0..boards.len().max(positions.len()) {
        out.line(format_args!("{depth:<6}{:>15}{:>16}", at(boards, depth), at(positions, depth)))?;
    }
    out.line(format_args!("{} boards are never reached", grouped(distances.unreached)))?;
    out.line(format_args!("{:.0} s, {:.0} s of CPU time", distances.seconds, distances.cpu_seconds))
}

/// Prints where the counts differ from the published ones; a failure when one does.
fn compare(published: &[PublishedComparison], out: &mut Out) -> Done {
    for PublishedComparison { what, sum, lines, different } in published {
        let equal = lines - different.len();
        out.line(format_args!("{what}: {}, {equal} of {lines} lines as published", grouped(*sum)))?;
        for (line, published, found) in different {
            let (published, found) = (grouped(*published), grouped(*found));
            out.line(format_args!("  {line}: {published} published, {found} found"))?;
        }
    }
    let equal = published.iter().all(|comparison| comparison.different.is_empty());
    if equal { Ok(()) } else { Err(Failure::No) }
}

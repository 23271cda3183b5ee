//! `tesuji solve ostle --published`: by the wider ko of the published solution, into a table of its own.

use std::sync::Arc;
use std::sync::Mutex;

use tesuji_game::{HasPerfectIndex, PerfectIndex};
use tesuji_ostle::{Index, Ostle, Published};
use tesuji_solve::tablebase::TablebaseId;
use tesuji_solve::tablebase::TablebaseSummary;

use super::summary::grouped;
use super::{solve, tables, threads, title};
use crate::args;
use crate::failure::{Done, Failure};
use crate::out::Out;

/// Numbers to a task.
const TASK: usize = 1 << 20;

pub(crate) fn run(args: &args::Solve, out: &mut Out) -> Done {
    let index = Index::new();
    let tasks: Vec<(u8, u32)> = (0..4)
        .flat_map(|class| (0..index.size(class)).step_by(TASK).map(move |start| (class, start)))
        .collect();
    let progress = out.progress(tasks.len() as u64);
    let (queue, odd) = (Mutex::new(tasks.into_iter()), Mutex::new(Vec::new()));
    let next = || queue.lock().ok().and_then(|mut queue| queue.next());
    std::thread::scope(|scope| {
        for _ in 0..threads(args) {
            scope.spawn(|| {
                while let Some((class, start)) = next() {
                    let end = start.saturating_add(TASK as u32).min(index.size(class));
                    let found = Published::odd(&index, class, start..end);
                    if let Ok(mut odd) = odd.lock() {
                        odd.extend(found);
                    }
                    progress.step();
                }
            });
        }
    });
    progress.done();
    let game = Published::new(index, odd.into_inner().unwrap_or_else(|broken| broken.into_inner()));
    if !out.quiet() {
        eprintln!("boards where another reply may be forbidden, or next to one: {}", game.differing());
    }
    let TablebaseId { game: name, rules, index } = title::<Ostle>();
    let id = TablebaseId { game: format!("{name}-published"), rules, index };
    solve::<Ostle, Published>(Arc::new(game), id.clone(), args, out)?;
    let summary = TablebaseSummary::load(&tables(args.out.as_deref()), &id);
    match summary
        .map_err(|error| Failure::Failed(error.to_string()))?
        .filter(|summary| summary.whole || args.reach_only)
    {
        Some(summary) if !args.json.json => compare(&summary, out),
        _ => Ok(()),
    }
}

/// Says line by line where the counts differ from the published ones; a failure when one does.
fn compare(summary: &TablebaseSummary, out: &mut Out) -> Done {
    let Some(known) = Ostle::published_results() else { return Ok(()) };
    let mut right = true;
    let total = summary.total();
    let mut line_by_line = |what: &str, said: &[u64], found: &[u64]| {
        let at = |counts: &[u64], line: usize| counts.get(line).copied().unwrap_or(0);
        let lines = said.len().max(found.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1));
        let differ: Vec<usize> = (0..lines).filter(|&line| at(said, line) != at(found, line)).collect();
        right &= differ.is_empty();
        let sum = grouped(found.iter().sum());
        out.line(format_args!("{what}: {sum}, {} of {lines} lines as published", lines - differ.len()))?;
        for line in differ {
            let (said, found) = (grouped(at(said, line)), grouped(at(found, line)));
            out.line(format_args!("  {line}: {said} published, {found} found"))?;
        }
        Ok::<(), Failure>(())
    };
    if summary.whole {
        line_by_line("nodes by plies to the end", known.nodes, &total.nodes)?;
        line_by_line("boards without a node of their own", &[known.unled], &[total.unled])?;
    }
    if let Some(reach) = &summary.reach {
        line_by_line("nodes by plies from the start", known.depths, &reach.published)?;
    }
    if right { Ok(()) } else { Err(Failure::No) }
}

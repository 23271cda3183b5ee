//! Ostle by the rules of its published solution, whose ko also forbids images of the board before, into a tablebase of
//! its own, to compare the counts with the published ones.

use std::sync::{Arc, Mutex, PoisonError};

use tesuji_game::{HasPerfectIndex, PerfectIndex, PublishedResults};
use tesuji_ostle::{Index, Ostle, Published};
use tesuji_solve::tablebase::{TablebaseId, TablebaseSummary};
use tesuji_task::{Context, cores, for_each};

use super::build::build_with;
use super::{PublishedComparison, TablebaseEvent, TablebaseEvents, TablebaseRequest, TablebaseResponse, id};
use crate::Error;

/// Indices per task.
const TASK: usize = 1 << 20;

/// Builds the tablebase and compares its counts.
pub(crate) fn build_published_ostle(
    request: &TablebaseRequest,
    context: Context<'_>,
    events: TablebaseEvents<'_>,
) -> Result<TablebaseResponse, Error> {
    let index = Index::new();
    let tasks: Vec<(u8, u32)> =
        (0..4).flat_map(|class| (0..index.size(class)).step_by(TASK).map(move |start| (class, start))).collect();
    let (counter, found) = (context.counter(tasks.len() as u64), Mutex::new(Vec::new()));
    for_each(request.threads.unwrap_or_else(cores), tasks.len(), |task| {
        let (class, start) = tasks[task];
        let end = start.saturating_add(TASK as u32).min(index.size(class));
        let boards = Published::odd(&index, class, start..end);
        found.lock().unwrap_or_else(PoisonError::into_inner).extend(boards);
        counter.add(1)
    });
    if context.is_cancelled() {
        return Err(Error::Cancelled);
    }
    let game = Published::new(index, found.into_inner().unwrap_or_else(PoisonError::into_inner));
    events(TablebaseEvent::PublishedBoards { boards: game.differing() as u64 });
    let TablebaseId { game: name, rules, index } = id::<Ostle>();
    let id = TablebaseId { game: format!("{name}-published"), rules, index };
    let (mut response, summary) = build_with::<Ostle, _>(Arc::new(game), id, request, context, events)?;
    let complete = summary.filter(|summary| summary.complete || request.reach_only);
    if let (Some(summary), Some(known)) = (complete, Ostle::published_results()) {
        response.published = compare(&summary, known);
    }
    Ok(response)
}

/// Compares the counts with the published ones, line by line.
fn compare(summary: &TablebaseSummary, known: &PublishedResults) -> Vec<PublishedComparison> {
    let mut comparisons = Vec::new();
    let mut add = |what: &str, published: &[u64], found: &[u64]| {
        let at = |counts: &[u64], line: usize| counts.get(line).copied().unwrap_or(0);
        let end = found.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        let lines = published.len().max(end);
        let counts = (0..lines).map(|line| (line, at(published, line), at(found, line)));
        let different = counts.filter(|(_, published, found)| published != found).collect();
        let (what, sum) = (what.to_owned(), found.iter().sum());
        comparisons.push(PublishedComparison { what, sum, lines, different });
    };
    if summary.complete {
        let total = summary.total();
        add("nodes by plies to the end", known.nodes, &total.nodes);
        add("boards without a node of their own", &[known.unled], &[total.unled]);
    }
    if let Some(distances) = &summary.distances {
        add("nodes by plies from the start", known.depths, &distances.published);
    }
    comparisons
}

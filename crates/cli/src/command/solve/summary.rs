//! What a solved game came to: a table of its classes, the start, the longest win, the costs.

use std::sync::Arc;

use serde_json::json;
use tesuji_game::{HasPerfectIndex, PerfectIndex};
pub(crate) use tesuji_report::grouped;
use tesuji_solve::retrograde::ClassStatistics;
use tesuji_solve::tablebase::build::BuildJob;
use tesuji_solve::tablebase::{ClassInfo, Metric, Tablebase};
use tesuji_solve::tablebase::{ClassSummary, TablebaseSummary};

use super::machine::peak_memory;
use super::teller::Teller;
use crate::entry::Playable;
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(super) fn print<G: Playable + HasPerfectIndex, R: PerfectIndex<Board = G> + Send>(
    game: &Arc<R>,
    task: &BuildJob,
    summary: &TablebaseSummary,
    teller: &Teller,
    json: bool,
    out: &mut Out,
) -> Done {
    let opened = Tablebase::open_metric(&task.dir, Arc::clone(game), &task.id, task.metric, 0);
    let table = opened.map_err(|error| Failure::Failed(error.to_string()))?;
    let bytes = |class: u8| {
        table.info().find(|facts: &&ClassInfo| facts.class == class).map_or(0, |facts| facts.bytes)
    };
    let (wall, cpu) = teller.seconds();
    let total = summary.total();
    let size: u64 = table.info().map(|facts| facts.bytes).sum();
    if json {
        for found in &summary.classes {
            let mut fields = counts(&found.statistics);
            fields["class"] = found.name.clone().into();
            fields["bytes"] = bytes(found.class).into();
            out.json("solve", fields)?;
        }
        let mut fields = counts(&total);
        fields["game"] = G::NAME.into();
        fields["directory"] = task.dir.display().to_string().into();
        fields["exact"] = (task.metric == Metric::Dtw).into();
        fields["start"] = summary.start.map_or(serde_json::Value::Null, worth);
        fields["bytes"] = size.into();
        fields["seconds"] = wall.into();
        fields["cpu_seconds"] = cpu.into();
        fields["peak_bytes"] = peak_memory().into();
        return out.json("solve", fields);
    }
    out.line(format_args!(
        "{:<8}{:>15}{:>14}{:>15}{:>15}{:>13}{:>9}{:>15}",
        "class", "boards", "win at once", "wins", "losses", "draws", "longest", "bytes"
    ))?;
    for ClassSummary { class, name, statistics: census } in &summary.classes {
        row(out, name, census, bytes(*class))?;
    }
    if summary.classes.len() > 1 {
        row(out, "all", &total, size)?;
    }
    out.line("")?;
    let nodes = total.nodes.iter().sum();
    out.line(format_args!("{} positions of a board and what is forbidden there", grouped(nodes)))?;
    if let Some(plies) = summary.start {
        out.line(format_args!("the start: {}", words(plies)))?;
    }
    if let Some(far) = summary.longest.first() {
        let board = game.unrank(far.class, far.index).map(|board| board.forbidding(far.forbidden));
        let board = board.map_or(String::new(), |board| format!(": {}", board.print()));
        out.line(format_args!("the longest way to the end: {} plies{board}", far.plies))?;
    }
    if let Some(reach) = &summary.reach {
        let (deepest, unreached) = (reach.boards.len().saturating_sub(1), grouped(reach.unreached));
        out.line(format_args!(
            "from the start: {deepest} plies at most; {unreached} boards are never reached"
        ))?;
    }
    let peak =
        peak_memory().map_or(String::new(), |bytes| format!(", {} MiB of memory at most", bytes >> 20));
    out.line(format_args!("{wall:.0} s, {cpu:.0} s of CPU time{peak}"))?;
    out.line(format_args!("{}", task.dir.display()))
}

/// What was found when only distances were asked for.
pub(super) fn print_reach(summary: &TablebaseSummary, teller: &Teller, json: bool, out: &mut Out) -> Done {
    let Some(reach) = &summary.reach else { return Ok(()) };
    let (wall, cpu) = teller.seconds();
    if json {
        let fields = json!({
            "boards_by_depth": reach.boards, "positions_by_depth": reach.positions, "unreached": reach.unreached,
            "seconds": wall, "cpu_seconds": cpu, "peak_bytes": peak_memory(),
        });
        return out.json("solve", fields);
    }
    out.line(format_args!("{:<6}{:>15}{:>16}", "plies", "boards", "positions"))?;
    let lines = reach.boards.len().max(reach.positions.len());
    let at = |counts: &[u64], depth: usize| grouped(counts.get(depth).copied().unwrap_or(0));
    for depth in 0..lines {
        out.line(format_args!(
            "{depth:<6}{:>15}{:>16}",
            at(&reach.boards, depth),
            at(&reach.positions, depth)
        ))?;
    }
    out.line(format_args!("{} boards are never reached", grouped(reach.unreached)))?;
    out.line(format_args!("{wall:.0} s, {cpu:.0} s of CPU time"))
}

fn row(out: &mut Out, name: &str, census: &ClassStatistics, bytes: u64) -> Done {
    let [losses, draws, wins] = outcomes(census);
    let longest = census.first.iter().rposition(|&count| count > 0).unwrap_or(0);
    out.line(format_args!(
        "{name:<8}{:>15}{:>14}{:>15}{:>15}{:>13}{longest:>9}{:>15}",
        grouped(census.boards),
        grouped(census.wins_at_once),
        grouped(wins),
        grouped(losses),
        grouped(draws),
        grouped(bytes)
    ))
}

/// Boards that lose, draw and win, with nothing forbidden.
fn outcomes(census: &ClassStatistics) -> [u64; 3] {
    let wins = census.first.iter().skip(1).step_by(2).sum();
    let losses = census.first.iter().skip(2).step_by(2).sum();
    [losses, census.first[0], wins]
}

fn counts(census: &ClassStatistics) -> serde_json::Value {
    let [losses, draws, wins] = outcomes(census);
    let longest = census.longest.first().map_or(0, |far| far.plies);
    let cut = |counts: &[u64]| {
        let end = counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        counts[..end].to_vec()
    };
    json!({
        "boards": census.boards, "wins_at_once": census.wins_at_once, "wins": wins, "losses": losses,
        "draws": draws, "longest": longest, "nodes": census.nodes.iter().sum::<u64>(),
        "boards_by_plies": cut(&census.first), "nodes_by_plies": cut(&census.nodes),
    })
}

/// `"win"`, `"loss"` or `"draw"`.
fn worth(plies: u8) -> serde_json::Value {
    match plies {
        0 => "draw",
        won if won % 2 == 1 => "win",
        _ => "loss",
    }
    .into()
}

fn words(plies: u8) -> String {
    match plies {
        0 => "a draw".to_owned(),
        won if won % 2 == 1 => format!("the mover wins in {won} plies"),
        lost => format!("the mover loses in {lost} plies"),
    }
}

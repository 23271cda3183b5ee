//! `tesuji stats --compare`: lengths, branching and phases of the games side by side.

use tesuji_registry::{GameHandle, Registry, SelfPlayStatsRequest, StatsRequest, StatsResponse};
use tesuji_report::grouped;

use super::read;
use crate::args;
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(super) fn run(registry: &Registry, args: &args::Stats, out: &mut Out) -> Done {
    // A name that is no game is an error before the work starts.
    for (name, _) in &args.from {
        registry.game(name)?;
    }
    let wanted = |game: &&GameHandle| args.game.as_deref().is_none_or(|name| name == game.name());
    let games: Vec<&GameHandle> = registry.games().iter().filter(wanted).collect();
    let mut failed = 0;
    let mut all = Vec::new();
    for game in games {
        let response = response(game, args, out)?;
        failed += response.read.map_or(0, |read| read.failed_files);
        if args.json.json {
            out.json("stats-compare", &response)?;
        }
        all.push(response);
    }
    if !args.json.json {
        print(&all, out)?;
    }
    if failed > 0 { Err(Failure::No) } else { Ok(()) }
}

/// The statistics of the records that were given, or of self-play.
fn response(game: &GameHandle, args: &args::Stats, out: &mut Out) -> Result<StatsResponse, Failure> {
    let own = args.from.iter().filter(|(name, _)| name == game.name());
    let files: Vec<String> = own.map(|(_, path)| path.clone()).collect();
    if files.is_empty() {
        let request = SelfPlayStatsRequest {
            games: args.games,
            seed: args.seed,
            engine: args.engine.clone(),
            threads: args.read.threads(),
        };
        return out.operation(|_, context| Ok(game.self_play_stats(&request, context)?));
    }
    read(game, &StatsRequest { corpus: args.read.request(&files)?, min_games: usize::MAX }, out)
}

fn print(all: &[StatsResponse], out: &mut Out) -> Done {
    out.line(format_args!(
        "{:<10} {:>7}  {:>6} {:>6} {:>9}  {:>6} {:>6} {:>6} {:>6}  {:>7}  {:>6} {:>6}",
        "", "", "plies", "", "", "moves", "first", "middle", "last", "tree", "first", ""
    ))?;
    out.line(format_args!(
        "{:<10} {:>7}  {:>6} {:>6} {:>9}  {:>6} {:>6} {:>6} {:>6}  {:>7}  {:>6} {:>6}",
        "game", "games", "median", "mean", "range", "mean", "third", "third", "third", "size", "wins", "draws"
    ))?;
    for StatsResponse { stats, .. } in all {
        let (plies, results) = (&stats.plies, &stats.results);
        let ended = (results.first + results.draw + results.second).max(1) as f64;
        let share = |count: usize| format!("{:.0} %", 100.0 * count as f64 / ended);
        let [first, middle, last] = stats.phases;
        out.line(format_args!(
            "{:<10} {:>7}  {:>6} {:>6.1} {:>9}  {:>6.1} {first:>6.1} {middle:>6.1} {last:>6.1}  {:>7}  {:>6} {:>6}",
            stats.game,
            grouped((stats.records - stats.faults) as u64),
            plies.median,
            plies.mean,
            format!("{}–{}", plies.shortest, plies.longest),
            stats.mean_branching,
            format!("10^{:.0}", stats.tree_size),
            share(results.first),
            share(results.draw),
        ))?;
    }
    out.line("")?;
    for StatsResponse { source, stats, .. } in all {
        out.line(format_args!("{:<10} {source}", stats.game))?;
    }
    Ok(())
}

//! `tesuji perft`: the leaves of the game tree, depth by depth.

use tesuji_registry::{GameHandle, PerftRequest, PerftRow};
use tesuji_report::grouped;

use crate::args;
use crate::failure::Done;
use crate::out::Out;

pub(crate) fn run(game: &GameHandle, args: &args::Perft, out: &mut Out) -> Done {
    let request = PerftRequest {
        at: args.at.spec(),
        depth: args.depth,
        divide: args.divide,
        distinct: args.distinct,
        classes: args.classes,
        threads: args.threads.get(),
        hash: args.hash,
    };
    // Below some nodes it counts for hours, where no token is checked.
    out.end_at_once();
    let counts_leaves = !args.distinct && !args.classes;
    if !args.json.json && counts_leaves {
        let leaf = if game.finished_is_leaf() { "one leaf" } else { "no leaf" };
        let threads = request.threads.unwrap_or_else(tesuji_task::cores);
        eprintln!("{}: a finished game counts as {leaf} of every larger depth; threads: {threads}", game.name());
        out.line(format_args!("{:>5} {:>20} {:>10} {:>10} {:>15}", "depth", "leaves", "seconds", "CPU", "leaves/s"))?;
    }
    let json = args.json.json;
    out.events(
        |context, events| game.perft(&request, context, events),
        |out, row| if json { out.json("perft", &row) } else { tell(&row, out) },
    )
}

fn tell(row: &PerftRow, out: &mut Out) -> Done {
    for (mv, leaves) in row.moves.iter().flatten() {
        out.line(format_args!("{mv:>5} {:>20}", grouped(*leaves)))?;
    }
    let (PerftRow { depth, seconds, .. }, leaves) = (row, grouped(row.leaves));
    match row.cpu_seconds {
        Some(cpu) => {
            let rate = grouped((row.leaves as f64 / seconds.max(1e-9)) as u64);
            out.line(format_args!("{depth:>5} {leaves:>20} {seconds:>10.3} {cpu:>10.3} {rate:>15}"))
        }
        None => out.line(format_args!("{depth:>5} {leaves:>20}")),
    }
}

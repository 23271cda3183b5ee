//! `tesuji bench`: fixed positions searched to a fixed depth by one thread.

use tesuji_registry::Registry;
use tesuji_report::grouped;

use crate::args;
use crate::failure::Done;
use crate::out::Out;

pub(crate) fn run(registry: &Registry, args: &args::Bench, out: &mut Out) -> Done {
    let is_chosen = |name: &str| args.games.is_empty() || args.games.iter().any(|chosen| chosen == name);
    if !args.json.json {
        out.line(format_args!("{:<12}{:>12} {:>10} {:>16}", "game", "nodes", "CPU s", "nodes/s, 1 core"))?;
    }
    let mut signature = Vec::new();
    let cancel = out.cancel_on_interrupt();
    for game in registry.games().iter().filter(|game| is_chosen(game.name())) {
        let result = game.bench(&cancel)?;
        signature.push(format!("{} {}", result.game, result.nodes));
        if args.json.json {
            out.json("bench", &result)?;
        } else {
            let rate = grouped((result.nodes as f64 / result.seconds.max(1e-9)) as u64);
            let (game, nodes, seconds) = (&result.game, grouped(result.nodes), result.seconds);
            out.line(format_args!("{game:<12}{nodes:>12} {seconds:>10.3} {rate:>16}"))?;
        }
    }
    if !args.json.json {
        out.line("")?;
        out.line(format_args!("Bench: {}", signature.join(" ")))?;
    }
    Ok(())
}

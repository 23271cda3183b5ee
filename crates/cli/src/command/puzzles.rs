//! `tesuji puzzles`: positions with one proven solution, from games of an engine with itself.

use tesuji_registry::{GameHandle, MakePuzzlesRequest};

use super::counted;
use crate::args;
use crate::failure::Done;
use crate::out::Out;

pub(crate) fn run(game: &GameHandle, args: &args::Puzzles, out: &mut Out) -> Done {
    let request = MakePuzzlesRequest {
        count: args.count as usize,
        out: args.out.clone(),
        seed: args.seed,
        engine: args.engine.clone(),
        threads: args.threads.get(),
    };
    let summary = out.operation(|_, context| Ok(game.make_puzzles(&request, context, &mut |_| {})?))?;
    if args.json.json {
        return out.json("puzzles", &summary);
    }
    let (puzzles, games) = (counted(summary.puzzles, "puzzle"), counted(summary.games as usize, "game"));
    out.line(format_args!("{puzzles} from {games} in {}", summary.out))?;
    let levels = summary.difficulties.iter().enumerate().filter(|(_, count)| **count > 0);
    let levels: Vec<String> = levels.map(|(level, count)| format!("{}: {count}", level + 1)).collect();
    out.line(format_args!("by difficulty  {}", levels.join(", ")))
}

//! `tesuji selfplay`: a data set from games of an engine with itself.

use tesuji_registry::{GameHandle, SelfPlayJob};

use super::counted;
use super::train::warn;
use crate::args;
use crate::failure::Done;
use crate::out::Out;

pub(crate) fn run(game: &GameHandle, args: &args::Selfplay, out: &mut Out) -> Done {
    let job = SelfPlayJob {
        games: args.games,
        out: args.out.clone(),
        engine: args.engine.clone(),
        random_plies: args.random.clone(),
        solve: args.solve,
        seed: args.seed,
        threads: args.threads.get(),
    };
    let response = out.operation(|_, context| Ok(game.self_play(&job, context)?))?;
    warn(&response.warnings);
    if args.json.json {
        return out.json("selfplay", &response);
    }
    let games = counted(response.games as usize, "game");
    let positions = counted(response.positions as usize, "position");
    out.line(format_args!("{positions} of {games} in {}", response.set))
}

//! `tesuji best-move`: reads a game from standard input and prints the move to play.

use tesuji_registry::{BestMoveRequest, EngineChoice, Error, GameHandle};

use super::load;
use crate::args;
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(crate) fn run(game: &GameHandle, args: &args::BestMove, out: &mut Out) -> Done {
    let text = String::from_utf8_lossy(&load("-")?).into_owned();
    let request = BestMoveRequest { text, engine: args.engine.request() };
    let choice = out.operation(|_, context| match game.best_move(&request, context) {
        Err(Error::Field { field: "text", message }) => Err(Failure::usage(format!("standard input: {message}"))),
        done => Ok(done?),
    })?;
    match choice {
        EngineChoice::Move { mv } => out.line(mv),
        EngineChoice::Claim => out.line("win"),
        EngineChoice::Resign => out.line("resign"),
        EngineChoice::Over => out.line(""),
    }
}

//! `tesuji engine`: an engine for other programs, on standard input and output.

use std::io::{self, BufReader};

use tesuji_registry::{EngineProtocol, ProtocolRequest};

use crate::Entry;
use crate::args::{self, Protocol};
use crate::failure::{Done, Failure};

pub(crate) fn run(games: &[Entry], args: &args::Engine) -> Done {
    let protocol = match args.protocol {
        Protocol::Usi => EngineProtocol::Usi,
        Protocol::Gtp => EngineProtocol::Gtp,
        Protocol::Nboard => EngineProtocol::NBoard,
    };
    let game = games.iter().find(|entry| entry.handle().engine_protocols().contains(&protocol));
    let game = game.ok_or_else(|| Failure::usage("no game has this protocol"))?;
    let request = ProtocolRequest { protocol, engine: args.engine.clone() };
    let input = Box::new(BufReader::new(io::stdin()));
    Ok(game.handle().run_protocol(&request, input, &mut io::stdout())?)
}

//! `tesuji engine`: an engine for other programs, on standard input and output.

use std::io::{self, BufReader};

use tesuji_registry::{EngineProtocol, ProtocolRequest, Registry};

use crate::args::{self, Protocol};
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(crate) fn run(registry: &Registry, args: &args::Engine, out: &Out) -> Done {
    // The other program may go away while a search has hours left.
    out.end_at_once();
    let protocol = match args.protocol {
        Protocol::Usi => EngineProtocol::Usi,
        Protocol::Gtp => EngineProtocol::Gtp,
        Protocol::Nboard => EngineProtocol::NBoard,
        Protocol::Trax => EngineProtocol::Trax,
    };
    let game = registry.games().iter().find(|game| game.engine_protocols().contains(&protocol));
    let game = game.ok_or_else(|| Failure::usage("no game has this protocol"))?;
    let request = ProtocolRequest {
        protocol,
        engine: args.engine.clone(),
        threads: args.threads.map(usize::from),
        hash: args.hash,
        team: args.team.clone(),
        time: args.time.clone(),
    };
    let input = Box::new(BufReader::new(io::stdin()));
    Ok(game.run_protocol(&request, input, &mut io::stdout())?)
}

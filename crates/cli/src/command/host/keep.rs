//! The games of a server in one file, written anew after each, whole or not at all.

use std::path::PathBuf;

use tesuji_arena::online::{Result as Played, ServerWinner};
use tesuji_game::{Format, Formats, Side, tags};
use tesuji_store::save;

use crate::args;
use crate::entry::Playable;
use crate::failure::Failure;

/// The file and what is in it.
pub(super) struct Keeper {
    path: PathBuf,
    format: Format,
    clock: String,
    bytes: Vec<u8>,
}

impl Keeper {
    /// A new file; one that exists is not written over.
    pub(super) fn new(path: PathBuf, format: Format, args: &args::MatchServer) -> Result<Keeper, Failure> {
        if path.exists() {
            let shown = path.display();
            return Err(Failure::usage(format!("--out {shown} is there already; name a new file")));
        }
        let clock = format!("{}:{:02}", args.time.as_secs() / 60, args.time.as_secs() % 60);
        let keeper = Keeper { path, format, clock, bytes: Vec::new() };
        // Now is the time to learn that it cannot be written.
        keeper.write()?;
        Ok(keeper)
    }

    pub(super) fn add<G: Playable>(&mut self, result: &Played<G>) -> Result<(), Failure> {
        let mut record = result.outcome.record.clone();
        let [first, second] = &result.names;
        record.set_tag(tags::FIRST, first.as_str());
        record.set_tag(tags::SECOND, second.as_str());
        record.set_tag(tags::EVENT, format!("round {}", result.round));
        record.set_tag(tags::CLOCK, self.clock.as_str());
        if let Some(text) = stated(result) {
            record.set_tag(tags::RESULT, text);
        }
        self.bytes.extend(G::write(self.format, &record).map_err(Failure::Failed)?);
        self.write()
    }

    fn write(&self) -> Result<(), Failure> {
        save(&self.path, &self.bytes).map_err(|error| Failure::Failed(error.to_string()))
    }
}

/// The result of a game that was not decided on the board, as servers write it: black's lead, then `r` for a
/// game given up and `t` for a clock.
fn stated<G: Formats>(result: &Played<G>) -> Option<String> {
    use tesuji_protocol::reversi::reason::{DOUBLE_PASS, GIVEUP};
    let outcome = &result.outcome;
    let lead = match outcome.winner {
        _ if outcome.reason == DOUBLE_PASS => return None,
        ServerWinner::Side(Side::First) => "+64.000",
        ServerWinner::Side(Side::Second) => "-64.000",
        ServerWinner::Tie | ServerWinner::Nobody => return None,
    };
    Some(format!("{lead}:{}", if outcome.reason == GIVEUP { 'r' } else { 't' }))
}

//! From what `position` says to a game that can be thought about.

use tesuji_game::{Game, MoveList, Notation, PushError, Record};
use tesuji_protocol::usi::Placement;
use tesuji_shogi::{Move, Moves, Shogi};

use super::options::Options;

/// The game of a `position` line, or what is wrong with it.
///
/// A board program may show moves beyond a fourth repetition or a limit of moves. Such a game goes on here,
/// counted anew from there.
pub(super) fn place(placement: &Placement, options: &Options) -> Result<Record<Shogi>, String> {
    let start = match &placement.sfen {
        None => Shogi::start(),
        Some(sfen) => Shogi::parse(sfen).map_err(|error| error.to_string())?,
    };
    let mut record = Record::with_rules(start.clone(), options.rules(&start));
    for (index, word) in placement.moves.iter().enumerate() {
        let mut pushed = record.push_text(word);
        if let Err(PushError::Over(_)) = pushed {
            record = open(record);
            pushed = record.push_text(word);
        }
        pushed.map_err(|refusal| refusal.at_move(index + 1, word).to_string())?;
    }
    Ok(record)
}

/// The same game if it goes on; else, if there are moves, one that begins where it stands.
pub(super) fn open(record: Record<Shogi>) -> Record<Shogi> {
    if record.ending().is_none() {
        return record;
    }
    let mut rules = record.path().rules.clone();
    rules.move_limit = None;
    Record::with_rules(record.now().clone(), rules)
}

/// Any legal move.
pub(super) fn any_move(record: &Record<Shogi>) -> Option<Move> {
    let mut list = Moves::default();
    record.now().clone().moves(&mut list);
    list.each().next()
}

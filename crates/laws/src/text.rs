//! Properties of notation: round trips, and no panic on any text.

use proptest::prelude::any;
use proptest::strategy::Strategy;
use tesuji_game::{MoveList, Notation};

use crate::fuzz;
use crate::hold;
use crate::play::{choices, effort, for_all, playout};

/// Positions and moves survive print and parse. Any other text, random or nearly valid, gives an error inside the text or a
/// position that survives print and parse.
pub fn text<G: Notation>() {
    for_all(effort(), choices(), |choices| {
        playout(G::start(), &choices, |game, list, _| {
            let printed = game.print();
            match G::parse(&printed) {
                Ok(parsed) => hold!(parsed == *game, "{printed:?} is read as {parsed:?}, not {game:?}"),
                Err(error) => return Err(format!("{printed:?} is not read: {error}")),
            }
            for mv in list.each() {
                let printed = game.print_move(mv);
                let parsed = game.parse_move(&printed);
                hold!(parsed.as_ref() == Ok(&mv), "{printed:?} is read as {parsed:?}, not {mv:?} in {game:?}");
            }
            Ok(())
        })
    });
    for_all(effort() * 16, any::<String>(), |text| {
        fuzz::position_text::<G>(text.as_bytes());
        fuzz::move_text::<G>(text.as_bytes());
        Ok(())
    });
    for_all(effort(), (choices(), edits()), |(choices, edits)| {
        playout(G::start(), &choices, |game, list, _| {
            let mut text = game.print().into_bytes();
            edit(&mut text, &edits);
            fuzz::position_text::<G>(&text);
            if let Some(mv) = list.each().next() {
                let mut text = game.print_move(mv).into_bytes();
                edit(&mut text, &edits);
                let text = String::from_utf8_lossy(&text);
                if let Err(error) = game.parse_move(&text) {
                    hold!(error.at <= text.len(), "{error:?} points outside {text:?}");
                }
            }
            Ok(())
        })
    });
}

/// A few small edits: place, kind and byte.
pub(crate) type Edits = Vec<(u16, u8, u8)>;

pub(crate) fn edits() -> impl Strategy<Value = Edits> {
    proptest::collection::vec((any::<u16>(), 0..5u8, any::<u8>()), 1..6)
}

/// Replaces, flips, inserts, removes or cuts.
pub(crate) fn edit(bytes: &mut Vec<u8>, edits: &Edits) {
    for &(place, how, byte) in edits {
        let at = usize::from(place) % (bytes.len() + 1);
        match how {
            0 if at < bytes.len() => bytes[at] = byte,
            1 if at < bytes.len() => bytes[at] ^= 1 << (byte % 8),
            2 => bytes.insert(at, byte),
            3 if at < bytes.len() => drop(bytes.remove(at)),
            4 if byte < 64 => bytes.truncate(at),
            _ => {}
        }
    }
}

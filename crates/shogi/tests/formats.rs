//! Record formats: what is read from samples and small texts, what is refused, and what survives a journey
//! through other formats. The samples were written for these tests.

mod csa;
mod endings;
mod journey;
mod ki2;
mod kif;
mod usi;

use tesuji_game::{Ending, Format, Formats, ParsedRecord, Record, Side};
use tesuji_shogi::Shogi;

fn format(name: &str) -> Format {
    *Shogi::FORMATS.iter().find(|format| format.name == name).expect("a format of this name")
}

fn read(name: &str, bytes: impl AsRef<[u8]>) -> Vec<ParsedRecord<Shogi>> {
    Shogi::read(format(name), bytes.as_ref()).collect()
}

/// The one record in `text`, without fault.
fn one(name: &str, text: impl AsRef<[u8]>) -> Record<Shogi> {
    let mut readings = read(name, text);
    assert_eq!(readings.len(), 1);
    let ParsedRecord { record, fault } = readings.remove(0);
    assert_eq!(fault, None);
    record
}

/// The fault of the one record in `text`: move, text, message.
fn fault(name: &str, text: &str) -> (Option<usize>, String, String) {
    let mut readings = read(name, text);
    assert_eq!(readings.len(), 1, "{text}");
    let fault = readings.remove(0).fault.unwrap_or_else(|| panic!("no fault in {text}"));
    (fault.mv, fault.text, fault.message)
}

fn moves(record: &Record<Shogi>) -> String {
    record.moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}

fn won(side: Side, reason: &'static str) -> Option<Ending> {
    Some(Ending { winner: Some(side), reason })
}

fn drawn(reason: &'static str) -> Option<Ending> {
    Some(Ending { winner: None, reason })
}

/// Everything a record holds, for comparison; times in whole seconds.
fn whole(record: &Record<Shogi>) -> String {
    let plies: Vec<_> = record
        .plies()
        .iter()
        .map(|ply| (ply.mv.to_string(), ply.time.map(|time| time.as_secs()), ply.value, &ply.comment))
        .collect();
    let mut tags = record.tags.clone();
    tags.sort();
    format!("{:?} {tags:?} {:?} {plies:?} {:?}", record.start(), record.comment, record.ending())
}

const TWO_GAMES: &str = include_str!("../testdata/records/two_games.csa");
const VARIATIONS: &str = include_str!("../testdata/records/variations.kif");
const SHIFT_JIS: &[u8] = include_bytes!("../testdata/records/shift_jis.kif");
const DIAGRAM: &str = include_str!("../testdata/records/diagram.kif");
const BOOK: &str = include_str!("../testdata/records/book.ki2");

/// Black gives check for ever, white steps aside: the fourth time loses for black.
const CHASE: &str = "sfen k8/9/9/9/9/9/9/9/R7K w - 1";
/// Ten pieces, 28 points with the two pawns.
const ENTERED: &str = "4K4/1GGGG+B+B+R+R/2SS5/9/9/9/9/9/4k4 b 2P 1";
const MATE_IN_ONE: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

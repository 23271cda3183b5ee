//! Properties of record formats that keep more than the moves: tags, comments, times, values and endings.

use std::time::Duration;

use proptest::prelude::any;
use tesuji_game::{Ending, Format, Formats, Record, Side, reason, tags};

use crate::play::{choices, effort, for_all};
use crate::records::random;
use crate::{PropertyResult, hold};

/// Words that formats might trip over.
const WORDS: [&str; 12] = [
    "plain words",
    "",
    " begins with a blank",
    "[%eval 3] in brackets",
    "[tag \"x\"]",
    "{braces} and }} more",
    "two\nlines",
    "back\\slash \"quoted\"",
    "1-0",
    "12. a move?",
    "変化 % ' * #",
    "}",
];

/// In the format of this name, a record comes back with its tags, comments, times, values and lines.
pub fn annotated<G: Formats>(format: &str) {
    let format = named::<G>(format);
    for_all(effort() / 2 + 1, (choices(), any::<u64>()), |(choices, seed)| {
        let mut record = random::<G>(&choices)?;
        let word = |at: usize| WORDS[(seed.rotate_left(at as u32 * 7) % WORDS.len() as u64) as usize];
        for (at, tag) in
            [tags::FIRST, tags::SECOND, tags::EVENT, tags::DATE, "Remark", "own-tag"].into_iter().enumerate()
        {
            record.set_tag(tag, word(at).replace('\n', " "));
        }
        record.comment = word(9).to_owned();
        let mut now = record.start().clone();
        let moves: Vec<G::Move> = record.moves().collect();
        for (ply, &mv) in moves.iter().enumerate() {
            now.play(mv);
            let Some(mut note) = record.note_at(ply) else { return Err("a ply is missing".to_owned()) };
            let draw = seed.rotate_left(ply as u32 % 64) % 8;
            if draw & 1 == 0 {
                note = note.time(Duration::from_millis(draw * 1250));
            }
            if draw & 2 == 0 {
                note = note.value(draw as f64 * 1.25 - 3.0);
            }
            if draw & 4 == 0 {
                note = note.line(moves[ply + 1..].iter().take(3).copied().collect());
            }
            note.set_comment(word(ply % 11).to_owned());
        }
        round_trip(format, &record)
    });
}

fn round_trip<G: Formats>(format: Format, record: &Record<G>) -> PropertyResult {
    let written = G::write(format, record)?;
    let file = [G::head(format, 2), written.clone(), written].concat();
    let shown = String::from_utf8_lossy(&file);
    hold!(G::detect(&file) == format, "{} is not recognised: {shown}", format.name);
    let readings: Vec<_> = G::read(format, &file).collect();
    hold!(readings.len() == 2, "{} records read for 2 from {shown}", readings.len());
    for reading in readings {
        let again = reading.record;
        hold!(reading.fault.is_none(), "{:?} in {shown}", reading.fault);
        let sorted = |record: &Record<G>| {
            let mut tags = record.tags.clone();
            tags.sort();
            tags
        };
        hold!(sorted(&again) == sorted(record), "{:?} for {:?} from {shown}", again.tags, record.tags);
        hold!(again.comment == record.comment, "{:?} for {:?} from {shown}", again.comment, record.comment);
        hold!(again.plies() == record.plies(), "{:?} for {:?} from {shown}", again.plies(), record.plies());
        hold!(again.ending() == record.ending(), "{:?} for {:?} from {shown}", again.ending(), record.ending());
    }
    Ok(())
}

/// Every ending off the board can be written in every format that can hold the moves, and the formats in `keeping` give
/// it back.
pub fn endings<G: Formats>(keeping: &[&str]) {
    for name in keeping {
        named::<G>(name);
    }
    for &format in G::FORMATS {
        for_all(effort() / 8 + 2, choices(), |choices| {
            let mut open = random::<G>(&choices)?;
            if open.ending().is_some() {
                open = open.up_to(open.plies().len() / 2);
            }
            if G::write(format, &open).is_err() {
                return Ok(());
            }
            for reason in reason::OFF_BOARD {
                for winner in [None, Some(Side::First), Some(Side::Second)] {
                    let ending = Ending { winner, reason };
                    let mut record = open.clone();
                    record.end(ending).map_err(|refusal| refusal.to_string())?;
                    let written = G::write(format, &record).map_err(|why| format!("{ending:?}: {why}"))?;
                    let file = [G::head(format, 1), written].concat();
                    let shown = String::from_utf8_lossy(&file);
                    let Some(reading) = G::read(format, &file).next() else {
                        return Err(format!("nothing is read from {shown}"));
                    };
                    hold!(reading.fault.is_none(), "{:?} for {ending:?} in {} {shown}", reading.fault, format.name);
                    hold!(reading.record.plies().len() == record.plies().len(), "moves are missing in {shown}");
                    let kept = reading.record.ending() == Some(ending);
                    hold!(
                        kept || !keeping.contains(&format.name),
                        "{:?} for {ending:?} from {} {shown}",
                        reading.record.ending(),
                        format.name
                    );
                }
            }
            Ok(())
        });
    }
}

fn named<G: Formats>(name: &str) -> Format {
    let found = G::FORMATS.iter().find(|known| known.name == name);
    *found.unwrap_or_else(|| panic!("{} has no format {name}", G::NAME))
}

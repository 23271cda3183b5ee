//! Properties of record formats.

use std::cell::Cell;

use proptest::prelude::any;
use tesuji_game::{Format, Formats, ParsedRecord, Record};

use crate::fuzz;
use crate::play::{choices, effort, for_all, playout};
use crate::text::{edit, edits};
use crate::{PropertyResult, hold};

/// In every format, written records can be read again, alone and concatenated. Damaged or random bytes give records and
/// errors, never a panic.
pub fn records<G: Formats>() {
    for &format in G::FORMATS {
        let held = Cell::new(0);
        for_all(effort() / 2 + 1, (choices(), edits()), |(choices, edits)| {
            let record = random::<G>(&choices)?;
            let Ok(written) = G::write(format, &record) else { return Ok(()) };
            held.set(held.get() + 1);
            let mut file = G::head(format, 2);
            file.extend_from_slice(&written);
            file.extend_from_slice(&written);
            round_trip(format, &file, &record)?;
            edit(&mut file, &edits);
            fuzz::record_file::<G>(format, &file);
            Ok(())
        });
        if let (Ok(record), Ok(written)) = (random::<G>(&[]), G::write(format, &Record::new(G::start()))) {
            let file = [G::head(format, 2), written.clone(), written].concat();
            round_trip(format, &file, &record).unwrap_or_else(|broken| panic!("a game without moves: {broken}"));
        }
        assert!(held.get() > 0, "{} could hold none of the random games", format.name);
        for_all(effort() * 4, proptest::collection::vec(any::<u8>(), 0..300), |bytes| {
            fuzz::record_file::<G>(format, &bytes);
            Ok(())
        });
    }
}

fn round_trip<G: Formats>(format: Format, file: &[u8], record: &Record<G>) -> PropertyResult {
    let shown = String::from_utf8_lossy(file);
    let readings: Vec<ParsedRecord<G>> = G::read(format, file).collect();
    hold!(readings.len() == 2, "{} records read for 2 from {} {shown:?}", readings.len(), format.name);
    for reading in &readings {
        hold!(reading.fault.is_none(), "{:?} in {} {shown:?}", reading.fault, format.name);
        hold!(reading.record.start() == record.start(), "another start from {} {shown:?}", format.name);
        let (read, played): (Vec<_>, Vec<_>) = (reading.record.moves().collect(), record.moves().collect());
        hold!(read == played, "moves {read:?} for {played:?} from {} {shown:?}", format.name);
    }
    hold!(G::detect(file) == format || G::FORMATS.len() > 1, "{} is not recognised", format.name);
    Ok(())
}

pub(crate) fn random<G: Formats>(choices: &[u16]) -> Result<Record<G>, String> {
    let mut record = Record::new(G::start());
    playout(G::start(), choices, |_, _, chosen| {
        if let Some(mv) = chosen.filter(|_| record.ending().is_none()) {
            record.push(mv).map_err(|error| format!("a listed move is refused: {error}"))?;
        }
        Ok(())
    })?;
    Ok(record)
}

//! Entries of data sets as those of hcpe and PSV files, and back. Moves and policy labels are matched by the legal moves.

use tesuji_game::{Game, MoveList, Planes, Side};
use tesuji_learn::positions::PositionEntry;
use tesuji_shogi::packed::{Hcpe, Psv};
use tesuji_shogi::{Move, Moves, Shogi};

/// What is missing in files of other programs, where every position has a value.
const NO_VALUE: i16 = 0;

/// Reads an entry of an hcpe file. It does not know the ply.
///
/// # Errors
/// The bytes are no entry.
pub fn from_hcpe(bytes: &[u8]) -> Result<PositionEntry<Shogi>, String> {
    let Ok(bytes) = bytes.try_into() else { return Err(wrong_length(bytes.len(), Hcpe::BYTES)) };
    let Hcpe { position, value, mv, result } = Hcpe::read(bytes).map_err(|error| error.to_string())?;
    Ok(PositionEntry { result: Some(result), ..entry(position, mv, value) })
}

/// An entry as bytes of an hcpe file. An unknown value is written as 0. `None` without a result, or if the position does
/// not fit.
pub fn to_hcpe(entry: &PositionEntry<Shogi>) -> Option<Vec<u8>> {
    let value = entry.value.unwrap_or(NO_VALUE);
    let hcpe = Hcpe { position: entry.position.clone(), value, mv: best_move(entry), result: entry.result? };
    hcpe.write().map(Vec::from)
}

/// Reads an entry of a PSV file.
///
/// # Errors
/// The bytes are no entry.
pub fn from_psv(bytes: &[u8]) -> Result<PositionEntry<Shogi>, String> {
    let Ok(bytes) = bytes.try_into() else { return Err(wrong_length(bytes.len(), Psv::BYTES)) };
    let Psv { position, number, value, mv, result } = Psv::read(bytes).map_err(|error| error.to_string())?;
    Ok(PositionEntry { result: Some(result), ply: number.saturating_sub(1), ..entry(position, mv, value) })
}

/// An entry as bytes of a PSV file. An unknown value is written as 0. `None` without a result, or if the position does not
/// fit.
pub fn to_psv(entry: &PositionEntry<Shogi>) -> Option<Vec<u8>> {
    let psv = Psv {
        position: entry.position.clone(),
        number: entry.ply.saturating_add(1),
        value: entry.value.unwrap_or(NO_VALUE),
        mv: best_move(entry),
        result: entry.result?,
    };
    psv.write().map(Vec::from)
}

fn entry(position: Shogi, mv: Option<Move>, value: i16) -> PositionEntry<Shogi> {
    let label = mv.and_then(|mv| position.label(mv)).and_then(|label| u16::try_from(label).ok());
    let second = position.mover() == Side::Second;
    // The lowest number stands for no value in a data set.
    PositionEntry { label, value: Some(value.max(-i16::MAX)), second, ..PositionEntry::of(position) }
}

/// The move played, or else the most visited one.
fn best_move(entry: &PositionEntry<Shogi>) -> Option<Move> {
    let most_visited = || entry.visits.iter().max_by_key(|(_, visits)| visits).map(|&(label, _)| label);
    let wanted = entry.label.or_else(most_visited)?;
    let (mut position, mut moves) = (entry.position.clone(), Moves::default());
    position.moves(&mut moves);
    moves.each().find(|&mv| position.label(mv) == Some(wanted.into()))
}

fn wrong_length(found: usize, right: usize) -> String {
    format!("{found} bytes, and an entry has {right}")
}

#[cfg(test)]
mod tests {
    use tesuji_game::{Notation, Outcome};

    use super::*;

    fn played(moves: &[&str], value: Option<i16>) -> PositionEntry<Shogi> {
        let mut position = Shogi::start();
        for (ply, text) in moves.iter().enumerate() {
            let mv = position.parse_move(text).unwrap();
            if ply + 1 == moves.len() {
                let label = position.label(mv).map(|label| label as u16);
                let second = position.mover() == Side::Second;
                return PositionEntry {
                    label,
                    value,
                    second,
                    ply: ply as u16,
                    result: Some(Outcome::Loss),
                    ..PositionEntry::of(position)
                };
            }
            position.play(mv);
        }
        unreachable!("no move")
    }

    #[test]
    fn entries_survive_both_files() {
        let game = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e"];
        for plies in 1..=game.len() {
            let entry = played(&game[..plies], Some(-873));
            assert_eq!(from_psv(&to_psv(&entry).unwrap()), Ok(entry.clone()));
            let read = from_hcpe(&to_hcpe(&entry).unwrap()).unwrap();
            assert_eq!(read, PositionEntry { ply: 0, ..entry });
        }
    }

    #[test]
    fn what_the_files_do_not_know() {
        let entry = played(&["7g7f"], None);
        assert_eq!(from_hcpe(&to_hcpe(&entry).unwrap()).unwrap().value, Some(0));
        let open = PositionEntry { result: None, ..entry.clone() };
        assert_eq!((to_hcpe(&open), to_psv(&open)), (None, None));
        let visited = PositionEntry { label: None, visits: vec![(3, 1), (entry.label.unwrap(), 9)], ..entry.clone() };
        assert_eq!(to_psv(&visited), to_psv(&entry));
        let lowest = PositionEntry { value: Some(i16::MIN), ..entry };
        assert_eq!(from_psv(&to_psv(&lowest).unwrap()).unwrap().value, Some(-i16::MAX));
        assert_eq!(from_psv(&[0; 38]), Err("38 bytes, and an entry has 40".to_owned()));
        assert!(from_hcpe(&[0xff; 38]).unwrap_err().contains("not a packed position"));
    }
}

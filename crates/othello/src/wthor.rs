//! WTHOR bases: a header of 16 bytes, then 68 bytes per game. Passes are not stored, players and tournaments
//! are numbers; [`Names`](crate::Names) maps them to names.

use tesuji_game::{Game, ParsedRecord, Record, RecordError, Side, tags};

use crate::transcript::push;
use crate::{Move, Othello, Square};

/// The tag of the tournament's number.
pub(crate) const TOURNAMENT: &str = "wthor-tournament";
/// The tag of black's number.
pub(crate) const BLACK: &str = "wthor-black";
/// The tag of white's number.
pub(crate) const WHITE: &str = "wthor-white";
/// The tag of black's discs as the game was scored, forfeits and all.
const REAL: &str = "wthor-real";
/// The tag of black's discs had both played without fault from the depth in the header.
const THEORETICAL: &str = "wthor-theoretical";

/// The length of the header.
pub(crate) const HEADER: usize = 16;
const GAME: usize = 68;
/// The depth of theoretical scores in the federation's own files.
const DEPTH: u8 = 24;

/// Whether these bytes may be a base: its header holds zero bytes, which text does not, and a date (century, year, month,
/// day) or none, which other binary files do not.
pub(crate) fn is_base(bytes: &[u8]) -> bool {
    let header = &bytes[..bytes.len().min(HEADER)];
    let limits = [30, 99, 12, 31];
    header.contains(&0) && header.iter().zip(limits).all(|(&byte, limit)| byte <= limit)
}

/// Reads the games; a header that does not fit the file gives one more reading, a fault.
pub(crate) fn read(bytes: &[u8]) -> impl Iterator<Item = ParsedRecord<Othello>> + '_ {
    let frame = frame_fault(bytes);
    let games = match bytes.get(10..HEADER) {
        Some(&[low, high, 0 | 8, ..]) => Some(u16::from_le_bytes([low, high])),
        _ => None,
    };
    let year = games.unwrap_or(0);
    let body = if games.is_some() { &bytes[HEADER..] } else { &[] };
    let games = body.as_chunks::<GAME>().0.iter().map(move |game| read_game(game, year));
    games.chain(frame.map(|fault| ParsedRecord { record: Record::new(Othello::start()), fault: Some(fault) }))
}

/// What is wrong with the header, or with the length of the file.
fn frame_fault(bytes: &[u8]) -> Option<RecordError> {
    let length = format!("{} bytes", bytes.len());
    let Some((header, body)) = bytes.split_first_chunk::<HEADER>() else {
        return Some(RecordError::outside(length, "a WTHOR file begins with a header of 16 bytes"));
    };
    let promised = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
    let (games, rest) = (body.len() / GAME, body.len() % GAME);
    match header[12] {
        0 | 8 if rest != 0 => {
            Some(RecordError::outside(length, format!("the file is cut off inside game {}", games + 1)))
        }
        0 | 8 if promised as usize != games => Some(RecordError::outside(
            format!("{promised} games"),
            format!("the header promises {promised} games and the file holds {games}"),
        )),
        0 | 8 => None,
        size => Some(RecordError::outside(format!("size {size}"), "only games on a board of 8 by 8 can be read")),
    }
}

fn read_game(bytes: &[u8; GAME], year: u16) -> ParsedRecord<Othello> {
    let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]).to_string();
    let mut record = Record::new(Othello::start());
    if year != 0 {
        record.set_tag(tags::DATE, year.to_string());
    }
    record.set_tag(tags::RESULT, format!("{:+}", 2 * i32::from(bytes[6]) - 64));
    record.set_tag(TOURNAMENT, word(0));
    record.set_tag(BLACK, word(2));
    record.set_tag(WHITE, word(4));
    record.set_tag(REAL, bytes[6].to_string());
    record.set_tag(THEORETICAL, bytes[7].to_string());
    let fault = read_moves(&mut record, &bytes[8..]).err();
    ParsedRecord { record, fault }
}

fn read_moves(record: &mut Record<Othello>, bytes: &[u8]) -> Result<(), RecordError> {
    let length = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    for (index, &byte) in bytes[..length].iter().enumerate() {
        let square = match (byte % 10, byte / 10) {
            (column @ 1.., row @ 1..) => Square::at(column - 1, row - 1),
            _ => None,
        };
        let Some(square) = square else {
            let message = "there is no such square; 11 is a1 and 88 is h8, row first";
            return Err(RecordError::at_move(index + 1, byte.to_string(), message));
        };
        let square = square.to_string();
        push(record, &square).map_err(|refusal| refusal.at_move(index + 1, &square))?;
    }
    Ok(())
}

/// One game of 68 bytes, or why a base cannot hold it.
///
/// A game without a score of its own gets that of its last position, for the theoretical score too.
pub(crate) fn write(record: &Record<Othello>) -> Result<Vec<u8>, String> {
    if *record.start() != Othello::start() {
        return Err("a WTHOR base holds only games from the usual start".to_owned());
    }
    if record.moves().last() == Some(Move::PASS) {
        return Err("a WTHOR base holds no passes, so a game cannot stop after one".to_owned());
    }
    let squares: Vec<Square> = record.moves().filter_map(Move::square).collect();
    let now = record.now();
    let score = if now.mover() == Side::First { now.score() } else { -now.score() };
    let discs = (score + 64) / 2;
    let mut bytes = Vec::with_capacity(GAME);
    for tag in [TOURNAMENT, BLACK, WHITE] {
        bytes.extend(number(record, tag, 0u16)?.to_le_bytes());
    }
    let real = number(record, REAL, discs as u8)?;
    bytes.extend([real, number(record, THEORETICAL, real)?]);
    bytes.extend(squares.iter().map(|square| 10 * (square.row() + 1) + square.column() + 1));
    bytes.resize(GAME, 0);
    Ok(bytes)
}

fn number<N: std::str::FromStr>(record: &Record<Othello>, tag: &str, otherwise: N) -> Result<N, String> {
    match record.tag(tag) {
        None => Ok(otherwise),
        Some(text) => text.parse().map_err(|_| format!("the tag {tag} is {text:?}, not a number that fits")),
    }
}

/// The header. Date and year stay zero.
pub(crate) fn head(count: usize) -> Vec<u8> {
    let mut bytes = vec![0; HEADER];
    bytes[4..8].copy_from_slice(&u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
    bytes[12] = 8;
    bytes[14] = DEPTH;
    bytes
}

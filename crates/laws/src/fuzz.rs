//! Bodies of fuzz targets: they panic when a property is violated.

use std::fmt::{Debug, Display};

use tesuji_game::{Format, Formats, Game, MoveList, Notation, Packed};

use crate::play::playout;
use crate::rules::position;

/// Parses bytes as a position. A valid position survives print and parse, and its moves can be listed.
pub fn position_text<G: Notation>(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match G::parse(&text) {
        Err(error) => assert!(error.at <= text.len(), "{error:?} points outside {text:?}"),
        Ok(mut game) => {
            let printed = game.print();
            let again = G::parse(&printed);
            assert_eq!(again.as_ref(), Ok(&game), "{text:?} prints as {printed:?}");
            let mut list = G::Moves::default();
            game.moves(&mut list);
            assert_eq!(game.count(), list.len() as u64, "{text:?}");
            assert_eq!(game.outcome().is_some(), list.is_empty(), "{text:?}");
        }
    }
}

/// Unpacks bytes as a position. What is accepted survives pack and unpack, and its moves can be listed.
pub fn packed<G: Packed>(bytes: &[u8]) {
    if let Some(mut game) = G::unpack(bytes) {
        let mut packed = vec![0; G::BYTES];
        assert!(game.pack(&mut packed), "{bytes:?} is {game:?}, which does not pack");
        assert_eq!(G::unpack(&packed).as_ref(), Some(&game), "{bytes:?} packs as {packed:?}");
        let mut list = G::Moves::default();
        game.moves(&mut list);
        assert_eq!(game.count(), list.len() as u64, "{bytes:?}");
        assert_eq!(game.outcome().is_some(), list.is_empty(), "{bytes:?}");
    }
}

/// Reads bytes as an entry of a binary file. What is accepted can be written and read again.
pub fn entry<const N: usize, T: Debug + PartialEq, E>(
    bytes: &[u8],
    read: impl Fn(&[u8; N]) -> Result<T, E>,
    write: impl Fn(&T) -> Option<[u8; N]>,
) {
    let Some(bytes) = bytes.first_chunk() else { return };
    let Ok(entry) = read(bytes) else { return };
    let Some(written) = write(&entry) else { panic!("{bytes:?} is {entry:?}, which cannot be written") };
    assert_eq!(read(&written).ok().as_ref(), Some(&entry), "{bytes:?} is written as {written:?}");
}

/// Parses bytes as moves from the start position, separated by blanks.
pub fn move_text<G: Notation>(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut game = G::start();
    for word in text.split_whitespace().take(500) {
        match game.parse_move(word) {
            Err(error) => {
                assert!(error.at <= word.len(), "{error:?} points outside {word:?}");
                break;
            }
            Ok(mv) => {
                let printed = game.print_move(mv);
                assert_eq!(game.parse_move(&printed), Ok(mv), "{word:?} prints as {printed:?}");
                game.play(mv);
            }
        }
    }
}

/// Reads bytes as a file of records. The legal part of each can be written and read again.
pub fn record_file<G: Formats>(format: Format, bytes: &[u8]) {
    let _ = G::detect(bytes);
    for reading in G::read(format, bytes).take(8) {
        if let Ok(written) = G::write(format, &reading.record) {
            let mut file = G::head(format, 1);
            file.extend_from_slice(&written);
            let again = G::read(format, &file).next();
            let moves = again.map(|again| again.record.moves().collect::<Vec<_>>()).unwrap_or_default();
            let expected: Vec<_> = reading.record.moves().collect();
            assert_eq!(moves, expected, "written {:?}", String::from_utf8_lossy(&file));
        }
    }
}

/// [`record_file`] for the format of this name.
pub fn records_named<G: Formats>(format: &str, bytes: &[u8]) {
    let found = G::FORMATS.iter().find(|known| known.name == format);
    record_file::<G>(*found.unwrap_or_else(|| panic!("{} has no format {format}", G::NAME)), bytes);
}

/// Plays the game that the bytes choose, and checks the properties of every position.
pub fn random_play<G: Game>(bytes: &[u8]) {
    let choices: Vec<u16> =
        bytes.chunks_exact(2).take(300).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    if let Err(broken) = playout(G::start(), &choices, |game, list, _| position(game, list)) {
        panic!("{broken}");
    }
}

/// Parses bytes as a line of a protocol. A parsed value prints on one line, which parses to the same value.
pub fn protocol_line<T: Display + Debug + PartialEq>(bytes: &[u8], parse: impl Fn(&[u8]) -> Option<T>) {
    if let Some(read) = parse(bytes) {
        let printed = read.to_string();
        assert!(!printed.contains(['\n', '\r']), "{read:?} prints as {printed:?}");
        assert_eq!(parse(printed.as_bytes()), Some(read), "printed {printed:?}");
    }
}

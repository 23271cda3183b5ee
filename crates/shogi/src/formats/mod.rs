//! The record formats of shogi.

use tesuji_game::{Fault, Format, Formats, Game, Notation, Reading, Record};

use crate::Shogi;

/// `startpos moves …` or `sfen … moves …`, one game per line.
const USI: Format =
    Format { name: "usi", about: "startpos or sfen … moves …, one per line", extensions: &["sfen"] };

impl Formats for Shogi {
    const FORMATS: &'static [Format] = &[USI];

    fn detect(_bytes: &[u8]) -> Format {
        USI
    }

    fn read<'a>(_format: Format, bytes: &'a [u8]) -> Box<dyn Iterator<Item = Reading<Shogi>> + 'a> {
        let lines = bytes.split(|&byte| byte == b'\n').map(String::from_utf8_lossy);
        Box::new(lines.filter(|line| !line.trim().is_empty()).map(|line| read_line(line.trim())))
    }

    fn write(_format: Format, record: &Record<Shogi>) -> Result<Vec<u8>, String> {
        let start = record.start();
        let mut text =
            if *start == Shogi::start() { "startpos".to_owned() } else { format!("sfen {}", start.print()) };
        text.push_str(" moves");
        for mv in record.moves() {
            text.push_str(&format!(" {mv}"));
        }
        text.push('\n');
        Ok(text.into_bytes())
    }
}

fn read_line(line: &str) -> Reading<Shogi> {
    let (position, moves) = line.split_once("moves").unwrap_or((line, ""));
    match Shogi::parse(position) {
        Ok(start) => {
            let mut record = Record::new(start);
            let fault = Shogi::read_moves(&mut record, moves).err();
            Reading { record, fault }
        }
        Err(error) => Reading { record: Record::new(Shogi::start()), fault: Some(Fault::from(error)) },
    }
}

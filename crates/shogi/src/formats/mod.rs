//! The record formats of shogi: USI lines, CSA, KIF and KI2.
//!
//! Every reader goes through [`draft::Draft`], which plays the moves and checks the stated result against the board.

mod csa;
mod detect;
mod diagram;
mod draft;
mod encoding;
mod kif;
mod stated;
mod tag;
mod usi;

use tesuji_game::{Format, Formats, ParsedRecord, Record};

use crate::{Move, Shogi};

const USI: Format = Format {
    name: "usi",
    about: "startpos or sfen … moves …, one game per line",
    extensions: &["sfen", "usi"],
    keeps_notes: false,
};
const CSA: Format = Format {
    name: "csa",
    about: "records of the Computer Shogi Association, V2.2",
    extensions: &["csa"],
    keeps_notes: true,
};
const KIF: Format = Format { name: "kif", about: "KIF in UTF-8", extensions: &["kifu", "kif"], keeps_notes: true };
const KIF_SJIS: Format =
    Format { name: "kif-sjis", about: "KIF in Shift_JIS", extensions: &["kif"], keeps_notes: true };
const KI2: Format = Format {
    name: "ki2",
    about: "KI2 in UTF-8: moves as books print them",
    extensions: &["ki2u", "ki2"],
    keeps_notes: true,
};

impl Formats for Shogi {
    const FORMATS: &'static [Format] = &[USI, CSA, KIF, KIF_SJIS, KI2];

    fn detect(bytes: &[u8]) -> Format {
        detect::detect(bytes)
    }

    /// CSA, KIF and KI2 are read in UTF-8 and in Shift_JIS, and KIF and KI2 moves in one another's files.
    fn read<'a>(format: Format, bytes: &'a [u8]) -> Box<dyn Iterator<Item = ParsedRecord<Shogi>> + 'a> {
        match format {
            CSA => Box::new(draft::readings::<csa::CsaReader>(bytes)),
            KIF | KIF_SJIS | KI2 => Box::new(draft::readings::<kif::KifReader>(bytes)),
            _ => Box::new(usi::read(bytes)),
        }
    }

    fn keeps_variations(format: Format) -> bool {
        [KIF, KIF_SJIS, KI2].contains(&format)
    }

    fn write(format: Format, record: &Record<Shogi>) -> Result<Vec<u8>, String> {
        match format {
            CSA => csa::write(record),
            KIF => kif::kif(record, "UTF-8").map(String::into_bytes),
            KIF_SJIS => {
                let text = kif::kif(record, "Shift_JIS")?;
                encoding::shift_jis(&text)
                    .map_err(|lost| format!("Shift_JIS has no {lost:?}; write kif, which is UTF-8"))
            }
            KI2 => kif::ki2(record).map(String::into_bytes),
            _ => Ok(usi::write(record)),
        }
    }
}

impl Shogi {
    /// A legal move in the notation of the Computer Shogi Association: side, origin, target and the piece after it.
    ///
    /// ```
    /// # use tesuji_game::{Game, Notation};
    /// # use tesuji_shogi::Shogi;
    /// let mut start = Shogi::start();
    /// let mv = start.parse_move("7g7f")?;
    /// assert_eq!(start.csa_move(mv), "+7776FU");
    /// # Ok::<(), tesuji_game::TextError>(())
    /// ```
    pub fn csa_move(&self, mv: Move) -> String {
        csa::write_move(self, mv)
    }

    /// The move of a text in the same notation, if the pieces allow it. Whether it is legal, the record checks.
    ///
    /// # Errors
    /// No piece could make the move.
    pub fn parse_csa_move(game: &Record<Shogi>, text: &str) -> Result<Move, String> {
        csa::read_move(text, game)
    }
}

/// A legal move as Japanese books print it: `▲７六歩`, `△同銀右成`. `before` is the move before it.
pub(crate) fn japanese_move(now: &Shogi, mv: Move, before: Option<Move>) -> String {
    kif::book_move(now, mv, before.map(Move::to)).replace('\u{3000}', "")
}

//! The header of a data set of positions: text, one field per line.

use super::PositionGame;

const TITLE: &str = "tesuji-positions";
const VERSION: u32 = 1;
/// The title of the data sets of linear evaluations.
const SAMPLES: &str = "tesuji-samples";

/// The header of a data set of positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionSetHeader {
    /// The name of the game.
    pub game: String,
    /// Name and version of the packing.
    pub packing: String,
    /// Name and version of the encoding that the labels belong to.
    pub encoding: String,
    /// The bytes of an entry.
    pub entry: usize,
    /// The entries of every block but the last.
    pub block: usize,
    /// The number of positions.
    pub positions: u64,
    /// The number of games.
    pub games: u64,
    /// How the positions were made.
    pub provenance: String,
}

impl PositionSetHeader {
    /// The header of an empty set.
    pub(super) fn of<G: PositionGame>(block: usize, provenance: &str) -> PositionSetHeader {
        PositionSetHeader {
            game: G::NAME.to_owned(),
            packing: G::PACKING.to_owned(),
            encoding: G::ENCODING.name.to_owned(),
            entry: G::ENTRY,
            block,
            positions: 0,
            games: 0,
            provenance: provenance.to_owned(),
        }
    }

    /// The text. Its length does not depend on the counts: they are filled in when the file is complete.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let PositionSetHeader { game, packing, encoding, entry, block, positions, games, provenance } = self;
        format!(
            "{TITLE} {VERSION}\ngame {game}\npacking {packing}\nencoding {encoding}\nentry {entry}\nblock {block}\n\
             positions {positions:>12}\ngames {games:>12}\n{provenance}"
        )
        .into_bytes()
    }

    /// Reads a header. The error completes the sentence "this file …".
    pub fn parse(bytes: &[u8]) -> Result<PositionSetHeader, String> {
        let foreign = || FOREIGN.to_owned();
        let text = std::str::from_utf8(bytes).map_err(|_| foreign())?;
        if text.starts_with(SAMPLES) {
            return Err("is a data set for weights; a network needs one made by `tesuji train data … --for net`".into());
        }
        let mut lines = text.splitn(9, '\n');
        let version = lines.next().and_then(|title| title.strip_prefix(TITLE)).ok_or_else(foreign)?.trim();
        if version != VERSION.to_string() {
            return Err(format!("is a set of positions of format {version}; this program reads format {VERSION}"));
        }
        let mut field = |name: &str| {
            let line = lines.next().ok_or_else(foreign)?;
            line.strip_prefix(name).map(|value| value.trim().to_owned()).ok_or_else(foreign)
        };
        let (game, packing, encoding) = (field("game ")?, field("packing ")?, field("encoding ")?);
        let number = |text: String| text.parse::<u64>().map_err(|_| foreign());
        let (entry, block) = (number(field("entry ")?)? as usize, number(field("block ")?)? as usize);
        let (positions, games) = (number(field("positions ")?)?, number(field("games ")?)?);
        let provenance = lines.next().unwrap_or_default().to_owned();
        if block == 0 {
            return Err(foreign());
        }
        Ok(PositionSetHeader { game, packing, encoding, entry, block, positions, games, provenance })
    }

    /// Checks that the positions and labels are those of a game. The error completes the sentence "this file …".
    pub(super) fn check<G: PositionGame>(&self) -> Result<(), String> {
        let fields = [
            (&self.game, G::NAME, "positions of"),
            (&self.packing, G::PACKING, "positions packed as"),
            (&self.encoding, G::ENCODING.name, "labels of"),
        ];
        for (found, wanted, what) in fields {
            if found != wanted {
                return Err(format!("holds {what} {found}; {wanted} is needed"));
            }
        }
        if self.entry != G::ENTRY {
            return Err(format!("has entries of {} bytes; those of {} have {}", self.entry, G::NAME, G::ENTRY));
        }
        Ok(())
    }
}

/// What is said about a file that is no set of positions.
pub(super) const FOREIGN: &str = "is not a data set of positions: give one made by `tesuji train data` or \
                                  `tesuji selfplay`";

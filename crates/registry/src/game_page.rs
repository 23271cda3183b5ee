//! What a page that offers a game needs to know about it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{HighlightName, LevelInfo, Playable, Registration};

/// A game as a page offers it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GamePage {
    /// The name of the game in requests.
    pub game: String,
    /// Its name for people.
    pub title: String,
    /// The game in a few words.
    pub about: String,
    /// The game that this is a variant of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant_of: Option<String>,
    /// What the players are called, the first mover first.
    pub players: [String; 2],
    /// The unit of values.
    pub unit: String,
    /// The record formats, the default first.
    pub formats: Vec<FormatPage>,
    /// The engines.
    pub engines: Vec<EnginePage>,
    /// The engine that plays when nobody asks for another.
    pub default_engine: String,
    /// The levels of play, from 1 (first steps) to 10 (full strength).
    pub levels: Vec<LevelPage>,
    /// Its capabilities in words.
    pub supports: Vec<String>,
    /// Its capabilities for programs.
    pub capabilities: GameCapabilities,
}

/// A record format.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FormatPage {
    /// Its name.
    pub name: String,
    /// What it is.
    pub about: String,
    /// The usual ending of file names.
    pub extension: String,
    /// Whether it is text.
    pub text: bool,
    /// Whether it keeps values, times and comments.
    pub notes: bool,
    /// Whether it keeps variations.
    pub variations: bool,
}

/// An engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EnginePage {
    /// Its name in a spec.
    pub name: String,
    /// How it plays.
    pub about: String,
    /// Its settings.
    pub settings: Vec<SettingPage>,
}

/// A level of play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LevelPage {
    /// Its number, from 1.
    pub level: usize,
    /// Its name: `beginner`.
    pub name: String,
    /// What it means, in plain words.
    pub about: String,
    /// The engine spec that plays at this level.
    pub engine: String,
    /// The rating in Elo from matches between the levels, with level 1 at 0; absent where it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<i32>,
}

impl From<LevelInfo> for LevelPage {
    fn from(info: LevelInfo) -> LevelPage {
        let LevelInfo { level, name, about, engine, rating, .. } = info;
        LevelPage { level, name, about, engine, rating }
    }
}

/// A setting of an engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SettingPage {
    /// Its name in a spec.
    pub key: String,
    /// What it does.
    pub about: String,
}

/// What can be done with a game beyond playing it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GameCapabilities {
    /// Positions can be set up on a board.
    pub editor: bool,
    /// The whole game can be solved into a tablebase.
    pub tablebase: bool,
    /// Endgames are solved exactly.
    pub endgame: bool,
    /// Mates are searched.
    pub mates: bool,
    /// It ends with a score.
    pub margin: bool,
    /// The mover may declare a win.
    pub claims: bool,
    /// Puzzles ship.
    pub puzzles: bool,
    /// A network ships, or can be used.
    pub networks: bool,
    /// What the highlights of a board are.
    pub highlights: Option<HighlightName>,
    /// The words of the country where it is at home.
    pub native: Option<NativePage>,
}

/// The words of the country where a game is at home.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct NativePage {
    /// The language.
    pub language: String,
    /// The names of the players.
    pub players: [String; 2],
    /// Labels of the rows, top to bottom.
    pub rows: Vec<String>,
}

/// Engines that are nothing without a network, and cannot be chosen where none ships.
const NETWORK_ENGINES: [&str; 2] = ["policy", "value1"];

/// What a page needs to know.
pub trait PageApi {
    /// The game as a page offers it.
    fn page(&self) -> GamePage;
}

impl<G: Playable> PageApi for Registration<G> {
    fn page(&self) -> GamePage {
        let info = crate::InfoApi::info(self);
        let words = |text: &str| text.to_owned();
        GamePage {
            title: title(G::NAME),
            variant_of: G::NAME.split_once('-').map(|(game, _)| game.to_owned()),
            formats: G::FORMATS
                .iter()
                .map(|format| FormatPage {
                    name: words(format.name),
                    about: words(format.about),
                    extension: words(format.extensions.first().unwrap_or(&"txt")),
                    text: G::head(*format, 0).is_empty(),
                    notes: format.keeps_notes,
                    variations: G::keeps_variations(*format),
                })
                .collect(),
            engines: self
                .engines
                .kinds
                .iter()
                .filter(|kind| self.engines.has_network || !NETWORK_ENGINES.contains(&kind.name))
                .map(|kind| EnginePage {
                    name: words(kind.name),
                    about: words(kind.about),
                    settings: kind
                        .settings
                        .iter()
                        .map(|setting| SettingPage { key: words(setting.key), about: words(setting.about) })
                        .collect(),
                })
                .collect(),
            levels: info.levels.into_iter().map(LevelPage::from).collect(),
            capabilities: GameCapabilities {
                editor: self.compose.is_some(),
                tablebase: self.tablebase.is_some(),
                endgame: self.endgame.is_some(),
                mates: self.mates.is_some(),
                margin: self.counting.is_some(),
                claims: self.claim.is_some(),
                puzzles: crate::PuzzleApi::has_puzzles(self),
                networks: self.networks.is_some(),
                highlights: G::HIGHLIGHTS.map(HighlightName::from),
                native: G::native().map(|native| NativePage {
                    language: words(native.language),
                    players: native.players.map(words),
                    rows: native.rows.iter().map(|row| words(row)).collect(),
                }),
            },
            game: info.game,
            about: info.about,
            players: info.players,
            unit: info.unit,
            default_engine: info.default_engine,
            supports: info.supports,
        }
    }
}

/// `Trax 8x8` of `trax-8x8`.
fn title(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    first + &letters.as_str().replace('-', " ")
}

//! What a data set says of itself, as lines of text.

use crate::Model;

const TITLE: &str = "tesuji-samples";
const VERSION: u32 = 1;

/// The head of a data set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// The kind of its positions: the game and the bytes of one.
    pub positions: String,
    /// How many samples it has.
    pub count: u64,
    /// How it came about.
    pub story: String,
}

/// The kind of a model's positions. Features may change and the positions stay, so it names only the game.
pub(super) fn positions<M: Model>(model: &M) -> String {
    let game = model.name().split('/').next().unwrap_or_default();
    format!("{game}/{}", M::BYTES)
}

impl Head {
    pub(super) fn bytes(&self) -> Vec<u8> {
        let Head { positions, count, story } = self;
        format!("{TITLE} {VERSION}\n{positions}\n{count}\n{story}").into_bytes()
    }

    /// Reads a head, or says what it is instead.
    pub(super) fn parse(bytes: &[u8]) -> Result<Head, String> {
        let none =
            || "is no data set: one made by `tesuji train data` or `tesuji selfplay` is needed".to_owned();
        let text = std::str::from_utf8(bytes).map_err(|_| none())?;
        let mut parts = text.splitn(4, '\n');
        let title = parts.next().and_then(|title| title.strip_prefix(TITLE)).ok_or_else(none)?;
        if title.trim_start() != VERSION.to_string() {
            return Err(format!("is a data set of format{title}; this program reads format {VERSION}"));
        }
        let (Some(positions), Some(count), Some(story)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(none());
        };
        let count = count.parse().map_err(|_| none())?;
        Ok(Head { positions: positions.to_owned(), count, story: story.to_owned() })
    }
}

//! Names of tags that CSA and KIF share beyond those of all games.

/// When the game ended, as the source writes it.
pub(super) const END: &str = "end";
/// The opening, as the source calls it.
pub(super) const OPENING: &str = "opening";

/// A tag's value on one line.
pub(super) fn flat(value: &str) -> String {
    value.replace(['\n', '\r'], " ").trim().to_owned()
}

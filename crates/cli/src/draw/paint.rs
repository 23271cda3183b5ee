//! Colours of the 256-colour terminal palette.

/// An index into the palette.
pub(crate) type Hue = u8;

pub(crate) const BLACK: Hue = 16;
pub(crate) const WHITE: Hue = 231;
pub(crate) const RED: Hue = 160;
pub(crate) const GREY: Hue = 244;
pub(crate) const SLATE: Hue = 236;
pub(crate) const GOLD: Hue = 220;
/// Two shades each: neighbouring squares differ without lines.
pub(crate) const FELT: [Hue; 2] = [28, 22];
pub(crate) const WOOD: [Hue; 2] = [180, 179];
/// A wooden piece on a wooden board.
pub(crate) const PIECE: Hue = 223;
/// The square of the last move.
pub(crate) const FELT_LAST: Hue = 100;
pub(crate) const WOOD_LAST: Hue = 215;
/// The square of the selected move.
pub(crate) const PICKED: Hue = 75;
/// Where the selected piece may go.
pub(crate) const TARGET: Hue = 114;
/// The cells that won the game.
pub(crate) const WINNING: Hue = 34;

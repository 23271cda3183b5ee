//! Colours of the 256-colour terminal palette, and a line built of coloured pieces.

use std::fmt::Write;

/// An index into the palette.
pub(crate) type Hue = u8;

pub(crate) const BLACK: Hue = 16;
pub(crate) const WHITE: Hue = 231;
pub(crate) const RED: Hue = 160;
pub(crate) const GREY: Hue = 244;
pub(crate) const SLATE: Hue = 236;
pub(crate) const GOLD: Hue = 220;
/// Two shades each, so that neighbouring squares can be told apart without lines.
pub(crate) const FELT: [Hue; 2] = [28, 22];
pub(crate) const WOOD: [Hue; 2] = [180, 179];
/// The square of the last move.
pub(crate) const FELT_LAST: Hue = 100;
pub(crate) const WOOD_LAST: Hue = 215;

/// Appends `text` in these colours.
pub(crate) fn paint(line: &mut String, text: &str, ink: Hue, ground: Hue) {
    // Writing to a string cannot fail.
    let _ = write!(line, "\x1b[38;5;{ink};48;5;{ground}m{text}");
}

/// Back to the terminal's own colours.
pub(crate) fn plain(line: &mut String) {
    line.push_str("\x1b[0m");
}

//! A board as lines of coloured text, for plain output and for the full screen.

use std::fmt::Write;

use super::hits::Hits;
use super::paint::Hue;

/// Lines of coloured text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Picture {
    /// From the top.
    pub(crate) lines: Vec<Vec<Stroke>>,
    /// Where its cells and pieces in hand are.
    pub(crate) hits: Hits,
    line: Vec<Stroke>,
}

/// Text in one colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Stroke {
    pub(crate) text: String,
    /// Foreground and background; the terminal's own when absent.
    pub(crate) colors: Option<(Hue, Hue)>,
    pub(crate) highlight: Highlight,
}

/// Why a text is highlighted, for output without colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Highlight {
    /// Nothing.
    None,
    /// The last move.
    Last,
    /// The selected move.
    Picked,
    /// Where the selected piece may go.
    Target,
    /// Cells that won the game.
    Winning,
}

impl Picture {
    /// Appends text in the terminal's own colours.
    pub(crate) fn write(&mut self, text: &str) {
        self.highlight(text, Highlight::None);
    }

    /// Appends highlighted text in the terminal's own colours.
    pub(crate) fn highlight(&mut self, text: &str, highlight: Highlight) {
        match self.line.last_mut() {
            Some(last) if last.colors.is_none() && last.highlight == highlight => last.text.push_str(text),
            _ => self.line.push(Stroke { text: text.to_owned(), colors: None, highlight }),
        }
    }

    /// Appends text in these colours.
    pub(crate) fn paint(&mut self, text: &str, ink: Hue, ground: Hue) {
        let colors = Some((ink, ground));
        match self.line.last_mut() {
            Some(last) if last.colors == colors => last.text.push_str(text),
            _ => self.line.push(Stroke { text: text.to_owned(), colors, highlight: Highlight::None }),
        }
    }

    /// Appends a column of two pixels, the upper and the lower, in these colours on the ground.
    pub(crate) fn pixels(&mut self, upper: Hue, lower: Hue, ground: Hue) {
        match (upper == ground, lower == ground) {
            (true, true) => self.paint(" ", ground, ground),
            (true, false) => self.paint("▄", lower, ground),
            (false, true) => self.paint("▀", upper, ground),
            (false, false) if upper == lower => self.paint("█", upper, ground),
            (false, false) => self.paint("▀", upper, lower),
        }
    }

    /// Ends the line.
    pub(crate) fn end_line(&mut self) {
        self.lines.push(std::mem::take(&mut self.line));
    }

    /// The picture as text with escape sequences. Trailing blanks without a colour are removed.
    pub(crate) fn ansi(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            let mut colored = false;
            for stroke in line {
                // Writing to a string cannot fail.
                match stroke.colors {
                    Some((ink, ground)) => {
                        let _ = write!(text, "\x1b[38;5;{ink};48;5;{ground}m");
                    }
                    None if colored => text.push_str(RESET),
                    None => {}
                }
                colored = stroke.colors.is_some();
                text.push_str(&stroke.text);
            }
            if colored {
                text.push_str(RESET);
            } else {
                text.truncate(text.trim_end_matches(' ').len());
            }
            text.push('\n');
        }
        text
    }
}

/// Back to the terminal's own colours.
const RESET: &str = "\x1b[0m";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_end_with_their_line() {
        let mut picture = Picture::default();
        picture.write("a ");
        picture.paint("b ", 1, 2);
        picture.write("  ");
        picture.end_line();
        picture.write("c  ");
        picture.end_line();
        assert_eq!(picture.ansi(), "a \x1b[38;5;1;48;5;2mb \x1b[0m\nc\n");
    }
}

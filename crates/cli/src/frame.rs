//! What all pictures have in common: a title, lines across with what they stand for, marks along the bottom, and
//! colours that can be read by day and by night. SVG without any script.

use std::fmt::{Arguments, Display, Write};

/// The size of a picture and of its margins.
pub(crate) const WIDTH: f64 = 920.0;
pub(crate) const HEIGHT: f64 = 360.0;
pub(crate) const LEFT: f64 = 64.0;
pub(crate) const RIGHT: f64 = 16.0;
pub(crate) const TOP: f64 = 56.0;
pub(crate) const BOTTOM: f64 = 44.0;

const STYLE: &str = "text{font:13px system-ui,sans-serif;fill:#333}.t{font-size:16px;font-weight:600}\
.g{stroke:#8884;stroke-width:1}.z{stroke:#888;stroke-width:1}";
const BY_NIGHT: &str = "text{fill:#ddd}";

/// A picture in the making.
pub(crate) struct Frame(String);

impl Frame {
    /// An empty picture; what is drawn in it may have a style, and another by night.
    pub(crate) fn new(title: &str, [style, by_night]: [&str; 2]) -> Frame {
        Frame(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\
             <title>{0}</title><style>{STYLE}{style}@media(prefers-color-scheme:dark){{{BY_NIGHT}{by_night}}}</style>\
             <text class=\"t\" x=\"{LEFT}\" y=\"24\">{0}</text>\n",
            escape(title)
        ))
    }

    /// Draws anything.
    pub(crate) fn draw(&mut self, element: Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{element}");
    }

    /// A line across at a height, and what it stands for; a stronger one for nothing.
    pub(crate) fn rule(&mut self, height: f64, label: impl Display, nothing: bool) {
        self.draw(format_args!(
            "<line class=\"{}\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{height:.1}\" y2=\"{height:.1}\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            if nothing { 'z' } else { 'g' },
            WIDTH - RIGHT,
            LEFT - 8.0,
            height + 4.0
        ));
    }

    /// A mark along the bottom.
    pub(crate) fn mark(&mut self, at: f64, label: impl Display) {
        let low = HEIGHT - BOTTOM + 18.0;
        self.draw(format_args!("<text x=\"{at:.1}\" y=\"{low}\" text-anchor=\"middle\">{label}</text>"));
    }

    /// What is counted along the bottom.
    pub(crate) fn across(&mut self, what: &str) {
        let (right, low) = (WIDTH - RIGHT, HEIGHT - 8.0);
        self.draw(format_args!("<text x=\"{right}\" y=\"{low}\" text-anchor=\"end\">{what}</text>"));
    }

    /// The picture.
    pub(crate) fn svg(self) -> String {
        self.0 + "</svg>\n"
    }
}

/// Every how many of things that are so wide there is room for a mark.
pub(crate) fn step(wide: f64) -> usize {
    [1, 2, 5, 10, 20, 50, 100].into_iter().find(|&step| wide * step as f64 > 24.0).unwrap_or(200)
}

/// Text may have signs that mean something to a reader of SVG.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_written_in_a_picture_it_stays_one() {
        let mut frame = Frame::new("a < b & c", [".a{fill:red}", ".a{fill:blue}"]);
        frame.rule(100.0, "+1", true);
        frame.mark(200.0, 7);
        frame.across("plies");
        let svg = frame.svg();
        assert!(svg.contains("<title>a &lt; b &amp; c</title>") && svg.ends_with("</svg>\n"), "{svg}");
        assert!(svg.contains("dark){text{fill:#ddd}.a{fill:blue}}</style>"), "{svg}");
        assert_eq!((svg.matches("<text").count(), svg.matches("</text>").count()), (4, 4));
    }
}

//! The SVG toolkit: an SVG document under construction, with axes for plots. Colours follow the light or dark scheme of
//! the reader. No scripts.

use std::fmt::{Arguments, Display, Write};

use crate::html::escape;

/// The size of a plot and of its margins.
pub(crate) const WIDTH: f64 = 920.0;
pub(crate) const HEIGHT: f64 = 360.0;
pub(crate) const LEFT: f64 = 64.0;
pub(crate) const RIGHT: f64 = 16.0;
pub(crate) const TOP: f64 = 76.0;
pub(crate) const BOTTOM: f64 = 44.0;

/// The width of a chart within a page.
pub(crate) const CHART_WIDTH: f64 = 400.0;

const STYLE: &str = "text{font:13px system-ui,sans-serif;fill:#333}.t{font-size:16px;font-weight:600}\
.g{stroke:#8884;stroke-width:1}.z{stroke:#888;stroke-width:1}";
const DARK_STYLE: &str = "text{fill:#ddd}";

/// An SVG document under construction.
pub struct Svg(String);

impl Svg {
    /// A stand-alone plot with a title; `style` and `dark_style` are CSS for its elements.
    pub fn plot(title: &str, [style, dark_style]: [&str; 2]) -> Svg {
        Svg(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             viewBox=\"0 0 {WIDTH} {HEIGHT}\" style=\"max-width:100%;height:auto\" role=\"img\">\
             <title>{0}</title><style>{STYLE}{style}@media(prefers-color-scheme:dark){{{DARK_STYLE}{dark_style}}}</style>\
             <text class=\"t\" x=\"{LEFT}\" y=\"24\">{0}</text>\n",
            escape(title)
        ))
    }

    /// A chart within a page, whose style sheet has its classes.
    pub(crate) fn chart(height: f64, title: &str) -> Svg {
        Svg(format!(
            "<svg class=\"chart\" viewBox=\"0 0 {CHART_WIDTH} {height}\" role=\"img\" aria-label=\"{0}\"><title>{0}</title>",
            escape(title)
        ))
    }

    /// Adds an element.
    pub fn draw(&mut self, element: Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{element}");
    }

    /// Adds a line.
    pub(crate) fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        self.draw(format_args!(
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        ));
    }

    /// Adds a text.
    pub(crate) fn text(&mut self, class: &str, [x, y]: [f64; 2], text: &str) {
        self.draw(format_args!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escape(text)));
    }

    /// Adds a horizontal grid line of a plot with its label; the zero line is stronger.
    pub(crate) fn grid_line(&mut self, y: f64, label: impl Display, zero: bool) {
        self.line(if zero { "z" } else { "g" }, [LEFT, y], [WIDTH - RIGHT, y]);
        self.draw(format_args!("<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", LEFT - 8.0, y + 4.0));
    }

    /// Adds a label below the horizontal axis of a plot.
    pub(crate) fn tick(&mut self, x: f64, label: impl Display) {
        let y = HEIGHT - BOTTOM + 18.0;
        // At the edge a long number would be cut.
        let (x, anchor) = if x > WIDTH - 22.0 { (WIDTH - 2.0, "end") } else { (x, "middle") };
        self.draw(format_args!("<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"{anchor}\">{label}</text>"));
    }

    /// Adds the name of the horizontal axis of a plot.
    pub(crate) fn axis(&mut self, name: &str) {
        let (x, y) = (WIDTH - RIGHT, HEIGHT - 8.0);
        self.draw(format_args!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{}</text>", escape(name)));
    }

    /// Adds the name of the vertical axis of a plot.
    pub(crate) fn vertical_axis(&mut self, name: &str) {
        self.draw(format_args!("<text x=\"8\" y=\"{}\">{}</text>", TOP - 12.0, escape(name)));
    }

    /// Adds a legend of squares, by their classes and names, below the title of a plot.
    pub(crate) fn legend(&mut self, entries: &[(&str, &str)]) {
        for (index, (class, name)) in entries.iter().enumerate() {
            let x = legend_place(index);
            self.draw(format_args!(
                "<rect class=\"{class}\" x=\"{x}\" y=\"35\" width=\"12\" height=\"12\"/><text x=\"{}\" y=\"46\">{}</text>",
                x + 18.0,
                escape(name)
            ));
        }
    }

    /// Adds a line to the legend, at this place.
    pub(crate) fn line_legend(&mut self, class: &str, name: &str, place: usize) {
        let x = legend_place(place);
        self.draw(format_args!("<polyline class=\"{class}\" points=\"{x},41 {},41\"/>", x + 14.0));
        self.draw(format_args!("<text x=\"{}\" y=\"46\">{}</text>", x + 20.0, escape(name)));
    }

    /// Adds a dot to the legend, at this place.
    pub(crate) fn dot_legend(&mut self, class: &str, name: &str, place: usize) {
        let x = legend_place(place);
        self.draw(format_args!(
            "<circle class=\"{class}\" cx=\"{}\" cy=\"41\" r=\"5\"/><text x=\"{}\" y=\"46\">{}</text>",
            x + 6.0,
            x + 18.0,
            escape(name)
        ));
    }

    /// The finished document.
    pub fn finish(self) -> String {
        self.0 + "</svg>\n"
    }
}

/// Where an entry of a legend begins.
fn legend_place(index: usize) -> f64 {
    LEFT + 170.0 * index as f64
}

/// The distance of labels for slots of this width.
pub(crate) fn tick_step(slot: f64) -> usize {
    [1, 2, 5, 10, 20, 50, 100].into_iter().find(|&step| slot * step as f64 > 24.0).unwrap_or(200)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_gives_a_valid_document() {
        let mut svg = Svg::plot("a < b & c", [".a{fill:red}", ".a{fill:blue}"]);
        svg.grid_line(100.0, "+1", true);
        svg.tick(200.0, 7);
        svg.axis("plies");
        let svg = svg.finish();
        assert!(svg.contains("<title>a &lt; b &amp; c</title>") && svg.ends_with("</svg>\n"), "{svg}");
        assert!(svg.contains("dark){text{fill:#ddd}.a{fill:blue}}</style>"), "{svg}");
        assert_eq!((svg.matches("<text").count(), svg.matches("</text>").count()), (4, 4));
    }
}

//! Histograms on a logarithmic scale, with one bar per number.

use crate::grouped;
use crate::svg::{BOTTOM, HEIGHT, LEFT, RIGHT, Svg, TOP, WIDTH, tick_step};

/// A histogram to draw.
#[derive(Clone, Copy, Debug)]
pub struct Histogram<'h> {
    /// The title.
    pub title: &'h str,
    /// The name of the horizontal axis.
    pub axis: &'h str,
    /// The names of the bars of even and odd numbers, and of 0; without names all bars are alike.
    pub kinds: Option<[&'h str; 3]>,
    /// The counts, by number.
    pub counts: &'h [u64],
}

const STYLE: [&str; 2] = [".a{fill:#c0504d}.b{fill:#3b78b5}.c{fill:#999}", ".a{fill:#e07a76}.b{fill:#6aa9e6}"];

/// Powers of ten between the foot of the bars and 1, so that a single one is seen.
const FOOT: f64 = 0.3;

impl Histogram<'_> {
    /// The histogram as SVG.
    pub fn svg(&self) -> String {
        let most = self.counts.iter().copied().max().unwrap_or(1).max(10);
        let top = (most as f64).log10().ceil();
        let (width, high) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
        let slot = width / self.counts.len().max(1) as f64;
        let x = |value: usize| LEFT + slot * value as f64;
        let y = |count: f64| TOP + high * (1.0 - (count.log10().max(0.0) + FOOT) / (top + FOOT));
        let mut svg = Svg::plot(self.title, STYLE);
        for power in 0..=top as u32 {
            let short = match power {
                0..=2 => 10u64.pow(power).to_string(),
                3..=5 => format!("{}k", 10u64.pow(power - 3)),
                6..=8 => format!("{}M", 10u64.pow(power - 6)),
                _ => format!("{}G", 10u64.pow(power - 9)),
            };
            svg.grid_line(y(10f64.powi(power as i32)), short, false);
        }
        let step = tick_step(slot);
        for (value, &count) in self.counts.iter().enumerate() {
            if value.is_multiple_of(step) {
                svg.tick(x(value) + slot / 2.0, value);
            }
            if count > 0 {
                let class = match value {
                    0 if self.kinds.is_some() => 'c',
                    even if even % 2 == 0 && self.kinds.is_some() => 'a',
                    _ => 'b',
                };
                let (at, wide) = (y(count as f64), (slot - 0.6).max(0.6));
                svg.draw(format_args!(
                    "<rect class=\"{class}\" x=\"{:.2}\" y=\"{at:.1}\" width=\"{wide:.2}\" height=\"{:.1}\">\
                     <title>{value}: {}</title></rect>",
                    x(value),
                    TOP + high - at,
                    grouped(count)
                ));
            }
        }
        svg.line("z", [LEFT, TOP + high], [WIDTH - RIGHT, TOP + high]);
        svg.axis(self.axis);
        svg.vertical_axis("count");
        if let Some([even, odd, zero]) = self.kinds {
            svg.legend(&[("a", even), ("b", odd), ("c", zero)]);
        }
        svg.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_count_has_its_bar() {
        let counts = [3, 0, 1, 1_000_000, 0, 12];
        let histogram =
            Histogram { title: "a game", axis: "plies", kinds: Some(["lost", "won", "drawn"]), counts: &counts };
        let svg = histogram.svg();
        assert_eq!(svg.matches("<rect class").count(), 4 + 3);
        let bars = |class: char| svg.matches(&format!("<rect class=\"{class}\"")).count();
        assert_eq!(['a', 'b', 'c'].map(bars), [1 + 1, 2 + 1, 1 + 1]);
        assert!(
            svg.contains("<title>3: 1,000,000</title>") && svg.contains(">1M</text>") && svg.contains(">1k</text>"),
            "{svg}"
        );
        let empty = Histogram { counts: &[], ..histogram }.svg();
        assert!(!empty.contains("NaN") && !empty.contains("inf"), "{empty}");
    }
}

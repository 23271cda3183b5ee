//! Histograms as pictures: one bar for each number of plies, on a logarithmic scale, readable by day and by night.

use super::summary::grouped;
use crate::frame::{BOTTOM, Frame, HEIGHT, LEFT, RIGHT, TOP, WIDTH, step};

/// A histogram to draw.
pub(crate) struct Histogram<'h> {
    pub(crate) title: &'h str,
    /// What is counted along the bottom.
    pub(crate) across: &'h str,
    /// What the bars of even and of odd numbers are called, and the one of 0; without names all bars are alike.
    pub(crate) kinds: Option<[&'h str; 3]>,
    pub(crate) counts: &'h [u64],
}

const STYLE: [&str; 2] =
    [".a{fill:#c0504d}.b{fill:#3b78b5}.c{fill:#999}", ".a{fill:#e07a76}.b{fill:#6aa9e6}"];

impl Histogram<'_> {
    /// The picture as SVG.
    pub(crate) fn svg(&self) -> String {
        let most = self.counts.iter().copied().max().unwrap_or(1).max(10);
        let top = (most as f64).log10().ceil();
        let (room, high) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
        let slot = room / self.counts.len().max(1) as f64;
        let x = |value: usize| LEFT + slot * value as f64;
        let y = |count: f64| TOP + high * (1.0 - count.log10().max(0.0) / top);
        let mut frame = Frame::new(self.title, STYLE);
        for power in 0..=top as u32 {
            let short = match power {
                0..=5 => grouped(10u64.pow(power)),
                6..=8 => format!("{} M", 10u64.pow(power - 6)),
                _ => format!("{} G", 10u64.pow(power - 9)),
            };
            frame.rule(y(10f64.powi(power as i32)), short, false);
        }
        let step = step(slot);
        for (value, &count) in self.counts.iter().enumerate() {
            if value.is_multiple_of(step) {
                frame.mark(x(value) + slot / 2.0, value);
            }
            if count > 0 {
                let class = match value {
                    0 if self.kinds.is_some() => 'c',
                    even if even % 2 == 0 && self.kinds.is_some() => 'a',
                    _ => 'b',
                };
                let (at, wide) = (y(count as f64), (slot - 0.6).max(0.6));
                frame.draw(format_args!(
                    "<rect class=\"{class}\" x=\"{:.2}\" y=\"{at:.1}\" width=\"{wide:.2}\" height=\"{:.1}\">\
                     <title>{value}: {}</title></rect>",
                    x(value),
                    (TOP + high - at).max(0.8),
                    grouped(count)
                ));
            }
        }
        frame.across(self.across);
        if let Some(kinds) = self.kinds {
            for ((at, class), kind) in [(0.0, 'a'), (150.0, 'b'), (300.0, 'c')].into_iter().zip(kinds) {
                frame.draw(format_args!(
                    "<rect class=\"{class}\" x=\"{}\" y=\"34\" width=\"12\" height=\"12\"/>\
                     <text x=\"{}\" y=\"45\">{kind}</text>",
                    LEFT + at,
                    LEFT + at + 18.0
                ));
            }
        }
        frame.svg()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_count_has_its_bar() {
        let counts = [3, 0, 1, 1_000_000, 0, 12];
        let histogram = Histogram {
            title: "a game",
            across: "plies",
            kinds: Some(["lost", "won", "drawn"]),
            counts: &counts,
        };
        let svg = histogram.svg();
        assert_eq!(svg.matches("<rect class").count(), 4 + 3);
        let bars = |class: char| svg.matches(&format!("<rect class=\"{class}\"")).count();
        assert_eq!(['a', 'b', 'c'].map(bars), [1 + 1, 2 + 1, 1 + 1]);
        assert!(svg.contains("<title>3: 1,000,000</title>") && svg.contains(">1 M</text>"), "{svg}");
        let empty = Histogram { counts: &[], ..histogram }.svg();
        assert!(!empty.contains("NaN") && !empty.contains("inf"), "{empty}");
    }
}

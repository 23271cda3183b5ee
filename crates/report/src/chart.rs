//! Charts of the tournament report: ratings, histograms, curves and shares.

use crate::axis::{Axis, round_step};
use crate::grouped;
use crate::html::escape;
use crate::svg::{CHART_WIDTH, Svg};

/// A rating with its error.
pub(crate) struct Bar<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: f64,
    /// Half the width of the 95 % interval.
    pub(crate) error: Option<f64>,
    /// Whether the rating was regularised.
    pub(crate) held: bool,
    /// The colour of the player.
    pub(crate) hue: usize,
}

/// The curve of one player.
pub(crate) struct Curve<'a> {
    pub(crate) name: &'a str,
    /// The colour of the player.
    pub(crate) hue: usize,
    pub(crate) points: Vec<(f64, f64)>,
}

/// Ratings as points with error bars, the best at the top.
pub(crate) fn ratings(bars: &[Bar<'_>]) -> String {
    let (left, right, row) = (124.0, 46.0, 30.0);
    let reach = |bar: &Bar<'_>| bar.error.unwrap_or(0.0);
    let low = bars.iter().map(|bar| bar.value - reach(bar)).fold(0.0, f64::min);
    let high = bars.iter().map(|bar| bar.value + reach(bar)).fold(0.0, f64::max);
    let axis = Axis::of_counts(low, high, 4.0);
    let x = |value: f64| left + axis.share(value) * (CHART_WIDTH - left - right);
    let height = bars.len() as f64 * row + 44.0;
    let mut svg = Svg::chart(height, "Ratings in Elo with their 95 % intervals");
    for tick in axis.ticks() {
        svg.line(if tick == 0.0 { "zero" } else { "grid" }, [x(tick), 4.0], [x(tick), height - 36.0]);
        svg.text("tick mid", [x(tick), height - 22.0], &axis.signed_label(tick));
    }
    svg.text("tick mid", [f64::midpoint(left, CHART_WIDTH - right), height - 5.0], "Elo");
    for (index, bar) in bars.iter().enumerate() {
        let y = 18.0 + index as f64 * row;
        svg.text("name", [left - 12.0, y + 4.0], &short(bar.name, 14));
        if let Some(error) = bar.error {
            let (from, to) = (x(bar.value - error), x(bar.value + error));
            let class = format!("whisker h{}", bar.hue);
            svg.line(&class, [from, y], [to, y]);
            svg.line(&class, [from, y - 5.0], [from, y + 5.0]);
            svg.line(&class, [to, y - 5.0], [to, y + 5.0]);
        }
        let open = if bar.held { " open" } else { "" };
        svg.draw(format_args!(
            "<circle class=\"dot h{}{open}\" cx=\"{:.1}\" cy=\"{y:.1}\" r=\"5.5\"/>",
            bar.hue,
            x(bar.value)
        ));
        svg.text("tick", [CHART_WIDTH - right + 8.0, y + 4.0], &rounded(bar.value));
    }
    svg.finish()
}

/// The distribution of counts, in bins of a round width.
pub(crate) fn histogram(values: &[usize], title: &str, across: &str, up: &str) -> String {
    let (Some(&least), Some(&most)) = (values.iter().min(), values.iter().max()) else {
        return String::new();
    };
    let width = round_step((most - least + 1) as f64 / 24.0).max(1.0) as usize;
    let begin = least - least % width;
    let bins = (most - begin) / width + 1;
    let mut counts = vec![0usize; bins];
    for value in values {
        counts[(value - begin) / width] += 1;
    }
    let tallest = counts.iter().copied().max().unwrap_or(1).max(1);
    let axis = Axis::of_counts(0.0, tallest as f64, 4.0);
    let (left, height, top, floor) = (40.0, 206.0, 24.0, 160.0);
    let y = |count: f64| floor - axis.share(count) * (floor - top);
    let mut svg = Svg::chart(height, title);
    let slot = (CHART_WIDTH - left - 10.0) / bins as f64;
    for tick in axis.ticks() {
        svg.line(if tick == 0.0 { "zero" } else { "grid" }, [left, y(tick)], [CHART_WIDTH - 10.0, y(tick)]);
        svg.text("tick end", [left - 6.0, y(tick) + 4.0], &axis.label(tick));
    }
    // A label needs about thirty units of room; those of bins stand at their lower ends.
    let every = round_step((30.0 / slot).max(1.0) * width as f64) as usize;
    for (index, &count) in counts.iter().enumerate() {
        let x = left + index as f64 * slot;
        let first = begin + index * width;
        let label = if width == 1 { first.to_string() } else { format!("{first}–{}", first + width - 1) };
        let top = y(count as f64);
        svg.draw(format_args!("<rect class=\"column\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"2\"><title>{label} {across}: {count}</title></rect>",
            x + slot * 0.08,
            slot * 0.84,
            floor - top
        ));
        if first.is_multiple_of(every.max(1)) {
            let at = if width == 1 { x + slot / 2.0 } else { x };
            svg.text("tick mid", [at, floor + 16.0], &first.to_string());
        }
    }
    svg.text("tick mid", [f64::midpoint(left, CHART_WIDTH), height - 6.0], across);
    svg.text("tick", [4.0, 12.0], up);
    svg.finish()
}

/// Several curves over one axis.
pub(crate) fn lines(curves: &[Curve<'_>], title: &str, across: &str, up: &str) -> String {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let along = Axis::of_counts(0.0, points().map(|point| point.0).fold(1.0, f64::max), 5.0);
    let axis = Axis::holding(0.0, points().map(|point| point.1).fold(0.0, f64::max), 4.0);
    let (left, height, top, floor) = (52.0, 214.0, 24.0, 168.0);
    let x = |value: f64| left + along.share(value) * (CHART_WIDTH - left - 16.0);
    let y = |value: f64| floor - axis.share(value) * (floor - top);
    let mut svg = Svg::chart(height, title);
    for tick in axis.ticks() {
        svg.line(if tick == 0.0 { "zero" } else { "grid" }, [left, y(tick)], [CHART_WIDTH - 16.0, y(tick)]);
        svg.text("tick end", [left - 6.0, y(tick) + 4.0], &axis.label(tick));
    }
    for tick in along.ticks() {
        svg.text("tick mid", [x(tick), floor + 16.0], &along.label(tick));
    }
    for Curve { name, hue, points } in curves {
        let path: Vec<String> = points.iter().map(|&(at, value)| format!("{:.1},{:.1}", x(at), y(value))).collect();
        svg.draw(format_args!(
            "<polyline class=\"curve h{hue}\" points=\"{}\"><title>{}</title></polyline>",
            path.join(" "),
            escape(name)
        ));
    }
    svg.text("tick mid", [f64::midpoint(left, CHART_WIDTH), height - 6.0], across);
    svg.text("tick", [4.0, 12.0], up);
    svg.finish()
}

/// Counts as horizontal bars with percentages.
pub(crate) fn shares(parts: &[(String, usize)]) -> String {
    let sum: usize = parts.iter().map(|(_, count)| count).sum();
    let most = parts.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1);
    let row = 26.0;
    let mut svg = Svg::chart(parts.len() as f64 * row + 6.0, "How games ended");
    for (index, (name, count)) in parts.iter().enumerate() {
        let y = 4.0 + index as f64 * row;
        svg.text("name", [122.0, y + 14.0], &short(name, 18));
        let long = *count as f64 / most as f64 * (CHART_WIDTH - 232.0);
        svg.draw(format_args!(
            "<rect class=\"column\" x=\"134\" y=\"{y:.1}\" width=\"{:.1}\" height=\"18\" rx=\"3\"/>",
            long.max(2.0)
        ));
        let percent = 100.0 * *count as f64 / sum.max(1) as f64;
        svg.text("tick", [142.0 + long, y + 14.0], &format!("{} · {percent:.0} %", grouped(*count as u64)));
    }
    svg.finish()
}

/// A rating as a whole number with its sign; zero is never negative.
pub(crate) fn rounded(elo: f64) -> String {
    format!("{:+.0}", elo.round() + 0.0)
}

/// A name, truncated.
pub(crate) fn short(name: &str, letters: usize) -> String {
    if name.chars().count() <= letters {
        return name.to_owned();
    }
    name.chars().take(letters - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_is_not_negative() {
        assert_eq!([-0.4, 0.0, -12.6, 7.0].map(rounded), ["+0", "+0", "-13", "+7"]);
    }

    #[test]
    fn odd_figures_draw_finite_pictures() {
        let bar = |value, error| Bar { name: "<b>", value, error, held: false, hue: 0 };
        let pictures = [
            ratings(&[]),
            ratings(&[bar(0.0, None)]),
            ratings(&[bar(1e5, Some(1e5)), bar(-3.0, Some(0.0))]),
            histogram(&[], "lengths", "plies", "games"),
            histogram(&[7], "lengths", "plies", "games"),
            histogram(&[0, 100_000], "lengths", "plies", "games"),
            lines(&[], "times", "ply", "ms"),
            lines(&[Curve { name: "x", hue: 0, points: vec![(0.0, 0.0)] }], "times", "ply", "ms"),
            shares(&[]),
            shares(&[("<x>".to_owned(), 0)]),
        ];
        for picture in pictures {
            assert!(!picture.contains("NaN") && !picture.contains("inf") && !picture.contains("<b>"), "{picture}");
        }
    }
}

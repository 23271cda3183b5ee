//! Charts of the tournament report: ratings, histograms, curves and shares.

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
    let (left, right, row) = (170.0, 70.0, 30.0);
    let reach = |bar: &Bar<'_>| bar.error.unwrap_or(0.0);
    let low = bars.iter().map(|bar| bar.value - reach(bar)).fold(0.0, f64::min);
    let high = bars.iter().map(|bar| bar.value + reach(bar)).fold(0.0, f64::max);
    let (low, high, step) = ticks(low, high);
    let x = |value: f64| left + (value - low) / (high - low) * (CHART_WIDTH - left - right);
    let height = bars.len() as f64 * row + 34.0;
    let mut svg = Svg::chart(height, "Ratings with their 95 % intervals");
    let mut tick = low;
    while tick <= high + step / 2.0 {
        let class = if tick.abs() < step / 2.0 { "zero" } else { "grid" };
        svg.line(class, [x(tick), 4.0], [x(tick), height - 24.0]);
        svg.text("tick mid", [x(tick), height - 8.0], &format!("{tick:+.0}"));
        tick += step;
    }
    for (index, bar) in bars.iter().enumerate() {
        let y = 18.0 + index as f64 * row;
        svg.text("name", [left - 14.0, y + 4.0], &short(bar.name, 22));
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
        svg.text("tick", [CHART_WIDTH - right + 14.0, y + 4.0], &format!("{:+.0}", bar.value));
    }
    svg.finish()
}

/// The distribution of values, in bins.
pub(crate) fn histogram(values: &[usize], unit: &str) -> String {
    let (Some(&least), Some(&most)) = (values.iter().min(), values.iter().max()) else {
        return String::new();
    };
    let width = (most - least + 1).div_ceil(24).max(1);
    let begin = least - least % width;
    let bins = (most - begin) / width + 1;
    let mut counts = vec![0usize; bins];
    for value in values {
        counts[(value - begin) / width] += 1;
    }
    let tallest = counts.iter().copied().max().unwrap_or(1).max(1);
    let (left, height, floor) = (34.0, 190.0, 150.0);
    let mut svg = Svg::chart(height, "How long games lasted");
    let slot = (CHART_WIDTH - left - 10.0) / bins as f64;
    for share in [0.0, 0.5, 1.0] {
        let y = floor - share * (floor - 14.0);
        svg.line(if share == 0.0 { "zero" } else { "grid" }, [left, y], [CHART_WIDTH - 10.0, y]);
        svg.text("tick end", [left - 6.0, y + 4.0], &format!("{:.0}", share * tallest as f64));
    }
    let every = bins.div_ceil(12);
    for (index, count) in counts.iter().enumerate() {
        let tall = *count as f64 / tallest as f64 * (floor - 14.0);
        let x = left + index as f64 * slot;
        let first = begin + index * width;
        let label = if width == 1 { first.to_string() } else { format!("{first}–{}", first + width - 1) };
        svg.draw(format_args!("<rect class=\"column\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{tall:.1}\" rx=\"2\"><title>{label} {unit}: {count}</title></rect>",
            x + slot * 0.08,
            floor - tall,
            slot * 0.84
        ));
        if index % every == 0 {
            svg.text("tick mid", [x + slot / 2.0, floor + 16.0], &first.to_string());
        }
    }
    svg.text("tick mid", [(left + CHART_WIDTH) / 2.0, height - 6.0], unit);
    svg.finish()
}

/// Several curves over one axis.
pub(crate) fn lines(curves: &[Curve<'_>], across: &str, up: &str) -> String {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let far = points().map(|point| point.0).fold(1.0, f64::max);
    let (_, high, step) = ticks(0.0, points().map(|point| point.1).fold(0.0, f64::max));
    let (left, height, floor) = (58.0, 210.0, 164.0);
    let x = |value: f64| left + value / far * (CHART_WIDTH - left - 16.0);
    let y = |value: f64| floor - value / high * (floor - 14.0);
    let mut svg = Svg::chart(height, &format!("{up} over {across}"));
    let mut tick = 0.0;
    while tick <= high + step / 2.0 {
        svg.line(if tick == 0.0 { "zero" } else { "grid" }, [left, y(tick)], [CHART_WIDTH - 16.0, y(tick)]);
        svg.text("tick end", [left - 6.0, y(tick) + 4.0], &brief(tick));
        tick += step;
    }
    for quarter in 0..=4 {
        let at = (far * f64::from(quarter) / 4.0).round();
        svg.text("tick mid", [x(at), floor + 16.0], &brief(at));
    }
    for Curve { name, hue, points } in curves {
        let path: Vec<String> = points.iter().map(|&(at, value)| format!("{:.1},{:.1}", x(at), y(value))).collect();
        svg.draw(format_args!(
            "<polyline class=\"curve h{hue}\" points=\"{}\"><title>{}</title></polyline>",
            path.join(" "),
            escape(name)
        ));
    }
    svg.text("tick mid", [(left + CHART_WIDTH) / 2.0, height - 6.0], across);
    svg.text("tick", [4.0, 10.0], up);
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
        svg.text("name", [156.0, y + 15.0], &short(name, 22));
        let long = *count as f64 / most as f64 * (CHART_WIDTH - 290.0);
        svg.draw(format_args!(
            "<rect class=\"column\" x=\"170\" y=\"{y:.1}\" width=\"{:.1}\" height=\"18\" rx=\"3\"/>",
            long.max(2.0)
        ));
        let percent = 100.0 * *count as f64 / sum.max(1) as f64;
        svg.text("tick", [178.0 + long, y + 14.0], &format!("{count} · {percent:.0} %"));
    }
    svg.finish()
}

/// Round ends and step of an axis that covers both values.
fn ticks(low: f64, high: f64) -> (f64, f64, f64) {
    let span = (high - low).max(1e-9);
    let rough = span / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|digit| digit * power)
        .find(|step| *step >= rough)
        .unwrap_or(power * 10.0);
    ((low / step).floor() * step, (high / step).ceil().max(1.0) * step, step)
}

fn brief(value: f64) -> String {
    if value >= 1e6 {
        format!("{:.1}M", value / 1e6)
    } else if value >= 1e4 {
        format!("{:.0}k", value / 1e3)
    } else if value.fract() == 0.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.2}").trim_end_matches('0').to_owned()
    }
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
    fn axes_hold_their_values_in_few_round_steps() {
        for (low, high) in [(0.0, 0.0), (-3.0, 7.0), (-1200.0, 1200.0), (0.0, 0.013), (0.0, 9_999_999.0), (-0.5, 0.0)] {
            let (from, to, step) = ticks(low, high);
            assert!(from <= low && high <= to && step > 0.0, "{low} {high}: {from} {to} {step}");
            assert!((to - from) / step < 12.0, "{low} {high}: {from} {to} {step}");
        }
    }

    #[test]
    fn odd_figures_draw_finite_pictures() {
        let bar = |value, error| Bar { name: "<b>", value, error, held: false, hue: 0 };
        let pictures = [
            ratings(&[]),
            ratings(&[bar(0.0, None)]),
            ratings(&[bar(1e5, Some(1e5)), bar(-3.0, Some(0.0))]),
            histogram(&[], "plies"),
            histogram(&[7], "plies"),
            histogram(&[0, 100_000], "plies"),
            lines(&[], "ply", "ms"),
            lines(&[Curve { name: "x", hue: 0, points: vec![(0.0, 0.0)] }], "ply", "ms"),
            shares(&[]),
            shares(&[("<x>".to_owned(), 0)]),
        ];
        for picture in pictures {
            assert!(!picture.contains("NaN") && !picture.contains("inf") && !picture.contains("<b>"), "{picture}");
        }
    }
}

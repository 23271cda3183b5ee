//! The course of a game as a picture: a bar for each ply, up when the first player is better, and a mark where a move
//! gave something away.

use std::fmt::Write;

use tesuji_game::Side;
use tesuji_search::Value;

/// A move of the game.
pub(super) struct Point {
    /// What it is called.
    pub(super) name: String,
    /// Whose it was.
    pub(super) mover: Side,
    /// What it gave away.
    pub(super) loss: i32,
}

const WIDTH: f64 = 920.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 40.0;
/// The largest estimate that the picture has room for may be less than this only if all are.
const LEAST: f64 = 100.0;
/// Losses from this share of the height on are marked.
const MARKED: f64 = 0.1;

const STYLE: &str = "text{font:13px system-ui,sans-serif;fill:#333}.t{font-size:16px;font-weight:600}\
.g{stroke:#8884;stroke-width:1}.z{stroke:#888;stroke-width:1}.a{fill:#333}.b{fill:#b9b9b9;stroke:#888;stroke-width:.5}\
.l{fill:#c0504d}@media(prefers-color-scheme:dark){text{fill:#ddd}.a{fill:#8a8a8a}.b{fill:#eee}.l{fill:#e07a76}}";

/// The picture as SVG: `values` are seen by the first player, `names` are the players'.
pub(super) fn plot(values: &[Value], points: &[Point], names: [&str; 2], unit: &str) -> String {
    let estimates = values.iter().filter(|value| !value.is_proven());
    let most = estimates.map(|value| f64::from(value.get()).abs()).fold(LEAST, f64::max) * 1.1;
    let (room, half) = (WIDTH - LEFT - RIGHT, (HEIGHT - TOP - BOTTOM) / 2.0);
    let middle = TOP + half;
    let slot = room / values.len().max(1) as f64;
    let height = |value: &Value| match value.proven() {
        Some(_) => f64::from(value.get().signum()) * half,
        None => f64::from(value.get()) / most * half,
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\
         <title>the course of the game</title><style>{STYLE}</style>\
         <text class=\"t\" x=\"{LEFT}\" y=\"24\">{} above, {} below, in {unit}; dots: what a move gave away</text>\n",
        names[0], names[1]
    );
    for part in [-1.0, -0.5, 0.0, 0.5, 1.0] {
        let (at, class) = (middle - part * half, if part == 0.0 { 'z' } else { 'g' });
        let _ = writeln!(
            svg,
            "<line class=\"{class}\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{:+.0}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 4.0,
            part * most
        );
    }
    let step =
        [1, 2, 5, 10, 20, 50, 100].into_iter().find(|&step| slot * f64::from(step) > 24.0).unwrap_or(200);
    for (ply, (value, point)) in values.iter().zip(points).enumerate() {
        let (x, high) = (LEFT + slot * ply as f64, height(value));
        let (top, wide) = (middle - high.max(0.0), (slot - 1.0).max(0.6));
        let class = if point.mover == Side::First { 'a' } else { 'b' };
        let _ = writeln!(
            svg,
            "<rect class=\"{class}\" x=\"{x:.2}\" y=\"{top:.1}\" width=\"{wide:.2}\" height=\"{:.1}\">\
             <title>{}: {value}, gave away {}</title></rect>",
            high.abs().max(0.8),
            escape(&point.name),
            point.loss
        );
        if f64::from(point.loss) > most * MARKED {
            let end = middle - high;
            let _ = writeln!(
                svg,
                "<circle class=\"l\" cx=\"{:.2}\" cy=\"{end:.1}\" r=\"{:.1}\"><title>{}: gave away {}</title></circle>",
                x + wide / 2.0,
                2.0 + 5.0 * (f64::from(point.loss) / most).min(1.0),
                escape(&point.name),
                point.loss
            );
        }
        if (ply + 1) % step as usize == 0 {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                x + wide / 2.0,
                HEIGHT - BOTTOM + 18.0,
                ply + 1
            );
        }
    }
    svg + "</svg>\n"
}

/// Moves may be written with signs that mean something to a reader of SVG.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_has_a_bar_and_every_mistake_a_dot() {
        let values = [Value::estimate(0), Value::estimate(200), Value::estimate(-600), Value::win(3)];
        let points: Vec<Point> = [0, 30, 800, 0]
            .into_iter()
            .zip([Side::First, Side::Second].into_iter().cycle())
            .map(|(loss, mover)| Point { name: "<&".to_owned(), mover, loss })
            .collect();
        let svg = plot(&values, &points, ["black", "white"], "discs");
        assert_eq!((svg.matches("<rect").count(), svg.matches("<circle").count()), (4, 1));
        assert!(svg.contains("&lt;&amp;: win in 3") && !svg.contains("NaN"), "{svg}");
        let empty = plot(&[], &[], ["black", "white"], "discs");
        assert!(!empty.contains("NaN") && !empty.contains("inf"), "{empty}");
    }
}

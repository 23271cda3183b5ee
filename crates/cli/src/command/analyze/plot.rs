//! The course of a game as a picture: a bar for each ply, up when the first player is better, and a mark where a move
//! gave something away.

use tesuji_game::Side;
use tesuji_search::Value;

use crate::frame::{BOTTOM, Frame, HEIGHT, LEFT, RIGHT, TOP, WIDTH, escape, step};

/// A move of the game.
pub(super) struct Point {
    /// What it is called.
    pub(super) name: String,
    /// Whose it was.
    pub(super) mover: Side,
    /// What it gave away.
    pub(super) loss: i32,
}

/// The largest estimate that the picture has room for may be less than this only if all are.
const LEAST: f64 = 100.0;
/// Losses from this share of the height on are marked.
const MARKED: f64 = 0.1;

const STYLE: [&str; 2] = [
    ".a{fill:#333}.b{fill:#b9b9b9;stroke:#888;stroke-width:.5}.l{fill:#c0504d}",
    ".a{fill:#8a8a8a}.b{fill:#eee}.l{fill:#e07a76}",
];

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
    let [above, below] = names;
    let title = format!("{above} above, {below} below, in {unit}; dots: what a move gave away");
    let mut frame = Frame::new(&title, STYLE);
    for part in [-1.0, -0.5, 0.0, 0.5, 1.0] {
        frame.rule(middle - part * half, format_args!("{:+.0}", part * most), part == 0.0);
    }
    let step = step(slot);
    for (ply, (value, point)) in values.iter().zip(points).enumerate() {
        let (x, high) = (LEFT + slot * ply as f64, height(value));
        let (top, wide) = (middle - high.max(0.0), (slot - 1.0).max(0.6));
        let class = if point.mover == Side::First { 'a' } else { 'b' };
        let (name, loss) = (escape(&point.name), point.loss);
        frame.draw(format_args!(
            "<rect class=\"{class}\" x=\"{x:.2}\" y=\"{top:.1}\" width=\"{wide:.2}\" height=\"{:.1}\">\
             <title>{name}: {value}, gave away {loss}</title></rect>",
            high.abs().max(0.8)
        ));
        if f64::from(loss) > most * MARKED {
            frame.draw(format_args!(
                "<circle class=\"l\" cx=\"{:.2}\" cy=\"{:.1}\" r=\"{:.1}\"><title>{name}: gave away {loss}</title></circle>",
                x + wide / 2.0,
                middle - high,
                2.0 + 5.0 * (f64::from(loss) / most).min(1.0)
            ));
        }
        if (ply + 1).is_multiple_of(step) {
            frame.mark(x + wide / 2.0, ply + 1);
        }
    }
    frame.svg()
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

//! The evaluation graph of a game: a bar per ply, upwards when the first player is better, and a dot where a move lost
//! value.

use tesuji_game::Side;

use crate::html::escape;
use crate::svg::{BOTTOM, HEIGHT, LEFT, RIGHT, Svg, TOP, WIDTH, tick_step};

/// A move with its evaluation.
#[derive(Clone, PartialEq, Debug)]
pub struct EvaluatedMove {
    /// The move as it is labelled.
    pub name: String,
    /// The side that played it.
    pub mover: Side,
    /// The value for the first player; infinite for a proven result.
    pub value: f64,
    /// The value as text.
    pub text: String,
    /// The value it lost.
    pub loss: i32,
}

/// The vertical scale covers at least this value.
const LEAST: f64 = 100.0;
/// Losses above this share of the scale get a dot.
const MARKED: f64 = 0.1;

const STYLE: [&str; 2] = [
    ".a{fill:#333}.b{fill:#b9b9b9;stroke:#888;stroke-width:.5}.l{fill:#c0504d}",
    ".a{fill:#8a8a8a}.b{fill:#eee}.l{fill:#e07a76}",
];

/// The graph of a game; `sides` are the names of the players, `unit` that of the values.
pub fn evaluation_plot(moves: &[EvaluatedMove], sides: [&str; 2], unit: &str) -> String {
    let estimates = moves.iter().map(|mv| mv.value.abs()).filter(|value| value.is_finite());
    let most = estimates.fold(LEAST, f64::max) * 1.1;
    let (width, half) = (WIDTH - LEFT - RIGHT, (HEIGHT - TOP - BOTTOM) / 2.0);
    let middle = TOP + half;
    let slot = width / moves.len().max(1) as f64;
    let [above, below] = sides;
    let title = format!("{above} above, {below} below, in {unit}; dots: value lost by a move");
    let mut svg = Svg::plot(&title, STYLE);
    for part in [-1.0, -0.5, 0.0, 0.5, 1.0] {
        svg.grid_line(middle - part * half, format_args!("{:+.0}", part * most), part == 0.0);
    }
    let step = tick_step(slot);
    for (ply, EvaluatedMove { name, mover, value, text, loss }) in moves.iter().enumerate() {
        let (x, high) = (LEFT + slot * ply as f64, (value / most).clamp(-1.0, 1.0) * half);
        let (top, wide) = (middle - high.max(0.0), (slot - 1.0).max(0.6));
        let class = if *mover == Side::First { 'a' } else { 'b' };
        let (name, text) = (escape(name), escape(text));
        svg.draw(format_args!(
            "<rect class=\"{class}\" x=\"{x:.2}\" y=\"{top:.1}\" width=\"{wide:.2}\" height=\"{:.1}\">\
             <title>{name}: {text}, lost {loss}</title></rect>",
            high.abs().max(0.8)
        ));
        if f64::from(*loss) > most * MARKED {
            svg.draw(format_args!(
                "<circle class=\"l\" cx=\"{:.2}\" cy=\"{:.1}\" r=\"{:.1}\"><title>{name}: lost {loss}</title></circle>",
                x + wide / 2.0,
                middle - high,
                2.0 + 5.0 * (f64::from(*loss) / most).min(1.0)
            ));
        }
        if (ply + 1).is_multiple_of(step) {
            svg.tick(x + wide / 2.0, ply + 1);
        }
    }
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_has_a_bar_and_every_mistake_a_dot() {
        let moves: Vec<EvaluatedMove> = [(0.0, 0), (200.0, 30), (-600.0, 800), (f64::INFINITY, 0)]
            .into_iter()
            .zip([Side::First, Side::Second].into_iter().cycle())
            .map(|((value, loss), mover)| {
                let text = if f64::is_infinite(value) { "win in 3".to_owned() } else { value.to_string() };
                EvaluatedMove { name: "<&".to_owned(), mover, value, text, loss }
            })
            .collect();
        let svg = evaluation_plot(&moves, ["black", "white"], "discs");
        assert_eq!((svg.matches("<rect").count(), svg.matches("<circle").count()), (4, 1));
        assert!(svg.contains("&lt;&amp;: win in 3") && !svg.contains("NaN"), "{svg}");
        let empty = evaluation_plot(&[], ["black", "white"], "discs");
        assert!(!empty.contains("NaN") && !empty.contains("inf"), "{empty}");
    }
}

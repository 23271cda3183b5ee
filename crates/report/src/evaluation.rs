//! The evaluation graph of a game: a bar per ply, upwards when the first player is better, and a dot where a move lost
//! value.

use tesuji_game::Side;
use tesuji_search::{UnitValue, ValueUnit};

use crate::axis::Axis;
use crate::html::escape;
use crate::svg::{BOTTOM, HEIGHT, LEFT, RIGHT, Svg, TOP, WIDTH, tick_step};

/// A move with its evaluation.
#[derive(Clone, PartialEq, Debug)]
pub struct EvaluatedMove {
    /// The move as it is labelled.
    pub name: String,
    /// The side that played it.
    pub mover: Side,
    /// The value for the first player.
    pub value: UnitValue,
    /// The value it lost, in the unit of the value.
    pub loss: f64,
}

/// The vertical scale covers at least this share of a decided game.
const LEAST: f64 = 1.0 / 16.0;
/// Losses above this share of the scale get a dot.
const MARKED: f64 = 0.1;

const STYLE: [&str; 2] = [
    ".a{fill:#333}.b{fill:#b9b9b9;stroke:#888;stroke-width:.5}.l{fill:#c0504d}",
    ".a{fill:#8a8a8a}.b{fill:#eee}.l{fill:#e07a76}",
];

/// The graph of a game; `sides` are the names of the players, `unit` that of the values.
pub fn evaluation_plot(moves: &[EvaluatedMove], sides: [&str; 2], unit: ValueUnit) -> String {
    // A win rate is even at 50.
    let even = if unit.is_rate() { 50.0 } else { 0.0 };
    let lead = |value: UnitValue| value.level() - even;
    let decided = f64::from(unit.decisive) - even;
    let estimates = moves.iter().filter(|mv| mv.value.number.is_some());
    let most = estimates.map(|mv| lead(mv.value).abs()).fold(decided * LEAST, f64::max).min(decided);
    let half_axis = Axis::holding(0.0, most, 3.0);
    let axis = Axis { low: -half_axis.high, ..half_axis };
    let (width, high) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    let y = |lead: f64| TOP + high * (1.0 - axis.share(lead));
    let slot = width / moves.len().max(1) as f64;
    let [first, second] = sides;
    let mut svg = Svg::plot(&format!("Value for {first} after each move, in {}", unit.name), STYLE);
    for tick in axis.ticks() {
        let label = if unit.is_rate() { axis.label(tick + even) } else { axis.signed_label(tick) };
        svg.grid_line(y(tick), label, tick == 0.0);
    }
    svg.legend(&[("a", &format!("after {first}'s move")), ("b", &format!("after {second}'s move"))]);
    svg.dot_legend("l", "the move lost value", 2);
    svg.vertical_axis(unit.name);
    svg.axis("ply");
    let step = tick_step(slot);
    for (ply, EvaluatedMove { name, mover, value, loss }) in moves.iter().enumerate() {
        let (x, wide) = (LEFT + slot * ply as f64, (slot - 1.0).max(0.6));
        // A proven result without a score fills its half.
        let lead = if value.number.is_none() { lead(*value).signum() * axis.high } else { lead(*value) };
        let end = y(lead.clamp(axis.low, axis.high));
        let class = if *mover == Side::First { 'a' } else { 'b' };
        let (name, text, lost) = (escape(name), escape(&value.with_unit()), unit.amount(*loss));
        svg.draw(format_args!(
            "<rect class=\"{class}\" x=\"{x:.2}\" y=\"{:.1}\" width=\"{wide:.2}\" height=\"{:.1}\">\
             <title>{name}: {text}, lost {lost}</title></rect>",
            end.min(y(0.0)),
            (end - y(0.0)).abs().max(0.8)
        ));
        if *loss > axis.high * MARKED {
            svg.draw(format_args!(
                "<circle class=\"l\" cx=\"{:.2}\" cy=\"{end:.1}\" r=\"{:.1}\"><title>{name}: lost {lost}</title></circle>",
                x + wide / 2.0,
                2.0 + 5.0 * (loss / axis.high).min(1.0)
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
    use tesuji_search::{Bound, Value};

    use super::*;

    const DISCS: ValueUnit =
        ValueUnit { name: "discs", steps: 100, decimals: 1, limit: 64, decisive: 64, decided_offset: None };

    fn moves(values: &[(Value, f64)]) -> Vec<EvaluatedMove> {
        let sides = [Side::First, Side::Second].into_iter().cycle();
        let read = |((value, loss), mover): ((Value, f64), Side)| EvaluatedMove {
            name: "<&".to_owned(),
            mover,
            value: DISCS.value(value, Bound::Exact, false),
            loss,
        };
        values.iter().copied().zip(sides).map(read).collect()
    }

    #[test]
    fn every_move_has_a_bar_and_every_mistake_a_dot() {
        let values =
            [(Value::DRAW, 0.0), (Value::estimate(200), 0.3), (Value::estimate(-600), 8.0), (Value::win(3), 0.0)];
        let svg = evaluation_plot(&moves(&values), ["black", "white"], DISCS);
        assert_eq!((svg.matches("<rect class").count(), svg.matches("<circle").count()), (4 + 2, 1 + 1));
        assert!(svg.contains("&lt;&amp;: win in 3") && svg.contains("+2.0 discs, lost 0.3"), "{svg}");
        assert!(svg.contains(">+6</text>") && svg.contains(">-2</text>") && !svg.contains("NaN"), "{svg}");
        let empty = evaluation_plot(&[], ["black", "white"], DISCS);
        assert!(!empty.contains("NaN") && !empty.contains("inf"), "{empty}");
    }

    #[test]
    fn win_rates_are_even_at_fifty() {
        let value = UnitValue { number: Some(72.0), ..UnitValue::even(ValueUnit::WIN_RATE) };
        let one = EvaluatedMove { name: "1. a".to_owned(), mover: Side::First, value, loss: 0.0 };
        let svg = evaluation_plot(&[one], ["x", "o"], ValueUnit::WIN_RATE);
        assert!(svg.contains(">50</text>") && svg.contains(">80</text>") && svg.contains("72.0 % wins"), "{svg}");
    }
}

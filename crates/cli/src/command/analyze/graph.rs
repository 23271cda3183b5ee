//! The values of a game as a bar chart of block characters: up is good for the first player.

use tesuji_registry::UnitValue;

/// Lines above the middle; as many are below.
const ROWS: i32 = 4;
/// The largest number of bars.
const WIDEST: usize = 72;

/// The chart of these values, one per ply and seen by the first player.
pub(super) fn graph(values: &[UnitValue], names: [&str; 2]) -> Vec<String> {
    // What is drawn upwards: a win rate is even at 50.
    let lead = |value: &UnitValue| value.level() - if value.unit.is_rate() { 50.0 } else { 0.0 };
    let is_decided = |value: &UnitValue| value.number.is_none();
    let estimates = values.iter().filter(|value| !is_decided(value));
    let most = estimates.map(|value| lead(value).abs()).fold(0.0, f64::max);
    let each = values.len().div_ceil(WIDEST).max(1);
    // Heights in half lines. A bar shows the last of its plies; any advantage is at least half a line high.
    let halves: Vec<i32> = values
        .chunks(each)
        .filter_map(|chunk| chunk.last())
        .map(|value| match lead(value) {
            0.0 => 0,
            lead if is_decided(value) => 2 * ROWS * lead.signum() as i32,
            lead => (lead.abs() / most * f64::from(2 * ROWS - 1)).ceil() as i32 * lead.signum() as i32,
        })
        .collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let row = |row: i32| {
        let name = match row {
            ROWS => names[0],
            row if row == -ROWS => names[1],
            _ => "",
        };
        let blocks: String = halves.iter().map(|&half| block(half, row)).collect();
        format!("{name:>width$} │{blocks}").trim_end().to_owned()
    };
    let above = (1..=ROWS).rev().map(row);
    let below = (1..=ROWS).map(|number| row(-number));
    above.chain(below).collect()
}

/// The block of a bar in a row: 1 is the first row above the middle, -1 the first below.
fn block(half: i32, row: i32) -> char {
    let inside = half * row.signum() - 2 * (row.abs() - 1);
    match (inside, row > 0) {
        (..=0, _) => ' ',
        (1, true) => '▄',
        (1, false) => '▀',
        _ => '█',
    }
}

#[cfg(test)]
mod tests {
    use tesuji_registry::{Outcome, ProvenOutcome, ValueUnit};

    use super::*;

    const LOST: ProvenOutcome = ProvenOutcome { outcome: Outcome::Loss, plies: Some(1) };

    fn estimate(number: f64) -> UnitValue {
        let unit = ValueUnit { decisive: 10, ..ValueUnit::WINS };
        UnitValue { number: Some(number), ..UnitValue::even(unit) }
    }

    #[test]
    fn bars_point_to_the_better_side() {
        let values = [0.0, 1.0, 7.0, -3.5, -7.0].map(estimate);
        let mut values = values.to_vec();
        values.push(UnitValue { number: None, proven: Some(LOST), ..estimate(0.0) });
        let lines = graph(&values, ["black", "white"]);
        assert_eq!(
            lines,
            [
                "black │  ▄",
                "      │  █",
                "      │  █",
                "      │ ▄█",
                "      │   ███",
                "      │   ███",
                "      │    ██",
                "white │    ▀█",
            ]
        );
    }

    #[test]
    fn any_length_fits() {
        for plies in [0, 1, 71, 72, 73, 500] {
            let lines = graph(&vec![estimate(0.5); plies], ["a", "b"]);
            assert_eq!(lines.len(), 8);
            assert!(lines.iter().all(|line| line.chars().count() <= WIDEST + 3));
        }
    }
}

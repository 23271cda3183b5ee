//! Values as people and scripts see them: in the unit of the game, with proven results marked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_game::Outcome;
use tesuji_search::{Bound, UnitValue, ValueUnit};

/// A value in the unit of its game, seen by the side to move unless it says otherwise.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ValueReport {
    /// The number; none for a proven win or loss without a score, and where an engine gave no value.
    pub value: Option<f64>,
    /// What it counts: `discs`, `centipawns`, `pieces`, `wins`, or `win %` for engines that count playouts.
    pub unit: String,
    /// The result, if it is certain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proven: Option<ProvenResult>,
    /// Absent for values that are no bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<ValueBound>,
    /// The same for texts and plots; absent where there is no value.
    #[serde(skip)]
    pub shown: Option<UnitValue>,
}

/// A result that needs no evaluation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ProvenResult {
    /// `win`, `draw` or `loss`.
    pub result: String,
    /// Plies to the end of the game, where the search counted them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u16>,
    /// The final score with best play, in games that end with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
}

/// How a value bounds the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ValueBound {
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

impl ValueReport {
    /// No value.
    pub(crate) fn none(unit: ValueUnit) -> ValueReport {
        ValueReport { unit: unit.name.to_owned(), ..ValueReport::default() }
    }

    /// For people, without the unit: `+1.5`, `+19 exact`, `win in 7`, `54.3 %`. Empty without a value.
    pub fn text(&self) -> String {
        self.shown.map_or_else(String::new, |value| value.to_string())
    }

    /// For people, with the unit: `+1.5 discs`.
    pub fn with_unit(&self) -> String {
        self.shown.map_or_else(String::new, UnitValue::with_unit)
    }
}

impl From<UnitValue> for ValueReport {
    fn from(value: UnitValue) -> ValueReport {
        ValueReport {
            value: value.number,
            unit: value.unit.name.to_owned(),
            proven: ProvenResult::of(value),
            bound: match value.bound {
                Bound::Exact => None,
                Bound::Lower => Some(ValueBound::Lower),
                Bound::Upper => Some(ValueBound::Upper),
            },
            shown: Some(value),
        }
    }
}

impl ProvenResult {
    pub(crate) fn of(value: UnitValue) -> Option<ProvenResult> {
        let proven = value.proven?;
        let result = match proven.outcome {
            Outcome::Win => "win",
            Outcome::Draw => "draw",
            Outcome::Loss => "loss",
        };
        let is_score = value.unit.decided_offset.is_some() && value.bound == Bound::Exact;
        let score = value.number.filter(|_| is_score).map(|score| score as i32);
        Some(ProvenResult { result: result.to_owned(), plies: proven.plies, score })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tesuji_engines::HasEngines;
    use tesuji_othello::Othello;
    use tesuji_search::Value;
    use tesuji_shogi::Shogi;

    use super::*;

    #[test]
    fn scripts_see_units_and_proofs() {
        let report = |value: UnitValue| serde_json::to_value(ValueReport::from(value)).unwrap();
        let (discs, pawns) = (Othello::UNIT, Shogi::UNIT);
        for (value, expected) in [
            (discs.value(Value::estimate(1930), Bound::Exact, false), json!({ "value": 19.3, "unit": "discs" })),
            (
                discs.value(Value::estimate(1900), Bound::Exact, true),
                json!({ "value": 19.0, "unit": "discs", "proven": { "result": "win", "score": 19 } }),
            ),
            (
                discs.value(Value::estimate(200), Bound::Lower, true),
                json!({ "value": 2.0, "unit": "discs", "proven": { "result": "win" }, "bound": "lower" }),
            ),
            (
                pawns.value(Value::loss(6), Bound::Exact, false),
                json!({ "value": null, "unit": "centipawns", "proven": { "result": "loss", "plies": 6 } }),
            ),
            (
                pawns.value(Value::DRAW, Bound::Exact, true),
                json!({ "value": 0.0, "unit": "centipawns", "proven": { "result": "draw" } }),
            ),
        ] {
            assert_eq!(report(value), expected, "{value:?}");
        }
    }
}

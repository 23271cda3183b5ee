//! The unit of a game's values. This is the only place where a [`Value`] becomes a number of discs or centipawns, and
//! the only place where it becomes text.

use std::fmt;
use std::ops::Neg;

use tesuji_game::Outcome;

use crate::{Bound, Proven, PvLine, Value};

/// The unit in which people and scripts see the values of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValueUnit {
    /// Its name, in the plural: `discs`.
    pub name: &'static str,
    /// The steps of a [`Value`] that make one.
    pub steps: i16,
    /// Decimals of an estimate in text.
    pub decimals: usize,
    /// The largest number with a meaning: 64 discs.
    pub limit: i16,
    /// From here on a game counts as decided. Proven results without a score count as much, where values are compared
    /// or drawn.
    pub decisive: i16,
    /// For games that end with a score: how many steps the values of finished games lie beyond all estimates.
    pub decided_offset: Option<i16>,
}

impl ValueUnit {
    /// The mean result, for games without another unit: +1 for a win, -1 for a loss.
    pub const WINS: ValueUnit =
        ValueUnit { name: "wins", steps: 1000, decimals: 3, limit: 1, decisive: 1, decided_offset: None };

    /// The win rate in per cent, which tree searches report.
    pub const WIN_RATE: ValueUnit =
        ValueUnit { name: "win %", steps: 1, decimals: 1, limit: 100, decisive: 100, decided_offset: None };

    /// The value of a line. A win rate has precedence over a value that was only computed from it.
    pub fn read<M>(self, line: &PvLine<M>) -> UnitValue {
        match line.rate {
            Some(rate) if !line.value.is_proven() => {
                let number = Some((rate * 1e4).round() / 1e2);
                let proven = line.solved.then(|| ProvenOutcome::of(line.value, None));
                UnitValue { unit: ValueUnit::WIN_RATE, number, proven, bound: line.bound }
            }
            Some(_) => ValueUnit::WIN_RATE.value(line.value, line.bound, line.solved),
            None => self.value(line.value, line.bound, line.solved),
        }
    }

    /// The value of a line in this unit, even if it is a win rate.
    pub fn estimate<M>(self, line: &PvLine<M>) -> UnitValue {
        let value = self.value(line.value, line.bound, line.solved);
        match line.rate {
            Some(rate) if self.name == ValueUnit::WINS.name && !line.value.is_proven() => {
                UnitValue { number: Some(2.0 * rate - 1.0), ..value }
            }
            _ => value,
        }
    }

    /// A value in this unit; `solved` if no evaluation went into it.
    pub fn value(self, value: Value, bound: Bound, solved: bool) -> UnitValue {
        let plies = |plies: u16| (plies < Value::FARTHEST).then_some(plies);
        let (number, proven) = match value.proven() {
            Some(Proven::Win(distance) | Proven::Loss(distance)) => {
                (None, Some(ProvenOutcome::of(value, plies(distance))))
            }
            None => {
                let steps = i32::from(value.get());
                let offset = self.decided_offset.map(i32::from).filter(|offset| steps.abs() > *offset);
                let number = f64::from(steps - offset.unwrap_or(0) * steps.signum()) / f64::from(self.steps);
                // An evaluation may extrapolate beyond what the game can give.
                let number = number.clamp(-f64::from(self.limit), f64::from(self.limit));
                (Some(number), (solved || offset.is_some()).then(|| ProvenOutcome::of(value, None)))
            }
        };
        // Some line reaches the end of the game and no estimate can beat its value: another may still have a higher score.
        let bound = match proven {
            Some(ProvenOutcome { outcome, plies: None }) if !solved && number.is_some() => match outcome {
                Outcome::Win => Bound::Lower,
                Outcome::Draw => bound,
                Outcome::Loss => Bound::Upper,
            },
            _ => bound,
        };
        UnitValue { unit: self, number, proven, bound }
    }

    /// The value of a finished game for the side to move, with its final score where the game has one.
    pub fn finished(self, outcome: Outcome, score: Option<i32>) -> UnitValue {
        let score = score.filter(|_| self.decided_offset.is_some()).map(f64::from);
        let number = if outcome == Outcome::Draw { UnitValue::even(self).number } else { score };
        let plies = (number.is_none() && outcome != Outcome::Draw).then_some(0);
        UnitValue { unit: self, number, proven: Some(ProvenOutcome { outcome, plies }), bound: Bound::Exact }
    }

    /// The steps of a [`Value`] that a number of this unit makes.
    pub fn steps(self, number: f64) -> i16 {
        Value::estimate((number * f64::from(self.steps)).round() as i32).get()
    }

    /// A number of this unit without a sign, as text: `6.2`.
    pub fn amount(self, number: f64) -> String {
        format!("{:.*}", self.decimals, number.abs())
    }

    /// A number of this unit with a sign, as text: `+6.2`; zero has none. A win rate has no sign either.
    pub fn text(self, number: f64) -> String {
        let amount = self.amount(number);
        match number {
            _ if self.is_rate() => format!("{amount} %"),
            _ if amount.chars().all(|c| c == '0' || c == '.') => amount,
            ..0.0 => format!("-{amount}"),
            _ => format!("+{amount}"),
        }
    }

    /// Whether it is the win rate, which is even at 50 rather than at 0.
    pub fn is_rate(self) -> bool {
        self == ValueUnit::WIN_RATE
    }
}

/// A value in the unit of its game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct UnitValue {
    /// The unit.
    pub unit: ValueUnit,
    /// The number; none for a proven win or loss without a score.
    pub number: Option<f64>,
    /// The result, if it is certain.
    pub proven: Option<ProvenOutcome>,
    /// How it bounds the true value.
    pub bound: Bound,
}

/// A result that is certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProvenOutcome {
    /// The result for the side to move.
    pub outcome: Outcome,
    /// Plies to the end of the game, where they are known.
    pub plies: Option<u16>,
}

impl ProvenOutcome {
    fn of(value: Value, plies: Option<u16>) -> ProvenOutcome {
        let outcome = match value.get() {
            1.. => Outcome::Win,
            0 => Outcome::Draw,
            _ => Outcome::Loss,
        };
        ProvenOutcome { outcome, plies }
    }
}

impl UnitValue {
    /// Equal chances, from no evaluation at all.
    pub fn even(unit: ValueUnit) -> UnitValue {
        let number = Some(if unit.is_rate() { 50.0 } else { 0.0 });
        UnitValue { unit, number, proven: None, bound: Bound::Exact }
    }

    /// This value of a child as a value of its parent: negated, and one ply farther away.
    #[must_use]
    pub fn to_parent(self) -> UnitValue {
        let farther = |proven: ProvenOutcome| ProvenOutcome { plies: proven.plies.map(|plies| plies + 1), ..proven };
        let value = -self;
        UnitValue { proven: value.proven.map(farther), ..value }
    }

    /// A number to compare with others and to draw, between the decisive values.
    pub fn level(self) -> f64 {
        let most = f64::from(self.unit.decisive);
        let least = if self.unit.is_rate() { 0.0 } else { -most };
        match (self.number, self.proven.map(|proven| proven.outcome)) {
            (Some(number), _) => number.clamp(least, most),
            (None, Some(Outcome::Win)) => most,
            (None, Some(Outcome::Loss)) => least,
            (None, _) => f64::midpoint(most, least),
        }
    }

    /// What a move lost against the best one, in the unit. A slower win loses nothing.
    pub fn loss(self, best: UnitValue) -> f64 {
        // Values are multiples of a step; the difference of two binary fractions is not.
        ((best.level() - self.level()) * 1e4).round().max(0.0) / 1e4
    }

    /// The text with the name of the unit: `+1.5 discs`, `+19 discs, exact`, `win in 7`, `54.3 % wins`.
    pub fn with_unit(self) -> String {
        let name = self.unit.name;
        match (self.number, self.proven) {
            (None, _) | (Some(_), Some(ProvenOutcome { outcome: Outcome::Draw, .. })) => self.to_string(),
            (Some(_), Some(_)) => match self.to_string().strip_suffix(" exact") {
                Some(number) => format!("{number} {name}, exact"),
                None => format!("{self} {name}"),
            },
            (Some(_), None) if self.unit.is_rate() => format!("{self} wins"),
            (Some(_), None) => format!("{self} {name}"),
        }
    }
}

impl Neg for UnitValue {
    type Output = UnitValue;

    /// The value as the opponent sees it.
    fn neg(self) -> UnitValue {
        let opposite = |number: f64| if self.unit.is_rate() { 100.0 - number } else { 0.0 - number };
        UnitValue {
            unit: self.unit,
            number: self.number.map(opposite),
            proven: self.proven.map(|proven| ProvenOutcome { outcome: -proven.outcome, ..proven }),
            bound: match self.bound {
                Bound::Exact => Bound::Exact,
                Bound::Lower => Bound::Upper,
                Bound::Upper => Bound::Lower,
            },
        }
    }
}

/// `+1.5`, `≥+1.5`, `+19 exact`, `win ≥+2`, `win in 7`, `draw`, `54.3 %`.
impl fmt::Display for UnitValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.bound {
            Bound::Exact => "",
            Bound::Lower => "≥",
            Bound::Upper => "≤",
        };
        let text = match (self.proven, self.number) {
            (Some(ProvenOutcome { outcome: Outcome::Draw, .. }), _) => "draw".to_owned(),
            (Some(ProvenOutcome { outcome, plies }), None) => {
                // A lower bound of the value of a win is an upper bound of its distance.
                let sign = match (outcome, self.bound) {
                    (_, Bound::Exact) => "",
                    (Outcome::Win, Bound::Lower) | (Outcome::Loss, Bound::Upper) => "≤",
                    _ => "≥",
                };
                plies.map_or(word(outcome).to_owned(), |plies| format!("{} in {sign}{plies}", word(outcome)))
            }
            (Some(ProvenOutcome { outcome, .. }), Some(number)) => {
                // Scores are whole numbers, whatever the decimals of estimates.
                let whole =
                    ValueUnit { decimals: if number.fract() == 0.0 { 0 } else { self.unit.decimals }, ..self.unit };
                match self.bound {
                    Bound::Exact => format!("{} exact", whole.text(number)),
                    _ => format!("{} {sign}{}", word(outcome), whole.text(number)),
                }
            }
            (None, Some(number)) => format!("{sign}{}", self.unit.text(number)),
            (None, None) => String::new(),
        };
        f.pad(&text)
    }
}

/// `win`, `draw` or `loss`.
fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "loss",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DISCS: ValueUnit =
        ValueUnit { name: "discs", steps: 100, decimals: 1, limit: 64, decisive: 64, decided_offset: Some(10_000) };

    fn exact(value: Value) -> UnitValue {
        DISCS.value(value, Bound::Exact, true)
    }

    fn estimate(value: Value) -> UnitValue {
        DISCS.value(value, Bound::Exact, false)
    }

    #[test]
    fn every_kind_of_value_has_its_text() {
        let lower = |value| DISCS.value(value, Bound::Lower, false);
        for (value, text, long) in [
            (estimate(Value::estimate(153)), "+1.5", "+1.5 discs"),
            (estimate(Value::estimate(-1900)), "-19.0", "-19.0 discs"),
            (estimate(Value::estimate(-4)), "0.0", "0.0 discs"),
            (estimate(Value::estimate(8842)), "+64.0", "+64.0 discs"),
            (lower(Value::estimate(200)), "≥+2.0", "≥+2.0 discs"),
            (exact(Value::estimate(1900)), "+19 exact", "+19 discs, exact"),
            (exact(Value::DRAW), "draw", "draw"),
            // The end of the game is in sight, and the score is at least this.
            (estimate(Value::estimate(10_600)), "win ≥+6", "win ≥+6 discs"),
            (estimate(Value::estimate(-16_400)), "loss ≤-64", "loss ≤-64 discs"),
            (exact(Value::estimate(10_600)), "+6 exact", "+6 discs, exact"),
            (estimate(Value::win(7)), "win in 7", "win in 7"),
            (lower(Value::win(7)), "win in ≤7", "win in ≤7"),
            (lower(Value::loss(7)), "loss in ≥7", "loss in ≥7"),
            (lower(Value::win(u16::MAX)), "win", "win"),
            (DISCS.finished(Outcome::Loss, Some(-18)), "-18 exact", "-18 discs, exact"),
        ] {
            assert_eq!((value.to_string().as_str(), value.with_unit().as_str()), (text, long));
            assert_eq!(-(-value), value);
        }
    }

    #[test]
    fn a_tree_search_reports_its_win_rate() {
        let line = |value, rate| PvLine::<u8> {
            value,
            bound: Bound::Exact,
            moves: vec![],
            rate: Some(rate),
            solved: false,
            prior: None,
        };
        let even = DISCS.read(&line(Value::estimate(86), 0.5432));
        assert_eq!((even.to_string().as_str(), even.number, even.unit.name), ("54.3 %", Some(54.32), "win %"));
        assert_eq!((-even).to_string(), "45.7 %");
        assert_eq!(even.with_unit(), "54.3 % wins");
        assert_eq!(DISCS.read(&line(Value::win(3), 1.0)).to_string(), "win in 3");
        assert_eq!(DISCS.estimate(&line(Value::estimate(86), 0.5432)).to_string(), "+0.9");
        assert_eq!(ValueUnit::WINS.estimate(&line(Value::estimate(86), 0.625)).to_string(), "+0.250");
    }

    #[test]
    fn losses_are_bounded_by_what_decides_a_game() {
        let best = estimate(Value::win(5));
        assert_eq!(estimate(Value::win(9)).loss(best), 0.0);
        assert_eq!(estimate(Value::estimate(330)).loss(best), 60.7);
        assert_eq!(estimate(Value::loss(2)).loss(best), 128.0);
        assert_eq!(exact(Value::estimate(1900)).loss(estimate(Value::estimate(1930))), 0.3);
        assert_eq!(estimate(Value::estimate(500)).loss(estimate(Value::estimate(200))), 0.0);
        let rate = UnitValue { unit: ValueUnit::WIN_RATE, number: Some(60.0), ..best };
        assert_eq!(ValueUnit::WIN_RATE.value(Value::loss(1), Bound::Exact, true).loss(rate), 60.0);
        assert_eq!(ValueUnit::WIN_RATE.finished(Outcome::Draw, Some(0)).level(), 50.0);
    }

    #[test]
    fn a_child_is_one_ply_nearer() {
        let parent = estimate(Value::loss(4)).to_parent();
        assert_eq!(parent, estimate(Value::loss(4).to_parent()));
        assert_eq!(DISCS.finished(Outcome::Loss, None).to_parent().to_string(), "win in 1");
    }

    #[test]
    fn numbers_round_trip() {
        for steps in [-30_000, -1900, -1, 0, 1, 25, 6400, 30_000] {
            let unit = ValueUnit { decided_offset: None, limit: 300, ..DISCS };
            let number = unit.value(Value::estimate(steps), Bound::Exact, false).number.unwrap_or_default();
            assert_eq!(i32::from(unit.steps(number)), steps);
        }
        assert_eq!(
            (DISCS.amount(-6.25), DISCS.text(-0.04), DISCS.text(3.0)),
            ("6.2".into(), "0.0".into(), "+3.0".into())
        );
    }
}

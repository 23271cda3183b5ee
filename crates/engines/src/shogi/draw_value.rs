//! The value of a draw. The search counts a draw as 0; an evaluation that is shifted by the value of a draw, seen by the
//! side that the engine plays, makes it prefer or avoid one. Reports are shifted back.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use tesuji_game::{Game, Outcome, Record, Side};
use tesuji_search::{CancelToken, Choice, Engine, Eval, Limits, PvLine, SearchReport, Value};
use tesuji_shogi::{Move, Shogi, Undo};

use crate::kind::setting;
use crate::{EngineSetting, Spec, SpecError};

/// The largest value of a draw, in centipawns.
const MOST: i64 = 30_000;

/// The settings for both sides.
pub(super) const SETTINGS: [EngineSetting; 2] = [
    setting("draw-black", "value of a draw in centipawns when the engine plays black (default 0)"),
    setting("draw-white", "the same when it plays white"),
];

/// An evaluation that is shifted against the value of a draw.
pub(super) struct DrawValued<E> {
    eval: E,
    shift: Shift,
}

/// The value of a draw for black in the present search, shared by an engine and its evaluation.
#[derive(Clone, Default)]
pub(super) struct Shift(Arc<AtomicI32>);

impl Shift {
    /// For the side to move in a position.
    fn of(&self, game: &Shogi) -> i32 {
        // The search starts its threads after it was set.
        let black = self.0.load(Ordering::Relaxed);
        if game.mover() == Side::First { black } else { -black }
    }

    /// This evaluation, shifted.
    pub(super) fn evaluation<E>(&self, eval: E) -> DrawValued<E> {
        DrawValued { eval, shift: self.clone() }
    }
}

impl<E: Eval<Shogi>> Eval<Shogi> for DrawValued<E> {
    type Accumulator = E::Accumulator;

    #[inline]
    fn begin(&self, game: &Shogi) -> E::Accumulator {
        self.eval.begin(game)
    }

    #[inline]
    fn advance(&self, from: &E::Accumulator, mv: Move, undo: &Undo, after: &Shogi, next: &mut E::Accumulator) {
        self.eval.advance(from, mv, undo, after, next);
    }

    #[inline]
    fn advance_null(&self, from: &E::Accumulator, after: &Shogi, next: &mut E::Accumulator) {
        self.eval.advance_null(from, after, next);
    }

    #[inline]
    fn value(&self, game: &Shogi, accumulator: &E::Accumulator) -> Value {
        let value = self.eval.value(game, accumulator);
        match self.shift.of(game) {
            0 => value,
            shift => shifted(value, -shift),
        }
    }

    #[inline]
    fn terminal_value(&self, game: &Shogi, outcome: Outcome) -> Value {
        self.eval.terminal_value(game, outcome)
    }
}

/// An estimate with something added; a proven value as it is.
fn shifted(value: Value, by: i32) -> Value {
    if value.proven().is_some() { value } else { Value::estimate(i32::from(value.get()) + by) }
}

/// An engine for which a draw has a value.
pub(super) struct DrawValueEngine {
    engine: Box<dyn Engine<Shogi>>,
    shift: Shift,
    /// For black and white.
    values: [i32; 2],
}

impl DrawValueEngine {
    /// The engine of a spec, whose evaluation uses `shift`.
    pub(super) fn of_spec(
        spec: &Spec,
        engine: Box<dyn Engine<Shogi>>,
        shift: Shift,
    ) -> Result<Box<dyn Engine<Shogi>>, SpecError> {
        let mut values = [0; 2];
        for (value, setting) in values.iter_mut().zip(SETTINGS) {
            let Some(text) = spec.get(setting.key) else { continue };
            let number: Option<i64> = text.parse().ok().filter(|number: &i64| number.abs() <= MOST);
            let wrong = || SpecError::value(setting.key, text, format!("expected a number from -{MOST} to {MOST}"));
            *value = number.ok_or_else(wrong)? as i32;
        }
        Ok(if values == [0; 2] { engine } else { Box::new(DrawValueEngine { engine, shift, values }) })
    }
}

impl Engine<Shogi> for DrawValueEngine {
    fn think(
        &mut self,
        record: &Record<Shogi>,
        limits: &Limits,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&SearchReport<Move>),
    ) -> Choice<Move> {
        let side = record.now().mover();
        let value = self.values[side.index()];
        let black = if side == Side::First { value } else { -value };
        if self.shift.0.swap(black, Ordering::Relaxed) != black {
            // Its table holds values with another shift.
            self.engine.forget();
        }
        self.engine.think(record, limits, stop, &mut |report| {
            let line = |line: &PvLine<Move>| PvLine { value: shifted(line.value, value), ..line.clone() };
            watch(&SearchReport { lines: report.lines.iter().map(line).collect(), ..report.clone() });
        })
    }

    fn forget(&mut self) {
        self.engine.forget();
    }

    fn root_visits(&self) -> Vec<(Move, u32)> {
        self.engine.root_visits()
    }
}

#[cfg(test)]
mod tests {
    use tesuji_game::Notation;

    use super::*;
    use crate::HasEngines;

    /// The value and the move of a search of so many plies.
    fn search(spec: &str, record: &Record<Shogi>) -> (i16, Choice<Move>) {
        let mut engine = Shogi::engine(&Spec::parse(spec).unwrap()).unwrap();
        let limits = Limits { depth: Some(3), lines: 1, ..Limits::default() };
        let mut value = 0;
        let choice = engine.think(record, &limits, &CancelToken::new(), &mut |report| {
            value = report.lines[0].value.get();
        });
        (value, choice)
    }

    /// Black is a rook down, and a repetition is to be had: the fourth occurrence of a position by `4i5i`.
    fn drawable() -> Record<Shogi> {
        let start = Shogi::parse("4k4/9/9/9/9/9/4p4/9/3K5 b 2r 1").unwrap();
        let mut record = Record::new(start);
        for mv in "6i5i 5a4a 5i4i 4a5a 4i5i 5a4a 5i4i 4a5a 4i5i 5a4a 5i4i 4a5a".split(' ') {
            record.push_text(mv).unwrap();
        }
        record
    }

    #[test]
    fn a_draw_is_worth_what_the_setting_says() {
        let record = drawable();
        let back = record.now().clone().parse_move("4i5i").unwrap();
        let repeats = |choice| matches!(choice, Choice::Move { mv, .. } if mv == back);
        let (value, choice) = search("alphabeta:eval=material,hash=1,book=none", &record);
        assert!(repeats(choice) && value == 0, "{value}");
        let (value, choice) = search("alphabeta:eval=material,hash=1,book=none,draw-black=-77", &record);
        assert!(repeats(choice) && value == -77, "{value}");
        // White's setting does not matter for black.
        assert_eq!(search("alphabeta:eval=material,hash=1,book=none,draw-white=-77", &record).0, 0);
        let (value, choice) = search("alphabeta:eval=material,hash=1,book=none,draw-black=-20000", &record);
        assert!(!repeats(choice) && value < -500, "{value}");
    }

    #[test]
    fn other_values_stay_as_they_are() {
        let record = Record::new(Shogi::start());
        let plain = search("alphabeta:eval=material,hash=1,book=none", &record);
        assert_eq!(search("alphabeta:eval=material,hash=1,book=none,draw-black=100", &record), plain);
        let wrong = Shogi::engine(&Spec::parse("alphabeta:draw-black=x").unwrap()).err().unwrap();
        assert!(wrong.to_string().contains("from -30000 to 30000"), "{wrong}");
    }
}

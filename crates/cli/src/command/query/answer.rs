//! What a position is worth, and each of its moves, the best first.

use serde_json::{Map, Value, json};
use tesuji_game::{Game, HasPerfectIndex, MoveList, NO_MOVE, Notation, Outcome};
use tesuji_solve::tablebase::PositionValue;

use super::oracle::Oracle;
use crate::failure::Failure;

/// A position in play and its moves.
#[derive(Clone, Debug)]
pub(super) struct Answer<G: Game> {
    /// What it is worth to the mover.
    pub(super) worth: PositionValue,
    /// The best first, suicides after other losses, and last what is forbidden.
    pub(super) choices: Vec<Choice<G>>,
}

/// A move and what it is worth to whoever makes it, in plies that count this move.
#[derive(Clone, Debug)]
pub(super) struct Choice<G: Game> {
    pub(super) mv: G::Move,
    pub(super) worth: PositionValue,
    pub(super) kind: Kind,
}

/// How a move stands to the rules. The later the worse.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    /// It may be played.
    Open,
    /// It may be played, and loses at once.
    Suicide,
    /// It would take the last move back. Its worth is what it would be if it were allowed.
    Forbidden,
}

impl<G: HasPerfectIndex + Notation> Answer<G> {
    /// Asks about a position in play and all its moves. What the moves say must fit what the position says.
    pub(super) fn of(oracle: &impl Oracle<G>, position: G) -> Result<Answer<G>, Failure> {
        let told = oracle.worth(position)?;
        let mut list = G::Moves::default();
        let mut now = position;
        now.moves(&mut list);
        let mut choices = Vec::with_capacity(list.len() + 1);
        for mv in list.each() {
            choices.push(Choice::of(oracle, position, mv)?);
        }
        let forbidden = position.forbidden();
        if forbidden != NO_MOVE {
            let open = position.forbidding(NO_MOVE);
            let choice = Choice::of(oracle, open, G::move_from_number(forbidden))?;
            choices.push(Choice { kind: Kind::Forbidden, ..choice });
        }
        choices.sort_by_key(|choice| (choice.kind, std::cmp::Reverse(rank(choice.worth))));
        let worth = choices.first().map_or(told, |best| best.worth);
        let differ = worth.outcome != told.outcome
            || matches!((worth.plies, told.plies), (Some(one), Some(other)) if one != other);
        if differ {
            return Err(Failure::Failed(format!(
                "the table contradicts itself: {} is {} and its best move is {}; `tesuji verify` finds what is wrong",
                position.print(),
                words(told),
                words(worth),
            )));
        }
        Ok(Answer { worth, choices })
    }

    /// The moves that no other is better than.
    pub(super) fn best(&self) -> impl Iterator<Item = &Choice<G>> {
        self.choices.iter().filter(|choice| self.is_best(choice))
    }

    /// Whether no move is better than this one, which may be played.
    pub(super) fn is_best(&self, choice: &Choice<G>) -> bool {
        choice.kind != Kind::Forbidden && choice.worth == self.worth
    }

    /// What scripts read.
    pub(super) fn fields(&self, position: &G) -> Map<String, Value> {
        let mut fields = worth_json(Some(self.worth.outcome), self.worth.plies);
        let moves: Vec<Value> = self.choices.iter().map(|choice| choice.json(position)).collect();
        fields.insert("moves".into(), moves.into());
        fields
    }
}

impl<G: HasPerfectIndex + Notation> Choice<G> {
    fn of(oracle: &impl Oracle<G>, position: G, mv: G::Move) -> Result<Choice<G>, Failure> {
        let mut next = position;
        next.play(mv);
        let after = match next.outcome() {
            Some(outcome) => PositionValue { outcome, plies: (outcome != Outcome::Draw).then_some(0) },
            None => oracle.worth(next)?,
        };
        let worth = PositionValue {
            outcome: -after.outcome,
            plies: after.plies.map(|plies| plies.saturating_add(1)),
        };
        let suicide = next.outcome().is_some() && worth.outcome == Outcome::Loss;
        Ok(Choice { mv, worth, kind: if suicide { Kind::Suicide } else { Kind::Open } })
    }

    fn json(&self, position: &G) -> Value {
        let mut fields = Map::new();
        fields.insert("move".into(), position.print_move(self.mv).into());
        fields.extend(worth_json(Some(self.worth.outcome), self.worth.plies));
        if self.kind == Kind::Forbidden {
            fields.insert("forbidden".into(), true.into());
        }
        Value::Object(fields)
    }
}

/// The greater the better: a quick win, a draw, a slow loss. Where a table does not tell plies, those it knows without
/// telling are the least.
fn rank(worth: PositionValue) -> (Outcome, i16) {
    let plies = worth.plies.map_or(i16::MAX, i16::from);
    match worth.outcome {
        Outcome::Win => (Outcome::Win, -plies),
        Outcome::Draw => (Outcome::Draw, 0),
        Outcome::Loss => (Outcome::Loss, plies),
    }
}

/// The fields `value` and `plies`.
pub(super) fn worth_json(outcome: Option<Outcome>, plies: Option<u8>) -> Map<String, Value> {
    let value = outcome.map(|outcome| match outcome {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "loss",
    });
    let mut fields = Map::new();
    fields.insert("value".into(), json!(value));
    fields.insert("plies".into(), json!(plies));
    fields
}

/// `win in 23`, `draw`, `loss`.
fn words(worth: PositionValue) -> String {
    let word = match worth.outcome {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "loss",
    };
    worth.plies.map_or_else(|| word.to_owned(), |plies| format!("{word} in {plies}"))
}

//! The line to the end when both play as well as they can.

use serde_json::{Value, json};
use tesuji_game::{HasPerfectIndex, Outcome, Record};

use super::answer::{Answer, worth_json};
use super::oracle::Oracle;
use crate::command::show::outcome_word;
use crate::entry::Playable;
use crate::failure::Failure;

/// A draw that has not come back to itself after so many plies is told no further.
const FAR: usize = 500;

/// A line of play.
pub(super) struct Line<G: Playable + HasPerfectIndex> {
    /// The plies, in order.
    pub(super) plies: Vec<Ply<G>>,
    /// The game after the last of them.
    pub(super) record: Record<G>,
    /// The ply before which the last position stood already, from 1; only in draws.
    pub(super) since: Option<usize>,
}

/// A ply of the line.
pub(super) struct Ply<G: Playable + HasPerfectIndex> {
    /// The position it is played in.
    pub(super) position: G,
    /// What is known of that.
    pub(super) answer: Answer<G>,
    /// The move.
    pub(super) mv: G::Move,
}

impl<G: Playable + HasPerfectIndex> Line<G> {
    /// Plays on from where a game stands, which is worth `first`. Of moves as good as each other the first is played;
    /// in a draw one that brings an earlier position back, so that it comes to an end.
    pub(super) fn follow(
        oracle: &impl Oracle<G>,
        from: &Record<G>,
        first: &Answer<G>,
    ) -> Result<Line<G>, Failure> {
        let draw = first.worth.outcome == Outcome::Draw;
        if !draw && first.worth.plies.is_none() {
            return Err(Failure::Failed(format!(
                "this table tells who wins and not how soon, so no line leads to the end: `tesuji solve {}` without \
                 --wdl makes one that does",
                G::NAME
            )));
        }
        let mut line = Line { plies: Vec::new(), record: Record::new(*from.now()), since: None };
        let mut answer = first.clone();
        while let Some((mv, since)) = line.choose(&answer) {
            let position = *line.record.now();
            line.record.push(mv).map_err(|_| {
                Failure::Failed(format!(
                    "{} cannot be played in {}",
                    position.print_move(mv),
                    position.print()
                ))
            })?;
            line.plies.push(Ply { position, answer, mv });
            line.since = since;
            if since.is_some() || line.record.ending().is_some() || draw && line.plies.len() == FAR {
                break;
            }
            answer = Answer::of(oracle, *line.record.now())?;
        }
        Ok(line)
    }

    /// The move to play next, and which ply the position after it stood before.
    fn choose(&self, answer: &Answer<G>) -> Option<(G::Move, Option<usize>)> {
        let stood = |mv: G::Move| {
            let mut next = *self.record.now();
            next.play(mv);
            // Equal positions may be of different movers.
            let same = |ply: &Ply<G>| ply.position == next && ply.position.mover() == next.mover();
            self.plies.iter().position(same).map(|at| at + 1)
        };
        let best = || answer.best().map(|choice| choice.mv);
        let back = if answer.worth.outcome == Outcome::Draw {
            best().find_map(|mv| Some((mv, Some(stood(mv)?))))
        } else {
            None
        };
        back.or_else(|| best().next().map(|mv| (mv, None)))
    }

    /// What scripts read: an object for each ply; the last tells how it ended.
    pub(super) fn json(&self) -> Vec<Value> {
        let last = self.plies.len();
        let ply = |(number, ply): (usize, &Ply<G>)| {
            let Ply { position, answer, mv } = ply;
            let mut fields = json!({
                "ply": number,
                "position": position.print(),
                "mover": position.mover().to_string(),
                "move": position.print_move(*mv),
            });
            if let Value::Object(fields) = &mut fields {
                fields.extend(worth_json(Some(answer.worth.outcome), answer.worth.plies));
                let equal: Vec<String> = answer.best().map(|choice| position.print_move(choice.mv)).collect();
                fields.insert("equal".into(), equal.into());
                if number == last {
                    fields.insert("after".into(), self.record.now().print().into());
                    match self.since {
                        Some(since) => {
                            fields.insert("outcome".into(), "draw".into());
                            fields.insert("reason".into(), "repetition".into());
                            fields.insert("repeats".into(), since.into());
                        }
                        None => {
                            fields.insert("outcome".into(), outcome_word(&self.record));
                            let reason = self.record.ending().map(|ending| ending.reason);
                            fields.insert("reason".into(), reason.into());
                        }
                    }
                }
            }
            fields
        };
        (1..).zip(&self.plies).map(ply).collect()
    }
}

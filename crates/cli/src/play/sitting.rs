//! A game in progress: the record, who plays, and what can be taken back.

use std::time::Duration;

use tesuji_game::{Ending, Game, MoveList, Record, Side, tags};

use super::keep::Keeper;
use super::seat::Seat;
use crate::command::player;
use crate::entry::Playable;

/// Whether the mover may claim the win.
type Claim<G> = fn(&G, &<G as Game>::Rules) -> bool;

pub(super) struct Sitting<G: Playable> {
    pub(super) record: Record<G>,
    /// Moves taken back, the next one last.
    undone: Vec<G::Move>,
    pub(super) seats: [Seat<G>; 2],
    /// Gives hints and plays for a person who asks.
    pub(super) helper: Seat<G>,
    pub(super) keeper: Option<Keeper>,
    claim: Option<Claim<G>>,
}

impl<G: Playable> Sitting<G> {
    pub(super) fn new(
        mut record: Record<G>,
        seats: [Seat<G>; 2],
        helper: Seat<G>,
        keeper: Option<Keeper>,
        claim: Option<Claim<G>>,
    ) -> Sitting<G> {
        for (tag, seat) in [tags::FIRST, tags::SECOND].into_iter().zip(&seats) {
            if record.tag(tag).is_none() {
                record.set_tag(tag, seat.name.clone());
            }
        }
        Sitting { record, undone: Vec::new(), seats, helper, keeper, claim }
    }

    /// Puts another game on the board. It gets a file of its own, so that neither this game nor the file it
    /// was read from is written over.
    pub(super) fn go_on_with(&mut self, record: Record<G>) {
        self.record = record;
        self.undone.clear();
        if self.keeper.is_some() {
            self.keeper = Some(Keeper::anywhere::<G>());
        }
    }

    pub(super) fn mover(&self) -> Side {
        self.record.now().mover()
    }

    /// The seat of the side to move.
    pub(super) fn seat(&mut self) -> &mut Seat<G> {
        let mover = self.mover();
        &mut self.seats[mover.index()]
    }

    pub(super) fn over(&self) -> bool {
        self.record.ending().is_some()
    }

    /// Whether a person is to move.
    pub(super) fn awaits_human(&self) -> bool {
        !self.over() && self.seats[self.mover().index()].is_human()
    }

    /// Whether an engine is to move.
    pub(super) fn awaits_engine(&self) -> bool {
        !self.over() && !self.seats[self.mover().index()].is_human()
    }

    /// The legal moves as they are written, in the order of the game.
    pub(super) fn legal(record: &Record<G>) -> Vec<(G::Move, String)> {
        if record.ending().is_some() {
            return Vec::new();
        }
        let mut now = record.now().clone();
        let mut list = G::Moves::default();
        now.moves(&mut list);
        list.each().map(|mv| (mv, now.print_move(mv))).collect()
    }

    /// Plays what a person typed: a move, `resign`, or `win` where that may be claimed.
    pub(super) fn enter(&mut self, text: &str) -> Result<(), String> {
        match text.to_ascii_lowercase().as_str() {
            "resign" => return self.resign(),
            "win" | "declare" if self.claim.is_some() => return self.declare(),
            _ => {}
        }
        self.record.push_text(text).map_err(|refusal| refusal.to_string())?;
        self.moved()
    }

    /// Plays an engine's move and notes what it thought of it.
    pub(super) fn play(&mut self, mv: G::Move, used: Duration, value: Option<f64>) -> Result<(), String> {
        self.seat().spent(used);
        self.record.push(mv).map_err(|refusal| refusal.to_string())?;
        if let Some(note) = self.record.note().map(|note| note.time(used))
            && let Some(value) = value
        {
            note.value(value);
        }
        self.moved()
    }

    /// The mover gives up.
    pub(super) fn resign(&mut self) -> Result<(), String> {
        self.end(Ending { winner: Some(!self.mover()), reason: "resignation" })
    }

    /// The mover claims the win.
    pub(super) fn declare(&mut self) -> Result<(), String> {
        let granted = self.claim.is_some_and(|claim| claim(self.record.now(), &self.record.path().rules));
        match granted {
            true => self.end(Ending { winner: Some(self.mover()), reason: "declaration" }),
            false => Err("a win cannot be declared here".to_owned()),
        }
    }

    fn end(&mut self, ending: Ending) -> Result<(), String> {
        self.record.end(ending).map_err(|refusal| refusal.to_string())?;
        self.keep()
    }

    fn moved(&mut self) -> Result<(), String> {
        self.undone.clear();
        self.keep()
    }

    /// Writes the game down, if it is to be kept.
    pub(super) fn keep(&mut self) -> Result<(), String> {
        self.keeper.as_mut().map_or(Ok(()), |keeper| keeper.keep(&self.record))
    }

    /// Takes back to where a person can choose again: the last own move and what was replied to it. Between
    /// two engines, and between two people, one move. Says how many were taken back.
    pub(super) fn undo(&mut self) -> Result<usize, String> {
        let plies = self.record.plies().len();
        let mut back = 1;
        if self.seats.iter().any(Seat::is_human) && !self.seats.iter().all(Seat::is_human) {
            // The side to move alternates but for passes, so the record is asked.
            while back < plies && !self.seats[self.mover_before(back).index()].is_human() {
                back += 1;
            }
        }
        if plies == 0 {
            return Err("there is nothing to take back".to_owned());
        }
        self.cut(plies - back)?;
        Ok(back)
    }

    /// Who was to move so many plies ago.
    fn mover_before(&self, back: usize) -> Side {
        self.at(self.record.plies().len() - back).now().mover()
    }

    /// Keeps the first plies only; the others can be played again.
    pub(super) fn cut(&mut self, plies: usize) -> Result<(), String> {
        let later: Vec<G::Move> = self.record.moves().skip(plies).collect();
        self.undone.extend(later.into_iter().rev());
        self.record = self.at(plies);
        self.keep()
    }

    /// Plays again what was taken back last.
    pub(super) fn redo(&mut self) -> Result<(), String> {
        let mv = self.undone.pop().ok_or("there is nothing to play again")?;
        self.record.push(mv).map_err(|refusal| refusal.to_string())?;
        self.keep()
    }

    /// The game as it stood after so many plies, with all that was noted.
    pub(super) fn at(&self, plies: usize) -> Record<G> {
        let mut record = Record::with_rules(self.record.start().clone(), self.record.path().rules.clone());
        record.tags = self.record.tags.clone();
        record.comment = self.record.comment.clone();
        for ply in self.record.plies().iter().take(plies) {
            if record.push(ply.mv).is_err() {
                break;
            }
            if let Some(mut note) = record.note() {
                if let Some(time) = ply.time {
                    note = note.time(time);
                }
                if let Some(value) = ply.value {
                    note = note.value(value);
                }
                if !ply.comment.is_empty() {
                    note.comment(&ply.comment);
                }
            }
        }
        record
    }

    /// How the game ended, in words.
    pub(super) fn verdict(&self) -> Option<String> {
        let Ending { winner, reason } = self.record.ending()?;
        Some(match winner {
            Some(side) => format!("{} won ({reason})", player::<G>(side)),
            None => format!("a draw ({reason})"),
        })
    }
}

//! One game between two players, from the opening to the verdict. Every move is checked by our own rules, and
//! whatever a player does, the game ends with a result and a reason.

use std::time::Duration;

use tesuji_game::{Ending, Game, Record, Side};
use tesuji_search::CancelToken;

use crate::clock::Clocks;
use crate::player::{Answer, Player, Reply, Thought};
use crate::referee::{Adjudication, Minutes, reason, reason_of};

/// Knows how some games end before they do.
pub type Solver<G> = fn(&Record<G>) -> Option<Ending>;

/// What a game is played under.
#[derive(Clone, Debug)]
pub struct Terms<G: Game> {
    /// The clocks at the beginning.
    pub clocks: Clocks,
    /// A game of so many plies, those of the opening included, is a draw.
    pub longest: Option<usize>,
    /// When a game is ended by agreement.
    pub adjudication: Adjudication,
    /// Whether a claim of the mover is granted, where the game knows claims.
    pub claim: Option<fn(&G, &G::Rules) -> bool>,
    /// A solver that knows how some games end.
    pub solver: Option<Solver<G>>,
}

/// What was noted about one move.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Note {
    /// What the mover thought.
    pub thought: Thought,
    /// What it used.
    pub used: Duration,
    /// How late it was, within the margin.
    pub lag: Duration,
}

/// How an encounter went.
#[derive(Clone, Debug)]
pub enum Encounter<G: Game> {
    /// The game was played and has a result.
    Played(Box<Played<G>>),
    /// A player could not be started: nobody is to blame for a result.
    Unplayed {
        /// Who did not start.
        side: Side,
        /// Why.
        message: String,
    },
    /// Somebody stopped everything.
    Abandoned,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played<G: Game> {
    /// The game; it has an ending.
    pub record: Record<G>,
    /// How it ended.
    pub ending: Ending,
    /// Plies that belong to the opening.
    pub booked: usize,
    /// What was noted about each ply after the opening.
    pub notes: Vec<Note>,
    /// What the loser did wrong.
    pub fault: Option<String>,
    /// What was odd but cost nobody the game, by side.
    pub oddities: Vec<(Side, String)>,
}

/// Plays a game from `opening`; `players` are those of the first and of the second side.
pub fn play<'p, G: Game>(
    opening: Record<G>,
    players: [&'p mut (dyn Player<G> + 'p); 2],
    terms: &Terms<G>,
    stop: &CancelToken,
) -> Encounter<G> {
    let booked = opening.plies().len();
    let table = Seated { record: opening, players, clocks: terms.clocks.clone(), notes: Vec::new(), terms };
    table.play(booked, stop)
}

struct Seated<'a, 'p, G: Game> {
    record: Record<G>,
    players: [&'p mut (dyn Player<G> + 'p); 2],
    clocks: Clocks,
    notes: Vec<Note>,
    terms: &'a Terms<G>,
}

/// An ending that a player brought about, with words if it did wrong.
type Blow = (Ending, Option<String>);

impl<G: Game> Seated<'_, '_, G> {
    fn play(mut self, booked: usize, stop: &CancelToken) -> Encounter<G> {
        for side in Side::BOTH {
            // The retry is for programs that were slow to start on a busy machine, or died in the last game.
            let begun = self.players[side.index()].begin(&self.record);
            let begun = begun.or_else(|_| self.players[side.index()].begin(&self.record));
            if let Err(fault) = begun {
                self.dismiss();
                return Encounter::Unplayed { side, message: fault.to_string() };
            }
        }
        let mut minutes = Minutes::default();
        let (ending, fault) = loop {
            if stop.is_cancelled() {
                self.dismiss();
                return Encounter::Abandoned;
            }
            if let Some(ending) = self.over(&minutes) {
                break (ending, None);
            }
            match self.turn(&mut minutes, stop) {
                // What a player does when everything is stopped is not its fault.
                Some(_) if stop.is_cancelled() => {}
                Some(blow) => break blow,
                None => {}
            }
        };
        // An ending by the rules stands in the record already; any other is written there now.
        let _ = self.record.end(ending);
        let oddities = self.dismiss();
        let Seated { record, notes, .. } = self;
        Encounter::Played(Box::new(Played { record, ending, booked, notes, fault, oddities }))
    }

    /// The ending by the rules of the game, by a solver, by agreement or by exhaustion.
    fn over(&self, minutes: &Minutes) -> Option<Ending> {
        let solved = || {
            let solver = self.terms.solver.filter(|_| self.terms.adjudication.solver)?;
            solver(&self.record).map(|known| Ending { reason: reason::SOLVED, ..known })
        };
        let long = || {
            let reached = self.terms.longest.is_some_and(|longest| self.record.plies().len() >= longest);
            reached.then_some(Ending { winner: None, reason: reason::MOVE_LIMIT })
        };
        let agreed = || minutes.verdict(&self.terms.adjudication);
        self.record.ending().or_else(solved).or_else(agreed).or_else(long)
    }

    /// One move; or how the player ended the game instead.
    fn turn(&mut self, minutes: &mut Minutes, stop: &CancelToken) -> Option<Blow> {
        let side = self.record.now().mover();
        let lost = |reason, words: String| Some((Ending { winner: Some(!side), reason }, Some(words)));
        let turn = self.clocks.turn(side, stop);
        let Answer { reply, thought, used } = match self.players[side.index()].choose(&self.record, &turn) {
            Ok(answer) => answer,
            Err(fault) => {
                // Not to start in the middle of a game is to crash.
                return lost(reason_of(&fault).unwrap_or(reason::CRASH), fault.to_string());
            }
        };
        let lag = match self.clocks.spend(side, used) {
            Ok(lag) => lag,
            Err(flag) => return lost(reason::TIME, format!("{:?} used of {:?}", flag.used, flag.allowed)),
        };
        match reply {
            Reply::Resign => Some((Ending { winner: Some(!side), reason: reason::RESIGNATION }, None)),
            Reply::Claim => {
                let granted =
                    self.terms.claim.is_some_and(|claim| claim(self.record.now(), &self.record.path().rules));
                if granted {
                    return Some((Ending { winner: Some(side), reason: reason::DECLARATION }, None));
                }
                lost(reason::FALSE_CLAIM, "claimed a win that the rules do not grant".to_owned())
            }
            Reply::Move(mv) => {
                if let Err(refusal) = self.record.push(mv) {
                    return lost(reason::ILLEGAL, format!("{mv:?}: {refusal}"));
                }
                if let Some(note) = self.record.note() {
                    let note = note.time(used);
                    if let Some(value) = thought.value {
                        note.value(value);
                    }
                }
                minutes.hear(&self.terms.adjudication, side, &thought, self.record.plies().len());
                self.notes.push(Note { thought, used, lag });
                None
            }
        }
    }

    /// Tells both that it is over, and gathers what was odd.
    fn dismiss(&mut self) -> Vec<(Side, String)> {
        let mut oddities = Vec::new();
        for side in Side::BOTH {
            let player = &mut self.players[side.index()];
            player.end(&self.record);
            oddities.extend(player.oddities().into_iter().map(|words| (side, words)));
        }
        oddities
    }
}

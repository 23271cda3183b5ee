//! One game between two players, from the opening to the result. Every move is checked by our own rules, and whatever a
//! player does, the game ends with a result and a reason.

use std::time::Duration;

use tesuji_game::{Ending, Game, Record, Side};
use tesuji_search::CancelToken;

use crate::clock::GameClocks;
use crate::player::{Player, PlayerAction, PlayerAnswer, SearchInfo};
use crate::referee::{Adjudication, Adjudicator, reason, reason_of};

/// Knows the result of some games before they end.
pub type EndgameOracle<G> = fn(&Record<G>) -> Option<Ending>;

/// The conditions of a game.
#[derive(Clone, Debug)]
pub struct PlayConditions<G: Game> {
    /// The clocks at the start.
    pub clocks: GameClocks,
    /// A game of this many plies, opening included, is a draw.
    pub longest: Option<usize>,
    /// Early adjudication.
    pub adjudication: Adjudication,
    /// Whether the rules grant a claim of the mover, for games with claims.
    pub claim: Option<fn(&G, &G::Rules) -> bool>,
    /// Knows the result of some games before they end.
    pub oracle: Option<EndgameOracle<G>>,
}

/// What is recorded about one move.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MoveNote {
    /// What the mover info.
    pub info: SearchInfo,
    /// The time it used.
    pub used: Duration,
    /// How late the answer was, within the margin.
    pub lag: Duration,
}

/// What happened to a game.
#[derive(Clone, Debug)]
pub enum PlayResult<G: Game> {
    /// The game was played and has a result.
    Played(Box<PlayedGame<G>>),
    /// A player did not start, so there is no result.
    Unplayed {
        /// The side that did not start.
        side: Side,
        /// The reason.
        message: String,
    },
    /// The game was cancelled.
    Abandoned,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct PlayedGame<G: Game> {
    /// The record, with its ending.
    pub record: Record<G>,
    /// How it ended.
    pub ending: Ending,
    /// Plies of the opening.
    pub booked: usize,
    /// What is recorded about each ply after the opening.
    pub notes: Vec<MoveNote>,
    /// The fault of the loser.
    pub fault: Option<String>,
    /// Protocol oddities that did not cost the game, by side.
    pub oddities: Vec<(Side, String)>,
}

/// Plays a game from `opening` between the players of the first and the second side.
pub fn play<'p, G: Game>(
    opening: Record<G>,
    players: [&'p mut (dyn Player<G> + 'p); 2],
    conditions: &PlayConditions<G>,
    cancel: &CancelToken,
) -> PlayResult<G> {
    let booked = opening.plies().len();
    let table =
        GameInProgress { record: opening, players, clocks: conditions.clocks.clone(), notes: Vec::new(), conditions };
    table.play(booked, cancel)
}

struct GameInProgress<'a, 'p, G: Game> {
    record: Record<G>,
    players: [&'p mut (dyn Player<G> + 'p); 2],
    clocks: GameClocks,
    notes: Vec<MoveNote>,
    conditions: &'a PlayConditions<G>,
}

/// An ending caused by a player, with its fault if there is one.
type EndByPlayer = (Ending, Option<String>);

impl<G: Game> GameInProgress<'_, '_, G> {
    fn play(mut self, booked: usize, cancel: &CancelToken) -> PlayResult<G> {
        for side in Side::BOTH {
            // The retry helps programs that start slowly on a busy machine, or died in the last game.
            let begun = self.players[side.index()].begin(&self.record, cancel);
            let begun = begun.or_else(|_| self.players[side.index()].begin(&self.record, cancel));
            if let Err(fault) = begun {
                self.finish();
                if cancel.is_cancelled() {
                    return PlayResult::Abandoned;
                }
                return PlayResult::Unplayed { side, message: fault.to_string() };
            }
        }
        let mut adjudicator = Adjudicator::default();
        let (ending, fault) = loop {
            if cancel.is_cancelled() {
                self.finish();
                return PlayResult::Abandoned;
            }
            if let Some(ending) = self.over(&adjudicator) {
                break (ending, None);
            }
            match self.turn(&mut adjudicator, cancel) {
                // A fault after cancellation is not counted.
                Some(_) if cancel.is_cancelled() => {}
                Some(ended) => break ended,
                None => {}
            }
        };
        // The record already contains an ending by the rules; any other is added here.
        let _ = self.record.end(ending);
        let oddities = self.finish();
        let GameInProgress { record, notes, .. } = self;
        PlayResult::Played(Box::new(PlayedGame { record, ending, booked, notes, fault, oddities }))
    }

    /// The ending by the rules, the oracle, adjudication or the move limit.
    fn over(&self, adjudicator: &Adjudicator) -> Option<Ending> {
        let solved = || {
            let oracle = self.conditions.oracle.filter(|_| self.conditions.adjudication.solver)?;
            oracle(&self.record).map(|known| Ending { reason: reason::SOLVED, ..known })
        };
        let long = || {
            let reached = self.conditions.longest.is_some_and(|longest| self.record.plies().len() >= longest);
            reached.then_some(Ending { winner: None, reason: reason::MOVE_LIMIT })
        };
        let agreed = || adjudicator.verdict(&self.conditions.adjudication);
        self.record.ending().or_else(solved).or_else(agreed).or_else(long)
    }

    /// Requests and plays one move, or returns how the player ended the game.
    fn turn(&mut self, adjudicator: &mut Adjudicator, cancel: &CancelToken) -> Option<EndByPlayer> {
        let side = self.record.now().mover();
        let lost = |reason, words: String| Some((Ending { winner: Some(!side), reason }, Some(words)));
        let request = self.clocks.request(side, cancel);
        let PlayerAnswer { action, info, used, .. } = match self.players[side.index()].choose(&self.record, &request) {
            Ok(answer) => answer,
            Err(fault) => {
                // Failing to start in the middle of a game is a crash.
                return lost(reason_of(&fault).unwrap_or(reason::CRASH), fault.to_string());
            }
        };
        let lag = match self.clocks.spend(side, used) {
            Ok(lag) => lag,
            Err(flag) => return lost(reason::TIME, format!("{:?} used of {:?}", flag.used, flag.allowed)),
        };
        match action {
            PlayerAction::Resign => Some((Ending { winner: Some(!side), reason: reason::RESIGNATION }, None)),
            PlayerAction::Claim => {
                let granted =
                    self.conditions.claim.is_some_and(|claim| claim(self.record.now(), &self.record.path().rules));
                if granted {
                    return Some((Ending { winner: Some(side), reason: reason::DECLARATION }, None));
                }
                lost(reason::FALSE_CLAIM, "claimed a win that the rules do not grant".to_owned())
            }
            PlayerAction::Move(mv) => {
                if let Err(refusal) = self.record.push(mv) {
                    return lost(reason::ILLEGAL, format!("{mv:?}: {refusal}"));
                }
                if let Some(note) = self.record.note() {
                    let note = note.time(used);
                    if let Some(value) = info.value {
                        note.value(value);
                    }
                }
                adjudicator.observe(&self.conditions.adjudication, side, &info, self.record.plies().len());
                self.notes.push(MoveNote { info, used, lag });
                None
            }
        }
    }

    /// Tells both players that the game is over and collects their oddities.
    fn finish(&mut self) -> Vec<(Side, String)> {
        let mut oddities = Vec::new();
        for side in Side::BOTH {
            let player = &mut self.players[side.index()];
            player.end(&self.record);
            oddities.extend(player.oddities().into_iter().map(|words| (side, words)));
        }
        oddities
    }
}

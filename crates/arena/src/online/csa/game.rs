//! A game on a CSA server: the record as the server confirmed it, and the clocks as the server keeps them.

use std::time::Duration;

use tesuji_game::{ClockTag, Ending, Format, Formats, Game, Record, Side, reason, tags};
use tesuji_protocol::csa::{EndReason, GameEnd, GameResult, GameSummary};

use super::clock::CsaClocks;
use crate::player::{PlayerAnswer, SearchInfo};

/// A proven result is told as this value less its distance in plies.
const PROVEN: f64 = 100_000.0;

/// How a game is written in the protocol.
pub struct CsaNotation<G: Game> {
    /// Its record format of the Computer Shogi Association.
    pub format: Format,
    /// A legal move as text: `+7776FU`.
    pub print_move: fn(&G, G::Move) -> String,
    /// The move of a text in the current position.
    pub parse_move: fn(&Record<G>, &str) -> Result<G::Move, String>,
    /// The rules of an offered game.
    pub rules: fn(&GameSummary) -> G::Rules,
    /// The same rules without a move limit.
    pub unlimited: fn(&G::Rules) -> G::Rules,
}

impl<G: Game> Clone for CsaNotation<G> {
    fn clone(&self) -> CsaNotation<G> {
        *self
    }
}

impl<G: Game> Copy for CsaNotation<G> {}

/// A game on a CSA server.
#[derive(Clone, Debug)]
pub struct CsaOnlineGame<G: Game> {
    /// Its number among all games of the client, from 1.
    pub number: usize,
    /// How the server announced it.
    pub summary: GameSummary,
    /// The moves that the server confirmed, with times, and our evaluations.
    pub record: Record<G>,
    /// How it ended, if the server reported it.
    pub end: Option<GameEnd>,
    pub(super) clocks: CsaClocks,
}

/// What our player said about a move that the server has not confirmed yet.
pub(super) struct MoveNote<M> {
    pub(super) info: SearchInfo,
    pub(super) line: Vec<M>,
}

impl<M> MoveNote<M> {
    pub(super) fn of(answer: PlayerAnswer<M>) -> MoveNote<M> {
        MoveNote { info: answer.info, line: answer.line }
    }

    pub(super) fn none() -> MoveNote<M> {
        MoveNote { info: SearchInfo::default(), line: Vec::new() }
    }

    /// The value for the mover.
    pub(super) fn value(&self) -> Option<f64> {
        let proven = self.info.proven.map(|plies| match plies < 0 {
            true => -PROVEN - f64::from(plies),
            false => PROVEN - f64::from(plies),
        });
        proven.or(self.info.value)
    }
}

impl<G: Formats> CsaOnlineGame<G> {
    /// The game of a summary, or what is wrong with its position.
    pub(super) fn new(
        number: usize,
        summary: GameSummary,
        notation: &CsaNotation<G>,
    ) -> Result<CsaOnlineGame<G>, String> {
        let mut text = String::from("V2.2\n");
        for line in &summary.position {
            text.push_str(line);
            text.push('\n');
        }
        let read = G::read(notation.format, text.as_bytes()).next();
        let read = read.ok_or("the game summary has no position")?;
        if let Some(fault) = read.fault {
            return Err(format!("the position of the game summary: {fault}"));
        }
        let start = read.record.start().clone();
        if let Some(side) = summary.to_move.filter(|&side| side != start.mover()) {
            return Err(format!("To_Move says the {side} player, the position the other"));
        }
        let mut clocks = CsaClocks::new(summary.times);
        let mut record = Record::with_rules(start, (notation.rules)(&summary));
        for ply in read.record.plies() {
            let mover = record.now().mover();
            record.push(ply.mv).map_err(|error| format!("the moves of the game summary: {error}"))?;
            if let Some(time) = ply.time {
                // Charged times count units, whatever a record takes them for.
                let used = clocks.charge(mover, time.as_secs());
                record.note().map(|note| note.time(used));
            }
        }
        record.set_tag(tags::FIRST, summary.names[0].as_str());
        record.set_tag(tags::SECOND, summary.names[1].as_str());
        record.set_tag(tags::EVENT, summary.id.as_str());
        let [time, other] = summary.times;
        if let Some(total) = time.total.filter(|_| time == other) {
            let clock = ClockTag { main: total, increment: time.increment, byoyomi: time.byoyomi, per_move: false };
            record.set_tag(tags::CLOCK, clock.to_string());
        }
        Ok(CsaOnlineGame { number, summary, record, end: None, clocks })
    }

    /// Our side.
    pub fn side(&self) -> Side {
        self.summary.side
    }

    /// The name of the opponent.
    pub fn opponent(&self) -> &str {
        &self.summary.names[(!self.side()).index()]
    }

    /// The main time that we have left.
    pub fn left(&self) -> Duration {
        self.clocks.left(self.side())
    }

    /// Whether it is our turn.
    pub(super) fn is_ours(&self) -> bool {
        self.record.now().mover() == self.side()
    }

    /// Plays a move that the server confirmed, with the time it charged.
    pub(super) fn play(
        &mut self,
        mv: &str,
        time: Option<u64>,
        note: Option<MoveNote<G::Move>>,
        notation: &CsaNotation<G>,
    ) -> Result<(), String> {
        if self.record.ending().is_some() {
            self.reopen(notation);
        }
        let mover = self.record.now().mover();
        let mv = (notation.parse_move)(&self.record, mv)?;
        self.record.push(mv).map_err(|error| error.to_string())?;
        let used = time.map(|units| self.clocks.charge(mover, units));
        if let Some(mut ply) = self.record.note() {
            if let Some(used) = used {
                ply = ply.time(used);
            }
            if let Some(note) = note {
                ply.set_value(note.value()).line(note.line);
            }
        }
        Ok(())
    }

    /// Takes back an ending that the server does not share: a repetition or a move limit by other rules. The same moves
    /// are played without a limit, or where that ends as well, the game starts anew from here.
    pub(super) fn reopen(&mut self, notation: &CsaNotation<G>) {
        let rules = (notation.unlimited)(&self.record.path().rules);
        let mut again = Record::with_rules(self.record.start().clone(), rules.clone());
        again.tags.clone_from(&self.record.tags);
        for ply in self.record.plies() {
            if again.push(ply.mv).is_err() {
                break;
            }
            again.note().map(|note| {
                let note = note.set_value(ply.value).line(ply.line.clone());
                ply.time.map(|time| note.time(time))
            });
        }
        if again.ending().is_some() || again.plies().len() < self.record.plies().len() {
            let tags = std::mem::take(&mut again.tags);
            again = Record::with_rules(self.record.now().clone(), rules);
            again.tags = tags;
        }
        self.record = again;
    }

    /// The server ended the game.
    pub(super) fn finish(&mut self, end: GameEnd) {
        self.end = Some(end);
        if self.record.ending().is_some() {
            return;
        }
        let winner = match end.result {
            GameResult::Win => Some(self.side()),
            GameResult::Lose => Some(!self.side()),
            GameResult::Draw | GameResult::Censored => None,
            GameResult::Interrupted => return,
        };
        let reason = match end.reason {
            Some(EndReason::Resign) => reason::RESIGNATION,
            Some(EndReason::TimeUp) => reason::TIME,
            Some(EndReason::IllegalMove | EndReason::IllegalAction) => reason::ILLEGAL,
            Some(EndReason::Declaration) => reason::DECLARATION,
            Some(EndReason::MaxMoves) => reason::MOVE_LIMIT,
            Some(EndReason::Repetition | EndReason::PerpetualCheck) | None => reason::STATED,
        };
        // It is open, as was just checked.
        let _ = self.record.end(Ending { winner, reason });
    }
}

//! The staged move picker: the move of the transposition table, good captures, quiet moves, the other captures; and what
//! the histories learn from them.

use tesuji_game::{Game, Move, MoveList};

use super::abdada::DEFER_DEPTH;
use super::worker::Worker;
use crate::ordering::{self, History, KILLER, NO_ROW};
use crate::{Eval, Heuristics, NodeContext};

/// How many plies back the moves lie whose continuation history is used.
pub(super) const EARLIER: [usize; 3] = [1, 2, 4];

/// The score of a tactical evasion: before all quiet ones.
const TACTICAL_EVASION: i32 = 1 << 24;

/// The next thing a move picker does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TtMove,
    GenerateEvasions,
    Evasions,
    GenerateCaptures,
    GoodCaptures,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    Deferred,
}

/// Where a node is in its list of moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovePicker {
    stage: Stage,
    index: usize,
    /// The move of the transposition table, if it is legal.
    tt_move: Option<u32>,
    /// Set when the remaining quiet moves are left out (late move pruning).
    pub(super) skip_quiets: bool,
    /// Whether a move has been picked.
    started: bool,
}

impl MovePicker {
    /// A picker for a node; the move of the transposition table must be legal.
    pub(super) fn new(tt_move: Option<u32>) -> MovePicker {
        MovePicker { stage: Stage::TtMove, index: 0, tt_move, skip_quiets: false, started: false }
    }
}

impl<G: Game, E: Eval<G>, H: Heuristics<G, E>> Worker<'_, G, E, H> {
    /// The next move of a node, and whether it was deferred (simplified ABDADA).
    pub(super) fn pick_move(&mut self, picker: &mut MovePicker, at: &NodeContext, key: u64) -> Option<(u32, bool)> {
        let ply = at.ply as usize;
        loop {
            let Some(bits) = self.pick_from_stage(picker, at) else {
                return self.stack[ply].deferred.pop().map(|pick| (ordering::bits(pick), true));
            };
            let deferred = picker.started
                && at.depth >= DEFER_DEPTH
                && self.shared.abdada.as_ref().is_some_and(|abdada| abdada.defer_move(key, bits, at.depth));
            picker.started = true;
            if !deferred {
                return Some((bits, false));
            }
            self.stack[ply].deferred.push(ordering::pick(0, bits));
        }
    }

    fn pick_from_stage(&mut self, picker: &mut MovePicker, at: &NodeContext) -> Option<u32> {
        let (ply, heuristics) = (at.ply as usize, self.shared.heuristics);
        loop {
            match picker.stage {
                Stage::TtMove => {
                    self.stack[ply].deferred.clear();
                    picker.stage = if at.in_check { Stage::GenerateEvasions } else { Stage::GenerateCaptures };
                    if picker.tt_move.is_some() {
                        return picker.tt_move;
                    }
                }
                Stage::GenerateEvasions => {
                    heuristics.moves(&mut self.game, at, &mut self.stack[ply].list);
                    self.score_evasions(ply);
                    (picker.stage, picker.index) = (Stage::Evasions, 0);
                }
                Stage::GenerateCaptures => {
                    heuristics.tactical_moves(&mut self.game, &mut self.stack[ply].list);
                    self.score_tactical_moves(ply);
                    self.stack[ply].bad_captures.clear();
                    (picker.stage, picker.index) = (Stage::GoodCaptures, 0);
                }
                Stage::GenerateQuiets => {
                    if picker.skip_quiets {
                        (picker.stage, picker.index) = (Stage::BadCaptures, 0);
                        continue;
                    }
                    heuristics.quiet_moves(&mut self.game, &mut self.stack[ply].list);
                    self.score_quiet_moves(ply);
                    (picker.stage, picker.index) = (Stage::Quiets, 0);
                }
                Stage::Evasions => {
                    let bits = self.next_pick(picker, ply)?;
                    let quiet = || !heuristics.is_tactical(&self.game, G::Move::from_bits(bits));
                    if picker.tt_move != Some(bits) && !(picker.skip_quiets && quiet()) {
                        return Some(bits);
                    }
                }
                Stage::GoodCaptures => {
                    let index = picker.index;
                    let Some(bits) = self.next_pick(picker, ply) else {
                        picker.stage = Stage::GenerateQuiets;
                        continue;
                    };
                    if picker.tt_move == Some(bits) {
                        continue;
                    }
                    let pick = self.stack[ply].picks[index];
                    if heuristics.is_good_tactical(&self.game, G::Move::from_bits(bits), ordering::score(pick)) {
                        return Some(bits);
                    }
                    self.stack[ply].bad_captures.push(pick);
                }
                Stage::Quiets => {
                    let bits = if picker.skip_quiets { None } else { self.next_pick(picker, ply) };
                    match bits {
                        Some(bits) if picker.tt_move == Some(bits) => {}
                        Some(bits) => return Some(bits),
                        None => (picker.stage, picker.index) = (Stage::BadCaptures, 0),
                    }
                }
                Stage::BadCaptures => match self.stack[ply].bad_captures.get(picker.index) {
                    Some(&pick) => {
                        picker.index += 1;
                        return Some(ordering::bits(pick));
                    }
                    None => picker.stage = Stage::Deferred,
                },
                Stage::Deferred => return None,
            }
        }
    }

    #[inline]
    pub(super) fn next_pick(&mut self, picker: &mut MovePicker, ply: usize) -> Option<u32> {
        let picks = &mut self.stack[ply].picks;
        if picker.index >= picks.len() {
            return None;
        }
        let pick = ordering::next(picks, picker.index);
        picker.index += 1;
        Some(ordering::bits(pick))
    }

    /// Scores the tactical moves in the list of a ply.
    pub(super) fn score_tactical_moves(&mut self, ply: usize) {
        let (side, heuristics, game, history) = (self.game.mover(), self.shared.heuristics, &self.game, &*self.history);
        let frame = &mut self.stack[ply];
        frame.picks.clear();
        frame.picks.extend(frame.list.each().map(|mv| {
            let learned = history.capture_score(side, heuristics.capture_key(game, mv));
            ordering::pick(heuristics.score_tactical(game, mv) + learned / 8, mv.to_bits())
        }));
    }

    /// Scores the quiet moves in the list of a ply.
    fn score_quiet_moves(&mut self, ply: usize) {
        let (side, heuristics, game, history) = (self.game.mover(), self.shared.heuristics, &self.game, &*self.history);
        let rows = self.stack[ply].rows.map(|row| history.continuation_row(row));
        let scorer = heuristics.quiet_scorer(game);
        let frame = &mut self.stack[ply];
        let killers = frame.killers;
        frame.picks.clear();
        frame.picks.extend(frame.list.each().map(|mv| {
            let bits = mv.to_bits();
            let (key, own) = scorer(mv);
            let key = History::continuation_key(side, key);
            let continued: i32 = rows.iter().map(|row| i32::from(row[key as usize])).sum();
            let killer = if killers.contains(&Some(bits)) { KILLER } else { 0 };
            ordering::pick(2 * history.quiet_score(side, bits) + continued + own + killer, bits)
        }));
    }

    /// Scores all moves in the list of a ply whose mover is in check.
    pub(super) fn score_evasions(&mut self, ply: usize) {
        let (side, heuristics, game, history) = (self.game.mover(), self.shared.heuristics, &self.game, &*self.history);
        let row = history.continuation_row(self.last_row(ply));
        let frame = &mut self.stack[ply];
        frame.picks.clear();
        frame.picks.extend(frame.list.each().map(|mv| {
            let bits = mv.to_bits();
            let score = if heuristics.is_tactical(game, mv) {
                TACTICAL_EVASION + heuristics.score_tactical(game, mv)
            } else {
                let key = History::continuation_key(side, heuristics.continuation_key(game, mv));
                heuristics.score_move(game, mv) + history.quiet_score(side, bits) + i32::from(row[key as usize])
            };
            ordering::pick(score, bits)
        }));
    }

    /// The row of the continuation history that belongs to the move that led to `ply`.
    #[inline]
    fn last_row(&self, ply: usize) -> u32 {
        ply.checked_sub(1).and_then(|ply| self.stack[ply].played).map_or(NO_ROW, |played| played.key)
    }

    /// Looks up the rows of the continuation history for the node at `ply`.
    #[inline]
    pub(super) fn find_rows(&mut self, ply: usize) {
        let mut rows = [NO_ROW; EARLIER.len()];
        for (row, plies) in rows.iter_mut().zip(EARLIER) {
            if let Some(played) = ply.checked_sub(plies).and_then(|ply| self.stack[ply].played) {
                *row = played.key;
            }
        }
        self.stack[ply].rows = rows;
    }

    /// The history score of a move; see [`NodeContext::history`].
    #[inline]
    pub(super) fn history_of(&self, ply: usize, mv: G::Move) -> i32 {
        if !H::STAGED {
            return 0;
        }
        let (side, heuristics) = (self.game.mover(), self.shared.heuristics);
        if heuristics.is_tactical(&self.game, mv) {
            return self.history.capture_score(side, heuristics.capture_key(&self.game, mv));
        }
        let key = History::continuation_key(side, heuristics.continuation_key(&self.game, mv));
        let rows = &self.stack[ply].rows;
        let sum: i32 = rows.iter().map(|&row| i32::from(self.history.continuation_row(row)[key as usize])).sum();
        2 * self.history.quiet_score(side, mv.to_bits()) + sum
    }

    /// Adds to the history of a quiet move at `ply`.
    fn add_quiet(&mut self, ply: usize, bits: u32, bonus: i32) {
        let (side, mv) = (self.game.mover(), G::Move::from_bits(bits));
        let key = History::continuation_key(side, self.shared.heuristics.continuation_key(&self.game, mv));
        self.history.add_quiet(side, bits, bonus);
        for row in self.stack[ply].rows {
            self.history.add_continuation(row, key, bonus);
        }
    }

    fn add_capture(&mut self, bits: u32, bonus: i32) {
        let key = self.shared.heuristics.capture_key(&self.game, G::Move::from_bits(bits));
        self.history.add_capture(self.game.mover(), key, bonus);
    }

    /// Updates the histories and killers after a beta cutoff by the move `bits`. The moves tried before it have failed.
    pub(super) fn learn_cutoff(&mut self, ply: usize, bits: u32, depth: u32) {
        let depth = depth as i32;
        let (bonus, malus) = ((170 * depth - 60).min(1500), -(300 * depth - 120).min(1500));
        let heuristics = self.shared.heuristics;
        let is_tactical = heuristics.is_tactical(&self.game, G::Move::from_bits(bits));
        if is_tactical {
            self.add_capture(bits, bonus);
        } else {
            self.add_quiet(ply, bits, bonus);
            let killers = &mut self.stack[ply].killers;
            if killers[0] != Some(bits) {
                *killers = [Some(bits), killers[0]];
            }
        }
        let tried = std::mem::take(&mut self.stack[ply].tried);
        for &other in tried.iter().filter(|&&other| other != bits) {
            if heuristics.is_tactical(&self.game, G::Move::from_bits(other)) {
                self.add_capture(other, malus);
            } else if !is_tactical {
                self.add_quiet(ply, other, malus);
            }
        }
        self.stack[ply].tried = tried;
    }

    /// Rewards a move of the transposition table that cuts a node off without a search.
    pub(super) fn learn_tt_cutoff(&mut self, ply: usize, bits: u32, depth: u32) {
        let mv = G::Move::from_bits(bits);
        if !self.shared.heuristics.is_tactical(&self.game, mv) && self.shared.heuristics.is_legal(&self.game, mv) {
            self.add_quiet(ply, bits, (130 * depth as i32 - 60).min(1000));
        }
    }

    /// Rewards the quiet move that led to a node at `ply` where every move fails low.
    pub(super) fn learn_fail_low(&mut self, ply: usize, depth: u32) {
        let Some(before) = ply.checked_sub(1) else { return };
        let Some(played) = self.stack[before].played.filter(|played| !played.is_tactical) else { return };
        let bonus = (110 * depth as i32 - 40).min(1000);
        self.history.add_quiet(!self.game.mover(), played.bits, bonus / 2);
        for row in self.stack[before].rows {
            self.history.add_continuation(row, played.key, bonus);
        }
    }
}

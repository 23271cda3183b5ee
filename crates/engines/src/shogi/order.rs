//! Which moves to look at first, and which not at all once the last ply is reached.

use tesuji_game::{Game, Move as _, MoveList, Side};
use tesuji_shogi::{Kind, Move, Moves, Shogi};

use super::exchange::pays;
use super::geometry::{OFF, attacks, in_zone, number, within};
use super::mate::cast;
use super::worth::{promotion, swing};

/// A capture or promotion that loses nothing: before everything a search has learned.
const GOOD: i32 = 20_000;
/// A capture that loses: behind the quiet moves of average luck.
const BAD: i32 = -6_000;
/// A move that its promoting twin beats in nearly every position.
const POINTLESS: i32 = -40_000;
/// A check.
const CHECK: i32 = 3_000;
/// A drop beside the other king.
const BESIDE: i32 = 800;
/// A drop where it can be taken and does nothing.
const IDLE_DROP: i32 = -1_500;

/// How promising a legal move looks.
pub(super) fn promise(game: &Shogi, mv: Move) -> i32 {
    let side = game.mover();
    let (kind, taken) = cast(game, mv);
    let to = number(mv.to());
    if let Some(from) = mv.from().map(number) {
        let gain = taken.map_or(0, swing) + if mv.promotes() { promotion(kind) } else { 0 };
        if gain > 0 {
            return if pays(game, mv, kind, taken) { GOOD + gain - swing(kind) / 16 } else { BAD + gain };
        }
        if is_pointless(side, kind, from, to, mv.promotes()) {
            return POINTLESS;
        }
        let standing = if mv.promotes() { kind.promoted().unwrap_or(kind) } else { kind };
        return checks(game, side, standing, to, from);
    }
    let near = game.king(!side).is_some_and(|king| within(number(king), to, 2));
    checks(game, side, kind, to, OFF) + if near { BESIDE } else { IDLE_DROP }
}

fn checks(game: &Shogi, side: Side, kind: Kind, to: usize, from: usize) -> i32 {
    let check = game.king(!side).is_some_and(|king| attacks(game, side, kind, to, number(king), from));
    if check { CHECK } else { 0 }
}

/// Whether a piece that has nothing to lose by promoting does not promote.
#[inline]
fn is_pointless(side: Side, kind: Kind, from: usize, to: usize, promotes: bool) -> bool {
    !promotes
        && matches!(kind, Kind::Pawn | Kind::Bishop | Kind::Rook)
        && (in_zone(side, to) || in_zone(side, from))
}

/// Moves with their promise, the best first; what does not fit is kept in the order it came.
struct Sorted<'a> {
    keys: [u64; 64],
    len: usize,
    out: &'a mut Vec<Move>,
}

impl Sorted<'_> {
    fn add(&mut self, promise: i32, mv: Move) {
        let key = u64::from((promise as u32) ^ 1 << 31) << 32 | u64::from(!mv.to_bits());
        if self.len == self.keys.len() {
            self.out.push(mv);
            return;
        }
        let mut at = self.len;
        while at > 0 && self.keys[at - 1] < key {
            self.keys[at] = self.keys[at - 1];
            at -= 1;
        }
        self.keys[at] = key;
        self.len += 1;
    }

    fn finish(self) {
        let late = self.out.len();
        self.out.extend(self.keys[..self.len].iter().map(|&key| Move::from_bits(!(key as u32))));
        self.out.rotate_left(late);
    }
}

fn sorted(out: &mut Vec<Move>) -> Sorted<'_> {
    out.clear();
    Sorted { keys: [0; 64], len: 0, out }
}

/// All legal moves, the most promising first: what a king in check can do.
pub(super) fn evasions(game: &mut Shogi, out: &mut Vec<Move>) {
    let mut list = Moves::default();
    game.moves(&mut list);
    let mut sorted = sorted(out);
    for mv in list.each() {
        sorted.add(promise(game, mv), mv);
    }
    sorted.finish();
}

/// Captures and promotions that lose nothing and win at least `least`, the most promising first.
pub(super) fn winning(game: &mut Shogi, least: i32, out: &mut Vec<Move>) {
    let mut list = Moves::default();
    game.moves(&mut list);
    let side = game.mover();
    let mut sorted = sorted(out);
    for mv in list.each() {
        let Some(from) = mv.from().map(number) else { continue };
        let taken = game.piece(mv.to()).map(|piece| piece.kind);
        if taken.is_none() && !mv.promotes() {
            continue;
        }
        let (kind, taken) = cast(game, mv);
        let gain = taken.map_or(0, swing) + if mv.promotes() { promotion(kind) } else { 0 };
        // Promotions that win little are no reason to go on.
        if gain < least.max(100) || is_pointless(side, kind, from, number(mv.to()), mv.promotes()) {
            continue;
        }
        if pays(game, mv, kind, taken) {
            sorted.add(gain - swing(kind) / 16, mv);
        }
    }
    sorted.finish();
}

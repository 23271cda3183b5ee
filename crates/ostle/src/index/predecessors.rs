//! Predecessors of a board.

use tesuji_game::{NO_MOVE, Predecessor, Symmetric};

use super::compress::BitCompress;
use super::rows::HOLES;
use super::unmoves::{NONE, Unmove};
use super::{ClassRanks, Index, Located};
use crate::Ostle;
use crate::board::SIDE;
use crate::moves::{Direction, Move};

/// The first column.
const COLUMN: u32 = 0x10_8421;

/// Brings the five cells of a column together, at bit 20: four bits fewer for each row down.
const TOGETHER: u64 = 0x11_1110;

/// The moves that lead to the board of this number: those in which a piece fell, or the others.
#[inline(always)]
pub(super) fn predecessors<const FALLS: bool, B: BitCompress>(
    bits: B,
    index: &Index,
    class: u8,
    number: u32,
    mut visit: impl FnMut(Predecessor),
) {
    let Some(found) = index.cells(bits, class, number) else { return };
    if !found.symmetric {
        return each::<FALLS, B>(bits, index, class, &found, &mut visit);
    }
    // What a symmetry maps to itself is reached by each move and by its image: one and the same.
    let mut all = Vec::new();
    each::<FALLS, B>(bits, index, class, &found, &mut |back| all.push(back));
    all.sort_unstable_by_key(|back| (back.class, back.index, back.mv));
    all.dedup_by_key(|back| (back.class, back.index, back.mv));
    all.into_iter().for_each(visit);
}

/// A board by its sets: the mover's pieces, the opponent's, and which of the six holes it has.
#[derive(Clone, Copy)]
pub(super) struct BoardSets {
    pub(super) own: u32,
    pub(super) other: u32,
    pub(super) kind: usize,
    pub(super) symmetric: bool,
}

#[inline(always)]
fn each<const FALLS: bool, B: BitCompress>(
    bits: B,
    index: &Index,
    class: u8,
    now: &BoardSets,
    visit: &mut impl FnMut(Predecessor),
) {
    let here = &index.classes[usize::from(class & 3)];
    if !FALLS {
        let before = index.class_of(here.other, here.own);
        let unmoves = &index.unmoves[0];
        pushes(
            now,
            |line| unmoves.of(line),
            |own, other, mv, reply| {
                arrive(bits, index, before, now.kind, 0, (own, other), (mv, reply), visit);
            },
        );
        holes(bits, index, before, now, visit);
        return;
    }
    // The pusher may have lost a piece, or taken one.
    for (fallen, pusher, other) in [(1, here.other + 1, here.own), (2, here.other, here.own + 1)] {
        if pusher <= 5 && other <= 5 {
            let before = index.class_of(pusher, other);
            let unmoves = &index.unmoves[fallen];
            pushes(
                now,
                |line| unmoves.of(line),
                |own, other, mv, reply| {
                    arrive(bits, index, before, now.kind, 0, (own, other), (mv, reply), visit);
                },
            );
        }
    }
}

/// Takes back every push: calls `visit` with the pieces of both sides before it, the move and the reply.
#[inline(always)]
fn pushes<'a>(now: &BoardSets, past: impl Fn(u32) -> &'a [Unmove], mut visit: impl FnMut(u32, u32, u8, u8)) {
    let hole = 1 << HOLES[now.kind];
    let (own, other) = (now.own | hole, now.other | hole);
    for row in 0..SIDE as u32 {
        let at = SIDE as u32 * row;
        let line = own >> at & 31 | (other >> at & 31) << SIDE;
        for unmove in past(line) {
            let pusher = now.other ^ u32::from(unmove.pusher) << at;
            let pushed = now.own ^ u32::from(unmove.other) << at;
            // Left and right are directions 2 and 3; four numbers to a cell.
            let number = |step: u8| step + 4 * at as u8 + 2;
            let reply = if unmove.reply == NONE { NO_MOVE } else { number(unmove.reply) };
            visit(pusher, pushed, number(unmove.mv), reply);
        }
    }
    for column in 0..SIDE as u32 {
        let gather = |set: u32| (u64::from(set >> column & COLUMN).wrapping_mul(TOGETHER) >> 20) as u32 & 31;
        let line = gather(own) | gather(other) << SIDE;
        for unmove in past(line) {
            let pusher = now.other ^ SPREAD[usize::from(unmove.pusher & 31)] << column;
            let pushed = now.own ^ SPREAD[usize::from(unmove.other & 31)] << column;
            let number = |step: u8| SIDE as u8 * (step & !3) + (step & 3) + 4 * column as u8;
            let reply = if unmove.reply == NONE { NO_MOVE } else { number(unmove.reply) };
            visit(pusher, pushed, number(unmove.mv), reply);
        }
    }
}

/// Takes back every move of the hole: it came from an empty cell beside it.
#[inline(always)]
fn holes<B: BitCompress>(bits: B, index: &Index, before: u8, now: &BoardSets, visit: &mut impl FnMut(Predecessor)) {
    let hole = usize::from(HOLES[now.kind]);
    for direction in Direction::ALL {
        let Some(from) = direction.step(hole).filter(|&from| (now.own | now.other) >> from & 1 == 0) else {
            continue;
        };
        let opposite = Direction::ALL[direction as usize ^ 1];
        let (mv, reply) = (Move::new(from, opposite).index(), Move::new(hole, direction).index());
        let (kind, turn) = index.kinds[from];
        let sets = (index.images.of(now.other, turn), index.images.of(now.own, turn));
        arrive(bits, index, before, usize::from(kind), turn, sets, (mv, reply), visit);
    }
}

/// Numbers the board before, which has been turned so that its hole is one of the six.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // A board and a move, in parts that stay in registers.
fn arrive<B: BitCompress>(
    bits: B,
    index: &Index,
    class: u8,
    kind: usize,
    turn: u8,
    (own, other): (u32, u32),
    (mv, reply): (u8, u8),
    visit: &mut impl FnMut(Predecessor),
) {
    let class_before: &ClassRanks = &index.classes[usize::from(class & 3)];
    let Located { index: number, symmetry, symmetric } = index.locate(bits, class_before, kind, own, other);
    let mv = index.image_move(index.image_move(mv, turn), symmetry);
    visit(Predecessor { class, index: number, mv, reply, symmetric });
}

impl Index {
    #[inline(always)]
    fn image_move(&self, mv: u8, symmetry: u8) -> u8 {
        // Any board does: moves are turned without looking at it.
        Ostle(0).image_move(Move::of(mv), usize::from(symmetry)).index()
    }
}

/// Five bits, one to a row.
static SPREAD: [u32; 32] = {
    let mut table = [0; 32];
    let mut set = 0;
    while set < 32 {
        let mut place = 0;
        while place < SIDE {
            table[set] |= (set as u32 >> place & 1) << (SIDE * place);
            place += 1;
        }
        set += 1;
    }
    table
};

//! Mates found without a search: every check is tried, and nothing but checks.

use tesuji_game::{Game, MoveList, Side};
use tesuji_shogi::{Kind, Move, Moves, Shogi};

use super::geometry::{APART, KNIGHTS, NEXT, OFF, bearing, first, number, piece, reaches, square};

/// What gives check to the king that does not move now.
pub(super) struct Checks {
    side: Side,
    king: usize,
    /// The squares the king sees, as the direction and the distance from them to the king; [`HIDDEN`] others.
    seen: [u8; OFF],
    /// The same squares, `len` of them, the nearest of each direction first.
    order: [u8; 32],
    len: usize,
    /// Own pieces that alone hide the king from a line piece behind them, by direction from the king;
    /// [`OFF`] for none. Moving one off its line discovers a check.
    shields: [usize; 8],
}

/// A square the king does not see.
const HIDDEN: u8 = 8;
/// Set beside the direction for squares that are not neighbours of the king.
const FAR: u8 = 16;

impl Checks {
    /// The checks that the mover has; `None` when there is no king to check.
    pub(super) fn new(game: &Shogi) -> Option<Checks> {
        let side = game.mover();
        let king = number(game.king(!side)?);
        let mut checks =
            Checks { side, king, seen: [HIDDEN; OFF], order: [0; 32], len: 0, shields: [OFF; 8] };
        for (direction, &next) in NEXT[king].iter().enumerate() {
            let mut at = usize::from(next);
            let mut far = 0;
            while at != OFF {
                checks.seen[at] = direction as u8 ^ 4 | far;
                checks.order[checks.len] = at as u8;
                checks.len += 1;
                if let Some((owner, _)) = piece(game, at) {
                    if owner == side && is_line_behind(game, side, at, direction) {
                        checks.shields[direction] = at;
                    }
                    break;
                }
                at = usize::from(NEXT[at][direction]);
                far = FAR;
            }
        }
        Some(checks)
    }

    /// Whether a piece of the mover would attack the king from a square.
    #[inline]
    fn is_aimed(&self, kind: Kind, from: usize) -> bool {
        let seen = self.seen[from];
        if seen == HIDDEN {
            return kind == Kind::Knight && KNIGHTS[self.side.index()][self.king].contains(&(from as u8));
        }
        reaches(self.side, kind, usize::from(seen & 7), if seen & FAR == 0 { 1 } else { 2 })
    }

    /// Whether a legal move gives check.
    ///
    /// A piece that hides its target from the king cannot attack the king from there: along that line it
    /// could have done so before.
    #[inline]
    pub(super) fn given_by(&self, game: &Shogi, mv: Move) -> bool {
        let to = number(mv.to());
        let Some(from) = mv.from() else {
            return mv.dropped().is_some_and(|kind| self.is_aimed(kind, to));
        };
        let Some(kind) = game.piece(from).map(|piece| piece.kind) else { return false };
        let standing = if mv.promotes() { kind.promoted().unwrap_or(kind) } else { kind };
        self.is_aimed(standing, to) || self.is_discovered(number(from), to)
    }

    #[inline]
    fn is_discovered(&self, from: usize, to: usize) -> bool {
        let (direction, _) = bearing(self.king, from);
        direction != APART && self.shields[direction] == from && bearing(self.king, to).0 != direction
    }

    /// Whether the king can simply take a piece on `to` that came from `from`: it stands beside the king and
    /// nobody backs it.
    fn is_hanging(&self, game: &Shogi, from: usize, to: usize) -> bool {
        self.seen[to] & !7 == 0 && !is_backed(game, self.side, to, from) && !self.is_discovered(from, to)
    }

    /// Whether a legal move mates.
    fn mated_by(&self, game: &mut Shogi, mv: Move) -> bool {
        self.given_by(game, mv)
            && !self.is_hanging(game, mv.from().map_or(OFF, number), number(mv.to()))
            && mates(game, mv)
    }

    /// A drop that mates, the mover not being in check. A pawn may not, and whatever attacks the king from
    /// where it is dropped can move from there.
    fn dropped(&self, game: &mut Shogi) -> Option<Move> {
        let held = Kind::HAND.map(|kind| kind != Kind::Pawn && game.hand(self.side, kind) > 0);
        if held == [false; Kind::HAND.len()] {
            return None;
        }
        let jumps =
            KNIGHTS[self.side.index()][self.king].map(usize::from).into_iter().filter(|&at| at != OFF);
        let seen = self.order[..self.len].iter().map(|&at| usize::from(at));
        seen.chain(jumps).find_map(|at| {
            if game.piece(square(at)).is_some() {
                return None;
            }
            let mut backed = None;
            Kind::HAND.into_iter().zip(held).find_map(|(kind, held)| {
                if !held || !self.is_aimed(kind, at) {
                    return None;
                }
                let drop = Move::drop(kind, square(at));
                let backed = *backed.get_or_insert_with(|| !self.is_hanging(game, OFF, at));
                (backed && mates(game, drop)).then_some(drop)
            })
        })
    }
}

/// Whether the first piece behind `at` in a direction is of this side and sees as far as `at`.
fn is_line_behind(game: &Shogi, side: Side, at: usize, direction: usize) -> bool {
    let behind = first(game, at, direction, OFF);
    behind != OFF
        && piece(game, behind)
            .is_some_and(|(owner, kind)| owner == side && reaches(side, kind, direction ^ 4, 2))
}

/// Whether a side has a piece that attacks a square, with `gone` taken for empty.
fn is_backed(game: &Shogi, side: Side, to: usize, gone: usize) -> bool {
    let jumps = KNIGHTS[side.index()][to].iter().any(|&from| {
        usize::from(from) != OFF
            && usize::from(from) != gone
            && piece(game, usize::from(from)) == Some((side, Kind::Knight))
    });
    jumps
        || (0..8).any(|direction| {
            let from = first(game, to, direction, gone);
            from != OFF
                && piece(game, from).is_some_and(|(owner, kind)| {
                    let near = usize::from(NEXT[to][direction]) == from;
                    owner == side && reaches(side, kind, direction ^ 4, if near { 1 } else { 2 })
                })
        })
}

/// A move that mates at once, if there is one.
pub(super) fn in_one(game: &mut Shogi) -> Option<Move> {
    let checks = Checks::new(game)?;
    // Out of check every drop is legal that the rules for the piece allow, and need not be listed.
    let free = !game.in_check();
    if free && let Some(drop) = checks.dropped(game) {
        return Some(drop);
    }
    let mut list = Moves::default();
    game.moves(&mut list);
    list.each().find(|&mv| !(free && mv.is_drop()) && checks.mated_by(game, mv))
}

/// Whether a legal move leaves no reply.
fn mates(game: &mut Shogi, mv: Move) -> bool {
    let undo = game.play(mv);
    let mate = game.count() == 0;
    game.undo(undo);
    mate
}

/// A check to which every reply is followed by mate at once, or a move that mates at once.
pub(super) fn in_three(game: &mut Shogi) -> Option<Move> {
    let checks = Checks::new(game)?;
    let mut list = Moves::default();
    game.moves(&mut list);
    let mut replies = Moves::default();
    list.each().find(|&mv| {
        if !checks.given_by(game, mv) {
            return false;
        }
        let undo = game.play(mv);
        game.moves(&mut replies);
        let mate = replies.each().all(|reply| {
            let undo = game.play(reply);
            let mate = in_one(game).is_some();
            game.undo(undo);
            mate
        });
        game.undo(undo);
        mate
    })
}

/// Whether a mate at once is worth looking for: a piece of the mover stands near the other king. A cheap
/// guess; what it overlooks the search finds one ply later.
#[inline]
pub(super) fn is_likely(game: &Shogi) -> bool {
    let side = game.mover();
    let Some(king) = game.king(!side).map(number) else { return false };
    VICINITY[king].iter().any(|&at| piece(game, usize::from(at)).is_some_and(|(owner, _)| owner == side))
}

/// The squares from which most mates are given or supported: two files and two ranks around a king. Places
/// off the board repeat the king's own square.
static VICINITY: [[u8; 24]; OFF] = {
    let mut table = [[0; 24]; OFF];
    let mut number = 0;
    while number < OFF {
        let (mut at, mut cell) = (0, 0);
        while cell < 25 {
            if cell != 12 {
                let to = super::geometry::beyond(number, cell / 5 - 2, cell % 5 - 2);
                table[number][at] = if to == OFF { number } else { to } as u8;
                at += 1;
            }
            cell += 1;
        }
        number += 1;
    }
    table
};

/// The kind a legal move puts on its target, and the kind it takes there.
#[inline]
pub(super) fn cast(game: &Shogi, mv: Move) -> (Kind, Option<Kind>) {
    match (mv.dropped(), mv.from()) {
        (None, Some(from)) => (
            piece(game, number(from)).map_or(Kind::Gold, |(_, kind)| kind),
            game.piece(mv.to()).map(|piece| piece.kind),
        ),
        (dropped, _) => (dropped.unwrap_or(Kind::Gold), None),
    }
}

//! Mates found without a search: every check is tried, and nothing but checks.

use tesuji_game::{Game, MoveList, Side};
use tesuji_shogi::{Kind, Move, Moves, Shogi};

use super::geometry::{APART, OFF, attacks, bearing, first, number, piece, reaches};

/// What gives check to the king that does not move now.
pub(super) struct Checks {
    side: Side,
    king: usize,
    /// The first piece from the king in each direction, if a line piece of the mover would give check
    /// through it; [`OFF`] otherwise. Moving it off the line discovers the check.
    shields: [usize; 8],
}

impl Checks {
    /// The checks that the mover has; `None` when there is no king to check.
    pub(super) fn new(game: &Shogi) -> Option<Checks> {
        let side = game.mover();
        let king = number(game.king(!side)?);
        let mut shields = [OFF; 8];
        for (direction, shield) in shields.iter_mut().enumerate() {
            let near = first(game, king, direction, OFF);
            if near == OFF || piece(game, near).is_none_or(|(owner, _)| owner != side) {
                continue;
            }
            let behind = first(game, near, direction, OFF);
            if behind != OFF
                && let Some((owner, kind)) = piece(game, behind)
                && owner == side
                && reaches(side, kind, direction ^ 4, 2)
            {
                *shield = near;
            }
        }
        Some(Checks { side, king, shields })
    }

    /// Whether a legal move gives check.
    #[inline]
    pub(super) fn given_by(&self, game: &Shogi, mv: Move) -> bool {
        let to = number(mv.to());
        let Some(from) = mv.from().map(number) else {
            return mv.dropped().is_some_and(|kind| attacks(game, self.side, kind, to, self.king, OFF));
        };
        let Some((_, kind)) = piece(game, from) else { return false };
        let standing = if mv.promotes() { kind.promoted().unwrap_or(kind) } else { kind };
        attacks(game, self.side, standing, to, self.king, from) || self.discovered_by(from, to)
    }

    #[inline]
    fn discovered_by(&self, from: usize, to: usize) -> bool {
        let (direction, _) = bearing(self.king, from);
        direction != APART && self.shields[direction] == from && bearing(self.king, to).0 != direction
    }
}

/// A move that mates at once, if there is one.
pub(super) fn in_one(game: &mut Shogi) -> Option<Move> {
    let checks = Checks::new(game)?;
    let mut list = Moves::default();
    game.moves(&mut list);
    list.each().find(|&mv| checks.given_by(game, mv) && mates(game, mv))
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

//! Mate in one and mate in three by trying checks only.

use tesuji_game::{Game, MoveList, Side};
use tesuji_shogi::{Bitboard, EnemyKing, Move, Moves, PieceKind, Shogi, Square, attacks};

/// The checks that the mover can give.
pub(super) struct Checks {
    side: Side,
    king: Square,
    /// The occupied squares, the king's among them.
    occupied: Bitboard,
    /// Where the king may go, and which pieces discover a check or open a line.
    enemy: EnemyKing,
}

impl Checks {
    /// The checks of the mover; `None` when the opponent has no king.
    #[inline]
    pub(super) fn new(game: &Shogi) -> Option<Checks> {
        let side = game.mover();
        let king = game.king(!side)?;
        Some(Checks { side, king, occupied: game.occupied(), enemy: game.enemy_king()? })
    }

    /// Whether a legal move gives check.
    ///
    /// A target square that is hidden from the king by the moving piece itself needs no extra case: along that
    /// line the piece would have given check before.
    #[inline]
    pub(super) fn given_by(&self, game: &Shogi, mv: Move) -> bool {
        let Some(kind) = standing(game, mv) else { return false };
        attacks::attacks_square(self.side, kind, mv.to(), self.king, self.occupied)
            || mv.from().is_some_and(|from| self.is_discovered(from, mv.to()))
    }

    #[inline]
    fn is_discovered(&self, from: Square, to: Square) -> bool {
        self.enemy.blockers.contains(from) && attacks::direction(self.king, from) != attacks::direction(self.king, to)
    }

    /// The squares from which some piece of the mover attacks the king.
    #[inline]
    fn targets(&self) -> Bitboard {
        let (king, occupied) = (self.king, self.occupied);
        let lines = |kind| attacks::attacks(self.side, kind, king, occupied);
        // A knight attacks the king from where an enemy knight on the king's square would attack.
        lines(PieceKind::Bishop) | lines(PieceKind::Rook) | attacks::knight(!self.side, king)
    }

    /// Whether the king can simply capture a piece that came to `to`: it is a neighbour and not defended.
    fn is_hanging(&self, game: &Shogi, from: Option<Square>, to: Square) -> bool {
        self.king.distance(to) == 1
            && !is_defended(game, self.side, to, from)
            && !from.is_some_and(|from| self.is_discovered(from, to))
    }

    /// Whether the king can step away from a piece of this kind that came to `to`. May say no where it can.
    #[inline]
    fn is_escape_left(&self, kind: PieceKind, from: Option<Square>, to: Square) -> bool {
        // A piece that leaves a line of a slider may open it to a flight square.
        if from.is_some_and(|from| self.enemy.slider_attacks.contains(from)) {
            return false;
        }
        let flights = self.enemy.flights & !Bitboard::from_square(to);
        if flights.is_empty() {
            return false;
        }
        let through = self.occupied & !Bitboard::from_square(self.king);
        let occupied = from.map_or(through, |from| through & !Bitboard::from_square(from));
        (flights & !attacks::attacks(self.side, kind, to, occupied)).any()
    }

    /// Whether a legal move mates.
    fn mated_by(&self, game: &mut Shogi, mv: Move) -> bool {
        let Some(kind) = standing(game, mv) else { return false };
        self.given_by(game, mv)
            && !self.is_escape_left(kind, mv.from(), mv.to())
            && !self.is_hanging(game, mv.from(), mv.to())
            && mates(game, mv)
    }

    /// A drop that mates, for a mover who is not in check. A pawn drop may not mate. Any other piece that
    /// attacks the king from its square can move from there, so the drop is legal.
    fn mating_drop(&self, game: &mut Shogi) -> Option<Move> {
        let (mut tested, mut hanging) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for kind in PieceKind::HAND {
            if kind == PieceKind::Pawn || game.hand(self.side, kind) == 0 {
                continue;
            }
            // A piece attacks the king from where a like piece of the other side on the king's square would attack.
            let from = attacks::attacks(!self.side, kind, self.king, self.occupied) & !self.occupied;
            for at in from & !hanging {
                if self.is_escape_left(kind, None, at) {
                    continue;
                }
                if !tested.contains(at) {
                    tested = tested.with(Bitboard::from_square(at));
                    if self.is_hanging(game, None, at) {
                        hanging = hanging.with(Bitboard::from_square(at));
                        continue;
                    }
                }
                let drop = Move::drop(kind, at);
                if mates(game, drop) {
                    return Some(drop);
                }
            }
        }
        None
    }
}

/// The kind of the moving piece after the move.
#[inline]
fn standing(game: &Shogi, mv: Move) -> Option<PieceKind> {
    match mv.from() {
        None => mv.dropped(),
        Some(from) => {
            let kind = game.piece(from)?.kind;
            Some(if mv.promotes() { kind.promoted().unwrap_or(kind) } else { kind })
        }
    }
}

/// Whether a side attacks a square after a piece has left `from`.
fn is_defended(game: &Shogi, side: Side, to: Square, from: Option<Square>) -> bool {
    let left = from.map_or(Bitboard::EMPTY, Bitboard::from_square);
    (game.attackers(to, side, game.occupied() & !left) & !left).any()
}

/// A move that mates at once, if there is one.
pub(super) fn in_one(game: &mut Shogi) -> Option<Move> {
    let checks = Checks::new(game)?;
    // Out of check every drop is legal that the rules for the piece allow, and need not be generated.
    let free = !game.in_check();
    if free && let Some(drop) = checks.mating_drop(game) {
        return Some(drop);
    }
    let mut list = Moves::default();
    if free {
        game.board_moves_to(checks.targets(), checks.enemy.blockers, &mut list);
    } else {
        game.moves(&mut list);
    }
    list.each().find(|&mv| checks.mated_by(game, mv))
}

/// Whether a legal move that gives check leaves no reply.
fn mates(game: &mut Shogi, mv: Move) -> bool {
    let undo = game.play(mv);
    let mate = game.is_mated();
    game.undo(undo);
    mate
}

/// A check after which every reply allows a mate in one, or a move that mates at once.
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

/// Whether a mate search is worth its time: a piece of the mover stands near the other king. A cheap guess; the
/// main search finds missed mates one ply later.
#[inline]
pub(super) fn is_likely(game: &Shogi) -> bool {
    let side = game.mover();
    game.king(!side).is_some_and(|king| (VICINITY[king.index()] & game.pieces(side)).any())
}

/// The squares within two files and two ranks of a king.
#[inline]
pub(super) fn vicinity(king: Square) -> Bitboard {
    VICINITY[king.index()]
}

/// The squares within two files and two ranks of a king: most mates are given or supported from there.
static VICINITY: [Bitboard; Square::INDICES] = {
    let mut table = [Bitboard::EMPTY; Square::INDICES];
    let mut at = 0;
    while at < 25 * Square::INDICES {
        let (files, ranks) = (at as i32 % 5 - 2, at as i32 / 5 % 5 - 2);
        if let Some(king) = Square::from_index(at / 25)
            && let Some(near) = king.offset(files, ranks)
        {
            table[king.index()] = table[king.index()].with(Bitboard::from_square(near));
        }
        at += 1;
    }
    table
};

/// The kind of the moving piece, before promotion, and the kind it captures.
#[inline]
pub(super) fn moved_and_captured(game: &Shogi, mv: Move) -> (PieceKind, Option<PieceKind>) {
    match (mv.dropped(), mv.from()) {
        (None, Some(from)) => {
            (game.piece(from).map_or(PieceKind::Gold, |piece| piece.kind), game.piece(mv.to()).map(|piece| piece.kind))
        }
        (dropped, _) => (dropped.unwrap_or(PieceKind::Gold), None),
    }
}

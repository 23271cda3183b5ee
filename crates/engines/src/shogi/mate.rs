//! Mate in one and mate in three by trying checks only.

use tesuji_game::{Game, MoveList, Side};
use tesuji_shogi::attacks::{self, Direction, Directions};
use tesuji_shogi::{Bitboard, Move, Moves, PieceKind, Shogi, Square};

/// The checks that the mover can give.
pub(super) struct Checks {
    side: Side,
    king: Square,
    /// By square: the direction to the king for squares visible from it, with [`FAR`]; [`HIDDEN`] for others.
    seen: [u8; Square::INDICES],
    /// The visible squares, `len` of them, the nearest of each direction first.
    order: [Square; 32],
    len: usize,
    /// Own pieces that alone block a slider's line to the king, by direction from the king. Moving one off its
    /// line discovers a check.
    blockers: [Option<Square>; 8],
    has_blockers: bool,
    /// From where a knight of the mover would give check.
    jumps: Bitboard,
}

/// A square that is not visible from the king.
const HIDDEN: u8 = 8;
/// Set beside the direction for squares that are not neighbours of the king.
const FAR: u8 = 16;

impl Checks {
    /// The checks of the mover; `None` when the opponent has no king.
    pub(super) fn new(game: &Shogi) -> Option<Checks> {
        let side = game.mover();
        let king = game.king(!side)?;
        // A knight attacks the king from where an enemy knight on the king's square would attack.
        let jumps = attacks::knight(!side, king);
        let (seen, order) = ([HIDDEN; Square::INDICES], [king; 32]);
        let mut checks = Checks { side, king, seen, order, len: 0, blockers: [None; 8], has_blockers: false, jumps };
        for direction in Direction::ALL {
            let mut next = king.step(direction);
            let mut far = 0;
            while let Some(at) = next {
                checks.seen[at.index()] = direction.opposite() as u8 | far;
                checks.order[checks.len] = at;
                checks.len += 1;
                if let Some(piece) = game.piece(at) {
                    if piece.side == side && is_slider_behind(game, side, at, direction) {
                        checks.blockers[direction as usize] = Some(at);
                        checks.has_blockers = true;
                    }
                    break;
                }
                next = at.step(direction);
                far = FAR;
            }
        }
        Some(checks)
    }

    /// Whether a piece of the mover would attack the king from a square.
    #[inline]
    fn attacks_king(&self, kind: PieceKind, from: Square) -> bool {
        let seen = self.seen[from.index()];
        if seen == HIDDEN {
            return kind == PieceKind::Knight && attacks::knight(self.side, from).contains(self.king);
        }
        let direction = Direction::ALL[usize::from(seen & 7)];
        Directions::of(self.side, kind).attacks(direction, if seen & FAR == 0 { 1 } else { 2 })
    }

    /// Whether a legal move gives check.
    ///
    /// A target square that is hidden from the king by the moving piece itself needs no extra case: along that
    /// line the piece would have given check before.
    #[inline]
    pub(super) fn given_by(&self, game: &Shogi, mv: Move) -> bool {
        let Some(from) = mv.from() else {
            return mv.dropped().is_some_and(|kind| self.attacks_king(kind, mv.to()));
        };
        let reaches = self.seen[mv.to().index()] != HIDDEN || self.jumps.contains(mv.to());
        let direct = reaches
            && game.piece(from).is_some_and(|piece| {
                let kind = piece.kind;
                self.attacks_king(if mv.promotes() { kind.promoted().unwrap_or(kind) } else { kind }, mv.to())
            });
        direct || self.is_discovered(from, mv.to())
    }

    #[inline]
    fn is_discovered(&self, from: Square, to: Square) -> bool {
        self.has_blockers
            && attacks::direction(self.king, from).is_some_and(|direction| {
                self.blockers[direction as usize] == Some(from) && attacks::direction(self.king, to) != Some(direction)
            })
    }

    /// Whether the king can simply capture a piece that came to `to`: it is a neighbour and not defended.
    fn is_hanging(&self, game: &Shogi, from: Option<Square>, to: Square) -> bool {
        self.seen[to.index()] & !7 == 0
            && !is_defended(game, self.side, to, from)
            && !from.is_some_and(|from| self.is_discovered(from, to))
    }

    /// Whether a legal move mates.
    fn mated_by(&self, game: &mut Shogi, mv: Move) -> bool {
        self.given_by(game, mv) && !self.is_hanging(game, mv.from(), mv.to()) && mates(game, mv)
    }

    /// A drop that mates, for a mover who is not in check. A pawn drop may not mate. Any other piece that
    /// attacks the king from its square can move from there, so the drop is legal.
    fn mating_drop(&self, game: &mut Shogi) -> Option<Move> {
        let held = PieceKind::HAND.map(|kind| kind != PieceKind::Pawn && game.hand(self.side, kind) > 0);
        if held == [false; PieceKind::HAND.len()] {
            return None;
        }
        let seen = self.order[..self.len].iter().copied();
        seen.chain(self.jumps).find_map(|at| {
            if game.piece(at).is_some() {
                return None;
            }
            let mut defended = None;
            PieceKind::HAND.into_iter().zip(held).find_map(|(kind, held)| {
                if !held || !self.attacks_king(kind, at) {
                    return None;
                }
                let drop = Move::drop(kind, at);
                let defended = *defended.get_or_insert_with(|| !self.is_hanging(game, None, at));
                (defended && mates(game, drop)).then_some(drop)
            })
        })
    }
}

/// Whether the first piece behind `at` in a direction is a slider of `side` that attacks `at`.
fn is_slider_behind(game: &Shogi, side: Side, at: Square, direction: Direction) -> bool {
    attacks::first_on_ray(at, direction, game.occupied())
        .and_then(|behind| game.piece(behind))
        .is_some_and(|piece| piece.side == side && Directions::of(side, piece.kind).attacks(direction.opposite(), 2))
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
        game.board_moves(&mut list);
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

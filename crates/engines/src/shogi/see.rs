//! Static exchange evaluation (SEE): the material result of the captures on one square.
//!
//! Both sides capture with their least valuable piece, promote where they may, and stop when it pays. Sliders
//! behind a piece that has captured join in. Pins are ignored. A king captures only what is not defended.

use tesuji_game::{Game, Side};
use tesuji_shogi::attacks::{self, Direction, Directions};
use tesuji_shogi::{Bitboard, Move, PieceKind, Shogi, Square};

use super::mate::moved_and_captured;
use super::piece_values::{promotion, swing};

/// The longest exchange that is evaluated. With eight lines and four knights there are longer ones only in
/// compositions.
const LONGEST: usize = 20;
const LINES: usize = 8;
const KNIGHTS: usize = 4;

/// Pieces that may capture on one square: the first piece on each line, and the knights.
struct Capturers<'a> {
    game: &'a Shogi,
    to: Square,
    occupied: Bitboard,
    /// The first piece on each of the eight lines, then the squares of four knights.
    at: [Option<Square>; LINES + KNIGHTS],
}

impl<'a> Capturers<'a> {
    /// The capturers on `to` after a piece has left `from`.
    fn new(game: &'a Shogi, to: Square, from: Option<Square>) -> Capturers<'a> {
        let left = from.map_or(Bitboard::EMPTY, Bitboard::from_square);
        let occupied = game.occupied() & !left;
        let mut at = [None; LINES + KNIGHTS];
        for (first, direction) in at.iter_mut().zip(Direction::ALL) {
            *first = attacks::first_on_ray(to, direction, occupied);
        }
        let jumps = attacks::knight(Side::First, to) | attacks::knight(Side::Second, to);
        for (place, square) in at[LINES..].iter_mut().zip(jumps & !left) {
            *place = Some(square);
        }
        // The rays behind captured pieces are looked up on the board before the move.
        Capturers { game, to, occupied: game.occupied(), at }
    }

    /// The least valuable capturer of a side, as its slot in `at` and its kind.
    fn least(&self, side: Side) -> Option<(usize, PieceKind)> {
        let mut least: Option<(i32, Square, usize, PieceKind)> = None;
        for (slot, at) in self.at.iter().enumerate() {
            let Some(at) = *at else { continue };
            let Some(piece) = self.game.piece(at).filter(|piece| piece.side == side) else { continue };
            let kind = piece.kind;
            let captures = if slot < LINES {
                let towards = Direction::ALL[slot].opposite();
                Directions::of(side, kind).attacks(towards, self.to.distance(at))
            } else {
                kind == PieceKind::Knight && attacks::knight(side, at).contains(self.to)
            };
            let value = if kind == PieceKind::King { i32::MAX } else { swing(kind) };
            if captures && least.is_none_or(|(other, square, ..)| (value, at) < (other, square)) {
                least = Some((value, at, slot, kind));
            }
        }
        least.map(|(_, _, slot, kind)| (slot, kind))
    }

    /// Removes the piece of a slot; on a line, the next piece behind it takes its place.
    fn remove(&mut self, slot: usize) {
        self.at[slot] = match (self.at[slot], Direction::ALL.get(slot)) {
            (Some(at), Some(&direction)) => attacks::first_on_ray(at, direction, self.occupied),
            _ => None,
        };
    }
}

/// The result of a legal move and the exchange on its target square, in centipawns for the mover.
pub(super) fn see(game: &Shogi, mv: Move) -> i32 {
    let (mut side, to) = (game.mover(), mv.to());
    let mut gain = [0; LONGEST];
    let mut standing = match mv.dropped() {
        Some(kind) => kind,
        None => match mv.from().and_then(|from| game.piece(from)) {
            Some(piece) => piece.kind,
            None => return 0,
        },
    };
    gain[0] = game.piece(to).map_or(0, |piece| swing(piece.kind));
    if mv.promotes() {
        gain[0] += promotion(standing);
        standing = standing.promoted().unwrap_or(standing);
    }
    let mut capturers = Capturers::new(game, to, mv.from());
    let mut last = 0;
    while last + 1 < LONGEST {
        side = !side;
        let Some((slot, kind)) = capturers.least(side) else { break };
        let from = capturers.at[slot];
        capturers.remove(slot);
        if kind == PieceKind::King && capturers.least(!side).is_some() {
            break;
        }
        last += 1;
        gain[last] = swing(standing) - gain[last - 1];
        standing = kind;
        if (to.in_promotion_zone(side) || from.is_some_and(|from| from.in_promotion_zone(side)))
            && let Some(promoted) = kind.promoted()
        {
            gain[last] += promotion(kind);
            standing = promoted;
        }
    }
    while last > 0 {
        gain[last - 1] = -gain[last].max(-gain[last - 1]);
        last -= 1;
    }
    gain[0]
}

/// Whether a legal move loses more than `most` by the exchange on its target square.
#[inline]
pub(super) fn loses_more_than(game: &Shogi, mv: Move, most: i32) -> bool {
    let (kind, captured) = moved_and_captured(game, mv);
    let standing = if mv.promotes() { kind.promoted().unwrap_or(kind) } else { kind };
    // At worst the piece itself is lost, and a recapture promotes.
    let worst = swing(standing) - captured.map_or(0, swing);
    if worst <= most && !mv.to().in_promotion_zone(!game.mover()) {
        return false;
    }
    see(game, mv) < -most
}

/// Whether a capture or a promotion loses nothing.
#[inline]
pub(super) fn is_good(game: &Shogi, mv: Move, mover: PieceKind, captured: Option<PieceKind>) -> bool {
    is_even_trade(game, mv, mover, captured) || see(game, mv) >= 0
}

/// Whether a capture is an even trade at worst, without a look at the recaptures: the captured piece is worth
/// the mover, and the recapture cannot promote.
#[inline]
pub(super) fn is_even_trade(game: &Shogi, mv: Move, mover: PieceKind, captured: Option<PieceKind>) -> bool {
    let standing = if mv.promotes() { mover.promoted().unwrap_or(mover) } else { mover };
    captured.is_some_and(|captured| swing(captured) >= swing(standing)) && !mv.to().in_promotion_zone(!game.mover())
}

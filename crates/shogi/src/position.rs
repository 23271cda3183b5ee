//! The position of shogi.

use std::fmt;
use std::hash::{Hash, Hasher};

use tesuji_game::{Ending, Game, Outcome, Path, Side, Symmetric};

use crate::board::{self, Board, PieceClass};
use crate::tables::NO_KING;
use crate::threats::EnemyKing;
use crate::{Bitboard, Move, Moves, Piece, PieceKind, Rules, Square};
use crate::{kernel, rules, sfen};

/// A position: the board, the hands, the side to move and the move number.
///
/// The move number is only kept for SFEN; positions that differ only in it are equal.
#[derive(Clone)]
pub struct Shogi {
    pub(crate) board: Board,
    pub(crate) number: u32,
}

/// The data that `undo` needs.
#[derive(Clone, Copy, Debug)]
pub struct Undo(board::Undo);

impl Undo {
    /// The captured piece, promoted or not.
    #[inline]
    pub fn captured(&self) -> Option<PieceKind> {
        self.0.captured()
    }
}

impl Shogi {
    pub(crate) fn of(board: Board, number: u32) -> Shogi {
        Shogi { board, number }
    }

    /// The piece on a square.
    #[inline]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.board.piece(square)
    }

    /// The squares of all pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.board.occupied()
    }

    /// The squares of a side's pieces.
    #[inline]
    pub fn pieces(&self, side: Side) -> Bitboard {
        self.board.side(side)
    }

    /// The pieces of `side` that attack a square. Sliders are blocked by `occupied`, which need not be the
    /// occupied squares of this position.
    ///
    /// ```
    /// use tesuji_game::{Game, Side};
    /// use tesuji_shogi::{Shogi, Square};
    ///
    /// let game = Shogi::start();
    /// let to = Square::parse("5h").unwrap();
    /// // The king, both golds and the rook guard the square before the king.
    /// assert_eq!(game.attackers(to, Side::First, game.occupied()).count(), 4);
    /// ```
    #[inline]
    pub fn attackers(&self, to: Square, side: Side, occupied: Bitboard) -> Bitboard {
        self.board.attackers(to.index(), side, occupied)
    }

    /// The number of pieces of an unpromoted kind in a side's hand.
    #[inline]
    pub fn hand(&self, side: Side, kind: PieceKind) -> u32 {
        match kind {
            PieceKind::King => 0,
            kind if kind.is_promoted() => 0,
            kind => u32::from(self.board.hand(side, kind)),
        }
    }

    /// The number of pieces of every kind in a side's hand, by the number of the unpromoted kind.
    ///
    /// ```
    /// use tesuji_game::{Notation, Side};
    /// use tesuji_shogi::{PieceKind, Shogi};
    ///
    /// let game = Shogi::parse("4k4/9/9/9/9/9/9/9/4K4 b R3Pg 1")?;
    /// assert_eq!(game.hand_counts(Side::First)[PieceKind::Pawn as usize], 3);
    /// assert_eq!(game.hand_counts(Side::Second)[PieceKind::Gold as usize], 1);
    /// # Ok::<(), tesuji_game::TextError>(())
    /// ```
    #[inline]
    pub fn hand_counts(&self, side: Side) -> [u8; 8] {
        self.board.hand_counts(side)
    }

    /// The square of a side's king, if it is on the board.
    pub fn king(&self, side: Side) -> Option<Square> {
        Some(self.board.king(side)).filter(|&king| king != NO_KING).map(Square::from_bits)
    }

    /// Plays a null move: passes the move to the other side. `undo` takes it back. The mover must not be in check.
    pub fn pass(&mut self) -> Undo {
        debug_assert!(!self.in_check(), "passing in check in {self:?}");
        self.number = self.number.wrapping_add(1);
        Undo(self.board.pass())
    }

    /// The number of the next move, from 1, as in SFEN.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The same position with another move number.
    #[must_use]
    pub fn with_number(self, number: u32) -> Shogi {
        Shogi { number, ..self }
    }

    /// A key of the board, the side to move and the pieces that both sides hold together. Unlike
    /// [`key`](Game::key) it does not depend on which side holds them.
    pub fn key_without_hands(&self) -> u64 {
        self.board.key_without_hands()
    }

    /// Whether the mover, who must be in check, has no legal move. Faster than counting the moves.
    pub fn is_mated(&self) -> bool {
        debug_assert!(self.in_check(), "not in check: {self:?}");
        kernel::is_mated(&self.board)
    }

    /// Replaces `out` by the legal moves that are no drops.
    pub fn board_moves(&self, out: &mut Moves) {
        kernel::board_moves(&self.board, out);
    }

    /// Replaces `out` by the legal board moves to `targets`, and by all board moves of the pieces in `free`. The mover must
    /// not be in check.
    pub fn board_moves_to(&self, targets: Bitboard, free: Bitboard, out: &mut Moves) {
        debug_assert!(!self.in_check(), "moves to some squares in check in {self:?}");
        kernel::board_moves_to(&self.board, targets, free, out);
    }

    /// The king of the side that is not to move; `None` if it has none.
    #[inline]
    pub fn enemy_king(&self) -> Option<EnemyKing> {
        self.king(!self.mover()).map(|_| kernel::enemy_king(&self.board))
    }

    /// Whether a move is legal.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.why_illegal(mv).is_none()
    }

    /// Replaces `out` by the legal captures and promotions. The mover must not be in check.
    pub fn tactical_moves(&self, out: &mut Moves) {
        debug_assert!(!self.in_check(), "tactical moves in check in {self:?}");
        kernel::tactical_moves(&self.board, out);
    }

    /// Replaces `out` by the legal moves that neither capture nor promote. The mover must not be in check.
    pub fn quiet_moves(&self, out: &mut Moves) {
        debug_assert!(!self.in_check(), "quiet moves in check in {self:?}");
        kernel::quiet_moves(&self.board, out);
    }

    /// A hash of the pawns on the board, of both sides. Positions with the same pawns have the same hash.
    ///
    /// ```
    /// use tesuji_game::{Game, Notation};
    /// use tesuji_shogi::Shogi;
    ///
    /// let pawns = Shogi::start().pawn_key();
    /// let played = |moves: &[&str]| {
    ///     let mut game = Shogi::start();
    ///     for text in moves {
    ///         let mv = game.parse_move(text).unwrap();
    ///         game.play(mv);
    ///     }
    ///     game.pawn_key()
    /// };
    /// assert_eq!(played(&["2h6h", "8b4b"]), pawns);
    /// assert_ne!(played(&["7g7f"]), pawns);
    /// ```
    #[inline]
    pub fn pawn_key(&self) -> u64 {
        let pawns = self.board.set(PieceClass::Pawn);
        Side::BOTH.iter().fold(0, |key: u64, &side| {
            let own = pawns & self.board.side(side);
            let mixed = (own.lo() ^ key.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (mixed ^ own.hi() ^ mixed >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9)
        })
    }

    /// Whether the king of `side` is in check.
    pub fn is_checked(&self, side: Side) -> bool {
        self.board.is_checked(side)
    }
}

impl Game for Shogi {
    type Move = Move;
    type Moves = Moves;
    type Undo = Undo;
    type Rules = Rules;

    const NAME: &'static str = "shogi";
    const REASONS: &'static [&'static str] = &["checkmate", "no-moves", "repetition", "perpetual-check", "move-limit"];
    const RECURS: bool = true;

    fn start() -> Shogi {
        sfen::start()
    }

    #[inline]
    fn mover(&self) -> Side {
        self.board.mover()
    }

    fn moves(&mut self, out: &mut Moves) {
        kernel::moves(&self.board, out);
    }

    fn count(&mut self) -> u64 {
        kernel::count(&self.board)
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Undo {
        debug_assert_eq!(self.why_illegal(mv), None, "{mv} in {self:?}");
        self.number = self.number.wrapping_add(1);
        Undo(self.board.play(mv))
    }

    #[inline]
    fn undo(&mut self, undo: Undo) {
        self.number = self.number.wrapping_sub(1);
        self.board.undo(undo.0);
    }

    /// The mover has lost when there is no legal move.
    fn outcome(&self) -> Option<Outcome> {
        (kernel::count(&self.board) == 0).then_some(Outcome::Loss)
    }

    #[inline]
    fn key(&self) -> u64 {
        self.board.key()
    }

    fn in_check(&self) -> bool {
        self.board.is_checked(self.mover())
    }

    fn ending(&self, path: &Path<Shogi>) -> Option<Ending> {
        rules::ending(self, path)
    }

    fn leaves(&mut self, depth: u32) -> u64 {
        kernel::leaves(&mut self.board, depth)
    }
}

/// Only the identity: books take a position as it is.
impl Symmetric for Shogi {
    const SYMMETRIES: usize = 1;

    fn image(&self, _: usize) -> Shogi {
        self.clone()
    }

    fn image_move(&self, mv: Move, _: usize) -> Move {
        mv
    }
}

impl PartialEq for Shogi {
    fn eq(&self, other: &Shogi) -> bool {
        self.board == other.board
    }
}

impl Eq for Shogi {}

impl Hash for Shogi {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.board.hash(state);
    }
}

impl fmt::Debug for Shogi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Shogi({})", sfen::print(self))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::any;
    use tesuji_game::MoveList;
    use tesuji_laws::{for_all, hold, playout};

    use super::*;

    /// The partial lists are parts of the full one.
    #[test]
    fn partial_move_lists() {
        for_all(64, proptest::collection::vec(any::<u16>(), 0..200), |choices| {
            playout(Shogi::start(), &choices, |game, list, _| {
                let sorted = |moves: &mut dyn Iterator<Item = Move>| {
                    let mut moves: Vec<Move> = moves.collect();
                    moves.sort_unstable();
                    moves
                };
                let mut partial = Moves::default();
                game.board_moves(&mut partial);
                let on_board = sorted(&mut list.each().filter(|mv| !mv.is_drop()));
                hold!(sorted(&mut partial.each()) == on_board, "moves on the board of {game:?}");
                if game.in_check() {
                    hold!(game.is_mated() == list.is_empty(), "mated in {game:?}");
                    return Ok(());
                }
                let (targets, free) = (Bitboard::ranks(0b0_1010_1010), Bitboard::ranks(0b1_0000_0011));
                game.board_moves_to(targets, free, &mut partial);
                let goes = |mv: &Move| mv.from().is_some_and(|from| free.contains(from) || targets.contains(mv.to()));
                let chosen = sorted(&mut list.each().filter(|mv| {
                    goes(mv)
                        && mv.from().is_some_and(|from| free.contains(from) || game.king(game.mover()) != Some(from))
                }));
                hold!(sorted(&mut partial.each()) == chosen, "moves to some squares of {game:?}");
                game.tactical_moves(&mut partial);
                let is_tactical = |mv: &Move| mv.promotes() || (!mv.is_drop() && game.piece(mv.to()).is_some());
                let tactical = sorted(&mut list.each().filter(is_tactical));
                hold!(sorted(&mut partial.each()) == tactical, "captures and promotions of {game:?}");
                game.quiet_moves(&mut partial);
                let quiet = sorted(&mut list.each().filter(|mv| !is_tactical(mv)));
                hold!(sorted(&mut partial.each()) == quiet, "quiet moves of {game:?}");
                Ok(())
            })
        });
    }

    /// Whatever bits a transposition table holds, only legal moves are taken from it.
    #[test]
    fn legal_are_the_moves_of_the_list() {
        use tesuji_game::Move as _;
        for_all(8, proptest::collection::vec(any::<u16>(), 0..120), |choices| {
            playout(Shogi::start(), &choices, |game, list, _| {
                for bits in (0..1 << 15).step_by(7) {
                    let mv = Move::from_bits(bits);
                    let listed = list.each().any(|legal| legal == mv);
                    hold!(game.is_legal(mv) == listed, "{mv} ({bits}) in {game:?}: in the list {listed}");
                }
                hold!(list.each().all(|mv| game.is_legal(mv)), "a listed move is illegal in {game:?}");
                Ok(())
            })
        });
    }

    #[test]
    fn a_pass_changes_the_mover_and_nothing_else() {
        for_all(32, proptest::collection::vec(any::<u16>(), 0..200), |choices| {
            playout(Shogi::start(), &choices, |game, _, _| {
                if game.in_check() {
                    return Ok(());
                }
                let before = game.clone();
                let undo = game.pass();
                hold!(game.mover() != before.mover(), "the mover is the same in {before:?}");
                hold!(game.key() == game.board.key_from_scratch(), "the key is wrong in {game:?}");
                for square in Square::all() {
                    hold!(game.piece(square) == before.piece(square), "{square} changed in {before:?}");
                }
                game.undo(undo);
                hold!(*game == before && game.number() == before.number(), "{before:?} became {game:?}");
                Ok(())
            })
        });
    }

    #[test]
    fn undo_knows_the_captured_piece() {
        for_all(16, proptest::collection::vec(any::<u16>(), 0..200), |choices| {
            playout(Shogi::start(), &choices, |game, list, _| {
                for &mv in list.as_slice() {
                    let taken = game.piece(mv.to()).map(|piece| piece.kind);
                    let undo = game.play(mv);
                    hold!(undo.captured() == taken, "{mv} takes {taken:?}");
                    game.undo(undo);
                }
                Ok(())
            })
        });
    }

    #[test]
    fn the_incremental_key_is_the_key_from_scratch() {
        for_all(64, proptest::collection::vec(any::<u16>(), 0..300), |choices| {
            playout(Shogi::start(), &choices, |game, list, _| {
                for &mv in list.as_slice() {
                    let undo = game.play(mv);
                    hold!(game.key() == game.board.key_from_scratch(), "after {mv} in {game:?}");
                    game.undo(undo);
                }
                Ok(())
            })
        });
    }

    #[test]
    fn the_key_without_hands_knows_only_their_sum() {
        let key = |sfen: &str| sfen::parse(sfen).unwrap().key_without_hands();
        let usual = key("4k4/9/9/9/9/9/9/9/4K4 b 2PSg 1");
        assert_eq!(usual, key("4k4/9/9/9/9/9/9/9/4K4 b PGps 1"));
        assert_eq!(usual, key("4k4/9/9/9/9/9/9/9/4K4 b Gs2p 1"));
        for other in [
            "4k4/9/9/9/9/9/9/9/4K4 w 2PSg 1",
            "4k4/9/9/9/9/9/9/9/4K4 b 3PSg 1",
            "4k4/9/9/9/9/9/9/9/4K4 b 2PG 1",
            "4k4/9/9/9/9/9/9/9/3K5 b 2PSg 1",
        ] {
            assert_ne!(usual, key(other), "{other}");
        }
    }

    #[test]
    fn the_number_of_the_move_is_not_part_of_the_position() {
        let mut later = Shogi::start();
        later.number = 77;
        assert_eq!(later, Shogi::start());
        assert_eq!(later.key(), Shogi::start().key());
    }
}

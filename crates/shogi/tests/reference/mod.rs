//! The rules once more, slowly: an array of squares, every move tried, every reply looked for.

mod compare;

use std::fmt;

use tesuji_game::{Game, Outcome, Side};
use tesuji_shogi::{Move, Piece, PieceKind, Shogi, Square};

/// A position as a list of what stands where.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Reference {
    /// By rank and file, both from 0.
    board: [[Option<Piece>; 9]; 9],
    /// By side and code of the kind.
    hands: [[u32; 8]; 2],
    mover: Side,
}

impl fmt::Debug for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in &self.board {
            for piece in rank.iter().rev() {
                match piece {
                    None => write!(f, " ..")?,
                    Some(Piece { side: Side::First, kind }) => write!(f, "{:>3}", kind.letters())?,
                    Some(Piece { kind, .. }) => write!(f, "{:>3}", kind.letters().to_lowercase())?,
                }
            }
            writeln!(f)?;
        }
        write!(f, "hands {:?}, mover {}", self.hands, self.mover)
    }
}

impl From<&Shogi> for Reference {
    fn from(fast: &Shogi) -> Reference {
        let mut slow = Reference { board: [[None; 9]; 9], hands: [[0; 8]; 2], mover: fast.mover() };
        for square in Square::all() {
            *slow.at(square) = fast.piece(square);
        }
        for side in Side::BOTH {
            for kind in PieceKind::HAND {
                slow.hands[side.index()][kind as usize] = fast.hand(side, kind);
            }
        }
        slow
    }
}

/// Ways to go as (files, ranks), for black.
type Ways = &'static [(i32, i32)];

/// Single steps, and lines.
fn ways(kind: PieceKind) -> (Ways, Ways) {
    const GOLD: Ways = &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
    const DIAGONAL: Ways = &[(-1, -1), (1, -1), (-1, 1), (1, 1)];
    const STRAIGHT: Ways = &[(0, -1), (-1, 0), (1, 0), (0, 1)];
    match kind {
        PieceKind::Pawn => (&[(0, -1)], &[]),
        PieceKind::Lance => (&[], &[(0, -1)]),
        PieceKind::Knight => (&[(-1, -2), (1, -2)], &[]),
        PieceKind::Silver => (&[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)], &[]),
        PieceKind::King => (&[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)], &[]),
        PieceKind::Bishop => (&[], DIAGONAL),
        PieceKind::Rook => (&[], STRAIGHT),
        PieceKind::Horse => (STRAIGHT, DIAGONAL),
        PieceKind::Dragon => (DIAGONAL, STRAIGHT),
        _ => (GOLD, &[]),
    }
}

fn beyond(square: Square, (files, ranks): (i32, i32), side: Side) -> Option<Square> {
    let ranks = if side == Side::First { ranks } else { -ranks };
    let file = u8::try_from(i32::from(square.file()) + files).ok()?;
    let rank = u8::try_from(i32::from(square.rank()) + ranks).ok()?;
    Square::new(file, rank)
}

/// The rank as the side counts it, 1 being the far end.
fn far(side: Side, square: Square) -> u8 {
    if side == Side::First { square.rank() } else { 10 - square.rank() }
}

impl Reference {
    fn at(&mut self, square: Square) -> &mut Option<Piece> {
        &mut self.board[usize::from(square.rank()) - 1][usize::from(square.file()) - 1]
    }

    fn piece(&self, square: Square) -> Option<Piece> {
        self.board[usize::from(square.rank()) - 1][usize::from(square.file()) - 1]
    }

    /// The squares a piece attacks.
    fn reach(&self, from: Square, piece: Piece) -> Vec<Square> {
        let (steps, lines) = ways(piece.kind);
        let mut found: Vec<Square> = steps.iter().filter_map(|&way| beyond(from, way, piece.side)).collect();
        for &way in lines {
            let mut at = from;
            while let Some(next) = beyond(at, way, piece.side) {
                found.push(next);
                if self.piece(next).is_some() {
                    break;
                }
                at = next;
            }
        }
        found
    }

    fn in_check(&self, side: Side) -> bool {
        Square::all().any(|from| {
            self.piece(from).filter(|piece| piece.side != side).is_some_and(|piece| {
                self.reach(from, piece)
                    .into_iter()
                    .any(|to| self.piece(to) == Some(Piece { side, kind: PieceKind::King }))
            })
        })
    }

    fn after(&self, mv: Move) -> Reference {
        let mut after = self.clone();
        let side = self.mover;
        let kind = match (mv.from(), mv.dropped()) {
            (Some(from), _) => {
                let piece = after.at(from).take().unwrap();
                if mv.promotes() { piece.kind.promoted().unwrap() } else { piece.kind }
            }
            (None, Some(kind)) => {
                after.hands[side.index()][kind as usize] -= 1;
                kind
            }
            (None, None) => panic!("neither a step nor a drop"),
        };
        if let Some(taken) = after.at(mv.to()).replace(Piece { side, kind }) {
            after.hands[side.index()][taken.kind.unpromoted() as usize] += 1;
        }
        after.mover = !side;
        after
    }

    /// Moves that obey everything but the safety of the king and the rule of the pawn drop.
    fn possible(&self) -> Vec<Move> {
        let side = self.mover;
        let mut found = Vec::new();
        for from in Square::all() {
            let Some(piece) = self.piece(from).filter(|piece| piece.side == side) else { continue };
            for to in self.reach(from, piece) {
                if self.piece(to).is_some_and(|piece| piece.side == side) {
                    continue;
                }
                if far(side, to) > piece.kind.dead_ranks() {
                    found.push(Move::board(from, to, false));
                }
                if piece.kind.promoted().is_some() && (far(side, from) <= 3 || far(side, to) <= 3) {
                    found.push(Move::board(from, to, true));
                }
            }
        }
        for to in Square::all().filter(|&to| self.piece(to).is_none()) {
            for kind in PieceKind::HAND {
                let nifu = kind == PieceKind::Pawn
                    && Square::all()
                        .any(|other| other.file() == to.file() && self.piece(other) == Some(Piece { side, kind }));
                if self.hands[side.index()][kind as usize] > 0 && far(side, to) > kind.dead_ranks() && !nifu {
                    found.push(Move::drop(kind, to));
                }
            }
        }
        found
    }

    fn legal(&self) -> Vec<Move> {
        let side = self.mover;
        let mut found = self.possible();
        found.retain(|&mv| {
            let after = self.after(mv);
            // A pawn drop cannot answer a pawn drop with mate: nothing fits between pawn and king.
            let saves = |reply: Move| !after.after(reply).in_check(!side);
            let checks = mv.dropped() == Some(PieceKind::Pawn) && after.in_check(!side);
            !after.in_check(side) && (!checks || after.possible().into_iter().any(saves))
        });
        found
    }
}

impl Game for Reference {
    type Move = Move;
    type Moves = Vec<Move>;
    type Undo = Reference;
    type Rules = ();

    const NAME: &'static str = "slow-shogi";
    const RECURS: bool = true;

    fn start() -> Reference {
        let mut start = Reference { board: [[None; 9]; 9], hands: [[0; 8]; 2], mover: Side::First };
        let home = [PieceKind::Lance, PieceKind::Knight, PieceKind::Silver, PieceKind::Gold, PieceKind::King];
        for file in 0..9 {
            for side in Side::BOTH {
                let row = |rank: usize| if side == Side::First { 8 - rank } else { rank };
                start.board[row(0)][file] = Some(Piece { side, kind: home[file.min(8 - file)] });
                start.board[row(2)][file] = Some(Piece { side, kind: PieceKind::Pawn });
            }
        }
        let piece = |side, kind| Some(Piece { side, kind });
        start.board[7][1] = piece(Side::First, PieceKind::Rook);
        start.board[7][7] = piece(Side::First, PieceKind::Bishop);
        start.board[1][7] = piece(Side::Second, PieceKind::Rook);
        start.board[1][1] = piece(Side::Second, PieceKind::Bishop);
        start
    }

    fn mover(&self) -> Side {
        self.mover
    }

    fn moves(&mut self, out: &mut Vec<Move>) {
        *out = self.legal();
    }

    fn count(&mut self) -> u64 {
        self.legal().len() as u64
    }

    fn play(&mut self, mv: Move) -> Reference {
        let after = self.after(mv);
        std::mem::replace(self, after)
    }

    fn undo(&mut self, before: Reference) {
        *self = before;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.legal().is_empty().then_some(Outcome::Loss)
    }

    fn key(&self) -> u64 {
        0
    }

    fn in_check(&self) -> bool {
        Reference::in_check(self, self.mover)
    }
}

//! The rules once more, slowly: an array of squares, every move tried, every reply looked for.

use std::collections::BTreeSet;
use std::fmt;

use proptest::prelude::any;
use tesuji_game::{Game, MoveList, Outcome, Side, perft};
use tesuji_laws::{Verdict, effort, for_all, hold, playout};
use tesuji_shogi::{Kind, Move, Piece, Setup, Shogi, Square};

use crate::facts::facts;

/// A position as a list of what stands where.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Slow {
    /// By rank and file, both from 0.
    board: [[Option<Piece>; 9]; 9],
    /// By side and code of the kind.
    hands: [[u32; 8]; 2],
    mover: Side,
}

impl fmt::Debug for Slow {
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

impl From<&Shogi> for Slow {
    fn from(fast: &Shogi) -> Slow {
        let mut slow = Slow { board: [[None; 9]; 9], hands: [[0; 8]; 2], mover: fast.mover() };
        for square in Square::all() {
            *slow.at(square) = fast.piece(square);
        }
        for side in Side::BOTH {
            for kind in Kind::HAND {
                slow.hands[side.index()][kind as usize] = fast.hand(side, kind);
            }
        }
        slow
    }
}

/// Ways to go as (files, ranks), for black.
type Ways = &'static [(i32, i32)];

/// Single steps, and lines.
fn ways(kind: Kind) -> (Ways, Ways) {
    const GOLD: Ways = &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
    const DIAGONAL: Ways = &[(-1, -1), (1, -1), (-1, 1), (1, 1)];
    const STRAIGHT: Ways = &[(0, -1), (-1, 0), (1, 0), (0, 1)];
    match kind {
        Kind::Pawn => (&[(0, -1)], &[]),
        Kind::Lance => (&[], &[(0, -1)]),
        Kind::Knight => (&[(-1, -2), (1, -2)], &[]),
        Kind::Silver => (&[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)], &[]),
        Kind::King => (&[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)], &[]),
        Kind::Bishop => (&[], DIAGONAL),
        Kind::Rook => (&[], STRAIGHT),
        Kind::Horse => (STRAIGHT, DIAGONAL),
        Kind::Dragon => (DIAGONAL, STRAIGHT),
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

impl Slow {
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
                    .any(|to| self.piece(to) == Some(Piece { side, kind: Kind::King }))
            })
        })
    }

    fn after(&self, mv: Move) -> Slow {
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
            for kind in Kind::HAND {
                let nifu = kind == Kind::Pawn
                    && Square::all().any(|other| {
                        other.file() == to.file() && self.piece(other) == Some(Piece { side, kind })
                    });
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
            let checks = mv.dropped() == Some(Kind::Pawn) && after.in_check(!side);
            !after.in_check(side) && (!checks || after.possible().into_iter().any(saves))
        });
        found
    }
}

impl Game for Slow {
    type Move = Move;
    type Moves = Vec<Move>;
    type Undo = Slow;
    type Rules = ();

    const NAME: &'static str = "slow-shogi";
    const RECURS: bool = true;

    fn start() -> Slow {
        let mut start = Slow { board: [[None; 9]; 9], hands: [[0; 8]; 2], mover: Side::First };
        let home = [Kind::Lance, Kind::Knight, Kind::Silver, Kind::Gold, Kind::King];
        for file in 0..9 {
            for side in Side::BOTH {
                let row = |rank: usize| if side == Side::First { 8 - rank } else { rank };
                start.board[row(0)][file] = Some(Piece { side, kind: home[file.min(8 - file)] });
                start.board[row(2)][file] = Some(Piece { side, kind: Kind::Pawn });
            }
        }
        let piece = |side, kind| Some(Piece { side, kind });
        start.board[7][1] = piece(Side::First, Kind::Rook);
        start.board[7][7] = piece(Side::First, Kind::Bishop);
        start.board[1][7] = piece(Side::Second, Kind::Rook);
        start.board[1][1] = piece(Side::Second, Kind::Bishop);
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

    fn play(&mut self, mv: Move) -> Slow {
        let after = self.after(mv);
        std::mem::replace(self, after)
    }

    fn undo(&mut self, before: Slow) {
        *self = before;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.legal().is_empty().then_some(Outcome::Loss)
    }

    fn key(&self) -> u64 {
        0
    }

    fn in_check(&self) -> bool {
        Slow::in_check(self, self.mover)
    }
}

/// Both say the same of a position.
fn agree(fast: &mut Shogi) -> Verdict {
    let mut list = tesuji_shogi::Moves::default();
    fast.moves(&mut list);
    let slow = Slow::from(&*fast);
    let (quick, sure): (BTreeSet<Move>, BTreeSet<Move>) =
        (list.each().collect(), slow.legal().into_iter().collect());
    hold!(
        quick == sure,
        "only the fast one plays {:?}, only the slow one {:?} in {fast:?}",
        quick.difference(&sure).collect::<Vec<_>>(),
        sure.difference(&quick).collect::<Vec<_>>()
    );
    hold!(fast.count() == sure.len() as u64, "count says {} for {} in {fast:?}", fast.count(), sure.len());
    hold!(fast.in_check() == Game::in_check(&slow), "they disagree about check in {fast:?}");
    // Foreseen replies are those that are counted one by one.
    let leaves = (fast.leaves(2), perft::walk(fast, 2));
    hold!(leaves.0 == leaves.1, "leaves {leaves:?} in {fast:?}");
    Ok(())
}

#[test]
fn the_slow_twin_agrees() {
    tesuji_laws::twin::<Shogi, Slow>();
}

#[test]
fn the_slow_twin_agrees_from_known_positions() {
    for (_, start, _) in facts() {
        for_all(effort() / 16 + 1, proptest::collection::vec(any::<u16>(), 0..40), |choices| {
            playout(start.clone(), &choices, |fast, _, _| agree(fast))
        });
    }
}

/// Few pieces, many of them near a king in a corner, and pawns in hand: where dropping a pawn may mate, and
/// where kings may be missing.
#[test]
fn the_slow_twin_agrees_on_sparse_positions() {
    let pieces = proptest::collection::vec((any::<u8>(), any::<u8>(), any::<bool>()), 2..16);
    let compared = std::cell::Cell::new([0_u32; 2]);
    for_all(effort() * 60, (pieces, any::<u8>(), any::<u8>()), |(pieces, corner, hands)| {
        let Some(mut fast) = sparse(&pieces, corner, hands) else { return Ok(()) };
        agree(&mut fast)?;
        let slow = Slow::from(&fast);
        let mating = slow.possible().into_iter().any(|mv| {
            mv.dropped() == Some(Kind::Pawn) && {
                let mut after = slow.after(mv);
                !after.in_check(slow.mover) && Game::in_check(&after) && after.count() == 0
            }
        });
        let [all, mates] = compared.get();
        compared.set([all + 1, mates + u32::from(mating)]);
        Ok(())
    });
    let [all, mates] = compared.get();
    assert!(all > 1000 && mates > 20, "{all} positions, {mates} of them with a mating pawn drop");
}

fn sparse(pieces: &[(u8, u8, bool)], corner: u8, hands: u8) -> Option<Shogi> {
    // Half of the positions are turned round, so that white drops.
    let turned = hands & 128 != 0;
    let side = |black: bool| if black != turned { Side::First } else { Side::Second };
    let at =
        |file: u8, rank: u8| if turned { Square::new(10 - file, 10 - rank) } else { Square::new(file, rank) };
    let mut setup = Setup::new();
    setup.side(side(true));
    // The king to be mated near a corner, or none; the other low, or none.
    if !corner.is_multiple_of(16) {
        setup.put(at(1 + corner % 3, 1 + corner / 3 % 2)?, Piece { side: side(false), kind: Kind::King });
    }
    if corner % 8 != 1 {
        setup.put(at(1 + corner % 9, 9)?, Piece { side: side(true), kind: Kind::King });
    }
    setup.hand(side(true), Kind::Pawn, 1 + u32::from(hands % 2));
    setup.hand(side(false), Kind::Pawn, u32::from(hands / 2 % 2));
    setup.hand(side(true), Kind::ALL[usize::from(hands) / 4 % 5], u32::from(hands / 64 % 2));
    for &(kind, place, black) in pieces {
        let kind = Kind::ALL[usize::from(kind) % Kind::ALL.len()];
        let square = match place {
            192.. => at(1 + place % 9, 1 + place / 9 % 9)?,
            _ => at(1 + place % 4, 1 + place / 4 % 4)?,
        };
        let mut with = setup.clone();
        with.put(square, Piece { side: side(black), kind });
        if kind != Kind::King && with.build().is_ok() {
            setup = with;
        }
    }
    setup.build().ok()
}

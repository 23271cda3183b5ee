//! Both rule sets side by side: in random games, from known positions, and with few pieces on the board.

use std::cell::Cell;
use std::collections::BTreeSet;

use proptest::prelude::any;
use tesuji_game::{Game, MoveList, Side, perft};
use tesuji_laws::{PropertyResult, effort, for_all, hold, playout};
use tesuji_shogi::{Move, Piece, PieceKind, Setup, Shogi, Square};

use super::Reference;
use crate::facts::facts;

/// Both say the same of a position.
fn agree(fast: &mut Shogi) -> PropertyResult {
    let mut list = tesuji_shogi::Moves::default();
    fast.moves(&mut list);
    let slow = Reference::from(&*fast);
    let (quick, sure): (BTreeSet<Move>, BTreeSet<Move>) = (list.each().collect(), slow.legal().into_iter().collect());
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
    tesuji_laws::reference::<Shogi, Reference>();
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
    let compared = Cell::new([0_u32; 2]);
    for_all(effort() * 60, (pieces, any::<u8>(), any::<u8>()), |(pieces, corner, hands)| {
        let Some(mut fast) = sparse(&pieces, corner, hands) else { return Ok(()) };
        agree(&mut fast)?;
        let slow = Reference::from(&fast);
        let mating = slow.possible().into_iter().any(|mv| {
            mv.dropped() == Some(PieceKind::Pawn) && {
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
    let at = |file: u8, rank: u8| if turned { Square::new(10 - file, 10 - rank) } else { Square::new(file, rank) };
    let mut setup = Setup::new();
    setup.side(side(true));
    // The king to be mated near a corner, or none; the other low, or none.
    if !corner.is_multiple_of(16) {
        setup.put(at(1 + corner % 3, 1 + corner / 3 % 2)?, Piece { side: side(false), kind: PieceKind::King });
    }
    if corner % 8 != 1 {
        setup.put(at(1 + corner % 9, 9)?, Piece { side: side(true), kind: PieceKind::King });
    }
    setup.hand(side(true), PieceKind::Pawn, 1 + u32::from(hands % 2));
    setup.hand(side(false), PieceKind::Pawn, u32::from(hands / 2 % 2));
    setup.hand(side(true), PieceKind::ALL[usize::from(hands) / 4 % 5], u32::from(hands / 64 % 2));
    for &(kind, place, black) in pieces {
        let kind = PieceKind::ALL[usize::from(kind) % PieceKind::ALL.len()];
        let square = match place {
            192.. => at(1 + place % 9, 1 + place / 9 % 9)?,
            _ => at(1 + place % 4, 1 + place / 4 % 4)?,
        };
        let mut with = setup.clone();
        with.put(square, Piece { side: side(black), kind });
        if kind != PieceKind::King && with.build().is_ok() {
            setup = with;
        }
    }
    setup.build().ok()
}

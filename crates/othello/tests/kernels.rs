//! Every kernel agrees with the walk along the rays, on boards of all kinds, the impossible included.

use proptest::prelude::any;
use tesuji_game::Side;
use tesuji_laws::{effort, for_all, hold};
use tesuji_othello::kernel::{self, portable};
use tesuji_othello::{Othello, Square, flips, mobility};

#[path = "../benches/classic.rs"]
mod classic;
#[path = "../benches/rival.rs"]
mod rival;

use crate::reference::Reference;

/// A random board: `density` thins out the empty squares, so that long runs occur.
fn board((a, b, c, density): (u64, u64, u64, u8)) -> (u64, u64) {
    let filled = match density % 4 {
        0 => c,
        1 => c | a,
        2 => c | c.rotate_left(21),
        _ => c | a | b.rotate_left(17) | c.rotate_left(40),
    };
    let ours = if density & 4 == 0 { a } else { a & b };
    (ours & filled, !ours & filled)
}

#[test]
fn flips_and_mobility_are_those_of_the_walk() {
    for_all(effort() * 20, any::<(u64, u64, u64, u8)>(), |random| {
        let (own, other) = board(random);
        let position = Othello::new(own, other, Side::First).ok_or("the sets overlap")?;
        let slow = Reference::from(&position);
        let expected = slow.mobility();
        hold!(mobility(own, other) == expected, "mobility of {position:?}");
        hold!(portable::mobility(own, other) == expected, "portable mobility of {position:?}");
        hold!(classic::mobility_by_carries(own, other) == expected, "mobility by carries of {position:?}");
        for square in (0..64).filter_map(Square::new) {
            let expected = slow.flips(square);
            hold!(flips(own, other, square) == expected, "flips of {square} in {position:?}");
            if position.empties() & square.bit() != 0 {
                hold!(portable::flips(own, other, square) == expected, "portable {square} in {position:?}");
                hold!(rival::flips(own, other, square) == expected, "rival {square} in {position:?}");
                let by_square = classic::flips_by_square(own, other, square);
                hold!(by_square == expected, "the function of {square} in {position:?}");
                hold!(classic::flips_by_shifts(own, other, square) == expected, "shifts {square} in {position:?}");
            }
        }
        Ok(())
    });
}

/// By the definition: every move played, one leaf for each game that is over.
fn plain(own: u64, other: u64, depth: u32) -> u64 {
    let squares = mobility(own, other);
    if depth == 0 || squares == 0 && mobility(other, own) == 0 {
        return 1;
    }
    if squares == 0 {
        return plain(other, own, depth - 1);
    }
    let legal = (0..64).filter_map(Square::new).filter(|square| squares & square.bit() != 0);
    let after = legal.map(|square| flips(own, other, square) | square.bit());
    after.map(|changed| plain(other & !changed, own | changed, depth - 1)).sum()
}

#[test]
fn leaves_are_counted_alike() {
    for_all(effort() * 2, any::<(u64, u64, u64, u8)>(), |random| {
        let (own, other) = board(random);
        for depth in 0..=4 {
            let expected = plain(own, other, depth);
            let found = kernel::leaves(own, other, depth);
            hold!(found == expected, "{found} for {expected} at {depth}: {own:#x} {other:#x}");
            let found = portable::leaves(own, other, depth);
            hold!(found == expected, "portable: {found} for {expected} at {depth}: {own:#x} {other:#x}");
        }
        Ok(())
    });
}

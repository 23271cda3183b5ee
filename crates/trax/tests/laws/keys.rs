//! Keys: the same wherever the tiles lie and however they came there, different otherwise.

use tesuji_game::{Game, MoveList, Notation, Symmetric, perft};
use tesuji_trax::{Trax, Unlimited};

type Plain = Trax<Unlimited>;

#[test]
fn the_way_does_not_matter() {
    let (one, other) = (Plain::parse("@0+ @1+ @1+").unwrap(), Plain::parse("@0+ B1+ C1+").unwrap());
    assert_eq!(one, other);
    assert_eq!((one.key(), perft::identity(&one)), (other.key(), perft::identity(&other)));
    assert_ne!(one.print(), other.print());
}

#[test]
fn keys_alone_tell_positions_apart() {
    let start = &mut Plain::start();
    let by_key = perft::distinct(start, 5, |game| u128::from(game.key()));
    assert_eq!(by_key, perft::distinct(start, 5, perft::identity));
}

#[test]
fn the_canonical_key_is_the_least_of_the_images() {
    for line in include_str!("../../testdata/games.txt").lines().filter(|line| !line.starts_with('#')) {
        let moves = line.splitn(6, ' ').nth(5).unwrap();
        let game = Plain::parse(moves).unwrap();
        let least = (0..Plain::SYMMETRIES).map(|symmetry| game.image(symmetry).key()).min();
        assert_eq!(Some(game.canonical_key()), least, "{moves}");
    }
    let empty = Plain::start();
    let least = (0..Plain::SYMMETRIES).map(|symmetry| empty.image(symmetry).key()).min();
    assert_eq!(Some(empty.canonical_key()), least);
}

/// Every bit of the key splits the positions of five plies in halves, and every byte spreads them evenly:
/// each count stays within five standard deviations.
#[test]
fn keys_are_spread_over_all_bits() {
    let keys = std::cell::RefCell::new(Vec::new());
    perft::distinct(&mut Plain::start(), 5, |game| {
        keys.borrow_mut().push(game.key());
        perft::identity(game)
    });
    let mut keys = keys.into_inner();
    keys.sort_unstable();
    keys.dedup();
    let total = keys.len() as f64;
    for bit in 0..64 {
        let ones = keys.iter().filter(|&&key| key >> bit & 1 == 1).count() as f64;
        assert!((ones - total / 2.0).abs() < 5.0 * (total / 4.0).sqrt(), "bit {bit}: {ones} of {total}");
    }
    for byte in 0..8 {
        let mut counts = [0.0; 256];
        keys.iter().for_each(|key| counts[(key >> (8 * byte) & 255) as usize] += 1.0);
        let mean = total / 256.0;
        let chi: f64 = counts.iter().map(|count| (count - mean) * (count - mean) / mean).sum();
        assert!((chi - 255.0).abs() < 5.0 * (2.0f64 * 255.0).sqrt(), "byte {byte}: chi-square {chi}");
    }
}

#[test]
fn empty_boards_seen_from_other_sides_are_other_positions() {
    let start = Plain::start();
    let mut keys: Vec<u64> = (0..Plain::SYMMETRIES).map(|symmetry| start.image(symmetry).key()).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 16, "the first tile lies differently in each");
    for symmetry in 0..Plain::SYMMETRIES {
        let mut image = start.image(symmetry);
        assert_eq!(image == start, symmetry == 0);
        let mut list = Vec::new();
        image.moves(&mut list);
        assert_eq!(list.len(), 2);
        for mv in list.each() {
            assert_eq!(image.parse_move(&image.print_move(mv)), Ok(mv));
        }
    }
}

#[test]
fn images_are_written_down_and_read_again() {
    for moves in ["", "@0/", r"@0/ B1+ C1/ C2\ @1+ A2/ A3/ D3\"] {
        let game = Plain::parse(moves).unwrap();
        for first in 0..Plain::SYMMETRIES {
            for then in 0..Plain::SYMMETRIES {
                let mut image = game.image(first).image(then);
                let text = image.print();
                assert_eq!(Plain::parse(&text).as_ref(), Ok(&image), "{text}");
                let mut list = Vec::new();
                image.moves(&mut list);
                image.play(list[list.len() / 2]);
                let text = image.print();
                assert_eq!(Plain::parse(&text).as_ref(), Ok(&image), "{text}");
            }
        }
    }
}

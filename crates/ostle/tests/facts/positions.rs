//! Single positions that show a rule.

use std::collections::BTreeSet;

use tesuji_game::{Game, MoveList, Notation, Outcome, Record, Side, Symmetric};
use tesuji_ostle::{Moves, Ostle, Previous};

fn at(text: &str) -> Ostle {
    Ostle::parse(text).expect("a board")
}

fn after(mut position: Ostle, moves: &str) -> Ostle {
    for word in moves.split_whitespace() {
        let mv = position.parse_move(word).expect("a legal move");
        position.play(mv);
    }
    position
}

fn moves(mut position: Ostle) -> BTreeSet<String> {
    let mut list = Moves::default();
    position.moves(&mut list);
    list.each().map(|mv| position.print_move(mv)).collect()
}

#[test]
fn a_hole_may_not_go_straight_back() {
    let moved = after(Ostle::start(), "c3u");
    assert_eq!(moved.print(), "11111-00300-00000-00000-22222 O/22222-00000-00300-00000-11111 X");
    assert!(!moves(moved).contains("c2d"));
    assert!(moves(moved).contains("c2l"));
    assert_eq!(moved, at("1111100300000000000022222/2222200000003000000011111"));
    assert_ne!(moved, at("11111-00300-00000-00000-22222"));
    // One ply later the ko is gone, and the board with nothing forbidden is another position.
    assert_eq!(after(moved, "a1d").ko(), None);
}

#[test]
fn a_push_that_ends_in_an_enemy_piece_may_not_be_pushed_back() {
    let before = at("22222-10000-00300-00000-11110");
    let pushed = after(before, "a2u");
    assert_eq!((pushed.pieces(), pushed.ko()), ((4, 5), None), "a fall cannot be taken back");
    let before = at("22220-00021-00300-00000-11110");
    let pushed = after(before, "e2l");
    assert_eq!(pushed.print(), "11110-00120-00300-00000-22220 O/22220-00021-00300-00000-11110 X");
    assert!(!moves(pushed).contains("c2r"));
    let own = after(at("22220-00011-00300-00000-21110"), "e2l");
    assert_eq!(own.ko(), None, "the opponent cannot move the mover's piece back");
}

#[test]
fn two_mirror_images_of_one_ko_are_two_kos() {
    // The pieces look the same after a quarter turn, the hole does not: down and right lead to images of one
    // another, but each forbids a reply of its own.
    let board = at("00210-13000-20002-00001-01200");
    let images: BTreeSet<u64> = (0..8).map(|symmetry| board.image(symmetry).code()).collect();
    assert_eq!(images.len(), 8);
    let (down, right) = (after(board, "b2d"), after(board, "b2r"));
    assert_eq!(down.canonical_code(), right.canonical_code());
    let kos = [down, right].map(|previous| board.with_previous(previous));
    assert_eq!(kos.map(|(_, verdict)| verdict), [Previous::Ko, Previous::Ko]);
    assert_ne!(kos[0].0, kos[1].0);
    assert_ne!(kos[0].0.canonical_key(), kos[1].0.canonical_key());
}

#[test]
fn a_game_ends_with_the_second_piece_that_falls() {
    let endings = [
        ("20222-10000-00300-00000-01111", "a2u", Some(("pieces", Side::First))),
        ("22222-10000-00300-00000-01111", "a2u", None),
        ("22022-20000-00300-00000-01111", "b5d", Some(("suicide", Side::Second))),
        ("22022-20000-00300-00000-11111", "a5d", None),
        ("22020-00000-12300-00000-00111", "a3r", Some(("pieces", Side::First))),
    ];
    for (text, mv, expected) in endings {
        let mut record = Record::new(at(text));
        let before = record.now().pieces();
        record.push_text(mv).unwrap();
        assert_eq!(record.ending().map(|ending| (ending.reason, ending.winner)), expected.map(|(r, s)| (r, Some(s))));
        let (own, other) = record.now().pieces();
        assert_eq!(own + other + 1, before.0 + before.1, "{text} {mv}");
    }
    assert_eq!(at("11111-00000-00300-00000-22200").outcome(), Some(Outcome::Win));
    assert_eq!(at("11100-00000-00300-00000-22220").outcome(), Some(Outcome::Loss));
}

#[test]
fn one_line_of_a_row_is_pushed_only_as_far_as_it_is_unbroken() {
    let line = |before: &str, mv: &str| after(at(before), mv).print().get(12..17).map(str::to_owned);
    // Digits change hands: the mover's 1 is printed as 2.
    assert_eq!(line("22200-00000-12021-30000-01110", "a3r").as_deref(), Some("02112"));
    assert_eq!(line("22200-00000-12231-00000-01110", "a3r").as_deref(), Some("02132"));
    assert_eq!(line("02220-00000-11221-30000-11000", "a3r").as_deref(), Some("02211"));
}

#[test]
fn symmetries_are_numbered_as_in_the_published_solution() {
    let board = at("12222-10000-00003-00000-11100");
    let expected = [
        "12222-10000-00003-00000-11100",
        "22221-00001-30000-00000-00111",
        "11100-00000-00003-10000-12222",
        "00111-00000-30000-00001-22221",
        "11001-20001-20001-20000-20300",
        "20300-20000-20001-20001-11001",
        "10011-10002-10002-00002-00302",
        "00302-00002-10002-10002-10011",
    ];
    for (symmetry, text) in expected.iter().enumerate() {
        assert_eq!(board.image(symmetry).print(), format!("{text} X"), "symmetry {symmetry}");
    }
}

#[test]
fn codes_are_those_of_the_published_solution() {
    let start = Ostle::start();
    assert_eq!(start.code(), 12 | 0b11111 << 5 | 0b11111 << 50);
    assert_eq!(Ostle::from_code(start.code()), Some(start));
    assert_eq!(Ostle::from_code(start.code() | 1 << 55), None);
    assert_eq!(Ostle::from_code(0), None);
    let mv = Ostle::start().parse_move("c5l").unwrap();
    assert_eq!((mv.index(), mv.solution_id()), (90, 22 | 2 << 5));
    let listed = {
        let mut list = Moves::default();
        Ostle::start().moves(&mut list);
        list.each().map(|mv| mv.solution_id()).collect::<Vec<_>>()
    };
    assert_eq!(listed[..5], [20, 20 | 1 << 5, 20 | 2 << 5, 20 | 3 << 5, 21]);
    assert_eq!(listed[20..], [12, 12 | 1 << 5, 12 | 2 << 5, 12 | 3 << 5]);
}

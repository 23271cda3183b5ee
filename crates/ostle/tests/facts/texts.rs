//! Text that is refused, and what the refusal says.

use tesuji_game::{Game, Notation};
use tesuji_ostle::{Ostle, Previous};

#[test]
fn boards_that_cannot_be_are_refused_with_the_reason() {
    let cases = [
        ("", 0, "these are 0"),
        ("22222-00000-00300-00000-1111", 0, "these are 24"),
        ("22222-00000-00300-00000-111110", 29, "this is more"),
        ("22222-00000-00400-00000-11111", 14, "not a cell"),
        ("22222-00000-00é00-00000-11111", 14, "not a cell"),
        ("22222-00000-00000-00000-11111", 0, "this has 0"),
        ("22222-00000-03300-00000-11111", 0, "this has 2"),
        ("22222-20000-00300-00000-11111", 0, "6 of 2"),
        ("22200-00000-00300-00000-11100", 0, "3 of 1 and 3 of 2"),
        ("22000-00000-00300-00000-11111", 0, "2 of 2"),
        ("22222-00000-00300-00000-11111/", 30, "these are 0"),
        ("22222-00000-00300-00000-11111/22222-00000-00300-00000-11111", 30, "no move leads"),
        ("11111-00300-00000-00000-22222/22222-00000-00300-00000-11111/", 59, "not a cell"),
    ];
    for (text, place, reason) in cases {
        let error = Ostle::parse(text).unwrap_err();
        assert_eq!(error.at, place, "{text:?}: {error}");
        assert!(error.message.contains(reason), "{text:?}: {error}");
    }
}

#[test]
fn hyphens_may_stand_anywhere_and_the_mover_has_no_name() {
    let loose = Ostle::parse("--2-2222-00000003000000011111--").unwrap();
    assert_eq!(loose, Ostle::start());
    assert_eq!(loose.print(), "22222-00000-00300-00000-11111");
    let mut second = Ostle::start();
    let mv = second.parse_move("A5U").unwrap();
    second.play(mv);
    let read = Ostle::parse(&second.print()).unwrap();
    assert_eq!((read, read.key()), (second, second.key()));
    assert_ne!(read.mover(), second.mover());
}

#[test]
fn a_previous_board_tells_what_is_forbidden() {
    let board = Ostle::parse("00100-11200-00001-31022-20020").unwrap();
    let cases = [
        ("00000-22200-00102-32011-10010", Previous::Ko),
        ("00200-22100-00002-32011-10001", Previous::NoKo),
        ("00200-22100-00002-32011-10010", Previous::Impossible),
        ("00200-22100-00002-32011-10000", Previous::Impossible),
    ];
    for (text, expected) in cases {
        let (position, verdict) = board.with_previous(Ostle::parse(text).unwrap());
        assert_eq!(verdict, expected, "{text}");
        assert_eq!(position.ko().is_some(), expected == Previous::Ko);
        assert_eq!(position.without_ko(), board);
    }
    assert_eq!(board.ko(), None);
}

#[test]
fn moves_that_cannot_be_are_refused_with_the_reason() {
    let mut hole_moved = Ostle::start();
    let mv = hole_moved.parse_move("c3u").unwrap();
    hole_moved.play(mv);
    let cases = [
        ("c2d", "recreate the board"),
        ("c2u", "only to an empty cell"),
        ("c5u", "the opponent's"),
        ("c3u", "empty"),
        ("c6u", "as in c5u"),
        ("f1u", "as in c5u"),
        ("c1x", "as in c5u"),
        ("c1", "as in c5u"),
        ("", "as in c5u"),
    ];
    for (text, reason) in cases {
        let error = hole_moved.parse_move(text).unwrap_err();
        assert!(error.message.contains(reason), "{text:?}: {error}");
    }
    let over = Ostle::parse("11111-00000-00300-00000-22200").unwrap().parse_move("a1d");
    assert!(over.is_err_and(|error| error.message.contains("over")));
}

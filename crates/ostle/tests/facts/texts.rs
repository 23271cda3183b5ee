//! Text that is refused, and what the refusal says.

use tesuji_game::{Game, Notation, Side};
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
        ("11111-00300-00000-00000-22222/22222-00000-00300-00000-11111/", 59, "this is more"),
        ("22222-00000-00300-00000-11111 Y", 30, "then X or O"),
        ("22222-00000-00300-00000-11111 X O", 30, "then X or O"),
        ("22222-00000-00300-00000-1111O", 28, "not a cell"),
        ("22222-00000-00300-00000-1111 O", 0, "these are 24"),
        (" X", 0, "these are 0"),
        ("11111-00300-00000-00000-22222 X/22222-00000-00300-00000-11111 X", 32, "the sides take turns"),
    ];
    for (text, place, reason) in cases {
        let error = Ostle::parse(text).unwrap_err();
        assert_eq!(error.at, place, "{text:?}: {error}");
        assert!(error.message.contains(reason), "{text:?}: {error}");
    }
}

#[test]
fn hyphens_and_blanks_may_stand_anywhere() {
    for loose in ["--2-2222-00000003000000011111--", " 22222 00000 00300 00000 11111  x "] {
        let loose = Ostle::parse(loose).unwrap();
        assert_eq!((loose, loose.mover()), (Ostle::start(), Side::First));
        assert_eq!(loose.print(), "22222-00000-00300-00000-11111 X");
    }
}

#[test]
fn the_side_to_move_survives_print_and_parse() {
    for moves in ["", "A5U", "c3u", "c3u c1d", "c3u c2l"] {
        let mut position = Ostle::start();
        for word in moves.split_whitespace() {
            let mv = position.parse_move(word).unwrap();
            position.play(mv);
        }
        let read = Ostle::parse(&position.print()).unwrap();
        assert_eq!((read.bits(), read.key()), (position.bits(), position.key()), "{position:?}");
    }
}

#[test]
fn one_side_of_two_boards_is_enough() {
    let (board, previous) = ("11111-00300-00000-00000-22222", "22222-00000-00300-00000-11111");
    let cases = [("", "", Side::First), ("X", "", Side::First), ("O", "", Side::Second)];
    let more = [("", "O", Side::First), ("", "X", Side::Second), ("X", "O", Side::First), ("o", "x", Side::Second)];
    for (now, before, side) in cases.into_iter().chain(more) {
        let position = Ostle::parse(&format!("{board} {now}/{previous} {before}")).unwrap();
        assert_eq!((position.mover(), position.ko().is_some()), (side, true), "{now:?} {before:?}");
    }
    // The same position for either side to move.
    assert_eq!(Ostle::parse(&format!("{board} O")), Ostle::parse(board));
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

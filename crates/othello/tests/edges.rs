//! Edge cases: empty boards, one colour only, full boards.

use tesuji_game::{Game, Margin, MoveList, Notation, Outcome, Path, Record, Side};
use tesuji_othello::{Move, Moves, Othello};

fn position(board: &str, mover: char) -> Othello {
    Othello::parse(&format!("{board:-<64} {mover}")).expect("a board")
}

fn full(first: char, count: usize, second: char) -> String {
    std::iter::repeat_n(first, count).chain(std::iter::repeat_n(second, 64 - count)).collect()
}

#[test]
fn finished_games_have_a_score_and_one_leaf() {
    let cases = [
        (position("", 'X'), 0),
        (position("X", 'X'), 64),
        (position("X", 'O'), -64),
        (position("OO-XXX", 'O'), -60),
        (position(&full('X', 32, 'O'), 'X'), 0),
        (position(&full('X', 33, 'O'), 'O'), -2),
        (position(&full('O', 64, 'X'), 'O'), 64),
    ];
    for (mut game, margin) in cases {
        assert_eq!(game.margin(), Some(margin), "{}", game.print());
        let outcome = match margin {
            0 => Outcome::Draw,
            1.. => Outcome::Win,
            _ => Outcome::Loss,
        };
        assert_eq!(game.outcome(), Some(outcome));
        assert_eq!(game.count(), 0);
        assert!((0..70).all(|depth| game.leaves(depth) == 1));
        let ending = game.ending(&Path::new(&game, ())).unwrap();
        assert_eq!((ending.reason, ending.winner), ("discs", outcome.winner(game.mover())));
        assert!(Record::new(game).push(Move::PASS).is_err());
    }
}

#[test]
fn a_pass_is_forced_alone_and_costs_a_ply() {
    let mut game = position("XXO", 'O');
    let mut list = Moves::default();
    game.moves(&mut list);
    assert_eq!(list.each().collect::<Vec<_>>(), [Move::PASS]);
    assert_eq!((game.count(), game.outcome(), game.margin()), (1, None, None));
    assert_eq!([0, 1, 2, 3].map(|depth| game.leaves(depth)), [1; 4]);
    game.play(Move::PASS);
    assert_eq!(game, position("XXO", 'X'));
}

#[test]
fn the_last_disc_of_a_side_can_be_taken() {
    let mut game = position("XO", 'X');
    let capture = game.parse_move("c1").unwrap();
    let undo = game.play(capture);
    assert_eq!((game.own(), game.margin(), game.mover()), (0, Some(-64), Side::Second));
    game.undo(undo);
    assert_eq!(game, position("XO", 'X'));
}

#[test]
fn sets_that_overlap_are_no_position() {
    assert_eq!(Othello::new(1, 1, Side::First), None);
    assert!(Othello::new(1, 2, Side::First).is_some());
}

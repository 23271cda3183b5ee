//! What the world knows: perft from the start, and the FFO endgame positions.

use tesuji_game::{Formats, Game, Margin, MoveList, Notation, perft};
use tesuji_othello::kernel::portable;
use tesuji_othello::{Moves, OBF, ObfProblem, Othello};

/// A pass costs a ply, a finished game is one leaf.
const PERFT: [u64; 11] = [1, 4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288, 24_571_284];

#[test]
fn perft_from_the_start() {
    for (depth, &leaves) in PERFT.iter().enumerate() {
        assert_eq!(Othello::start().leaves(depth as u32), leaves, "depth {depth}");
    }
    for (depth, &leaves) in PERFT.iter().enumerate().take(10) {
        let mut start = Othello::start();
        assert_eq!(perft::walk(&mut start, depth as u32), leaves, "depth {depth}, walked");
        let portable = portable::leaves(start.own(), start.other(), depth as u32);
        assert_eq!(portable, leaves, "depth {depth}, portable");
    }
}

/// FFO 1, 9, 20, 40 and 59: board, exact score, best moves.
const FFO: [(&str, i32, &[&str]); 5] = [
    ("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", 18, &["g8"]),
    ("--XOXX--O-OOXXXX-OOOXXXX-XOXXXOXXXOXOOOXOXXOXOXX--OXOO----OOOO-- O", -8, &["g7", "a4"]),
    ("XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X", 6, &["h5"]),
    ("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38, &["a2"]),
    ("-----------------------O--OOOOO---OOOOOXOOOOXXXX--XXOOXX--XX-O-X X", 64, &["h4", "g8", "e8"]),
];

#[test]
fn ffo_positions_are_read_with_their_values() {
    for (board, score, best) in FFO {
        let values: String = best.iter().map(|mv| format!(" {}:{score:+};", mv.to_uppercase())).collect();
        let line = format!("{board};{values}");
        let problem = ObfProblem::parse(&line).unwrap();
        assert_eq!(problem.print(), line);
        assert_eq!(problem.score(), Some(score));
        assert_eq!(problem.best().map(|mv| mv.to_string()).collect::<Vec<_>>(), best);
        assert_eq!(Othello::detect(line.as_bytes()), OBF);
        let reading = Othello::read(OBF, line.as_bytes()).next().unwrap();
        assert_eq!((reading.fault, *reading.record.start()), (None, problem.position));
        assert_eq!(Othello::write(OBF, &reading.record).unwrap(), (line + "\n").into_bytes());
    }
}

/// The best final score for the mover, by looking at everything.
fn best_score(game: &mut Othello) -> i32 {
    let mut list = Moves::default();
    game.moves(&mut list);
    let below = |mv| {
        let undo = game.play(mv);
        let score = -best_score(game);
        game.undo(undo);
        score
    };
    list.each().map(below).max().or_else(|| game.margin()).unwrap_or_default()
}

#[test]
fn the_smallest_ffo_position_is_worth_what_everyone_says() {
    let (board, score, best) = FFO[2];
    let mut game = Othello::parse(board).unwrap();
    let mut list = Moves::default();
    game.moves(&mut list);
    let mut found = Vec::new();
    for mv in list.each() {
        let undo = game.play(mv);
        found.push((-best_score(&mut game), mv.to_string()));
        game.undo(undo);
    }
    let top = found.iter().map(|(score, _)| *score).max();
    assert_eq!(top, Some(score));
    let top: Vec<&str> = found.iter().filter(|(s, _)| *s == score).map(|(_, mv)| mv.as_str()).collect();
    assert_eq!(top, best);
}

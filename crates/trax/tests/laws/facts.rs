//! Facts about the rules: counted trees, distinct positions, and games whose ends are known.

use std::cell::RefCell;
use std::collections::HashSet;

use crate::reference::Reference;
use tesuji_game::{Formats, Game, LINES, MoveList, Notation, Outcome, Path, Side, Symmetric, perft};
use tesuji_trax::{EightByEight, Loops, Trax, Unlimited, Variant, WinKind};

const PERFT: &str = include_str!("../../testdata/perft.txt");
const GAMES: &str = include_str!("../../testdata/games.txt");

fn at<V: Variant>(moves: &str) -> Trax<V> {
    Trax::parse(moves).unwrap_or_else(|error| panic!("{moves}: {error}"))
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

fn count_trees<V: Variant>(depth: usize) -> usize {
    let mut rows = 0;
    for line in lines(PERFT) {
        let (moves, counts) = line.split_once('|').unwrap();
        let mut game = at::<V>(moves);
        for (below, leaves) in counts.split_whitespace().take(depth).enumerate() {
            assert_eq!(game.leaves(below as u32 + 1), leaves.parse::<u64>().unwrap(), "{line} at {below}");
            rows += 1;
        }
    }
    rows
}

#[test]
fn trees_have_the_known_number_of_leaves() {
    assert_eq!(count_trees::<Unlimited>(6), 23);
}

#[test]
fn variants_differ_only_in_larger_boxes() {
    let begun = |line: &&str| line.split('|').next().unwrap().split_whitespace().count() < 3;
    for line in lines(PERFT).filter(begun) {
        let (moves, counts) = line.split_once('|').unwrap();
        let (mut small, mut loops) = (at::<EightByEight>(moves), at::<Loops>(moves));
        for (below, leaves) in counts.split_whitespace().take(5).enumerate() {
            let leaves = leaves.parse::<u64>().unwrap();
            assert_eq!(small.leaves(below as u32 + 1), leaves, "8x8, {line}");
            assert_eq!(loops.leaves(below as u32 + 1), leaves, "loops, {line}");
        }
    }
}

#[test]
fn distinct_positions_are_counted() {
    let won = RefCell::new(vec![HashSet::new(); 5]);
    let identity = |game: &Trax<Unlimited>| {
        if game.outcome().is_some() {
            won.borrow_mut()[game.turns() - 1].insert(perft::identity(game));
        }
        perft::identity(game)
    };
    let start = &mut Trax::<Unlimited>::start();
    assert_eq!(perft::distinct(start, 5, identity), [2, 20, 194, 1912, 18489]);
    assert_eq!(won.borrow().iter().map(HashSet::len).collect::<Vec<_>>(), [0, 0, 2, 38, 574]);
    let classes = perft::distinct(start, 5, |game| u128::from(game.canonical_key()));
    assert_eq!(classes, [2, 8, 42, 318, 2636]);
}

#[test]
fn forced_play_can_make_a_turn_illegal() {
    let mut game = at::<Unlimited>(r"@0/ B1+ C1/ C2\ @1+ A2/ A3/ D3\");
    let error = game.parse_move(r"B3\").unwrap_err();
    assert!(error.message.contains("three edges of one colour"), "{error}");
    let mut list = Vec::new();
    game.moves(&mut list);
    assert!(!list.each().any(|mv| game.print_move(mv) == r"B3\"));
    assert!(list.each().any(|mv| game.print_move(mv).starts_with("B3")));
}

#[test]
fn a_line_wins_across_eight_columns() {
    let moves = r"@0+ B1+ C1\ C2\ D2/ C3/ E2\ E3\ D4\ F2/ E1\ D0/ G4+ F5\ C6/ B5\ A5\ F1/ F0/ H4+";
    let game = at::<Unlimited>(moves);
    assert_eq!(game.size(), (8, 7));
    assert_eq!(game.outcome(), Some(Outcome::Loss), "red, who moved, has won");
    assert_eq!((game.completed(Side::Second), game.completed(Side::First)), (Some(WinKind::Line), None));
    assert_eq!(at::<EightByEight>(moves).outcome(), Some(Outcome::Loss));
    assert_eq!(at::<Loops>(moves).outcome(), None, "lines do not win there");
}

#[test]
fn the_shortest_loop_has_four_tiles() {
    let game = at::<Loops>(r"@0/ A2\ B1\");
    assert_eq!(game.tiles().len(), 4);
    assert_eq!(game.outcome(), Some(Outcome::Win), "white has closed red's loop, and it would be red's move");
    assert_eq!(game.completed(Side::Second), Some(WinKind::Loop));
}

/// Replays a game of the table; returns whether it ended with a line, and whether with both colours.
fn replay(line: &str) -> (bool, bool) {
    let mut words = line.splitn(6, ' ');
    let mut word = || words.next().unwrap();
    let (winner, way, both, tiles, size, moves) = (word(), word(), word(), word(), word(), word());
    let reading = Trax::<Unlimited>::read(LINES, moves.as_bytes()).next().unwrap();
    assert_eq!(reading.fault, None, "{line}");
    let ending = reading.record.ending().unwrap_or_else(|| panic!("not over: {line}"));
    let side = if winner == "W" { Side::First } else { Side::Second };
    assert_eq!((ending.winner, ending.reason), (Some(side), way), "{line}");
    let game = reading.record.now();
    assert_eq!(game.completed(!side).is_some(), both == "both", "{line}");
    assert_eq!(game.tiles().len().to_string(), tiles, "{line}");
    assert_eq!(format!("{}x{}", game.size().0, game.size().1), size, "{line}");
    (way == "line", both == "both")
}

#[test]
fn known_games_end_as_they_did() {
    let ends: Vec<(bool, bool)> = lines(GAMES).map(replay).collect();
    assert_eq!(ends.len(), 450);
    assert_eq!(ends.iter().filter(|end| end.0).count(), LINE_ENDS);
    assert_eq!(ends.iter().filter(|end| end.1).count(), DOUBLE_ENDS);
}

const LINE_ENDS: usize = 100;
const DOUBLE_ENDS: usize = 68;

/// Random play without wins fills 8x8 boxes until no tile fits; the reference implementation agrees.
#[test]
fn a_full_box_is_a_draw() {
    let mut seed = 1u64;
    let mut draws = 0;
    for _ in 0..8 {
        let (mut game, mut slow) = (Trax::<EightByEight>::start(), Reference::<EightByEight>::start());
        let (mut list, mut slow_list) = (Vec::new(), Vec::new());
        loop {
            game.moves(&mut list);
            slow.moves(&mut slow_list);
            list.sort();
            assert_eq!(list, slow_list, "{game:?}");
            assert_eq!(game.outcome(), slow.outcome(), "{game:?}");
            list.retain(|&mv| {
                let undo = game.play(mv);
                let goes_on = game.outcome().is_none_or(|outcome| outcome == Outcome::Draw);
                game.undo(undo);
                goes_on
            });
            if list.is_empty() {
                break;
            }
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let mv = list[(seed >> 33) as usize % list.len()];
            game.play(mv);
            slow.play(mv);
        }
        if game.outcome() == Some(Outcome::Draw) {
            let ending = game.ending(&Path::new(&game, ())).unwrap();
            assert_eq!((ending.winner, ending.reason), (None, "no-moves"));
            assert_eq!((game.size(), game.count()), ((8, 8), 0));
            draws += 1;
        }
    }
    assert!(draws > 0);
}

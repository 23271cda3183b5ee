//! The reference implementation of a book: every image of every position in one list, and plain recursion.

use std::collections::HashMap;

use tesuji_engines::book::{BookMove, MoveSource};
use tesuji_engines::othello::Book;
use tesuji_game::{Game, MoveList, Notation, Symmetric};
use tesuji_othello::{Move, Moves, Othello};
use tesuji_search::Rng;

use super::random_position;

type Boards = (u64, u64);

fn boards(game: &Othello) -> Boards {
    (game.own(), game.other())
}

fn moves(game: &Othello) -> Vec<(Move, Othello)> {
    let (mut game, mut list) = (*game, Moves::default());
    game.moves(&mut list);
    let after = |mv| {
        let mut after = game;
        after.play(mv);
        (mv, after)
    };
    list.each().map(after).collect()
}

/// The leaf of every image of every position.
#[derive(Default)]
struct ReferenceBook {
    leaves: HashMap<Boards, Option<(Move, i32)>>,
    /// One image of each position.
    positions: Vec<Othello>,
}

impl ReferenceBook {
    fn has(&self, game: &Othello) -> bool {
        let mut now = *game;
        if now.must_pass() {
            now.play(Move::PASS);
        }
        self.leaves.contains_key(&boards(&now))
    }

    fn add(&mut self, game: &Othello) {
        if !game.is_over() && !game.must_pass() && !self.has(game) {
            self.positions.push(*game);
            self.leaves.extend((0..8).map(|symmetry| (boards(&game.image(symmetry)), None)));
        }
    }

    /// Gives most positions with moves out of the book random leaves.
    fn add_random_leaves(&mut self, rng: &mut Rng) {
        for game in self.positions.clone() {
            let open: Vec<Move> =
                moves(&game).into_iter().filter(|(_, after)| !self.has(after)).map(|(mv, _)| mv).collect();
            if open.is_empty() || rng.below(8) == 0 {
                continue;
            }
            let leaf = (open[rng.below(open.len())], rng.below(129) as i32 - 64);
            for symmetry in 0..8 {
                let image = (game.image_move(leaf.0, symmetry), leaf.1);
                self.leaves.insert(boards(&game.image(symmetry)), Some(image));
            }
        }
    }

    fn score(&self, game: &Othello) -> Option<i32> {
        if game.must_pass() {
            return self.score(&moves(game)[0].1).map(|score| -score);
        }
        let leaf = self.leaves.get(&boards(game))?;
        let below = moves(game).into_iter().filter_map(|(_, after)| self.score(&after));
        below.map(|score| -score).chain(leaf.map(|(_, value)| value)).max()
    }

    /// The text of the book, each position in a random orientation.
    fn text(&self, rng: &mut Rng) -> String {
        let mut text = String::new();
        for game in &self.positions {
            let image = game.image(rng.below(16));
            let leaf = self.leaves[&boards(&image)];
            let leaf = leaf.map_or(String::new(), |(mv, value)| format!("{mv}:{value:+}@1"));
            text += &format!("{}; {leaf}\n", image.print());
        }
        text
    }
}

/// Adds random positions below a position.
fn add_random_positions(reference: &mut ReferenceBook, game: &Othello, plies: u32, rng: &mut Rng) {
    if rng.below(8) > 0 {
        reference.add(game);
    }
    if plies > 0 {
        for (_, after) in moves(game) {
            if rng.below(5) < 2 {
                add_random_positions(reference, &after, plies - 1, rng);
            }
        }
    }
}

/// Books from the start, with transpositions and symmetries, and from the endgame, with passes.
#[test]
fn scores_equal_those_of_the_reference_implementation() {
    let mut rng = Rng::new(21);
    let (mut met, mut passes, mut known) = (0, 0, 0);
    for round in 0..200 {
        let (plies, deep) = if round % 2 == 0 { (0, 6) } else { (50 + rng.below(8), 8) };
        let from = random_position(&mut rng, plies);
        let mut reference = ReferenceBook::default();
        add_random_positions(&mut reference, &from, deep, &mut rng);
        reference.add_random_leaves(&mut rng);
        let book = Book::parse_text(&reference.text(&mut rng)).unwrap();
        assert_eq!(book.len(), reference.positions.len());
        for game in &reference.positions {
            assert_eq!(book.score(game), reference.score(game), "{}", game.print());
            known += usize::from(reference.score(game).is_some());
            for (_, after) in moves(game).into_iter().filter(|(_, after)| after.must_pass()) {
                assert_eq!(book.score(&after), reference.score(&after), "{}", after.print());
                passes += usize::from(reference.score(&after).is_some());
            }
        }
        let ways: usize = reference.positions.iter().flat_map(moves).filter(|(_, after)| reference.has(after)).count();
        met += usize::from(ways > reference.positions.len() && round % 2 == 0);
    }
    assert!(met > 10 && passes > 20 && known > 1000, "{met} with transpositions, {passes} passes, {known} known");
}

#[test]
fn images_of_a_position_have_the_same_moves() {
    let mut rng = Rng::new(22);
    for _ in 0..20 {
        let mut reference = ReferenceBook::default();
        add_random_positions(&mut reference, &Othello::start(), 6, &mut rng);
        reference.add_random_leaves(&mut rng);
        let book = Book::parse_text(&reference.text(&mut rng)).unwrap();
        for game in &reference.positions {
            let known = book.probe(game).unwrap();
            let after = moves(game);
            for book_move in &known.moves {
                let (_, next) = after.iter().find(|(mv, _)| *mv == book_move.mv).expect("a legal move");
                match book_move.source {
                    MoveSource::Book => assert_eq!(reference.score(next), Some(-book_move.score)),
                    MoveSource::Leaf(..) => {
                        assert!(!book.contains(next));
                        assert_eq!(reference.leaves[&boards(game)].map(|(_, value)| value), Some(book_move.score));
                    }
                }
            }
            assert!(known.moves.windows(2).all(|pair| pair[0].score >= pair[1].score));
            assert_eq!(known.moves.first().map(|mv| mv.score), book.score(game));
            let complete = after.iter().all(|(_, next)| !reference.has(next) || reference.score(next).is_some())
                && (reference.leaves[&boards(game)].is_some() || after.iter().all(|(_, next)| reference.has(next)));
            assert_eq!(known.complete, complete, "{}", game.print());
            for symmetry in 0..16 {
                let image = book.probe(&game.image(symmetry)).unwrap();
                let scores = |moves: &[BookMove<Move>]| moves.iter().map(|mv| mv.score).collect::<Vec<_>>();
                assert_eq!(scores(&image.moves), scores(&known.moves));
                assert_eq!(image.complete, known.complete);
                assert_eq!(book.reachable(&game.image(symmetry)), book.reachable(game));
            }
        }
    }
}

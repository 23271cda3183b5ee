//! A book without symmetries, pages or tables: every image of every position in one list, and plain recursion.

use std::collections::HashMap;

use tesuji_engines::othello::{Book, Source};
use tesuji_game::{Game, MoveList, Notation, Symmetric};
use tesuji_othello::{Move, Moves, Othello};
use tesuji_search::Rng;

use super::wander;

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
struct Twin {
    leaves: HashMap<Boards, Option<(Move, i32)>>,
    /// One image of each position.
    positions: Vec<Othello>,
}

impl Twin {
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

    /// Gives positions leaves by chance, where there are moves out of the book; a few stay without.
    fn invent(&mut self, rng: &mut Rng) {
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

    fn worth(&self, game: &Othello) -> Option<i32> {
        if game.must_pass() {
            return self.worth(&moves(game)[0].1).map(|worth| -worth);
        }
        let leaf = self.leaves.get(&boards(game))?;
        let below = moves(game).into_iter().filter_map(|(_, after)| self.worth(&after));
        below.map(|worth| -worth).chain(leaf.map(|(_, value)| value)).max()
    }

    /// The book of these positions, each turned by chance.
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

/// Some of the positions below a position, by chance.
fn scatter(twin: &mut Twin, game: &Othello, plies: u32, rng: &mut Rng) {
    if rng.below(8) > 0 {
        twin.add(game);
    }
    if plies > 0 {
        for (_, after) in moves(game) {
            if rng.below(5) < 2 {
                scatter(twin, &after, plies - 1, rng);
            }
        }
    }
}

/// Books from the start, where lines meet and mirror each other, and from the end, where sides pass.
#[test]
fn worths_are_those_of_a_plain_recursion() {
    let mut rng = Rng::new(21);
    let (mut met, mut passes, mut known) = (0, 0, 0);
    for round in 0..200 {
        let (plies, deep) = if round % 2 == 0 { (0, 6) } else { (50 + rng.below(8), 8) };
        let from = wander(&mut rng, plies);
        let mut twin = Twin::default();
        scatter(&mut twin, &from, deep, &mut rng);
        twin.invent(&mut rng);
        let book = Book::parse_text(&twin.text(&mut rng)).unwrap();
        assert_eq!(book.len(), twin.positions.len());
        for game in &twin.positions {
            assert_eq!(book.worth(game), twin.worth(game), "{}", game.print());
            known += usize::from(twin.worth(game).is_some());
            for (_, after) in moves(game).into_iter().filter(|(_, after)| after.must_pass()) {
                assert_eq!(book.worth(&after), twin.worth(&after), "{}", after.print());
                passes += usize::from(twin.worth(&after).is_some());
            }
        }
        let ways: usize = twin.positions.iter().flat_map(moves).filter(|(_, after)| twin.has(after)).count();
        met += usize::from(ways > twin.positions.len() && round % 2 == 0);
    }
    assert!(
        met > 10 && passes > 20 && known > 1000,
        "{met} with transpositions, {passes} passes, {known} known"
    );
}

#[test]
fn images_are_told_the_same() {
    let mut rng = Rng::new(22);
    for _ in 0..20 {
        let mut twin = Twin::default();
        scatter(&mut twin, &Othello::start(), 6, &mut rng);
        twin.invent(&mut rng);
        let book = Book::parse_text(&twin.text(&mut rng)).unwrap();
        for game in &twin.positions {
            let told = book.probe(game).unwrap();
            let after = moves(game);
            for choice in &told.choices {
                let (_, next) = after.iter().find(|(mv, _)| *mv == choice.mv).expect("a legal move");
                match choice.source {
                    Source::Book => assert_eq!(twin.worth(next), Some(-choice.value)),
                    Source::Leaf(..) => {
                        assert!(!book.has(next));
                        assert_eq!(twin.leaves[&boards(game)].map(|(_, value)| value), Some(choice.value));
                    }
                }
            }
            assert!(told.choices.windows(2).all(|pair| pair[0].value >= pair[1].value));
            assert_eq!(told.choices.first().map(|choice| choice.value), book.worth(game));
            let complete = after.iter().all(|(_, next)| !twin.has(next) || twin.worth(next).is_some())
                && (twin.leaves[&boards(game)].is_some() || after.iter().all(|(_, next)| twin.has(next)));
            assert_eq!(told.whole, complete, "{}", game.print());
            for symmetry in 0..16 {
                let image = book.probe(&game.image(symmetry)).unwrap();
                let values = |choices: &[tesuji_engines::othello::Choice]| {
                    choices.iter().map(|choice| choice.value).collect::<Vec<_>>()
                };
                assert_eq!(values(&image.choices), values(&told.choices));
                assert_eq!(image.whole, told.whole);
                assert_eq!(book.below(&game.image(symmetry)), book.below(game));
            }
        }
    }
}

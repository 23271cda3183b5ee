//! The input planes against a slow encoder that reads the SFEN.

use tesuji_game::{DensePlanes, Encoding, Game, Notation, Planes};
use tesuji_laws::{effort, for_all, hold, playout};
use tesuji_shogi::Shogi;

const KINDS: &str = "P L N S G B R K +P +L +N +S +B +R";
const HANDS: [(char, usize); 7] = [('P', 18), ('L', 4), ('N', 4), ('S', 4), ('G', 4), ('B', 2), ('R', 2)];

/// The planes of a position by its text.
fn by_text(sfen: &str) -> Vec<f32> {
    let fields: Vec<&str> = sfen.split(' ').collect();
    let black_moves = fields[1] == "b";
    let mut planes = vec![0.0; 104 * 81];
    let of_mover = |letter: char| letter.is_ascii_uppercase() == black_moves;
    for (row, text) in fields[0].split('/').enumerate() {
        let (mut column, mut promoted) = (0, "");
        for letter in text.chars() {
            match letter {
                '+' => promoted = "+",
                '1'..='9' => column += letter as usize - '0' as usize,
                _ => {
                    let name = format!("{promoted}{}", letter.to_ascii_uppercase());
                    let kind = KINDS.split(' ').position(|kind| kind == name).unwrap();
                    let square = if black_moves { row * 9 + column } else { 80 - (row * 9 + column) };
                    planes[(if of_mover(letter) { 0 } else { 52 } + kind) * 81 + square] = 1.0;
                    (column, promoted) = (column + 1, "");
                }
            }
        }
    }
    let mut count = 0;
    for letter in fields[2].chars().filter(|&letter| letter != '-') {
        if let Some(digit) = letter.to_digit(10) {
            count = count * 10 + digit as usize;
            continue;
        }
        let kind = HANDS.iter().position(|&(kind, _)| kind == letter.to_ascii_uppercase()).unwrap();
        let before: usize = HANDS[..kind].iter().map(|&(_, planes)| planes).sum();
        let first = if of_mover(letter) { 0 } else { 52 } + 14 + before;
        planes[first * 81..(first + count.max(1)) * 81].fill(1.0);
        count = 0;
    }
    planes
}

#[test]
fn planes_are_those_of_the_text() {
    let numbers = proptest::collection::vec(proptest::prelude::any::<u16>(), 0..240);
    for_all(effort(), numbers, |choices| {
        playout(Shogi::start(), &choices, |game, _, _| {
            let Encoding { planes, .. } = Shogi::ENCODING;
            let mut dense = vec![0.0; planes * 81];
            game.planes(&mut DensePlanes { numbers: &mut dense, squares: 81 });
            hold!(dense == by_text(&game.print()), "{}", game.print());
            Ok(())
        })
    });
}

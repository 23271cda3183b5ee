//! Boards far larger than any game's.

use tesuji_game::{BoardView, Game, MoveList, Notation, Side, Symmetric};
use tesuji_trax::{Coordinate, Glyph, Loops, Move, Trax, Unlimited, Variant};

fn play<V: Variant>(game: &mut Trax<V>, mv: &str) {
    let mv = game.parse_move(mv).unwrap_or_else(|error| panic!("{error}"));
    game.play(mv);
}

/// A row of tiles that never wins a line: curves up and down by turns.
#[test]
fn two_thousand_tiles_in_a_row() {
    for to_the_left in [false, true] {
        let mut game = Trax::<Unlimited>::start();
        play(&mut game, "@0/");
        let mut undos = Vec::new();
        for tile in 1..2000 {
            assert_eq!(game.outcome(), None, "after {tile} tiles");
            let place = Coordinate { column: if to_the_left { 0 } else { tile + 1 }, row: 1 };
            let glyph = if tile % 2 == 0 { Glyph::Slash } else { Glyph::Backslash };
            let mv = game.parse_move(&Move::new(place, glyph).to_string()).unwrap();
            undos.push(game.play(mv));
        }
        assert_eq!(game.size(), (2000, 1));
        let end = Coordinate { column: 2001, row: 1 };
        assert_eq!(end.to_string(), "BXY1");
        let text = game.print();
        assert!(to_the_left || (text.contains(" Z1") && text.contains(" AA1") && text.contains(" ZZ1")));
        let again = Trax::<Unlimited>::parse(&text).unwrap();
        assert_eq!(again, game);
        assert_eq!(again.key(), game.key());
        assert_eq!(game.image(12).image(12).key(), game.key());
        assert_eq!(game.view().columns.len(), 2002);
        let mut list = Vec::new();
        game.moves(&mut list);
        assert_eq!(game.count(), list.len() as u64);
        let mut first = Trax::<Unlimited>::parse("@0/").unwrap();
        while let Some(undo) = undos.pop() {
            game.undo(undo);
        }
        assert_eq!(game, first);
        assert_eq!(game.key(), first.key());
        let mut firsts = Vec::new();
        first.moves(&mut firsts);
        game.moves(&mut list);
        assert_eq!(list, firsts);
    }
}

#[test]
fn a_box_has_at_most_16383_columns() {
    let mut game = Trax::<Loops>::start();
    play(&mut game, "@0+");
    for _ in 1..16_383 {
        play(&mut game, "@1+");
    }
    assert_eq!(game.size(), (16_383, 1));
    let error = game.parse_move("@1+").unwrap_err();
    assert!(error.message.contains("16383"), "{error}");
    let mut list = Vec::new();
    game.moves(&mut list);
    assert_eq!(game.count(), list.len() as u64);
    assert!(list.each().all(|mv| (1..=16_383).contains(&mv.place().column)), "no move widens the box");
    play(&mut game, "A0+");
    assert_eq!((game.size(), game.mover()), ((16_383, 2), Side::First));
}

/// A staircase: its box grows fastest, and is refused before it eats the memory.
#[test]
fn a_box_has_at_most_a_million_cells() {
    let mut game = Trax::<Loops>::start();
    play(&mut game, "@0/");
    loop {
        let (columns, rows) = game.size();
        let step = match columns > rows {
            true => Coordinate { column: columns as u16, row: rows as u16 + 1 },
            false => Coordinate { column: columns as u16 + 1, row: rows as u16 },
        };
        let stays_open = |glyph| {
            let mv = game.parse_move(&Move::new(step, glyph).to_string()).ok()?;
            let undo = game.play(mv);
            let open = game.outcome().is_none();
            game.undo(undo);
            open.then_some(mv)
        };
        match Glyph::ALL.into_iter().find_map(stays_open) {
            Some(mv) => drop(game.play(mv)),
            None => break,
        }
    }
    assert_eq!(game.size(), (1024, 1024));
    let error = game.parse_move("AMK1024+").unwrap_err();
    assert!(error.message.contains("1048576 cells"), "{error}");
}

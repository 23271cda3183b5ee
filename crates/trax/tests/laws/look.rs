//! The vocabulary for evaluation: tiles, ends and chains agree with what play does.

use tesuji_game::{Game, Move as _, MoveList, Side};
use tesuji_laws::hold;
use tesuji_trax::{Coordinate, Dir, Glyph, LaidTile, Move, Trax, Unlimited};

fn step(place: Coordinate, dir: Dir) -> Coordinate {
    let Coordinate { column, row } = place;
    match dir {
        Dir::North => Coordinate { column, row: row.wrapping_sub(1) },
        Dir::East => Coordinate { column: column + 1, row },
        Dir::South => Coordinate { column, row: row + 1 },
        Dir::West => Coordinate { column: column.wrapping_sub(1), row },
    }
}

/// Walks from one end of a track over its tiles to the other.
fn walk(game: &Trax<Unlimited>, place: Coordinate, dir: Dir) -> (Coordinate, Dir) {
    let (mut place, mut dir) = (step(place, dir), dir.opposite());
    while let Some(tile) = game.tile(place) {
        let out = tile.exit(dir);
        place = step(place, out);
        dir = out.opposite();
    }
    (place, dir)
}

#[test]
fn ends_are_where_a_walk_along_the_track_leads() {
    tesuji_laws::for_all(60, choices(), |choices| {
        tesuji_laws::playout(Trax::<Unlimited>::start(), &choices, |game, _, _| {
            let open = game.ends().count();
            let sides = game.playable().flat_map(|place| Dir::ALL.map(|dir| game.end(place, dir)));
            hold!(open == sides.flatten().count(), "ends are counted twice or not at all");
            for end in game.ends() {
                let found = walk(game, end.place, end.dir);
                hold!(found == end.other, "{end:?} leads to {found:?} in {game:?}");
                let tile = game.tile(step(end.place, end.dir));
                hold!(tile.map(|tile| tile.side(end.dir.opposite())) == Some(end.side), "{end:?} has no tile");
            }
            Ok(())
        })
    });
}

#[test]
fn a_chain_is_what_the_turn_lays() {
    tesuji_laws::for_all(60, choices(), |choices| {
        tesuji_laws::playout(Trax::<Unlimited>::start(), &choices, |game, list, _| {
            for mv in list.each() {
                let Some(chain) = game.chain(mv) else {
                    return Err(format!("{mv} has no chain in {game:?}"));
                };
                let undo = game.play(mv);
                let turn: Vec<LaidTile> = game.last_turn().collect();
                let chosen: Vec<bool> = turn.iter().map(|laid| laid.chosen).collect();
                game.undo(undo);
                hold!(chosen[0] && !chosen[1..].contains(&true), "{mv} chose {chosen:?}");
                let shift = (
                    turn[0].place.column.wrapping_sub(chain[0].place.column),
                    turn[0].place.row.wrapping_sub(chain[0].place.row),
                );
                let mut expected: Vec<(Coordinate, _)> = turn
                    .iter()
                    .map(|laid| {
                        let column = laid.place.column.wrapping_sub(shift.0);
                        (Coordinate { column, row: laid.place.row.wrapping_sub(shift.1) }, laid.tile)
                    })
                    .collect();
                let mut found: Vec<(Coordinate, _)> = chain.iter().map(|laid| (laid.place, laid.tile)).collect();
                expected.sort();
                found.sort();
                hold!(expected == found, "{mv} lays {expected:?}, not {found:?}, in {game:?}");
            }
            Ok(())
        })
    });
}

#[test]
fn single_moves_are_legal_when_listed() {
    tesuji_laws::for_all(20, choices(), |choices| {
        tesuji_laws::playout(Trax::<Unlimited>::start(), &choices, |game, list, _| {
            let (columns, rows) = game.size();
            for column in 0..columns as u16 + 3 {
                for row in 0..rows as u16 + 3 {
                    for bits in 0..4 {
                        let corner = Move::new(Coordinate { column, row }, Glyph::Plus).to_bits();
                        let mv = Move::from_bits(corner | bits);
                        hold!(game.is_legal(mv) == list.has(mv), "{mv} in {game:?}");
                    }
                }
            }
            hold!(!game.is_legal(Move::from_bits(u32::MAX)), "a move off the board");
            Ok(())
        })
    });
}

#[test]
fn the_last_turn_is_remembered() {
    let mut game = <Trax<Unlimited> as tesuji_game::Notation>::parse(r"@0/ A2\ B1\").unwrap();
    let laid: Vec<String> =
        game.last_turn().map(|laid| format!("{}{:?} {}", laid.place, laid.tile, laid.chosen)).collect();
    assert_eq!(laid, [r"B1\NE true", "B2/ES false"]);
    assert_eq!((game.turns(), game.mover()), (3, Side::Second));
    assert_eq!(game.count(), 0);
}

fn choices() -> impl proptest::strategy::Strategy<Value = Vec<u16>> {
    proptest::collection::vec(proptest::prelude::any::<u16>(), 0..60)
}

//! The tiles of a winning loop or line, checked against the board alone.

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::prelude::any;
use tesuji_game::{Formats, Game, LINES, Side};
use tesuji_laws::{PropertyResult, hold};
use tesuji_trax::{Coordinate, Dir, Loops, Trax, Unlimited, Variant, WinKind};

const GAMES: &str = include_str!("../../testdata/games.txt");

/// Whether two places are neighbours.
fn adjacent(a: Coordinate, b: Coordinate) -> bool {
    a.column.abs_diff(b.column) + a.row.abs_diff(b.row) == 1
}

/// The neighbours of a tile along the track of a side, and how many of its two ends leave the given tiles.
fn ends(tiles: &HashSet<(u16, u16)>, game: &Trax<impl Variant>, place: Coordinate, side: Side) -> usize {
    let Some(tile) = game.tile(place) else { return 9 };
    let beside = |dir: Dir| match dir {
        Dir::North => (place.column, place.row.wrapping_sub(1)),
        Dir::East => (place.column + 1, place.row),
        Dir::South => (place.column, place.row + 1),
        Dir::West => (place.column.wrapping_sub(1), place.row),
    };
    Dir::ALL.into_iter().filter(|&dir| tile.side(dir) == side && !tiles.contains(&beside(dir))).count()
}

fn check<V: Variant>(game: &Trax<V>) -> PropertyResult {
    let Some((side, tiles)) = game.winning_tiles() else {
        let won = Side::BOTH.iter().any(|&side| game.completed(side).is_some());
        hold!(!won, "no tiles of a win in {game:?}");
        return Ok(());
    };
    let winner = game.outcome().and_then(|outcome| outcome.winner(game.mover()));
    hold!(winner == Some(side), "{side} has not won in {game:?}");
    let set: HashSet<(u16, u16)> = tiles.iter().map(|place| (place.column, place.row)).collect();
    hold!(set.len() == tiles.len() && tiles.len() >= 4, "{tiles:?} in {game:?}");
    hold!(game.last_turn().any(|laid| tiles.contains(&laid.place)), "the last turn is not part of {tiles:?}");
    let open: usize = tiles.iter().map(|&place| ends(&set, game, place, side)).sum();
    match game.completed(side) {
        // Every end of the track meets another tile of it.
        Some(WinKind::Loop) => hold!(open == 0, "the loop {tiles:?} is open in {game:?}"),
        // One track: two ends, on opposite sides of the box.
        _ => {
            let (first, last) = (tiles[0], tiles[tiles.len() - 1]);
            let (width, height) = game.size();
            let across =
                |a: u16, b: u16, length: usize| length >= 8 && a.min(b) == 1 && usize::from(a.max(b)) == length;
            let crosses = across(first.column, last.column, width) || across(first.row, last.row, height);
            // The turn may complete two lines; each of them has two ends.
            hold!(open >= 2 && open.is_multiple_of(2), "the line {tiles:?} has {open} ends in {game:?}");
            hold!(open > 2 || crosses, "the line {tiles:?} crosses nothing in {game:?}");
        }
    }
    let breaks = tiles.windows(2).filter(|pair| !adjacent(pair[0], pair[1])).count();
    hold!(breaks <= tiles.len() / 4, "{tiles:?} is not in the order of the track");
    Ok(())
}

#[test]
fn winning_tiles_of_random_games() {
    let choices = || vec(any::<u16>(), 0..120);
    tesuji_laws::for_all(120, choices(), |choices| {
        tesuji_laws::playout(Trax::<Unlimited>::start(), &choices, |game, _, _| check(game))
    });
    tesuji_laws::for_all(60, choices(), |choices| {
        tesuji_laws::playout(Trax::<Loops>::start(), &choices, |game, _, _| check(game))
    });
}

#[test]
fn winning_tiles_of_known_games() {
    let mut longest_line = 0;
    for line in GAMES.lines().filter(|line| !line.starts_with('#')) {
        let moves = line.splitn(6, ' ').last().unwrap();
        let record = Trax::<Unlimited>::read(LINES, moves.as_bytes()).next().unwrap().record;
        check(record.now()).unwrap();
        let (_, tiles) = record.now().winning_tiles().unwrap();
        if line.contains(" line ") {
            longest_line = longest_line.max(tiles.len());
        }
    }
    assert!(longest_line >= 8, "{longest_line}");
}

//! The tiles that won a game: those of its loops or lines.

use tesuji_game::Side;

use crate::inspect::WinKind;
use crate::moves::Coordinate;
use crate::position::{SHORTEST_LINE, Trax};
use crate::tile::Dir;
use crate::variant::Variant;

/// A track from a tile on, in one direction.
struct TrackPart {
    /// The tiles behind the first one, in order.
    places: Vec<Coordinate>,
    /// Where it leaves the last tile; `None` if it returns to the first one.
    exit: Option<(Coordinate, Dir)>,
}

impl<V: Variant> Trax<V> {
    /// The winner of a finished game and the tiles of the winning track, in its order; a loop comes before a line. If
    /// the last turn completed several such tracks, one follows another. `None` for a draw and while the game continues.
    ///
    /// ```
    /// use tesuji_game::{Notation, Side};
    /// use tesuji_trax::{Trax, Unlimited};
    ///
    /// let game = Trax::<Unlimited>::parse(r"@0/ A2\ B1\").unwrap();
    /// let (winner, tiles) = game.winning_tiles().unwrap();
    /// assert_eq!((winner, tiles.len()), (Side::Second, 4));
    /// ```
    pub fn winning_tiles(&self) -> Option<(Side, Vec<Coordinate>)> {
        let (side, kind) = self.winner()?;
        let mut tiles = Vec::new();
        for laid in self.last_turn() {
            // A tile has one track of each colour.
            if tiles.contains(&laid.place) {
                continue;
            }
            let mut ends = Dir::ALL.into_iter().filter(|&dir| laid.tile.side(dir) == side);
            let (Some(there), Some(back)) = (ends.next(), ends.next()) else { continue };
            let (there, back) = (self.follow(laid.place, there), self.follow(laid.place, back));
            let is_winning = match (kind, there.exit, back.exit) {
                (WinKind::Loop, None, _) => true,
                (WinKind::Line, Some(there), Some(back)) => self.is_line(there, back),
                _ => false,
            };
            if is_winning {
                let behind = if kind == WinKind::Line { back.places } else { Vec::new() };
                tiles.extend(behind.into_iter().rev().chain([laid.place]).chain(there.places));
            }
        }
        Some((side, tiles))
    }

    fn follow(&self, first: Coordinate, mut dir: Dir) -> TrackPart {
        let (mut places, mut place) = (Vec::new(), first);
        loop {
            let next = beside(place, dir);
            if next == first {
                return TrackPart { places, exit: None };
            }
            let Some(tile) = self.tile(next) else { return TrackPart { places, exit: Some((place, dir)) } };
            places.push(next);
            (place, dir) = (next, tile.exit(dir.opposite()));
        }
    }

    /// Whether a track with these exits leaves the box by opposite sides that are far enough apart.
    fn is_line(&self, (here, dir): (Coordinate, Dir), (there, other): (Coordinate, Dir)) -> bool {
        let (width, height) = self.size();
        let leaves = |place: Coordinate, dir: Dir| match dir {
            Dir::North => place.row == 1,
            Dir::South => usize::from(place.row) == height,
            Dir::West => place.column == 1,
            Dir::East => usize::from(place.column) == width,
        };
        let length = if matches!(dir, Dir::North | Dir::South) { height } else { width };
        other == dir.opposite() && length >= SHORTEST_LINE && leaves(here, dir) && leaves(there, other)
    }
}

/// The cell beside a tile. Tiles lie in the columns and rows from 1 on.
fn beside(Coordinate { column, row }: Coordinate, dir: Dir) -> Coordinate {
    match dir {
        Dir::North => Coordinate { column, row: row - 1 },
        Dir::East => Coordinate { column: column + 1, row },
        Dir::South => Coordinate { column, row: row + 1 },
        Dir::West => Coordinate { column: column - 1, row },
    }
}

//! Static exchange evaluation: what a move wins or loses by the captures on its target square.
//!
//! Both sides take with their least valuable piece, promoting where they may, and stop when they like. Pieces
//! behind those that have taken join in. Pins are not seen; a king takes only what nobody can take back.

use tesuji_game::{Game, Side};
use tesuji_shogi::{Kind, Move, Shogi};

use super::geometry::{KNIGHTS, OFF, first, in_zone, number, piece, reaches};
use super::worth::{promotion, swing};

/// More captures than this on one square are not looked at; with eight lines and four knights there are more
/// only in compositions.
const LONGEST: usize = 20;
const LINES: usize = 8;
const KNIGHTS_FROM: usize = LINES;

/// Pieces that may take on one square: the first on each line, and the knights.
struct Takers<'a> {
    game: &'a Shogi,
    to: usize,
    /// Who stands first on each of eight lines, then four knights' squares; [`OFF`] for nobody.
    at: [usize; LINES + 4],
    /// How far off each line's first piece stands.
    near: [bool; LINES],
}

impl<'a> Takers<'a> {
    fn new(game: &'a Shogi, to: usize, gone: usize) -> Takers<'a> {
        let mut takers = Takers { game, to, at: [OFF; LINES + 4], near: [false; LINES] };
        for direction in 0..LINES {
            takers.see(direction, to, gone);
        }
        for (index, from) in KNIGHTS.iter().flat_map(|side| side[to]).enumerate() {
            if usize::from(from) != gone {
                takers.at[KNIGHTS_FROM + index] = usize::from(from);
            }
        }
        takers
    }

    /// Looks along a line for the first piece behind `from`.
    fn see(&mut self, direction: usize, from: usize, gone: usize) {
        let at = first(self.game, from, direction, gone);
        self.at[direction] = at;
        self.near[direction] = at != OFF && super::geometry::bearing(self.to, at).1 == 1;
    }

    /// The least valuable piece of a side that can take, by its place in `at`.
    fn least(&self, side: Side) -> Option<(usize, Kind)> {
        let mut least: Option<(i32, usize, usize, Kind)> = None;
        for (place, &at) in self.at.iter().enumerate() {
            if at == OFF {
                continue;
            }
            let Some((owner, kind)) = piece(self.game, at) else { continue };
            if owner != side {
                continue;
            }
            let takes = if place < LINES {
                reaches(side, kind, place ^ 4, if self.near[place] { 1 } else { 2 })
            } else {
                kind == Kind::Knight && KNIGHTS[side.index()][self.to].contains(&(at as u8))
            };
            let worth = if kind == Kind::King { i32::MAX } else { swing(kind) };
            if takes && least.is_none_or(|(other, square, ..)| (worth, at) < (other, square)) {
                least = Some((worth, at, place, kind));
            }
        }
        least.map(|(_, _, place, kind)| (place, kind))
    }

    /// The piece at this place has taken: who stands behind it comes into view.
    fn take(&mut self, place: usize) {
        if place < LINES {
            let from = self.at[place];
            self.see(place, from, OFF);
        } else {
            self.at[place] = OFF;
        }
    }
}

/// What a legal move is worth when both sides go on taking on its target as long as it pays them: the swing
/// in centipawns, seen by who plays it.
pub(super) fn exchange(game: &Shogi, mv: Move) -> i32 {
    let (mut side, to) = (game.mover(), number(mv.to()));
    let from = mv.from().map_or(OFF, number);
    let mut gain = [0; LONGEST];
    let mut standing = match mv.dropped() {
        Some(kind) => kind,
        None => match piece(game, from) {
            Some((_, kind)) => kind,
            None => return 0,
        },
    };
    gain[0] = piece(game, to).map_or(0, |(_, kind)| swing(kind));
    if mv.promotes() {
        gain[0] += promotion(standing);
        standing = standing.promoted().unwrap_or(standing);
    }
    let mut takers = Takers::new(game, to, from);
    let mut last = 0;
    while last + 1 < LONGEST {
        side = !side;
        let Some((place, kind)) = takers.least(side) else { break };
        let from = takers.at[place];
        takers.take(place);
        if kind == Kind::King && takers.least(!side).is_some() {
            break;
        }
        last += 1;
        gain[last] = swing(standing) - gain[last - 1];
        standing = kind;
        if (in_zone(side, to) || in_zone(side, from))
            && let Some(promoted) = kind.promoted()
        {
            gain[last] += promotion(kind);
            standing = promoted;
        }
    }
    while last > 0 {
        gain[last - 1] = -gain[last].max(-gain[last - 1]);
        last -= 1;
    }
    gain[0]
}

/// Whether a capture or a promotion loses nothing by the exchange. An even trade does not, outside the zone
/// where the other side would promote by taking back.
#[inline]
pub(super) fn pays(game: &Shogi, mv: Move, mover: Kind, taken: Option<Kind>) -> bool {
    is_even(game, mv, mover, taken) || exchange(game, mv) >= 0
}

/// Whether a capture is an even trade at worst, as far as can be told without looking who takes back.
#[inline]
pub(super) fn is_even(game: &Shogi, mv: Move, mover: Kind, taken: Option<Kind>) -> bool {
    let standing = if mv.promotes() { mover.promoted().unwrap_or(mover) } else { mover };
    taken.is_some_and(|taken| swing(taken) >= swing(standing)) && !in_zone(!game.mover(), number(mv.to()))
}

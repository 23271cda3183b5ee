//! What a file tells of a board: the first arrival, how much later the second is, and what was forbidden.

use tesuji_game::{NO_MOVE, PerfectIndex};

use super::context::{ALONE, NEVER, PastDistances};
use super::facts::Arrivals;
use super::{Distance, Reached, UNREACHED};
use crate::table::cell::{Cell, Source, place, reversible};

/// The distances of a class.
pub(super) struct Class<'r> {
    pub(super) reached: &'r Reached,
    pub(super) class: u8,
}

impl Source for Class<'_> {
    type Past = PastDistances;
    type Sums = Arrivals;

    fn cell<G: PerfectIndex>(&self, game: &G, index: u32, board: G::Board) -> Result<Cell, &'static str> {
        let Distance { first, mv, second } = self.reached.get(self.class, index);
        let kept = first.wrapping_add(1);
        if mv == NO_MOVE {
            return match second {
                UNREACHED => Ok([kept, ALONE, 0]),
                _ => Err("a board is arrived at a second time, and nothing was forbidden the first time"),
            };
        }
        if first == UNREACHED {
            return Err("a board is not reached, and something is forbidden there");
        }
        let later = match second {
            UNREACHED => NEVER,
            _ if second <= first => return Err("the second arrival is not after the first"),
            _ => second - first + 1,
        };
        let order =
            place(game, board, mv).ok_or("the move that is forbidden is none that can be taken back")?;
        Ok([kept, later, order])
    }
}

/// The distance that was coded; `None` when it makes no sense, or the board has no such move.
pub(super) fn distance<G: PerfectIndex>(
    game: &G,
    class: u8,
    index: u32,
    [kept, later, order]: Cell,
) -> Option<Distance> {
    let first = kept.wrapping_sub(1);
    if later == ALONE {
        return Some(Distance { first, mv: NO_MOVE, second: UNREACHED });
    }
    let board = game.unrank(class, index).filter(|_| first != UNREACHED)?;
    let mv = reversible(game, board, order)?;
    let second = match later {
        NEVER => UNREACHED,
        _ => first.checked_add(later - 1).filter(|&second| second != UNREACHED)?,
    };
    Some(Distance { first, mv, second })
}

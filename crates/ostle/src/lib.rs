//! Ostle: rules, notation, symmetries, perfect index and record formats. No search, no I/O.
//!
//! Each side has five pieces on a board of five by five; there is one hole that either side may move. Pieces push chains of
//! pieces. The side that first loses two pieces, over the edge or into the hole, loses. A move may not recreate the board
//! before the opponent's last move. This is the ko, and it is part of the position.
//!
//! ```
//! use tesuji_game::{Game, Notation};
//! use tesuji_ostle::Ostle;
//!
//! let mut game = Ostle::start();
//! assert_eq!(game.count(), 24);
//! let up = game.parse_move("c5u").unwrap();
//! game.play(up);
//! assert_eq!(game.print(), "11111-00000-00300-00200-22022 O");
//! ```

mod board;
mod code;
mod index;
mod lines;
mod mate;
mod moves;
mod notation;
mod packed;
mod perfect_index;
mod planes;
mod play;
mod published;
mod published_results;
mod rules;
mod symmetry;
mod view;

pub use board::Ostle;
pub use code::CODE_BITS;
pub use index::Index;
pub use moves::{Direction, Move, Moves};
pub use notation::Previous;
pub use play::Fallen;
pub use published::Published;

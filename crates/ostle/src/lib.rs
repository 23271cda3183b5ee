//! Ostle: board, moves, notation, symmetry and record formats. No search, no files.
//!
//! Five pieces a side on a board of five by five, and one hole that either side may move. Pieces are pushed
//! in chains; who first loses two of them, over the edge or into the hole, has lost. A move may not recreate
//! the board that stood before the opponent's last move: that is the ko, and it is part of the position.
//!
//! ```
//! use tesuji_game::{Game, Notation};
//! use tesuji_ostle::Ostle;
//!
//! let mut game = Ostle::start();
//! assert_eq!(game.count(), 24);
//! let up = game.parse_move("c5u").unwrap();
//! game.play(up);
//! assert_eq!(game.print(), "11111-00000-00300-00200-22022");
//! ```

mod board;
mod code;
mod index;
mod known;
mod lines;
mod mate;
mod moves;
mod notation;
mod perfect_index;
mod play;
mod published;
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

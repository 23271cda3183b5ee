//! Trax: rules, notation, symmetries and record formats. No search, no I/O.
//!
//! A turn lays one chosen tile and all tiles that it forces. [`Trax`] plays whole turns. The three variants are types: [`Unlimited`], [`EightByEight`] and [`Loops`]. White is [`Side::First`].
//!
//! ```
//! use tesuji_game::{Game, Notation, Outcome};
//! use tesuji_trax::{Trax, Unlimited};
//!
//! let game = Trax::<Unlimited>::parse(r"@0/ A2\ B1\").unwrap();
//! assert_eq!(game.size(), (2, 2), "the third turn lays two tiles");
//! assert_eq!(game.outcome(), Some(Outcome::Win), "white has closed red's loop");
//! ```
//!
//! [`Side::First`]: tesuji_game::Side::First

mod attack;
mod board;
mod cave;
mod edges;
mod generate;
mod grow;
mod hash;
mod identity;
mod inspect;
mod legal;
mod moves;
mod notation;
mod outline;
mod packed;
mod planes;
mod position;
mod symmetry;
mod tile;
mod variant;
mod view;
mod winning;

pub use inspect::{LaidTile, TrackEnd, WinKind};
pub use moves::{Coordinate, Move};
pub use outline::{Outline, OutlineEdge, Turn};
pub use position::{Trax, Undo};
pub use tile::{Dir, Glyph, Tile};
pub use variant::{EightByEight, Loops, Unlimited, Variant};

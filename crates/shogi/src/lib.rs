//! Shogi: rules, notation and record formats. No search, no I/O.
//!
//! [`Shogi`] is the position. [`Square`], [`Bitboard`] and [`attacks`] are the vocabulary for evaluations and searches.
//!
//! ```
//! use tesuji_game::{Game, Notation};
//! use tesuji_shogi::Shogi;
//!
//! let mut game = Shogi::start();
//! assert_eq!((game.count(), game.leaves(3)), (30, 25_470));
//! let mv = game.parse_move("7g7f")?;
//! game.play(mv);
//! assert!(game.piece(mv.to()).is_some());
//!
//! // Dropping a pawn to give mate is not allowed: the gold that could take it is pinned.
//! let mut problem = Shogi::parse("7nk/7g1/8S/9/4B4/9/9/9/K8 b P 1")?;
//! let error = problem.parse_move("P*1b").unwrap_err();
//! assert_eq!(error.message, "a pawn may not be dropped to give mate (uchifuzume)");
//! # Ok::<(), tesuji_game::TextError>(())
//! ```

pub mod attacks;
#[cfg(target_arch = "x86_64")]
mod avx2;
mod bitboard;
mod board;
mod count;
mod formats;
mod generate;
mod illegal;
mod kernel;
mod leaves;
mod moves;
mod openings;
pub mod packed;
mod pawn_drop;
mod piece;
mod planes;
mod portable;
mod position;
mod rules;
mod setup;
mod sfen;
mod side;
mod sliders;
mod square;
mod tables;
mod threats;
mod usi;
mod view;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use illegal::IllegalMove;
pub use moves::{Move, Moves};
pub use piece::{Piece, PieceKind};
pub use position::{Shogi, Undo};
pub use rules::{Declaration, Rules};
pub use setup::{Setup, SetupError};
pub use square::Square;
pub use threats::EnemyKing;

//! Networks for any game that implements [`tesuji_game::Planes`].

mod bits;
pub mod training;

pub use bits::{ENCODER, encoding_of, plane_words};

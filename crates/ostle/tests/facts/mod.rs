//! Facts about the game: sizes of its classes, counts of its tree and its graph, positions with a point.

mod classes;
mod positions;
mod reach;
mod texts;
mod tree;

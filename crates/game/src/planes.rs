//! How a position looks to a neural network.

use crate::Game;

/// The shape of the input and of the policy of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encoding {
    /// Name and version, stored in every network file: a network fits positions of the same encoding only.
    pub name: &'static str,
    /// Rows of a plane.
    pub height: usize,
    /// Columns of a plane.
    pub width: usize,
    /// Input planes.
    pub planes: usize,
    /// Planes of the policy: a label is `plane * height * width + square`.
    pub policy_planes: usize,
}

impl Encoding {
    /// The squares of a plane.
    pub const fn squares(&self) -> usize {
        self.height * self.width
    }

    /// The number of labels.
    pub const fn labels(&self) -> usize {
        self.policy_planes * self.squares()
    }
}

/// A game whose positions and moves can be presented to a neural network, always as the mover sees them.
pub trait Planes: Game {
    /// The shape.
    const ENCODING: Encoding;

    /// Writes the input planes: zero everywhere but at the squares and planes told to `input`.
    fn planes(&self, input: &mut impl PlaneInput);

    /// The policy label of a legal move. No two legal moves share one. `None` for moves that need no policy (a compulsory
    /// pass) or lie outside the encoded window.
    fn label(&self, mv: Self::Move) -> Option<usize>;
}

/// Where input planes are written to.
pub trait PlaneInput {
    /// One at a square of a plane. Squares count from the top left, row by row.
    fn square(&mut self, plane: usize, square: usize);

    /// One on the whole plane.
    fn fill(&mut self, plane: usize);
}

/// The input as a list of the squares and planes that are one.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct SparsePlanes {
    /// Plane and square of every single one.
    pub squares: Vec<(u8, u16)>,
    /// Planes full of ones.
    pub filled: Vec<u8>,
}

impl SparsePlanes {
    /// The planes of a position.
    pub fn of<G: Planes>(game: &G) -> SparsePlanes {
        let mut planes = SparsePlanes::default();
        game.planes(&mut planes);
        planes
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        self.squares.clear();
        self.filled.clear();
    }
}

impl PlaneInput for SparsePlanes {
    #[inline]
    fn square(&mut self, plane: usize, square: usize) {
        self.squares.push((plane as u8, square as u16));
    }

    #[inline]
    fn fill(&mut self, plane: usize) {
        self.filled.push(plane as u8);
    }
}

/// The input as numbers, plane by plane. The caller clears them first.
#[derive(Debug)]
pub struct DensePlanes<'a> {
    /// `planes * squares` numbers.
    pub numbers: &'a mut [f32],
    /// The squares of a plane.
    pub squares: usize,
}

impl PlaneInput for DensePlanes<'_> {
    #[inline]
    fn square(&mut self, plane: usize, square: usize) {
        self.numbers[plane * self.squares + square] = 1.0;
    }

    #[inline]
    fn fill(&mut self, plane: usize) {
        self.numbers[plane * self.squares..][..self.squares].fill(1.0);
    }
}

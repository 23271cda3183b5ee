//! Batch norm and ReLU, channel by channel. Sums run over one board in single precision and over boards in double
//! precision, in order.

use super::{Block, InstructionSet, Kernel, LANES, Simd};

/// Sums of two quantities per channel.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Sums {
    pub(crate) first: Vec<f64>,
    pub(crate) second: Vec<f64>,
}

impl Sums {
    /// Zeros for so many blocks of channels.
    pub(crate) fn zeros(blocks: usize) -> Sums {
        Sums { first: vec![0.0; blocks * LANES], second: vec![0.0; blocks * LANES] }
    }

    /// Adds other sums.
    pub(crate) fn add(&mut self, other: &Sums) {
        self.first.iter_mut().zip(&other.first).for_each(|(sum, x)| *sum += x);
        self.second.iter_mut().zip(&other.second).for_each(|(sum, x)| *sum += x);
    }

    fn add_block(&mut self, block: usize, first: &Block, second: &Block) {
        let at = block * LANES..(block + 1) * LANES;
        self.first[at.clone()].iter_mut().zip(first.0).for_each(|(sum, x)| *sum += f64::from(x));
        self.second[at].iter_mut().zip(second.0).for_each(|(sum, x)| *sum += f64::from(x));
    }
}

/// `out = relu(y · scale + shift)`, or with `add` `relu(y · scale + shift + skip)`.
pub(crate) fn normalize(
    isa: InstructionSet,
    y: &[Block],
    (scale, shift): (&[Block], &[Block]),
    skip: Option<&[Block]>,
    out: &mut [Block],
) {
    isa.run(Normalize { y, scale, shift, skip, out });
}

struct Normalize<'a> {
    y: &'a [Block],
    scale: &'a [Block],
    shift: &'a [Block],
    skip: Option<&'a [Block]>,
    out: &'a mut [Block],
}

impl Kernel for Normalize<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (channels, zero) = (self.scale.len(), simd.splat(0.0));
        for (row, out) in self.out.chunks_exact_mut(channels).enumerate() {
            let y = &self.y[row * channels..][..channels];
            let skip = self.skip.map(|skip| &skip[row * channels..][..channels]);
            for c in 0..channels {
                let mut value = simd.fma(simd.load(&y[c]), simd.load(&self.scale[c]), simd.load(&self.shift[c]));
                if let Some(skip) = skip {
                    value = simd.add(value, simd.load(&skip[c]));
                }
                simd.store(simd.max(value, zero), &mut out[c]);
            }
        }
    }
}

/// Adds the sums of `y` and of its squares, per channel, to `sums`. A board has so many squares.
pub(crate) fn sum_squares(isa: InstructionSet, y: &[Block], squares: usize, channels: usize, sums: &mut Sums) {
    isa.run(SumSquares { y, squares, channels, sums });
}

struct SumSquares<'a> {
    y: &'a [Block],
    squares: usize,
    channels: usize,
    sums: &'a mut Sums,
}

impl Kernel for SumSquares<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for board in self.y.chunks_exact(self.squares * self.channels) {
            for c in 0..self.channels {
                let (mut first, mut second) = (simd.splat(0.0), simd.splat(0.0));
                for row in board.chunks_exact(self.channels) {
                    let value = simd.load(&row[c]);
                    first = simd.add(first, value);
                    second = simd.fma(value, value, second);
                }
                let mut blocks = [Block::ZERO; 2];
                simd.store(first, &mut blocks[0]);
                simd.store(second, &mut blocks[1]);
                self.sums.add_block(c, &blocks[0], &blocks[1]);
            }
        }
    }
}

/// The gradient through a ReLU, in place: zero where its output `x` is. Adds the sums of the gradient and of the
/// gradient times `y`, per channel, to `sums`.
pub(crate) fn mask(
    isa: InstructionSet,
    gradient: &mut [Block],
    (x, y): (&[Block], &[Block]),
    squares: usize,
    channels: usize,
    sums: &mut Sums,
) {
    isa.run(Mask { gradient, x, y, squares, channels, sums });
}

struct Mask<'a> {
    gradient: &'a mut [Block],
    x: &'a [Block],
    y: &'a [Block],
    squares: usize,
    channels: usize,
    sums: &'a mut Sums,
}

impl Kernel for Mask<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let board = self.squares * self.channels;
        let sources = self.x.chunks_exact(board).zip(self.y.chunks_exact(board));
        for (gradient, (x, y)) in self.gradient.chunks_exact_mut(board).zip(sources) {
            for c in 0..self.channels {
                let (mut first, mut second) = (simd.splat(0.0), simd.splat(0.0));
                let rows = x.chunks_exact(self.channels).zip(y.chunks_exact(self.channels));
                for (gradient, (x, y)) in gradient.chunks_exact_mut(self.channels).zip(rows) {
                    let value = simd.if_positive(simd.load(&x[c]), simd.load(&gradient[c]));
                    simd.store(value, &mut gradient[c]);
                    first = simd.add(first, value);
                    second = simd.fma(value, simd.load(&y[c]), second);
                }
                let mut blocks = [Block::ZERO; 2];
                simd.store(first, &mut blocks[0]);
                simd.store(second, &mut blocks[1]);
                self.sums.add_block(c, &blocks[0], &blocks[1]);
            }
        }
    }
}

/// Adds blocks to blocks.
pub(crate) fn add(isa: InstructionSet, target: &mut [Block], source: &[Block]) {
    isa.run(Add { target, source });
}

struct Add<'a> {
    target: &'a mut [Block],
    source: &'a [Block],
}

impl Kernel for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for (target, source) in self.target.iter_mut().zip(self.source) {
            simd.store(simd.add(simd.load(target), simd.load(source)), target);
        }
    }
}

/// `a·g + b·y + c` with `a`, `b` and `c` per channel, in place of `g`.
pub(crate) fn combine(isa: InstructionSet, g: &mut [Block], y: &[Block], [a, b, c]: [&[Block]; 3]) {
    isa.run(Combine { g, y, a, b, c });
}

struct Combine<'a> {
    g: &'a mut [Block],
    y: &'a [Block],
    a: &'a [Block],
    b: &'a [Block],
    c: &'a [Block],
}

impl Kernel for Combine<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let channels = self.a.len();
        for (g, y) in self.g.chunks_exact_mut(channels).zip(self.y.chunks_exact(channels)) {
            for n in 0..channels {
                let constant = simd.fma(simd.load(&self.b[n]), simd.load(&y[n]), simd.load(&self.c[n]));
                simd.store(simd.fma(simd.load(&self.a[n]), simd.load(&g[n]), constant), &mut g[n]);
            }
        }
    }
}

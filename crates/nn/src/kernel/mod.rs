//! The numerical kernels: matrix products and Winograd convolutions, for each instruction set.
//!
//! Kernels are written once, against [`Simd`], in safe code. The files named after an instruction set implement that
//! trait and [run](Simd::run) a kernel inside a function compiled for the instruction set.
//!
//! Activations are stored as boards × squares × channels (NHWC), with the channels padded to whole [`Block`]s.
// Loops over registers must be unrolled, which loops over indices are. They read like the formulas, too.
#![allow(clippy::needless_range_loop)]

mod gemm;
mod norm;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
pub(crate) mod pairs;
mod portable;
pub(crate) mod winograd;

#[cfg(target_arch = "x86_64")]
mod amx;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx512bf16;
#[cfg(target_arch = "x86_64")]
pub(crate) mod bf16;

#[cfg(test)]
pub(crate) mod reference;

use std::fmt;

pub(crate) use gemm::{Epilogue, Packed, matmul, matmul_transposed};
pub(crate) use norm::{Sums, add, combine, mask, normalize, sum_squares};
pub(crate) use portable::Portable;

#[cfg(target_arch = "x86_64")]
pub(crate) use self::{avx2::Avx2, avx512::Avx512, avx512bf16::Avx512Bf16};

/// Floats per [`Block`].
pub(crate) const LANES: usize = 16;

/// Sixteen floats in one cache line: the unit of memory of every kernel.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Block(pub(crate) [f32; LANES]);

impl Block {
    /// A block of zeros.
    pub(crate) const ZERO: Block = Block([0.0; LANES]);
}

/// The number of blocks that hold so many channels.
pub(crate) const fn blocks(channels: usize) -> usize {
    channels.div_ceil(LANES)
}

/// Copies numbers into blocks, padded with zeros.
pub(crate) fn to_blocks(values: &[f32]) -> Vec<Block> {
    let mut padded = vec![Block::ZERO; blocks(values.len())];
    for (block, values) in padded.iter_mut().zip(values.chunks(LANES)) {
        block.0[..values.len()].copy_from_slice(values);
    }
    padded
}

/// Makes a buffer at least so long. The content is arbitrary.
pub(crate) fn reserve(buffer: &mut Vec<Block>, length: usize) -> &mut [Block] {
    if buffer.len() < length {
        buffer.resize(length, Block::ZERO);
    }
    &mut buffer[..length]
}

/// An instruction set: a vector of [`LANES`] floats and what can be done with it.
pub(crate) trait Simd: Copy + Send + Sync {
    /// A vector of [`LANES`] floats, in one or more registers.
    type V: Copy;
    /// Most rows of a tile of the matrix product whose accumulators fit into the registers.
    const ROWS: usize;
    /// Columns of such a tile, in blocks: 1 or 2.
    const COLUMNS: usize;
    /// Rows of a tile of the transposed matrix product: 4 or 8.
    const TRANSPOSED_ROWS: usize;

    fn splat(self, x: f32) -> Self::V;
    fn load(self, block: &Block) -> Self::V;
    fn store(self, v: Self::V, block: &mut Block);
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a · b + c`, rounded once where the instruction set can.
    fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    fn max(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a` where `x` is positive, 0 elsewhere.
    fn if_positive(self, x: Self::V, a: Self::V) -> Self::V;
    /// Brings a block that will be needed soon into the level-2 cache.
    fn prefetch(self, block: &Block);
    /// Runs a kernel compiled for this instruction set.
    fn run<K: Kernel>(self, kernel: K) -> K::Output;
}

/// A loop over vectors. Its `run` must be `#[inline(always)]`, and so must everything that it calls on vectors.
pub(crate) trait Kernel {
    type Output;
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// An instruction set with kernels for networks. Results differ between instruction sets by rounding only; on one of
/// them they are always the same, bit for bit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum InstructionSet {
    /// The baseline of the compilation target.
    Portable,
    /// x86-64 with AVX2 and FMA.
    Avx2,
    /// x86-64 with AVX-512F.
    Avx512,
}

impl InstructionSet {
    /// All of them, the simplest first.
    pub const ALL: [InstructionSet; 3] = [InstructionSet::Portable, InstructionSet::Avx2, InstructionSet::Avx512];

    /// The best instruction set of this machine. The environment variable `TESUJI_ISA` (`portable` or `avx2`) asks for
    /// less.
    pub fn detect() -> InstructionSet {
        let limit = match std::env::var("TESUJI_ISA").as_deref() {
            Ok("avx2") => InstructionSet::Avx2,
            _ if tesuji_game::isa::isa() == tesuji_game::isa::Isa::Portable => InstructionSet::Portable,
            _ => InstructionSet::Avx512,
        };
        let usable = |isa: &InstructionSet| *isa <= limit && isa.is_available();
        InstructionSet::ALL.into_iter().rfind(usable).unwrap_or(InstructionSet::Portable)
    }

    /// Whether this machine has it.
    pub fn is_available(self) -> bool {
        match self {
            InstructionSet::Portable => true,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => Avx2::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => Avx512::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// Columns of the packed matrices for it, in blocks.
    pub(crate) fn columns(self) -> usize {
        match self {
            InstructionSet::Portable => Portable::COLUMNS,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => Avx2::COLUMNS,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => Avx512::COLUMNS,
            #[cfg(not(target_arch = "x86_64"))]
            _ => Portable::COLUMNS,
        }
    }

    /// Runs a kernel with it, or with the portable instructions if this machine does not have it.
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        match self {
            InstructionSet::Avx512 => {
                if let Some(simd) = Avx512::detect() {
                    return simd.run(kernel);
                }
            }
            InstructionSet::Avx2 => {
                if let Some(simd) = Avx2::detect() {
                    return simd.run(kernel);
                }
            }
            InstructionSet::Portable => {}
        }
        Portable.run(kernel)
    }
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            InstructionSet::Portable => "portable",
            InstructionSet::Avx2 => "AVX2",
            InstructionSet::Avx512 => "AVX-512",
        })
    }
}

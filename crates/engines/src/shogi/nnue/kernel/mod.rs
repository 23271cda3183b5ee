//! The kernels of inference, for each instruction set. All give the same integers.

mod portable;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

use tesuji_learn::nnue::HIDDEN;
use tesuji_nn::InstructionSet;

/// The columns of an accumulator, or of a row of weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Row<const N: usize>(pub(crate) [i16; N]);

impl<const N: usize> Default for Row<N> {
    fn default() -> Self {
        Row([0; N])
    }
}

/// Weights of a hidden layer for four inputs at a time: of each unit the four weights side by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Quad(pub(crate) [[i8; 4]; HIDDEN]);

/// One number for each hidden unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Units(pub(crate) [i32; HIDDEN]);

/// How the columns of an accumulator become inputs from 0 to 127.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Activation {
    /// Clipped to 0…255, squared, and divided by 512.
    Squared,
    /// Clipped to 0…127.
    Clipped,
}

/// The layers behind the accumulators.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Layers {
    pub(crate) activation: Activation,
    pub(crate) bias1: Units,
    /// A quad for each four columns: of the side to move first, then of the other side.
    pub(crate) weights1: Vec<Quad>,
    pub(crate) bias2: Units,
    pub(crate) weights2: Vec<Quad>,
    pub(crate) bias3: i32,
    pub(crate) weights3: Units,
}

impl Layers {
    /// The quads of a layer whose weights are given unit by unit.
    pub(crate) fn quads(weights: &[i8], inputs: usize) -> Vec<Quad> {
        let quad = |first: usize| {
            Quad(std::array::from_fn(|unit| std::array::from_fn(|at| weights[unit * inputs + first + at])))
        };
        (0..inputs).step_by(4).map(quad).collect()
    }
}

/// The instruction set of the kernels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kernels {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Avx512),
}

impl Kernels {
    /// The best of this machine, or what the environment asks for.
    pub(crate) fn detect() -> Kernels {
        let best = InstructionSet::detect();
        let all = InstructionSet::ALL.into_iter().rev().filter(|&isa| isa <= best);
        all.filter_map(Kernels::of).next().unwrap_or(Kernels::Portable)
    }

    /// Those of an instruction set, if this machine has it.
    pub(crate) fn of(isa: InstructionSet) -> Option<Kernels> {
        match isa {
            InstructionSet::Portable => Some(Kernels::Portable),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => avx2::Avx2::detect().map(Kernels::Avx2),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => avx512::Avx512::detect().map(Kernels::Avx512),
            #[cfg(not(target_arch = "x86_64"))]
            _ => None,
        }
    }

    /// `to` becomes `from` with some rows added and as many or fewer removed.
    #[inline]
    pub(crate) fn update<const N: usize>(self, from: &Row<N>, added: &[&Row<N>], removed: &[&Row<N>], to: &mut Row<N>) {
        match self {
            Kernels::Portable => portable::update(from, added, removed, to),
            #[cfg(target_arch = "x86_64")]
            Kernels::Avx2(isa) => isa.update(from, added, removed, to),
            #[cfg(target_arch = "x86_64")]
            Kernels::Avx512(isa) => isa.update(from, added, removed, to),
        }
    }

    /// The output for the accumulators of the side to move and of the other side.
    #[inline]
    pub(crate) fn output<const N: usize>(self, own: &Row<N>, other: &Row<N>, layers: &Layers) -> i32 {
        match self {
            Kernels::Portable => portable::output(own, other, layers),
            #[cfg(target_arch = "x86_64")]
            Kernels::Avx2(isa) => isa.output(own, other, layers),
            #[cfg(target_arch = "x86_64")]
            Kernels::Avx512(isa) => isa.output(own, other, layers),
        }
    }
}

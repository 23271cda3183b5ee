//! Runs a loop compiled for the best instruction set of this machine.
//!
//! The loops are plain Rust without reassociation, so every instruction set gives the same bits.

/// A loop. Its `run` must be `#[inline(always)]`, and so must everything it calls.
pub(super) trait Kernel {
    type Output;
    fn run(self) -> Self::Output;
}

/// Runs a kernel.
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if tesuji_game::isa::isa() != tesuji_game::isa::Isa::Portable {
        if let Some(isa) = super::avx512::Avx512::detect() {
            return isa.run(kernel);
        }
        if let Some(isa) = super::avx2::Avx2::detect() {
            return isa.run(kernel);
        }
    }
    kernel.run()
}

//! Kernels of the trainer compiled for AVX2.
// A call into another instruction set is unsafe.
#![allow(unsafe_code)]

use super::kernel::Kernel;

/// Proof that this machine has AVX2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(());

impl Avx2 {
    /// The proof, if the instructions are available.
    pub(super) fn detect() -> Option<Avx2> {
        let available = is_x86_feature_detected!("avx2");
        available.then_some(Avx2(()))
    }

    /// Runs a kernel.
    pub(super) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2")]
        fn compiled<K: Kernel>(kernel: K) -> K::Output {
            kernel.run()
        }
        // SAFETY: a `Avx2` exists only where the instructions are available.
        unsafe { compiled(kernel) }
    }
}

//! Kernels of the trainer compiled for AVX-512.
// A call into another instruction set is unsafe.
#![allow(unsafe_code)]

use super::kernel::Kernel;

/// Proof that this machine has AVX-512.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx512(());

impl Avx512 {
    /// The proof, if the instructions are available.
    pub(super) fn detect() -> Option<Avx512> {
        let available = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512bw");
        available.then_some(Avx512(()))
    }

    /// Runs a kernel.
    pub(super) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw")]
        fn compiled<K: Kernel>(kernel: K) -> K::Output {
            kernel.run()
        }
        // SAFETY: a `Avx512` exists only where the instructions are available.
        unsafe { compiled(kernel) }
    }
}

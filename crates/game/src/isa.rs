//! Run-time dispatch: the instruction set that the kernels of this process use, detected once.
//!
//! A kernel lives in a file named after its instruction set (`avx2.rs`) beside a portable version with the same
//! function names. [`isa`] selects one of them.

use std::sync::atomic::{AtomicU8, Ordering};

/// An instruction set with kernels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Isa {
    /// The baseline of the compilation target.
    Portable,
    /// x86-64 with AVX2, BMI1, BMI2, LZCNT and POPCNT.
    Avx2,
}

const UNKNOWN: u8 = u8::MAX;
static DETECTED: AtomicU8 = AtomicU8::new(UNKNOWN);

/// The best instruction set of this machine; `Portable` when the environment has `TESUJI_ISA=portable`.
///
/// Costs one relaxed load and a well-predicted branch.
#[inline]
pub fn isa() -> Isa {
    match DETECTED.load(Ordering::Relaxed) {
        0 => Isa::Portable,
        1 => Isa::Avx2,
        _ => detect(),
    }
}

#[cold]
fn detect() -> Isa {
    let portable = std::env::var_os("TESUJI_ISA").is_some_and(|value| value == "portable");
    let isa = if !portable && has_avx2() { Isa::Avx2 } else { Isa::Portable };
    DETECTED.store(isa as u8, Ordering::Relaxed);
    isa
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx2() -> bool {
    false
}

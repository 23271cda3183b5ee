//! Which instruction set the kernels of this process use: found once, the same for every game.
//!
//! A kernel lives in a file named after its instruction set (`avx2.rs`) beside a portable twin with the same
//! function names; a game asks [`isa`] which of the two to call.

use std::sync::atomic::{AtomicU8, Ordering};

/// An instruction set that some kernel is written for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Isa {
    /// Whatever the compiler's target has: runs everywhere.
    Portable,
    /// x86-64 with AVX2, BMI1, BMI2, LZCNT and POPCNT.
    Avx2,
}

const UNKNOWN: u8 = u8::MAX;
static FOUND: AtomicU8 = AtomicU8::new(UNKNOWN);

/// The best instruction set of this machine, or `Portable` when the environment says `TESUJI_ISA=portable`.
///
/// One relaxed load and a branch that is always predicted.
#[inline]
pub fn isa() -> Isa {
    match FOUND.load(Ordering::Relaxed) {
        0 => Isa::Portable,
        1 => Isa::Avx2,
        _ => find(),
    }
}

#[cold]
fn find() -> Isa {
    let portable = std::env::var_os("TESUJI_ISA").is_some_and(|wish| wish == "portable");
    let isa = if !portable && has_avx2() { Isa::Avx2 } else { Isa::Portable };
    FOUND.store(isa as u8, Ordering::Relaxed);
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

//! The recursive search functions compiled for AVX2; `kernel.rs` has the portable version.
// Calls into another instruction set are unsafe.
#![allow(unsafe_code)]

use tesuji_othello::Square;
use tesuji_othello::kernel::avx2::{self, Avx2};

use super::kernel::{Kernel, for_each_recursive_function};
use super::node::{PatternNode, SearchNode};
use super::thread::SearchThread;
use super::{endgame, last4, midgame};

macro_rules! compile_avx2 {
    ($module:ident::$name:ident$(<$flag:ident>)?($($arg:ident: $type:ty),*)) => {
        #[inline(always)]
        fn $name$(<const $flag: bool>)?(self, search: &mut SearchThread<'_, Self>, $($arg: $type),*) -> i32 {
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn compiled$(<const $flag: bool>)?(search: &mut SearchThread<'_, Avx2>, $($arg: $type),*) -> i32 {
                $module::$name$(::<$flag, _>)?(search, $($arg),*)
            }
            // SAFETY: `self` proves that the machine has these instructions.
            unsafe { compiled$(::<$flag>)?(search, $($arg),*) }
        }
    };
}

impl Kernel for Avx2 {
    #[inline(always)]
    fn flips(self, own: u64, other: u64, square: Square) -> u64 {
        // SAFETY: `self` proves that the machine has these instructions.
        unsafe { avx2::flips(own, other, square) }
    }

    #[inline(always)]
    fn mobility(self, own: u64, other: u64) -> u64 {
        // SAFETY: `self` proves that the machine has these instructions.
        unsafe { avx2::mobility(own, other) }
    }

    for_each_recursive_function!(compile_avx2);
}

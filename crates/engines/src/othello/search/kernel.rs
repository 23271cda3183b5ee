//! The instruction set as a type.
//!
//! Code for one instruction set is not inlined into code for another. So each recursive function of the search is
//! entered through the kernel, which compiles it for its instruction set; `avx2.rs` has the other implementation.

use tesuji_othello::Square;
use tesuji_othello::kernel::portable;

use super::node::{PatternNode, SearchNode};
use super::thread::SearchThread;
use super::{endgame, last4, midgame};

/// Calls a macro with the module, name, const generic and arguments of each recursive function of the search.
macro_rules! for_each_recursive_function {
    ($apply:ident) => {
        $apply!(last4::solve2_passed(own: u64, other: u64, squares: [Square; 2], alpha: i32));
        $apply!(last4::solve3(own: u64, other: u64, squares: [Square; 3], alpha: i32));
        $apply!(last4::solve4(node: SearchNode, alpha: i32));
        $apply!(endgame::nws_parity(node: SearchNode, alpha: i32));
        $apply!(endgame::nws_ordered<TT>(node: SearchNode, alpha: i32));
        $apply!(midgame::shallow_search(position: &PatternNode, depth: u32, alpha: i32, beta: i32));
        $apply!(midgame::nws_midgame(position: &PatternNode, depth: u32, alpha: i32));
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use for_each_recursive_function;

macro_rules! declare {
    ($module:ident::$name:ident$(<$flag:ident>)?($($arg:ident: $type:ty),*)) => {
        fn $name$(<const $flag: bool>)?(self, search: &mut SearchThread<'_, Self>, $($arg: $type),*) -> i32;
    };
}

macro_rules! compile_portable {
    ($module:ident::$name:ident$(<$flag:ident>)?($($arg:ident: $type:ty),*)) => {
        #[inline(never)]
        fn $name$(<const $flag: bool>)?(self, search: &mut SearchThread<'_, Self>, $($arg: $type),*) -> i32 {
            $module::$name$(::<$flag, _>)?(search, $($arg),*)
        }
    };
}

/// Flips and mobility for one instruction set, and the recursive search functions compiled for it.
pub(super) trait Kernel: Copy + Send + Sync {
    /// The discs flipped by a disc on an empty square.
    fn flips(self, own: u64, other: u64, square: Square) -> u64;

    /// The legal moves.
    fn mobility(self, own: u64, other: u64) -> u64;

    for_each_recursive_function!(declare);
}

/// PortableKernel code for any machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct PortableKernel;

impl Kernel for PortableKernel {
    #[inline(always)]
    fn flips(self, own: u64, other: u64, square: Square) -> u64 {
        portable::flips(own, other, square)
    }

    #[inline(always)]
    fn mobility(self, own: u64, other: u64) -> u64 {
        portable::mobility(own, other)
    }

    for_each_recursive_function!(compile_portable);
}

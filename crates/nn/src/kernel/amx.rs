//! Matrix products in bfloat16 with AMX, the matrix unit of Intel's server processors since Sapphire Rapids.
//!
//! A tile is 16 rows of 64 bytes. `tdpbf16ps` multiplies 16 × 32 by 32 × 16 numbers and adds in single precision.
// Assembly, since the intrinsics are not stable, and a system call, since the kernel gives the tiles to whom asks.
#![allow(unsafe_code)]

use std::arch::asm;
use std::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};
use std::sync::OnceLock;

use super::{Block, bf16::Bf16Block};

/// Rows of a tile.
pub(super) const TILE_ROWS: usize = 16;
/// Rows of the result of a product.
pub(super) const PRODUCT_ROWS: usize = 2 * TILE_ROWS;
/// Blocks of the right matrix per step of a product: two tiles.
pub(super) const RIGHT_BLOCKS: usize = 2 * TILE_ROWS;

/// Proof that this process may use AMX with bfloat16, and that AVX-512 is there, too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Amx(());

/// The configuration of the tiles: all eight have 16 rows of 64 bytes.
#[repr(C, align(64))]
struct TileConfiguration {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    bytes_of_rows: [u16; 16],
    rows: [u8; 16],
}

static CONFIGURATION: TileConfiguration = TileConfiguration {
    palette: 1,
    start_row: 0,
    reserved: [0; 14],
    bytes_of_rows: [64, 64, 64, 64, 64, 64, 64, 64, 0, 0, 0, 0, 0, 0, 0, 0],
    rows: [16, 16, 16, 16, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0],
};

impl Amx {
    /// The proof, if the processor has the instructions and the operating system grants the tiles.
    pub(crate) fn detect() -> Option<Amx> {
        static GRANTED: OnceLock<bool> = OnceLock::new();
        GRANTED.get_or_init(|| is_supported() && is_granted()).then_some(Amx(()))
    }

    /// `result = left · right`: 32 rows by 32 columns, as four tiles (upper left, upper right, lower left, lower right).
    ///
    /// The product is a sum over steps of 32 columns of the left matrix. Those of step `s` are the blocks
    /// `left[steps[s] + row * stride]`, and `right[s * RIGHT_BLOCKS..]` are two tiles, in each row two rows of the right
    /// matrix interleaved.
    ///
    /// # Panics
    /// A step lies outside a matrix.
    #[inline]
    pub(super) fn product(
        self,
        (left, stride): (&[Bf16Block], usize),
        steps: &[usize],
        right: &[Bf16Block],
        result: &mut [Block; 2 * PRODUCT_ROWS],
    ) {
        let reach = (PRODUCT_ROWS - 1) * stride;
        assert!(steps.iter().all(|step| step + reach < left.len()), "a step outside the left matrix");
        assert_eq!(right.len(), steps.len() * RIGHT_BLOCKS, "the right matrix has another number of steps");
        if steps.is_empty() {
            result.fill(Block::ZERO);
            return;
        }
        // SAFETY: an `Amx` exists only where the tiles may be used. Tiles are read within `left` and `right` by the
        // assertions above, and four tiles of 16 blocks are written to `result`, which has 64. `ldtilecfg` clears all
        // tiles, and `tilerelease` gives them back, so no state outlives the block.
        unsafe {
            asm!(
                "ldtilecfg [{configuration}]",
                "2:",
                "mov {upper}, [{steps}]",
                "shl {upper}, 6",
                "add {upper}, {left}",
                "lea {lower}, [{upper} + {half}]",
                "tileloadd tmm4, [{upper} + {stride}]",
                "tileloadd tmm6, [{right} + {line}]",
                "tileloadd tmm7, [{right} + {line} + 1024]",
                "tileloadd tmm5, [{lower} + {stride}]",
                "tdpbf16ps tmm0, tmm4, tmm6",
                "tdpbf16ps tmm1, tmm4, tmm7",
                "tdpbf16ps tmm2, tmm5, tmm6",
                "tdpbf16ps tmm3, tmm5, tmm7",
                "add {steps}, 8",
                "add {right}, 2048",
                "dec {count}",
                "jnz 2b",
                "tilestored [{result} + {line}], tmm0",
                "tilestored [{result} + {line} + 1024], tmm1",
                "tilestored [{result} + {line} + 2048], tmm2",
                "tilestored [{result} + {line} + 3072], tmm3",
                "tilerelease",
                configuration = in(reg) &raw const CONFIGURATION,
                steps = inout(reg) steps.as_ptr() => _,
                left = in(reg) left.as_ptr(),
                right = inout(reg) right.as_ptr() => _,
                count = inout(reg) steps.len() => _,
                stride = in(reg) stride * size_of::<Bf16Block>(),
                half = in(reg) TILE_ROWS * stride * size_of::<Bf16Block>(),
                line = in(reg) 64usize,
                result = in(reg) result.as_mut_ptr(),
                upper = out(reg) _,
                lower = out(reg) _,
                options(nostack),
            );
        }
    }
}

/// Whether the processor has AMX with bfloat16, and the operating system saves the tiles. The leaves that describe the
/// tiles are not asked: virtual machines hide them.
fn is_supported() -> bool {
    if !is_x86_feature_detected!("avx512f") || !is_x86_feature_detected!("xsave") || __cpuid(0).eax < 7 {
        return false;
    }
    let features = __cpuid_count(7, 0).edx;
    // The configuration of the tiles and their data.
    let saved = 0b11 << 17;
    // SAFETY: the processor has `xgetbv`, since it has XSAVE and the operating system enabled it for AVX-512.
    let state = unsafe { _xgetbv(0) };
    features & (1 << 22) != 0 && features & (1 << 24) != 0 && state & saved == saved
}

/// Asks the kernel for the tiles.
#[cfg(target_os = "linux")]
fn is_granted() -> bool {
    const ARCH_PRCTL: usize = 158;
    const ARCH_REQ_XCOMP_PERM: usize = 0x1023;
    const XFEATURE_XTILEDATA: usize = 18;
    let result: isize;
    // SAFETY: the system call has no pointers; it changes what this process may use, nothing else.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") ARCH_PRCTL as isize => result,
            in("rdi") ARCH_REQ_XCOMP_PERM,
            in("rsi") XFEATURE_XTILEDATA,
            out("rcx") _,
            out("r11") _,
            options(nostack),
        );
    }
    result == 0
}

#[cfg(not(target_os = "linux"))]
fn is_granted() -> bool {
    false
}

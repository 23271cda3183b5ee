//! The transforms of Winograd's F(3×3, 3×3) with the points 0, 1, −1, 2 and ∞, and their transposes.
//!
//! One row of three outputs from five inputs `d` and a filter `g` is `Aᵀ((G g) ⊙ (Bᵀ d))` with
//!
//! ```text
//!      ⎡ 2 −1 −2  1  0⎤       ⎡  3   0   0⎤
//!      ⎢ 0 −2 −1  1  0⎥       ⎢ −3  −3  −3⎥         ⎡1  1  1  1  0⎤
//! Bᵀ = ⎢ 0  2 −3  1  0⎥   6G =⎢ −1   1  −1⎥    Aᵀ = ⎢0  1 −1  2  0⎥
//!      ⎢ 0 −1  0  1  0⎥       ⎢  1   2   4⎥         ⎣0  1  1  4  1⎦
//!      ⎣ 0  2 −1 −2  1⎦       ⎣  0   0   6⎦
//! ```
//!
//! In two dimensions each is applied to the rows, then to the columns.

use crate::kernel::Simd;

/// Multiplications per tile.
pub(crate) const POINTS: usize = 25;

/// Defines a transform of two dimensions by one of a line.
macro_rules! two_dimensional {
    ($(#[$doc:meta])* $name:ident, $line:ident, $from:literal => $to:literal) => {
        $(#[$doc])*
        #[inline(always)]
        pub(super) fn $name<S: Simd>(simd: S, tile: &[[S::V; $from]; $from]) -> [[S::V; $to]; $to] {
            let zero = simd.splat(0.0);
            let mut rows = [[zero; $to]; $from];
            for y in 0..$from {
                rows[y] = $line(simd, tile[y]);
            }
            let mut result = [[zero; $to]; $to];
            for x in 0..$to {
                let mut column = [zero; $from];
                for y in 0..$from {
                    column[y] = rows[y][x];
                }
                let column = $line(simd, column);
                for y in 0..$to {
                    result[y][x] = column[y];
                }
            }
            result
        }
    };
}

two_dimensional!(/// `Bᵀ d B`.
    input, input_line, 5 => 5);
two_dimensional!(/// `B v Bᵀ`.
    input_gradient, input_gradient_line, 5 => 5);
two_dimensional!(/// `Aᵀ m A`.
    output, output_line, 5 => 3);
two_dimensional!(/// `A y Aᵀ`.
    output_gradient, output_gradient_line, 3 => 5);
two_dimensional!(/// `G g Gᵀ`.
    filter, filter_line, 3 => 5);
two_dimensional!(/// `Gᵀ u G`.
    filter_gradient, filter_gradient_line, 5 => 3);

two_dimensional!(/// `Bᵀ d B` for products in bfloat16.
    bf16_input, bf16_input_line, 5 => 5);
two_dimensional!(/// `Aᵀ m A` for products in bfloat16.
    bf16_output, bf16_output_line, 5 => 3);

/// The squares of the points ±1/2, ±5/4 and ∞, which the transforms for bfloat16 use: with them a convolution loses 0.6 %
/// by rounding its factors to bfloat16, with the points above 1.2 %, and without any transform 0.25 %.
const BF16_SQUARES: [f32; 2] = [0.25, 1.5625];

/// The transform of an input polynomial: its remainder without each point in turn.
#[inline(always)]
fn bf16_input_line<S: Simd>(s: S, [d0, d1, d2, d3, d4]: [S::V; 5]) -> [S::V; 5] {
    let [near, far] = BF16_SQUARES;
    let (near_even, near_odd) = (s.fma(s.splat(-far), d1, d3), s.fma(s.splat(-far), d0, d2));
    let (far_even, far_odd) = (s.fma(s.splat(-near), d1, d3), s.fma(s.splat(-near), d0, d2));
    [
        s.fma(s.splat(0.5), near_odd, near_even),
        s.fma(s.splat(-0.5), near_odd, near_even),
        s.fma(s.splat(1.25), far_odd, far_even),
        s.fma(s.splat(-1.25), far_odd, far_even),
        s.fma(s.splat(near * far), d0, s.fma(s.splat(-near - far), d2, d4)),
    ]
}

#[inline(always)]
fn bf16_output_line<S: Simd>(s: S, [m0, m1, m2, m3, m4]: [S::V; 5]) -> [S::V; 3] {
    let [near, far] = BF16_SQUARES;
    let (near_sum, far_sum) = (s.add(m0, m1), s.add(m2, m3));
    let (near_difference, far_difference) = (s.sub(m0, m1), s.sub(m2, m3));
    [
        s.add(near_sum, far_sum),
        s.fma(s.splat(0.5), near_difference, s.mul(s.splat(1.25), far_difference)),
        s.fma(s.splat(near), near_sum, s.fma(s.splat(far), far_sum, m4)),
    ]
}

/// `G g Gᵀ` of one filter, for products in bfloat16.
pub(super) fn bf16_filter(taps: [[f32; 3]; 3]) -> [[f32; 5]; 5] {
    let [near, far] = BF16_SQUARES;
    // The values at ±1/2 and ±5/4, divided by the product of the distances from the other points.
    let line = |[g0, g1, g2]: [f32; 3]| {
        let at = |x: f32, other: f32| (g0 + x * g1 + x * x * g2) / (2.0 * x * (x * x - other));
        [at(0.5, far), at(-0.5, far), at(1.25, near), at(-1.25, near), g2]
    };
    let rows = taps.map(line);
    let columns: [[f32; 5]; 5] = std::array::from_fn(|x| line([rows[0][x], rows[1][x], rows[2][x]]));
    std::array::from_fn(|y| std::array::from_fn(|x| columns[x][y]))
}

#[inline(always)]
fn input_line<S: Simd>(s: S, [d0, d1, d2, d3, d4]: [S::V; 5]) -> [S::V; 5] {
    let two = s.splat(2.0);
    let t = s.sub(d3, d1);
    [
        s.fma(two, s.sub(d0, d2), t),
        s.sub(t, s.add(d1, d2)),
        s.fma(s.splat(-3.0), d2, s.fma(two, d1, d3)),
        t,
        s.fma(s.splat(-2.0), t, s.sub(d4, d2)),
    ]
}

#[inline(always)]
fn input_gradient_line<S: Simd>(s: S, [v0, v1, v2, v3, v4]: [S::V; 5]) -> [S::V; 5] {
    let (two, minus_two) = (s.splat(2.0), s.splat(-2.0));
    // What `t` of the transform above passes on.
    let t = s.fma(minus_two, v4, s.add(s.add(v0, v1), v3));
    [
        s.mul(two, v0),
        s.sub(s.fma(two, v2, s.mul(s.splat(-1.0), v1)), t),
        s.fma(s.splat(-3.0), v2, s.fma(minus_two, v0, s.mul(s.splat(-1.0), s.add(v1, v4)))),
        s.add(t, v2),
        v4,
    ]
}

#[inline(always)]
fn output_line<S: Simd>(s: S, [m0, m1, m2, m3, m4]: [S::V; 5]) -> [S::V; 3] {
    let (sum, difference) = (s.add(m1, m2), s.sub(m1, m2));
    [s.add(s.add(m0, sum), m3), s.fma(s.splat(2.0), m3, difference), s.add(s.fma(s.splat(4.0), m3, sum), m4)]
}

#[inline(always)]
fn output_gradient_line<S: Simd>(s: S, [y0, y1, y2]: [S::V; 3]) -> [S::V; 5] {
    let even = s.add(y0, y2);
    let fourth = s.fma(s.splat(4.0), y2, s.fma(s.splat(2.0), y1, y0));
    [y0, s.add(even, y1), s.sub(even, y1), fourth, y2]
}

#[inline(always)]
fn filter_line<S: Simd>(s: S, [g0, g1, g2]: [S::V; 3]) -> [S::V; 5] {
    let sixth = s.splat(1.0 / 6.0);
    let even = s.add(g0, g2);
    [
        s.mul(s.splat(0.5), g0),
        s.mul(s.splat(-0.5), s.add(even, g1)),
        s.mul(sixth, s.sub(g1, even)),
        s.mul(sixth, s.fma(s.splat(4.0), g2, s.fma(s.splat(2.0), g1, g0))),
        g2,
    ]
}

#[inline(always)]
fn filter_gradient_line<S: Simd>(s: S, [u0, u1, u2, u3, u4]: [S::V; 5]) -> [S::V; 3] {
    let (half, sixth) = (s.splat(0.5), s.splat(1.0 / 6.0));
    let (first, second, third) = (s.mul(half, u1), s.mul(sixth, u2), s.mul(sixth, u3));
    [
        s.sub(s.fma(half, u0, third), s.add(first, second)),
        s.sub(s.fma(s.splat(2.0), third, second), first),
        s.sub(s.fma(s.splat(4.0), third, u4), s.add(first, second)),
    ]
}

//! Floats of 16 bits.

/// The nearest number of half precision (IEEE 754 binary16), ties to even. Too large ones become infinite.
pub(crate) fn to_f16(x: f32) -> u16 {
    let bits = x.to_bits();
    let sign = (bits >> 16 & 0x8000) as u16;
    let magnitude = bits & 0x7fff_ffff;
    if magnitude > 0x7f80_0000 {
        return sign | 0x7e00;
    }
    // 65520, the first number that is rounded to infinity.
    if magnitude >= 0x477f_f000 {
        return sign | 0x7c00;
    }
    // 2⁻¹⁴, the least normal number. Below it, adding 2⁻¹ · 2⁰ lets the adder round at the last place of a subnormal.
    if magnitude < 0x3880_0000 {
        let rounded = f32::from_bits(magnitude) + 0.5;
        return sign | (rounded.to_bits() - 0.5f32.to_bits()) as u16;
    }
    let odd = magnitude >> 13 & 1;
    let rounded = magnitude + 0xfff + odd - (112 << 23);
    sign | (rounded >> 13) as u16
}

/// A number of half precision.
pub(crate) fn from_f16(half: u16) -> f32 {
    let (exponent, mantissa) = (i32::from(half >> 10 & 0x1f), f32::from(half & 0x3ff));
    let magnitude = match exponent {
        0 => mantissa * 2f32.powi(-24),
        31 if mantissa == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + mantissa / 1024.0) * 2f32.powi(exponent - 15),
    };
    if half & 0x8000 == 0 { magnitude } else { -magnitude }
}

/// A number of the format bfloat16: the upper half of one in single precision.
pub(crate) fn from_bf16(half: u16) -> f32 {
    f32::from_bits(u32::from(half) << 16)
}

/// The nearest number of the format bfloat16, ties to even, of a number that is finite.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
#[inline(always)]
pub(crate) fn to_bf16(x: f32) -> u16 {
    let bits = x.to_bits();
    ((bits + 0x7fff + (bits >> 16 & 1)) >> 16) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bf16_is_the_nearest_with_ties_to_even() {
        for half in (0..0x7f7fu16).chain(0x8000..0xff7f) {
            let (low, high) = (from_bf16(half), from_bf16(half + 1));
            assert_eq!((to_bf16(low), to_bf16(high)), (half, half + 1));
            let middle = f32::from_bits(low.to_bits() + 0x8000);
            assert_eq!(to_bf16(middle), half + (half & 1), "{middle}");
            assert_eq!(to_bf16(f32::from_bits(middle.to_bits() - 1)), half);
            assert_eq!(to_bf16(f32::from_bits(middle.to_bits() + 1)), half + 1);
        }
    }

    #[test]
    fn every_half_survives_the_way_there_and_back() {
        for half in 0..=u16::MAX {
            let x = from_f16(half);
            if x.is_nan() {
                assert!(from_f16(to_f16(x)).is_nan());
            } else {
                assert_eq!(to_f16(x), half, "{x}");
            }
        }
    }

    #[test]
    fn numbers_between_go_to_the_nearest_and_ties_to_even() {
        for half in 0..0x7bffu16 {
            let (low, high) = (from_f16(half), from_f16(half + 1));
            let middle = (low + high) / 2.0;
            assert_eq!(to_f16(middle), half + (half & 1), "{middle}");
            assert_eq!(to_f16(f32::from_bits(middle.to_bits() - 1)), half);
            assert_eq!(to_f16(f32::from_bits(middle.to_bits() + 1)), half + 1);
        }
        assert_eq!(to_f16(65519.0), 0x7bff);
        assert_eq!(to_f16(65520.0), 0x7c00);
        assert_eq!(to_f16(f32::NEG_INFINITY), 0xfc00);
        assert_eq!(from_bf16(0x3f80), 1.0);
    }
}

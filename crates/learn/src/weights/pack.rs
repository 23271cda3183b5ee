//! Making weights small: neighbouring stages are alike, so only what changes is kept, the small and the large part of
//! each number apart, and the whole compressed.

/// The most work that the compressor is asked to do: weights are packed once and unpacked every day.
const LEVEL: i32 = 19;

/// Packs weights of stages of so many.
pub(super) fn pack(values: &[i16], weights: usize) -> Vec<u8> {
    let changes = values.iter().enumerate().map(|(at, value)| {
        let before = at.checked_sub(weights).map_or(0, |before| values[before]);
        fold(value.wrapping_sub(before))
    });
    let mut planes: Vec<u8> = changes.clone().map(|change| change as u8).collect();
    planes.extend(changes.map(|change| (change >> 8) as u8));
    // Compressing into memory cannot fail; if it did, the file would be refused when it is read.
    zstd::bulk::compress(&planes, LEVEL).unwrap_or_default()
}

/// The weights that were packed, if there are so many.
pub(super) fn unpack(packed: &[u8], count: usize, weights: usize) -> Option<Vec<i16>> {
    let planes = zstd::bulk::decompress(packed, 2 * count).ok().filter(|planes| planes.len() == 2 * count)?;
    let (low, high) = planes.split_at(count);
    let mut values: Vec<i16> =
        low.iter().zip(high).map(|(&low, &high)| unfold(u16::from_le_bytes([low, high]))).collect();
    for at in weights..count {
        values[at] = values[at].wrapping_add(values[at - weights]);
    }
    Some(values)
}

/// Signs go to the lowest bit, so that the upper half of a small number is 0 on either side of it.
fn fold(value: i16) -> u16 {
    ((value << 1) ^ (value >> 15)) as u16
}

fn unfold(folded: u16) -> i16 {
    (folded >> 1) as i16 ^ -((folded & 1) as i16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_back() {
        let values: Vec<i16> = (i16::MIN..=i16::MAX).collect();
        for weights in [1, 7, 256, 65_536] {
            assert_eq!(unpack(&pack(&values, weights), values.len(), weights), Some(values.clone()));
        }
        assert_eq!(unpack(&pack(&values, 3), values.len() - 1, 3), None);
        assert_eq!(unpack(&pack(&values, 3), values.len() + 1, 3), None);
    }
}

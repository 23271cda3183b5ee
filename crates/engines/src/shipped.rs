//! The weights and books that ship with this program, as one checksum.

/// The checksum of all weights and books that ship: two programs with different ones play different games.
pub fn shipped_checksum() -> u32 {
    let files = [
        crate::othello::pattern::SHIPPED_BYTES,
        crate::othello::book::SHIPPED_BYTES,
        crate::trax::lines::SHIPPED_BYTES,
        crate::trax::book::SHIPPED_BYTES,
        crate::network::shipped::SHOGI.unwrap_or_default(),
        crate::shogi::nnue::SHIPPED.unwrap_or_default(),
    ];
    let mut sum = crc32fast::Hasher::new();
    for bytes in files {
        sum.update(&(bytes.len() as u64).to_le_bytes());
        // Most files end with their own checksum; including it would make all checksums equal.
        sum.update(&bytes[..bytes.len().saturating_sub(4)]);
    }
    sum.finalize()
}

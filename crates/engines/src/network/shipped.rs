//! The networks that ship with this program, as the bytes of their safetensors files.

/// For shogi.
pub(crate) const SHOGI: Option<&[u8]> = None;

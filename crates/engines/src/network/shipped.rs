//! The networks that ship with this program, as the bytes of their safetensors files. docs/networks.md tells how each was
//! made.

/// For shogi.
pub(crate) const SHOGI: Option<&[u8]> = Some(include_bytes!("../../weights/shogi.safetensors"));

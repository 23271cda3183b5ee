//! Proof numbers: is there a forced win?

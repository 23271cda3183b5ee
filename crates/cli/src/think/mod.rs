//! Ctrl-C.

mod interrupt;

pub(crate) use interrupt::{interrupted, on_forced_end, raise_on_interrupt};

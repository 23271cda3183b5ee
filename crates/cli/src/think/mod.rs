//! Ctrl-C.

mod interrupt;

pub(crate) use interrupt::{interrupted, raise_on_interrupt};

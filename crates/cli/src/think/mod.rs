//! EngineFactory on the command line: which one, how long, and what its news look like.

mod interrupt;
mod line;

pub(crate) use interrupt::{interrupted, on_forced_end, raise_on_interrupt};
pub(crate) use line::value_words;

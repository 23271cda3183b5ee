//! EngineFactory on the command line: which one, how long, and what its news look like.

mod background;
mod chosen;
mod interrupt;
mod line;

pub(crate) use background::{Heard, apart, think};
pub(crate) use chosen::{Chosen, endow};
pub(crate) use interrupt::{interrupted, on_forced_end, raise_on_interrupt};
pub(crate) use line::{line_json, pv, value_json, value_words};

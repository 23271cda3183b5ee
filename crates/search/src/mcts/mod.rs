//! Trees grown by play-outs ([`Uct`]) or by the judgement of a network or an evaluation ([`Puct`]).
//!
//! Both grow the same kind of [`Tree`]: positions are shared by all ways that lead to them, the statistics of
//! a move live with the move, proven results are carried up, and repetition, a matter of the way and not of
//! the position, is taken from the path and never stored. With one thread and a limit of play-outs the same
//! seed grows the same tree on every machine.

mod arena;
mod batch;
mod choose;
mod node;
mod number;
mod pace;
mod playout;
mod provider;
mod puct;
mod rollout;
mod scale;
mod settings;
mod think;
mod tree;
mod uct;
mod walk;

pub use playout::{Playout, playout};
pub use provider::{Judge, Leaf, PolicyValue};
pub use puct::{Puct, Urgency};
pub use scale::Scale;
pub use settings::Settings;
pub use tree::{Branch, Place, Tree};
pub use uct::{Rollouts, Uct};

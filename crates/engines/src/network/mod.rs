//! Networks for any game that implements [`tesuji_game::Planes`]: encoded positions, network files, and the players that
//! use them.

mod bits;
mod candidate;
mod load;
mod policy_player;
mod policy_value;
mod self_play;
pub(crate) mod shipped;
mod spec;
pub mod training;
mod truth;
mod value_player;

pub use bits::{ENCODER, encoding_of, plane_words};
pub use candidate::{DEFAULT_NET, NetworkCandidate, NetworkImprovement};
pub(crate) use candidate::{identified, remove_leftover};
pub use load::{LoadedNetwork, NetworkLoadError, ReadNetwork, load_network, load_network_with, read_network};
pub use policy_player::PolicyPlayer;
pub use policy_value::NetworkPolicyValue;
pub use self_play::{NetworkSelfPlayJob, NetworkSelfPlayOutcome};
pub(crate) use self_play::{drawn_start, random_opening, start_positions};
pub(crate) use spec::{network_of, policy_player, value_player};
pub use truth::{KnownPositions, TruthFigures, TruthJob};
pub use value_player::ValuePlayer;

//! Property tests of df-pn: tsume problems, random positions, and random graphs with cycles.

#[path = "dfpn/brute_force.rs"]
mod brute_force;
#[path = "dfpn/cycles.rs"]
mod cycles;
#[path = "dfpn/policy.rs"]
mod policy;
#[path = "dfpn/random.rs"]
mod random;
#[path = "dfpn/rules.rs"]
mod rules;
#[path = "dfpn/tsume.rs"]
mod tsume;

use tesuji_search::Limits;

/// A node limit.
fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// A depth limit.
fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

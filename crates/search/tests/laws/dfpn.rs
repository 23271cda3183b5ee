//! Proof numbers: what they claim is true, on problems, on random positions and on graphs full of circles.

#[path = "dfpn/brute.rs"]
mod brute;
#[path = "dfpn/circles.rs"]
mod circles;
#[path = "dfpn/policy.rs"]
mod policy;
#[path = "dfpn/random.rs"]
mod random;
#[path = "dfpn/rules.rs"]
mod rules;
#[path = "dfpn/tsume.rs"]
mod tsume;

use tesuji_search::Limits;

/// So many nodes.
fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// So many plies.
fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

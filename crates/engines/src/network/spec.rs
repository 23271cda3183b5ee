//! The settings of a spec that are about networks.

use std::path::Path;
use std::sync::Arc;

use tesuji_nn::Arithmetic;
use tesuji_search::Engine;
use tesuji_search::mcts::WinRateScale;

use super::load::{LoadedNetwork, load_network_with, shared};
use super::{NetworkPolicyValue, PolicyPlayer, ValuePlayer};
use crate::limited::Limited;
use crate::{HasEngines, Spec, SpecError};

/// What an engine needs of a network.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heads {
    Policy,
    Value,
    Both,
}

/// The network of a tree search: that of the spec or the one that ships for the game, unless the spec asks for an
/// evaluation.
pub(crate) fn network_of<G: HasEngines>(spec: &Spec) -> Result<Option<NetworkPolicyValue>, SpecError> {
    let net = spec.get("net").filter(|name| *name != "none");
    match (net, spec.get("eval")) {
        (Some(file), Some(_)) => {
            Err(SpecError::value("net", file, "a network replaces the evaluation: give net or eval, not both"))
        }
        (None, Some(_)) => Ok(None),
        _ if spec.get("net") == Some("none") => Ok(None),
        _ => network::<G>(spec, Heads::Both),
    }
}

/// The engine `policy`.
pub(crate) fn policy_player<G: HasEngines>(spec: &Spec, scale: WinRateScale) -> Result<Box<dyn Engine<G>>, SpecError> {
    let temperature = spec.decimal("temperature", 0.0, 100.0)?.unwrap_or(0.0);
    let seed = spec.number("seed", 0, u64::MAX)?.unwrap_or(0);
    let network = required::<G>(spec, Heads::Policy)?;
    Limited::of_spec(spec, PolicyPlayer::new(network, temperature, seed, scale))
}

/// The engine `value1`.
pub(crate) fn value_player<G: HasEngines>(spec: &Spec, scale: WinRateScale) -> Result<Box<dyn Engine<G>>, SpecError> {
    let network = required::<G>(spec, Heads::Value)?;
    let prior = spec.decimal("prior", 0.0, 1.0)?.unwrap_or(ValuePlayer::PRIOR);
    let prior = if network.heads().0 { prior as f32 } else { 0.0 };
    Limited::of_spec(spec, ValuePlayer::new(network, prior, scale))
}

fn required<G: HasEngines>(spec: &Spec, heads: Heads) -> Result<NetworkPolicyValue, SpecError> {
    network::<G>(spec, heads)?.ok_or_else(|| SpecError::Unavailable {
        engine: spec.name.clone(),
        message: format!("no network ships for {}: name a file with net=FILE", G::NAME),
    })
}

/// How the network of a spec is computed.
fn arithmetic(spec: &Spec) -> Result<Arithmetic, SpecError> {
    match spec.get("precision") {
        None | Some("f32") => Ok(Arithmetic::Single),
        Some("bf16") => Ok(Arithmetic::Bf16),
        Some(other) => Err(SpecError::unknown("precision", other, &["f32", "bf16"])),
    }
}

/// The network of the spec, or the one that ships for the game.
fn network<G: HasEngines>(spec: &Spec, heads: Heads) -> Result<Option<NetworkPolicyValue>, SpecError> {
    let Some(file) = spec.get("net") else {
        return shipped::<G>(spec).map(|network| network.map(NetworkPolicyValue::new));
    };
    let wrong = |message: String| SpecError::value("net", file, message);
    if file == "none" {
        return Err(wrong(format!("the engine {} needs a network: name a file", spec.name)));
    }
    let network =
        load_network_with::<G>(Path::new(file), arithmetic(spec)?).map_err(|error| wrong(error.to_string()))?;
    let network = NetworkPolicyValue::new(network);
    let (policy, value) = network.heads();
    let missing = match heads {
        Heads::Policy | Heads::Both if !policy => "policy",
        Heads::Value | Heads::Both if !value => "value",
        _ => return Ok(Some(network)),
    };
    Err(wrong(format!("the network has no {missing} head, which the engine {} needs", spec.name)))
}

fn shipped<G: HasEngines>(spec: &Spec) -> Result<Option<Arc<LoadedNetwork>>, SpecError> {
    let arithmetic = arithmetic(spec)?;
    let load = |bytes| shared::<G>(Path::new("shipped.safetensors"), bytes, arithmetic);
    G::NETWORK.map(load).transpose().map_err(|error| SpecError::Unavailable {
        engine: spec.name.clone(),
        message: format!("the shipped network: {error}"),
    })
}

//! Networks of other programs: the architecture is inferred from the names and shapes of the tensors.

use std::collections::BTreeMap;

use crate::arch::{Architecture, Encoding, Trunk, ValueShape};
use crate::file::NetworkFileError;
use crate::safetensors::NamedArray;

/// What wrappers of PyTorch put before the names of the tensors.
const PREFIXES: [&str; 4] = ["module.", "_orig_mod.", "model.", "net."];

/// The architecture and the encoding of a file without our metadata.
pub(crate) struct Inferred {
    pub(crate) encoding: Encoding,
    pub(crate) architecture: Architecture,
    /// One sentence: what was assumed.
    pub(crate) warning: String,
}

fn unfit(problem: impl Into<String>) -> NetworkFileError {
    NetworkFileError::Inference { problem: problem.into() }
}

/// Removes a prefix that all names share.
pub(crate) fn strip_prefixes(arrays: &mut [NamedArray]) {
    while let Some(prefix) =
        PREFIXES.into_iter().find(|prefix| !arrays.is_empty() && arrays.iter().all(|a| a.name.starts_with(prefix)))
    {
        arrays.iter_mut().for_each(|array| drop(array.name.drain(..prefix.len())));
    }
}

/// Infers what the metadata would say. Names and shapes tell everything but two things: whether a trunk is plain or
/// residual, and the sides of a board that is not square. `encoding` and `architecture` tell them, if given.
pub(crate) fn infer(
    arrays: &[NamedArray],
    encoding: Option<Encoding>,
    architecture: Option<Architecture>,
) -> Result<Inferred, NetworkFileError> {
    let shapes: BTreeMap<&str, &[usize]> = arrays.iter().map(|a| (a.name.as_str(), a.shape.as_slice())).collect();
    let shape = |name: &str| shapes.get(name).copied();
    let first = "trunk.0.conv.weight";
    let Some(&[channels, planes, 3, 3]) = shape(first) else {
        let found = arrays.first().map_or_else(|| "no tensors".to_owned(), |a| format!("tensors such as {}", a.name));
        return Err(unfit(format!("the file has {found}, but none {first} of the shape [channels, planes, 3, 3]")));
    };
    let layers = (0..).take_while(|layer| shapes.contains_key(format!("trunk.{layer}.conv.weight").as_str())).count();
    let policy = match (shape("policy.conv.weight"), shape("policy.bias")) {
        (Some(&[policy_planes, _, 1, 1]), Some(&[labels])) if policy_planes > 0 && labels % policy_planes == 0 => {
            Some((policy_planes, labels / policy_planes))
        }
        (None, None) => None,
        _ => return Err(unfit("policy.conv.weight and policy.bias do not fit each other")),
    };
    let value = match (shape("value.conv.weight"), shape("value.fc1.weight")) {
        (Some(&[channels, _, 1, 1]), Some(&[hidden, flat])) if channels > 0 && flat % channels == 0 => {
            Some((ValueShape { channels, hidden }, flat / channels))
        }
        (None, None) => None,
        _ => return Err(unfit("value.conv.weight and value.fc1.weight do not fit each other")),
    };
    let Some(squares) = policy.map(|(_, squares)| squares).or(value.map(|(_, squares)| squares)) else {
        return Err(unfit("it has neither the tensors of a policy head nor those of a value head"));
    };
    let policy_planes = policy.map_or(1, |(planes, _)| planes);
    let found = match encoding {
        // Without a policy head the number of its planes is free.
        Some(given) if given.squares() == squares => {
            let policy_planes = if policy.is_some() { policy_planes } else { given.policy_planes };
            Encoding { planes, policy_planes, ..given }
        }
        _ => {
            let side = squares.isqrt();
            Encoding { height: side, width: squares / side.max(1), planes, policy_planes }
        }
    };
    if let Some(expected) = encoding.filter(|given| *given != found) {
        return Err(NetworkFileError::Encoder { found, expected });
    }
    let found = Encoding::parse(&found.to_string())
        .filter(|found| found.squares() == squares)
        .ok_or_else(|| unfit(format!("a board of {squares} squares with {planes} planes is not one of ours")))?;
    let (trunk, guess) = match (policy.is_some() && value.is_some(), layers % 2) {
        (true, 1) => (Trunk::Residual { blocks: layers / 2 }, "residual blocks"),
        _ => (Trunk::Plain { layers }, "plain layers"),
    };
    let inferred = Architecture { trunk, channels, policy: policy.is_some(), value: value.map(|(shape, _)| shape) };
    let architecture_text = inferred.to_string();
    // Checks the limits.
    let inferred: Architecture = architecture_text.parse().map_err(NetworkFileError::Architecture)?;
    let warning = match architecture {
        Some(given) => format!("the file does not say what network it contains; it is read as {given}, as asked"),
        None => format!(
            "the file does not say what network it contains; by its tensors it is read as {inferred} with {guess}"
        ),
    };
    Ok(Inferred { encoding: found, architecture: architecture.unwrap_or(inferred), warning })
}

#[cfg(test)]
mod tests {
    use crate::{Encoding, Network, NetworkFile, NetworkFileError, Precision, Safetensors};

    const BOARD: Encoding = Encoding { height: 4, width: 5, planes: 3, policy_planes: 2 };
    const SQUARE: Encoding = Encoding { height: 4, width: 4, planes: 3, policy_planes: 2 };

    /// The file as another program would write it: without metadata, changed by `change`.
    fn foreign(encoding: Encoding, spec: &str, change: impl Fn(&mut Safetensors)) -> Vec<u8> {
        let network = Network::new(encoding, spec.parse().unwrap(), 1);
        let bytes = NetworkFile { network, metadata: Default::default() }.write(Precision::F32);
        let mut file = Safetensors::read(&bytes).unwrap();
        file.metadata.clear();
        change(&mut file);
        file.write(Precision::F32)
    }

    #[test]
    fn the_architecture_is_inferred_from_the_tensors() {
        for spec in ["policy-value:blocks=2,channels=3", "policy:layers=3,channels=5", "value:layers=2,channels=4"] {
            let bytes = foreign(BOARD, spec, |_| {});
            assert!(matches!(NetworkFile::read(&bytes), Err(NetworkFileError::Foreign { .. })));
            let (file, warning) = NetworkFile::read_for(&bytes, Some(BOARD), None).unwrap();
            assert_eq!(file.network, Network::new(BOARD, spec.parse().unwrap(), 1));
            assert!(warning.unwrap().contains(spec));
        }
        // A square board needs no hint; a prefix of all names is dropped.
        let wrapped = |file: &mut Safetensors| {
            file.tensors.iter_mut().for_each(|tensor| tensor.name.insert_str(0, "module._orig_mod."));
        };
        let bytes = foreign(SQUARE, "policy:layers=3,channels=5", wrapped);
        assert_eq!(NetworkFile::read_for(&bytes, None, None).unwrap().0.network.encoding(), SQUARE);
    }

    #[test]
    fn a_given_architecture_decides_what_tensors_cannot_tell() {
        let bytes = foreign(BOARD, "policy:blocks=1,channels=3", |_| {});
        let given = "policy:blocks=1,channels=3".parse().unwrap();
        let (file, warning) = NetworkFile::read_for(&bytes, Some(BOARD), Some(given)).unwrap();
        assert_eq!(file.network.architecture(), given);
        assert!(warning.unwrap().contains("as asked"));
        let other = "policy:blocks=2,channels=3".parse().unwrap();
        let error = NetworkFile::read_for(&bytes, Some(BOARD), Some(other)).unwrap_err();
        assert_eq!(error.to_string(), "the tensor trunk.3.conv.weight is missing");
    }

    #[test]
    fn our_own_files_are_read_without_a_warning() {
        let network = Network::new(BOARD, "policy:layers=1,channels=2".parse().unwrap(), 1);
        let file = NetworkFile { network, metadata: Default::default() };
        let bytes = file.write(Precision::F32);
        assert_eq!(NetworkFile::read_for(&bytes, Some(BOARD), None), Ok((file, None)));
        let error = NetworkFile::read_for(&bytes, Some(SQUARE), None).unwrap_err().to_string();
        assert_eq!(
            error,
            "the network belongs to another encoder: it has height=4,width=5,planes=3,policy-planes=2, and the game \
             height=4,width=4,planes=3,policy-planes=2"
        );
    }

    #[test]
    fn what_cannot_be_inferred_is_named() {
        let error = |change: &dyn Fn(&mut Safetensors)| {
            let bytes = foreign(BOARD, "policy-value:blocks=1,channels=3", change);
            NetworkFile::read_for(&bytes, Some(BOARD), None).unwrap_err().to_string()
        };
        let rename = |from: &'static str, to: &'static str| {
            move |file: &mut Safetensors| {
                file.tensors.iter_mut().filter(|t| t.name == from).for_each(|t| t.name = to.to_owned());
            }
        };
        assert!(error(&|file| file.tensors.clear()).contains("no tensors"));
        assert!(error(&rename("trunk.0.conv.weight", "conv1.weight")).contains("tensors such as conv1.weight"));
        assert!(error(&rename("policy.bias", "x")).contains("policy.conv.weight and policy.bias"));
        assert!(error(&rename("value.fc1.weight", "x")).contains("value.conv.weight and value.fc1.weight"));
        assert!(error(&rename("value.fc2.bias", "x")).contains("the network has no tensor x"));
        assert!(error(&|file| drop(file.tensors.remove(1))).contains("the tensor trunk.0.bn.weight is missing"));
        let bytes = foreign(BOARD, "policy:layers=1,channels=2", |_| {});
        let planes = Encoding { planes: 4, ..BOARD };
        let error = NetworkFile::read_for(&bytes, Some(planes), None).unwrap_err();
        assert!(matches!(error, NetworkFileError::Encoder { .. }), "{error}");
    }
}

//! Bodies of the fuzz targets of the readers: they panic when a property is violated.

use crate::{Network, NetworkFile, OnnxNorms, Precision, Safetensors, read_onnx, write_onnx};

/// Reads bytes as a safetensors file, and as a network of ours or of another program. What is read can be written and
/// read again.
pub fn safetensors(bytes: &[u8]) {
    if let Ok(file) = Safetensors::read(bytes) {
        // Compared as bytes: a tensor may contain what is not a number.
        let written = file.write(Precision::F32);
        let again = Safetensors::read(&written).map(|file| file.write(Precision::F32));
        assert_eq!(again.as_ref(), Ok(&written), "{:?}", file.metadata);
    }
    if let Ok((file, warning)) = NetworkFile::read_for(bytes, None, None) {
        assert_eq!(warning.is_none(), NetworkFile::read(bytes).is_ok());
        let again = NetworkFile::read(&file.write(Precision::F32)).map(|file| file.network);
        assert_eq!(again.as_ref(), Ok(&file.network));
    }
}

/// Reads bytes as an ONNX file. A network that is read can be written and read again.
pub fn onnx(bytes: &[u8]) {
    if let Ok(network) = read_onnx(bytes) {
        let again = read_onnx(&write_onnx(&network, OnnxNorms::Kept));
        let same = |again: &Network| again.tensors() == network.tensors();
        assert!(again.as_ref().is_ok_and(same), "{}: {again:?}", network.architecture());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Encoding, Random};

    /// Valid files, changed in many ways: flipped, replaced, removed and repeated bytes.
    fn changed(seed: u64, files: &[Vec<u8>], rounds: usize, body: fn(&[u8])) {
        let mut random = Random::new(seed);
        for file in files {
            body(file);
            for _ in 0..rounds {
                let mut bytes = file.clone();
                for _ in 0..=random.below(4) {
                    let at = random.below(bytes.len().max(1));
                    let end = (at + 1 + random.below(9)).min(bytes.len());
                    match random.below(5) {
                        _ if bytes.is_empty() => bytes.push(random.bits() as u8),
                        0 => bytes[at] ^= 1 << random.below(8),
                        1 => bytes[at] = random.bits() as u8,
                        2 => drop(bytes.drain(at..end)),
                        3 => {
                            let repeated = bytes[at..end].to_vec();
                            drop(bytes.splice(at..at, repeated));
                        }
                        _ => bytes.truncate(at),
                    }
                }
                body(&bytes);
            }
        }
    }

    fn networks() -> Vec<Network> {
        let encoding = Encoding { height: 2, width: 2, planes: 2, policy_planes: 1 };
        [
            "policy-value:blocks=1,channels=2,value-channels=1,value-hidden=2",
            "policy:layers=2,channels=1",
            "value:layers=1,channels=1",
        ]
        .map(|spec| Network::new(encoding, spec.parse().unwrap(), 1))
        .to_vec()
    }

    #[test]
    fn changed_safetensors_files_never_panic() {
        let ours = networks()
            .into_iter()
            .map(|network| NetworkFile { network, metadata: Default::default() }.write(Precision::F16));
        let foreign = ours.clone().map(|bytes| {
            let mut file = Safetensors::read(&bytes).unwrap();
            file.metadata.clear();
            file.write(Precision::F32)
        });
        let files: Vec<_> = ours.chain(foreign).collect();
        changed(1, &files, 2000, safetensors);
    }

    #[test]
    fn changed_onnx_files_never_panic() {
        let files: Vec<_> = networks()
            .iter()
            .flat_map(|network| [OnnxNorms::Kept, OnnxNorms::Folded].map(|norms| write_onnx(network, norms)))
            .collect();
        changed(2, &files, 2000, onnx);
    }
}

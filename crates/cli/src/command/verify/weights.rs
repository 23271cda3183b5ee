//! Whether the weights of an evaluation are whole.

use std::fs;
use std::path::Path;

use serde_json::json;
use tesuji_learn::Weights;

use super::wrong;
use crate::args;
use crate::command::solve::summary::grouped;
use crate::failure::Done;
use crate::out::Out;

/// The bytes of a file of weights, if that is what lies there.
pub(super) fn find(path: &Path) -> Option<Vec<u8>> {
    fs::read(path).ok().filter(|_| path.is_file()).filter(|bytes| Weights::has_magic(bytes))
}

pub(super) fn verify(path: &Path, bytes: &[u8], args: &args::Verify, out: &mut Out) -> Done {
    let weights = match Weights::parse(bytes) {
        Ok(weights) => weights,
        Err(error) => return Err(wrong(path, &format!("{}: {error}", path.display()), args, out)),
    };
    let (model, stages, each) = (weights.model(), weights.stages(), weights.weights());
    if args.json.json {
        let fields = json!({ "event": "final", "path": path.display().to_string(), "right": true,
            "model": model, "stages": stages, "weights": each, "story": weights.provenance() });
        return out.json("verify", fields);
    }
    out.line(format_args!(
        "{}: whole; weights of {model}, {stages} stages of {}",
        path.display(),
        grouped(each as u64)
    ))?;
    weights.provenance().lines().try_for_each(|line| out.line(format_args!("  {line}")))
}

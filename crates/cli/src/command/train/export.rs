//! `tesuji train export`: weights of Othello as files of other programs.

use std::fs;
use std::path::Path;

use serde_json::json;
use tesuji_store::save;

use super::pattern;
use crate::args::{self, Program};
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(crate) fn run(args: &args::TrainExport, out: &mut Out) -> Done {
    let pattern = pattern(args.weights.as_deref())?;
    let (name, bytes) = match args.format {
        Program::Edax => ("edax", pattern.edax()),
        Program::Egaroucid => ("egaroucid", pattern.egaroucid()),
    };
    let bytes = bytes.ok_or_else(|| {
        Failure::usage(format!(
            "--format {name}: it has no place for all of these weights; those of `train othello --plain` fit"
        ))
    })?;
    keep(&args.out, &bytes)?;
    let path = args.out.display();
    if args.json.json {
        let fields =
            json!({ "event": "final", "file": path.to_string(), "format": name, "bytes": bytes.len() });
        return out.json("train-export", fields);
    }
    out.line(format_args!("weights for {name} in {path}"))
}

/// Writes a file where there is none, or the same one.
pub(super) fn keep(path: &Path, bytes: &[u8]) -> Done {
    if path.exists() && fs::read(path).ok().as_deref() != Some(bytes) {
        let path = path.display();
        return Err(Failure::usage(format!(
            "{path} is there already and is another file: choose another name"
        )));
    }
    save(path, bytes).map_err(|error| Failure::Failed(error.to_string()))
}

//! Whether an error model is whole.

use std::fs;
use std::path::Path;

use serde_json::json;
use tesuji_engines::othello::{ProbCutFileError, ProbCutParameters};

use super::wrong;
use crate::args;
use crate::failure::Done;
use crate::out::Out;

/// The text of an error model, if that is what lies there.
pub(super) fn find(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok().filter(|_| path.is_file())?;
    (ProbCutParameters::parse(&text) != Err(ProbCutFileError::Foreign)).then_some(text)
}

pub(super) fn verify(path: &Path, text: &str, args: &args::Verify, out: &mut Out) -> Done {
    if let Err(error) = ProbCutParameters::parse(text) {
        return Err(wrong(path, &format!("{}: {error}", path.display()), args, out));
    }
    let story: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("# ")).collect();
    if args.json.json {
        let fields = json!({ "event": "final", "path": path.display().to_string(), "right": true,
            "model": "othello/cuts/1", "story": story.join("\n") });
        return out.json("verify", fields);
    }
    out.line(format_args!("{}: whole; an error model of othello's search", path.display()))?;
    story.iter().try_for_each(|line| out.line(format_args!("  {line}")))
}

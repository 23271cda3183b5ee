//! What the documents show is what the program prints.

use std::path::{Path, PathBuf};

use crate::run::tesuji;

/// The README and the pages below `docs`.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pages = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    std::iter::once(root.join("README.md"))
        .chain(pages.filter(|path| path.extension().is_some_and(|e| e == "md")))
        .collect()
}

/// The commands of a document's console blocks, each with the lines shown below it.
fn commands(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        if line.starts_with("```") {
            in_block = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| in_block) {
            found.push((command.to_owned(), String::new()));
        } else if let Some((_, output)) = found.last_mut().filter(|_| in_block) {
            output.push_str(line);
            output.push('\n');
        }
    }
    found
}

#[test]
fn the_boards_of_the_documents_are_those_of_the_program() {
    let mut compared = 0;
    for path in documents() {
        let text = std::fs::read_to_string(&path).unwrap();
        for (command, shown) in commands(&text) {
            let Some(arguments) = command.strip_prefix("tesuji show ").filter(|_| !shown.trim().is_empty()) else {
                continue;
            };
            let arguments = shell_words::split(arguments).unwrap();
            let arguments: Vec<&str> = std::iter::once("show").chain(arguments.iter().map(String::as_str)).collect();
            let run = tesuji(&arguments);
            assert_eq!(run.out.trim_end(), shown.trim_end(), "{}: {command}", path.display());
            compared += 1;
        }
    }
    assert!(compared >= 4, "the README shows a board of each game");
}

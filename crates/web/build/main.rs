//! Lists the files of the page, to be compiled in, with its modules and its style sheets as one file each.

mod bundle;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use crate::bundle::bundle;

/// Where the modules begin.
const ENTRY: &str = "js/main.js";

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("assets");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    walk(&root, &mut files)?;
    files.sort();
    let name = |file: &PathBuf| file.strip_prefix(&root).unwrap_or(file).to_string_lossy().replace('\\', "/");
    let mut list: BTreeMap<String, PathBuf> = files.iter().map(|file| (name(file), file.clone())).collect();
    let mut texts = BTreeMap::new();
    for (name, file) in list.iter().filter(|(name, _)| name.ends_with(".js")) {
        texts.insert(name.clone(), fs::read_to_string(file)?);
    }
    let (html, styles) = page(&fs::read_to_string(root.join("index.html"))?).map_err(io::Error::other)?;
    let mut style = String::new();
    for name in &styles {
        style.push_str(&fs::read_to_string(root.join(name))?);
    }
    let script = bundle(ENTRY, &texts).map_err(io::Error::other)?;
    for (name, text) in [("index.html", html), ("page.css", style), ("page.js", script)] {
        fs::write(out.join(name), text)?;
        list.insert(name.to_owned(), out.join(name));
    }
    let mut source = String::from("&[\n");
    for (name, file) in &list {
        let _ = writeln!(source, "    ({name:?}, include_bytes!({:?})),", file.display().to_string());
    }
    source.push(']');
    fs::write(out.join("assets.rs"), source)
}

/// The page with one script and one style sheet, and the style sheets that it had.
fn page(html: &str) -> Result<(String, Vec<String>), String> {
    let (mut styles, mut has_script) = (Vec::new(), false);
    let mut page = String::new();
    for line in html.lines() {
        if let Some(rest) = line.strip_prefix("<link rel=\"stylesheet\" href=\"/assets/") {
            if styles.is_empty() {
                page.push_str("<link rel=\"stylesheet\" href=\"/assets/page.css\">\n");
            }
            styles.push(rest.trim_end_matches("\">").to_owned());
        } else if line == format!("<script type=\"module\" src=\"/assets/{ENTRY}\"></script>") {
            has_script = true;
            page.push_str("<script type=\"module\" src=\"/assets/page.js\"></script>\n");
        } else {
            page.push_str(line);
            page.push('\n');
        }
    }
    if styles.is_empty() || !has_script {
        return Err(format!("index.html: a style sheet and the module {ENTRY} are expected, each on its own line"));
    }
    Ok((page, styles))
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { walk(&path, files)? } else { files.push(path) }
    }
    Ok(())
}

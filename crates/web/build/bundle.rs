//! One file of the modules of the page: a browser that fetches forty of them shows its first board a quarter of a second
//! later. The modules stay as they are for reading and debugging (`tesuji serve --assets`).

use std::collections::BTreeMap;
use std::fmt::Write;

/// The modules behind `entry`, each in a function of its own, in the order of their imports.
///
/// # Errors
/// A module imports what is not there, or in a circle, or is written in a way that this does not read.
pub(crate) fn bundle(entry: &str, modules: &BTreeMap<String, String>) -> Result<String, String> {
    let mut bundle = Bundle { modules, done: Vec::new(), text: String::new() };
    bundle.add(entry, &mut Vec::new())?;
    Ok(bundle.text)
}

struct Bundle<'m> {
    modules: &'m BTreeMap<String, String>,
    /// Modules written so far; the index is the number of the constant that holds the exports.
    done: Vec<String>,
    text: String,
}

impl Bundle<'_> {
    fn add(&mut self, name: &str, above: &mut Vec<String>) -> Result<usize, String> {
        if let Some(number) = self.done.iter().position(|known| known == name) {
            return Ok(number);
        }
        if above.iter().any(|known| known == name) {
            return Err(format!("{name} imports itself: {}", above.join(" > ")));
        }
        let source = self.modules.get(name).ok_or_else(|| format!("there is no module {name}"))?;
        above.push(name.to_owned());
        let (mut imports, mut body, mut exports) = (String::new(), String::new(), Vec::new());
        for line in without_comments(source) {
            if let Some(rest) = line.strip_prefix("import ") {
                let (names, from) = import(rest).ok_or_else(|| format!("{name}: {line}"))?;
                let number = self.add(&resolved(name, from), above)?;
                let _ = writeln!(imports, "const {{{}}} = $m{number};", names.replace(" as ", ": "));
            } else if let Some(rest) = line.strip_prefix("export ") {
                match exported(rest) {
                    Exported::Names(names) => exports.extend(names),
                    Exported::Declaration(own) => {
                        exports.push(own);
                        let _ = writeln!(body, "{rest}");
                    }
                    Exported::Unknown => return Err(format!("{name}: {line}")),
                }
            } else {
                let _ = writeln!(body, "{line}");
            }
        }
        above.pop();
        let number = self.done.len();
        self.done.push(name.to_owned());
        let exports = exports.join(", ");
        let _ = writeln!(self.text, "const $m{number} = (() => {{\n{imports}{body}return {{ {exports} }};\n}})();");
        Ok(number)
    }
}

/// The names and the path of `{ a, b as c } from "./x.js";`.
fn import(text: &str) -> Option<(&str, &str)> {
    let (names, rest) = text.strip_prefix('{')?.split_once('}')?;
    Some((names, rest.trim().strip_prefix("from \"")?.strip_suffix("\";")?))
}

enum Exported {
    Names(Vec<String>),
    Declaration(String),
    Unknown,
}

fn exported(text: &str) -> Exported {
    if let Some(names) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix("};")) {
        let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
        return Exported::Names(names.map(str::to_owned).collect());
    }
    let text = text.strip_prefix("async ").unwrap_or(text);
    let Some((_, rest)) = text.split_once(' ').filter(|(kind, _)| ["function", "class", "const"].contains(kind)) else {
        return Exported::Unknown;
    };
    let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
    Exported::Declaration(rest[..end].to_owned())
}

/// A path of an import as seen from the module that has it.
fn resolved(module: &str, path: &str) -> String {
    let mut parts: Vec<&str> = module.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The lines of a module without those that are nothing but comment. Comments beside code stay.
fn without_comments(source: &str) -> Vec<&str> {
    let mut is_comment = false;
    let mut kept = Vec::new();
    for line in source.lines() {
        let text = line.trim();
        let begins = text.starts_with("/*") && (!text.contains("*/") || text.ends_with("*/"));
        if is_comment || begins {
            is_comment = !text.ends_with("*/");
        } else if !text.is_empty() && !text.starts_with("//") {
            kept.push(line);
        }
    }
    kept
}

//! Everything the games of a tournament depend on, by name, and a sum over it: two runs with the same facts
//! are parts of the same tournament.

use std::path::Path;

use tesuji_engines::Spec;

/// FNV-1a: no guard against malice, only against mixing things up.
pub(crate) fn sum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A sum over facts as 16 digits.
pub(crate) fn id(facts: &[(String, String)]) -> String {
    let text: String = facts.iter().map(|(key, value)| format!("{key}\0{value}\0")).collect();
    format!("{:016x}", sum(text.as_bytes()))
}

/// Sums of the files that an engine spec names: weights, and the program of a process.
pub(crate) fn files(spec: &Spec) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for (key, value) in &spec.settings {
        let path = if key == "cmd" { value.split_whitespace().next().unwrap_or_default() } else { value };
        // A bare word is a name, even where a file happens to be called so.
        if path.contains(['/', '\\', '.'])
            && Path::new(path).is_file()
            && let Ok(bytes) = std::fs::read(path)
        {
            files.push((key.clone(), format!("{:016x}", sum(&bytes))));
        }
    }
    files
}

/// The first fact that differs, in words.
pub(crate) fn difference(then: &[(String, String)], now: &[(String, String)]) -> Option<String> {
    let of = |facts: &[(String, String)], key: &str| {
        facts.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone())
    };
    let keys = then.iter().chain(now).map(|(key, _)| key);
    for key in keys {
        let words = match (of(then, key), of(now, key)) {
            (then, now) if then == now => continue,
            (Some(then), Some(now)) => format!("{key} was {then:?} when it began and is {now:?} now"),
            (Some(then), None) => format!("{key} was {then:?} when it began and is not set now"),
            (None, Some(now)) => format!("{key} was not set when it began and is {now:?} now"),
            (None, None) => continue,
        };
        return Some(words);
    }
    // The same facts in another order.
    (then != now).then(|| "the settings stand in another order".to_owned())
}

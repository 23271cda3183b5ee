//! The examples of docs/http.md, run.

use std::path::Path;

use serde_json::Value;
use tesuji_web::Config;

use crate::client::Server;

/// A request of the document and the answer printed below it.
struct Example {
    command: String,
    language: String,
    answer: String,
}

fn examples(text: &str) -> Vec<Example> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push((language.to_owned(), block.join("\n")));
        }
    }
    let pairs = blocks.windows(2).filter(|pair| pair[0].0 == "sh");
    pairs
        .map(|pair| Example { command: pair[0].1.clone(), language: pair[1].0.clone(), answer: pair[1].1.clone() })
        .collect()
}

/// Whether an answer has everything that the document prints: texts with `…` and all numbers stand for any.
fn matches(printed: &Value, told: &Value) -> bool {
    match (printed, told) {
        (Value::String(text), _) if text == "…" => true,
        (Value::Number(_), Value::Number(_)) => true,
        (Value::Array(printed), Value::Array(told)) => {
            let open = printed.len() > 1 && printed.last() == Some(&Value::from("…"));
            let shown = if open { &printed[..printed.len() - 1] } else { &printed[..] };
            shown.len() <= told.len() && shown.iter().zip(told).all(|(printed, told)| matches(printed, told))
        }
        (Value::Object(printed), Value::Object(told)) => {
            printed.iter().all(|(key, value)| told.get(key).is_some_and(|told| matches(value, told)))
        }
        _ => printed == told,
    }
}

#[test]
fn the_examples_of_the_document_are_true() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/http.md")).unwrap();
    let folder = std::env::temp_dir().join(format!("tesuji-web-docs-{}", std::process::id()));
    let server = Server::with(Config { table: Some(folder), ..Config::default() });
    let examples = examples(&text);
    assert!(examples.len() >= 9, "{} examples", examples.len());
    for Example { command, language, answer } in examples {
        let words = shell_words::split(&command).unwrap();
        let url = words.iter().find_map(|word| word.strip_prefix("http://localhost:7878")).expect("a request");
        let body = words.iter().position(|word| word == "-d").map(|at| words[at + 1].clone());
        if language == "text" {
            let told = server.events(url).all();
            let printed = answer.split("\n\n").map(|event| {
                let (name, data) = event.split_once('\n').unwrap();
                let data = data.strip_prefix("data: ").unwrap();
                (name.strip_prefix("event: ").unwrap(), serde_json::from_str::<Value>(data).expect(data))
            });
            for (name, content) in printed {
                let found = told.iter().any(|(told, event)| told == name && matches(&content, event));
                assert!(found, "{command}: no event {name} like\n{content}\nin\n{told:#?}");
            }
        } else {
            let answered = match body {
                Some(body) => {
                    server.request("POST", url, &[("Content-Type", "application/x-www-form-urlencoded")], &body)
                }
                None => server.get(url),
            };
            let told: Value = serde_json::from_slice(&answered.body).unwrap();
            let printed: Value = serde_json::from_str(&answer).expect(&answer);
            assert!(matches(&printed, &told), "{command} answered\n{told:#}");
        }
    }
}

#[test]
fn differences_are_seen() {
    let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    assert!(matches(&value(r#"{"a": ["x", "…"]}"#), &value(r#"{"a": ["x", "y", "z"], "b": 1}"#)));
    assert!(!matches(&value(r#"{"a": "x"}"#), &value(r#"{"a": "y"}"#)));
    assert!(!matches(&value(r#"{"c": 1}"#), &value(r#"{"a": "y"}"#)));
    assert!(!matches(&value("null"), &value("1")));
}

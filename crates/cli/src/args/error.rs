//! Errors of arguments in one line, in the style of every other message: what is wrong, and what would be right.

use std::error::Error as _;
use std::num::ParseIntError;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use tesuji_registry::Registry;

use crate::Words;

/// The message for arguments that could not be parsed.
pub(crate) fn one_line(registry: &Registry, mut command: Command, words: &Words, error: &clap::Error) -> String {
    command.build();
    let (path, at) = path(&command, words);
    let message = message(registry, words, &path, at, error);
    path.iter().rev().fold(message, |message, word| format!("{word}: {message}"))
}

/// The option with the same letters in another order, which clap's measure of similarity misses: `--wdl` for `--wld`.
fn swapped(at: &Command, wrong: &str) -> Option<String> {
    let sorted = |text: &str| {
        let mut letters: Vec<char> = text.trim_start_matches('-').chars().collect();
        letters.sort_unstable();
        letters
    };
    let near =
        at.get_arguments().filter_map(|argument| argument.get_long()).find(|&long| sorted(long) == sorted(wrong))?;
    Some(format!("--{near}"))
}

/// The subcommands that were typed, and the definition of the last one.
fn path<'a>(command: &'a Command, words: &Words) -> (Vec<&'a str>, &'a Command) {
    let (mut path, mut at) = (Vec::new(), command);
    for word in words.iter().skip(1) {
        if let Some(sub) = at.find_subcommand(word) {
            path.push(sub.get_name());
            at = sub;
        }
    }
    (path, at)
}

fn message(registry: &Registry, words: &Words, path: &[&str], at: &Command, error: &clap::Error) -> String {
    let text = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let argument = name(&text(ContextKind::InvalidArg));
    let value = text(ContextKind::InvalidValue);
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let wrong = text(ContextKind::InvalidSubcommand);
            let right = match first(error, ContextKind::SuggestedSubcommand) {
                Some(near) => format!("did you mean {near:?}?"),
                None if path.is_empty() => "`tesuji --help` lists them".to_owned(),
                None => format!("there are: {}", subcommands(at)),
            };
            format!("there is no command {wrong:?}; {right}")
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let what = if at.get_subcommand_value_name() == Some("GAME") { "the game" } else { "what to do" };
            format!("{what} is missing: {}", subcommands(at))
        }
        ErrorKind::UnknownArgument if argument.starts_with('-') => {
            let near =
                first(error, ContextKind::SuggestedArg).map(|near| name(&near)).or_else(|| swapped(at, &argument));
            let near = near.map(|near| format!("did you mean {near}?"));
            let right = near.unwrap_or_else(|| format!("`{}` lists them", help(path)));
            format!("there is no option {argument}; {right}")
        }
        ErrorKind::UnknownArgument => match unknown_option(at, words) {
            // It was taken for a position, which may begin with a hyphen, and the word behind it is too much.
            Some(option) => format!("there is no option {option}; `{}` lists them", help(path)),
            None => format!("{argument:?} is too much; {}", usage(at)),
        },
        ErrorKind::InvalidValue if argument == "<GAME>" || argument == "[GAMES]..." => {
            game(registry, path, &value, error)
        }
        ErrorKind::InvalidValue => {
            let possible = text(ContextKind::ValidValue);
            let near = first(error, ContextKind::SuggestedValue).map(|near| format!("did you mean {near}? "));
            let near = near.unwrap_or_default();
            match (value.is_empty(), possible.is_empty()) {
                (true, true) => format!("{argument} needs a value"),
                (true, false) => format!("{argument} needs a value: {possible}"),
                (false, _) => format!("{argument} {value:?}: {near}possible values: {possible}"),
            }
        }
        ErrorKind::ValueValidation => format!("{argument} {value:?}: {}", reason(error)),
        ErrorKind::MissingRequiredArgument => {
            let is_one =
                !matches!(error.get(ContextKind::InvalidArg), Some(ContextValue::Strings(all)) if all.len() > 1);
            let missing = text(ContextKind::InvalidArg);
            format!("{missing} {} missing; {}", if is_one { "is" } else { "are" }, usage(at))
        }
        ErrorKind::ArgumentConflict => {
            let others = text(ContextKind::PriorArg);
            let others: Vec<String> = others.split(", ").map(name).collect();
            match others.join(", ") {
                other if other == argument => format!("{argument} is given twice"),
                other if other.is_empty() => format!("{argument} cannot be used here"),
                other => format!("{argument} cannot be used with {other}"),
            }
        }
        ErrorKind::TooFewValues => {
            let (least, actual) = (text(ContextKind::MinValues), text(ContextKind::ActualNumValues));
            format!("{argument} needs at least {least} values, not {actual}")
        }
        ErrorKind::WrongNumberOfValues | ErrorKind::TooManyValues => {
            format!("{argument} has the wrong number of values; {}", usage(at))
        }
        ErrorKind::InvalidUtf8 => format!("an argument is not UTF-8; {}", usage(at)),
        _ => {
            let text = error.to_string();
            let line = text.lines().next().unwrap_or_default();
            line.strip_prefix("error: ").unwrap_or(line).to_owned()
        }
    }
}

/// A game that does not exist, or that the command cannot work on.
fn game(registry: &Registry, path: &[&str], value: &str, error: &clap::Error) -> String {
    let possible = error.get(ContextKind::ValidValue).map(ToString::to_string).unwrap_or_default();
    let exists = registry.games().iter().any(|game| game.name() == value);
    match (exists, value.is_empty()) {
        (true, _) if possible.is_empty() => format!("no game here has `{}`", path.join(" ")),
        (true, _) => {
            let have = if possible.contains(',') { "have" } else { "has" };
            format!("{value} has no `{}`; {possible} {have}", path.join(" "))
        }
        (false, true) => format!("the game is missing; there are: {possible}"),
        (false, false) => {
            let near = first(error, ContextKind::SuggestedValue).map(|near| format!("did you mean {near}? "));
            format!("there is no game {value:?}; {}there are: {possible}", near.unwrap_or_default())
        }
    }
}

/// Why a value cannot be parsed, in the words of its parser.
fn reason(error: &clap::Error) -> String {
    let Some(source) = error.source() else { return "not valid".to_owned() };
    if source.is::<ParseIntError>() {
        return "expected a whole number".to_owned();
    }
    let text = source.to_string().replace('\n', " ");
    // `0 is not in 1..=200`
    let range = text.split_once(" is not in ").and_then(|(_, range)| range.split_once("..="));
    match range {
        Some((least, most)) if most.len() < 19 => format!("expected a number from {least} to {most}"),
        Some((least, _)) => format!("expected a number of at least {least}"),
        None => text.split_once(" is not in ").map_or(text.clone(), |(_, range)| match range.strip_suffix("..") {
            Some(least) => format!("expected a number of at least {least}"),
            None => text.clone(),
        }),
    }
}

/// An argument without the name of its value: `--hash <MIB>` is `--hash`.
fn name(argument: &str) -> String {
    match argument.split_once(' ') {
        Some((name, _)) if name.starts_with('-') => name.to_owned(),
        _ => argument.to_owned(),
    }
}

fn first(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::Strings(all) => all.first().cloned(),
        other => Some(other.to_string()),
    }
}

/// A word that looks like an option of the command and is none.
fn unknown_option(command: &Command, words: &Words) -> Option<String> {
    let is_known = |name: &str| {
        command.get_arguments().any(|arg| {
            let aliases = arg.get_all_aliases().unwrap_or_default();
            arg.get_long() == Some(name) || aliases.contains(&name)
        })
    };
    let names = words.iter().skip(1).filter_map(|word| word.to_str()?.strip_prefix("--"));
    let mut names = names.map(|name| name.split('=').next().unwrap_or_default());
    let looks_like_one = |name: &str| name.starts_with(|c: char| c.is_ascii_lowercase());
    names.find(|name| looks_like_one(name) && !is_known(name)).map(|name| format!("--{name}"))
}

fn subcommands(command: &Command) -> String {
    let visible = command.get_subcommands().filter(|sub| !sub.is_hide_set() && sub.get_name() != "help");
    visible.map(Command::get_name).collect::<Vec<_>>().join(", ")
}

fn help(path: &[&str]) -> String {
    [&["tesuji"], path, &["--help"]].concat().join(" ")
}

/// `usage: tesuji perft [OPTIONS] <GAME> <DEPTH>`, in one line.
fn usage(command: &Command) -> String {
    let text = command.clone().render_usage().to_string();
    let words: Vec<&str> = text.split_whitespace().filter(|word| *word != "Usage:").collect();
    format!("usage: {}", words.join(" "))
}

//! What a spec says about another program: how to start it and how to talk to it.

use tesuji_engines::{EngineKind, EngineSetting, Spec, SpecError};

use super::patience::Patience;
use crate::player::Protocol;

/// Another program, not yet started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The file to run and its arguments. No shell sees them.
    pub command: Vec<String>,
    /// Where it runs; a relative command is looked for from there.
    pub dir: Option<String>,
    /// What its environment has besides ours.
    pub environment: Vec<(String, String)>,
    /// What it speaks.
    pub protocol: Protocol,
    /// Options to set before the first game, of protocols that have such.
    pub options: Vec<(String, String)>,
    /// Whether every game gets a new process.
    pub restart: bool,
    /// Whether a Trax program takes `-R moves -F`, which no contest knows.
    pub extended: bool,
    /// Whether a Trax program answers `-T`, as contests ask.
    pub team: bool,
    /// The size of the board that a GTP program is told.
    pub board_size: u32,
    /// How long it is waited for.
    pub patience: Patience,
}

const fn setting(key: &'static str, about: &'static str) -> EngineSetting {
    EngineSetting { key, about }
}

impl Program {
    /// What a spec of another program may set, for help texts.
    pub const KIND: EngineKind = EngineKind {
        name: "process",
        about: "another program, as a child process",
        settings: &[
            setting("cmd", "the program and its arguments; no shell sees them"),
            setting("protocol", "what it speaks: usi, gtp, nboard or trax, as the game has it"),
            setting("dir", "where it runs (here)"),
            setting("env", "more of its environment: NAME=VALUE;NAME=VALUE (nothing)"),
            setting("options", "usi options: Name=Value;Name=Value (none)"),
            setting("restart", "whether every game gets a new process (false)"),
            setting("extended", "trax: whether it takes -R moves -F, for openings (false)"),
            setting("team", "trax: whether it answers -T (true)"),
            setting("boardsize", "gtp: the size of the board (8)"),
            setting("start", "how long its introduction may take (10s)"),
            setting("newgame", "how long it may prepare for a game (60s)"),
            setting("ping", "how long it may take to do what it is told between moves (60s)"),
            setting("answer", "how long a move may take in a game without a clock (10m)"),
            setting("quit", "how long it may take to end before it is killed (2s)"),
        ],
    };

    /// Whether a spec means another program.
    pub fn is_meant(spec: &Spec) -> bool {
        spec.name == Program::KIND.name
    }

    /// The program of a spec, if it speaks one of `protocols`.
    pub fn of(spec: &Spec, protocols: &[Protocol]) -> Result<Program, SpecError> {
        let keys: Vec<&str> = Program::KIND.settings.iter().map(|setting| setting.key).collect();
        if let Some((key, _)) = spec.settings.iter().find(|(key, _)| !keys.contains(&key.as_str())) {
            return Err(SpecError::unknown("setting", key, &keys));
        }
        let usual = Patience::default();
        let patience = Patience {
            start: spec.duration("start")?.unwrap_or(usual.start),
            game: spec.duration("newgame")?.unwrap_or(usual.game),
            ping: spec.duration("ping")?.unwrap_or(usual.ping),
            answer: spec.duration("answer")?.unwrap_or(usual.answer),
            quit: spec.duration("quit")?.unwrap_or(usual.quit),
        };
        let protocol = Protocol::of_name(spec.get("protocol").unwrap_or_default(), protocols)?;
        let options = pairs(spec, "options")?;
        if protocol != Protocol::Usi && !options.is_empty() {
            return Err(wrong(spec, "options", "only programs that speak usi have options"));
        }
        let board_size = spec.number("boardsize", 1, 64)?.map_or(8, |size| size as u32);
        Ok(Program {
            command: command(spec)?,
            dir: spec.get("dir").map(str::to_owned),
            environment: pairs(spec, "env")?,
            protocol,
            options,
            restart: flag(spec, "restart", false)?,
            extended: flag(spec, "extended", false)?,
            team: flag(spec, "team", true)?,
            board_size,
            patience,
        })
    }
}

fn wrong(spec: &Spec, key: &str, message: impl Into<String>) -> SpecError {
    let value = spec.get(key).unwrap_or_default().to_owned();
    SpecError::Value { key: key.to_owned(), value, message: message.into() }
}

/// The command, split as a shell would and never shown to one.
fn command(spec: &Spec) -> Result<Vec<String>, SpecError> {
    let text = spec.get("cmd").unwrap_or_default();
    let words = shell_words::split(text).map_err(|error| wrong(spec, "cmd", error.to_string()))?;
    if words.first().is_none_or(String::is_empty) {
        return Err(wrong(spec, "cmd", "write the program to run and its arguments: cmd=\"name argument\""));
    }
    if text.contains('\0') {
        return Err(wrong(spec, "cmd", "no argument can hold a NUL"));
    }
    Ok(words)
}

/// `Name=Value;Name=Value`. A name alone is an option that takes no value.
fn pairs(spec: &Spec, key: &str) -> Result<Vec<(String, String)>, SpecError> {
    let text = spec.get(key).unwrap_or_default();
    let mut pairs = Vec::new();
    for pair in text.split(';').map(str::trim).filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        if name.trim().is_empty() || pair.contains('\0') {
            return Err(wrong(spec, key, "write Name=Value;Name=Value"));
        }
        pairs.push((name.trim().to_owned(), value.trim().to_owned()));
    }
    Ok(pairs)
}

fn flag(spec: &Spec, key: &str, usual: bool) -> Result<bool, SpecError> {
    match spec.get(key) {
        None => Ok(usual),
        Some("true" | "yes" | "on") => Ok(true),
        Some("false" | "no" | "off") => Ok(false),
        Some(_) => Err(wrong(spec, key, "true or false")),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn of(text: &str) -> Result<Program, String> {
        let spec = Spec::parse(text).expect(text);
        Program::of(&spec, &Protocol::ALL).map_err(|error| error.to_string())
    }

    #[test]
    fn a_spec_says_how_to_start_a_program() {
        let text =
            "process:cmd=\"./a 'b c' d\",protocol=usi,dir=/tmp,options=\"USI_Hash=16; Mode = a b\",start=2s";
        let program = of(text).expect(text);
        assert_eq!(program.command, ["./a", "b c", "d"]);
        assert_eq!(program.dir.as_deref(), Some("/tmp"));
        let options = [("USI_Hash", "16"), ("Mode", "a b")];
        assert_eq!(program.options, options.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(program.patience.start, Duration::from_secs(2));
        assert_eq!(program.patience.game, Patience::default().game);
        assert!(program.team && !program.restart);
    }

    #[test]
    fn a_wrong_one_is_told_what_would_be_right() {
        let refused = [
            ("process:protocol=usi", "cmd=: write the program to run"),
            ("process:cmd=\"\",protocol=usi", "cmd=: write the program to run"),
            ("process:cmd=\"a 'b\",protocol=usi", "cmd=a 'b: missing closing quote"),
            ("process:cmd=a", "there is no protocol of this game \"\"; "),
            ("process:cmd=a,protocol=uci", "there is no protocol of this game \"uci\"; "),
            ("process:cmd=a,protocol=usi,depth=3", "there is no setting \"depth\"; "),
            ("process:cmd=a,protocol=gtp,options=\"x=1\"", "options=x=1: only programs that speak usi"),
            ("process:cmd=a,protocol=usi,options=\"=1\"", "options==1: write Name=Value;Name=Value"),
            ("process:cmd=a,protocol=usi,restart=maybe", "restart=maybe: true or false"),
        ];
        for (text, message) in refused {
            let error = of(text).expect_err(text);
            assert!(error.starts_with(message), "{text}: {error}");
        }
        let spec = Spec::parse("process:cmd=a,protocol=usi").expect("a spec");
        let error = Program::of(&spec, &[Protocol::Gtp]).expect_err("no USI here");
        assert!(error.to_string().contains("gtp"), "{error}");
    }
}

//! The spec of an external program: command, protocol, options and timeouts.

use std::time::Duration;

use tesuji_engines::{EngineKind, EngineSetting, Spec, SpecError};

/// A protocol that an external program speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayerProtocol {
    /// USI, of shogi engines.
    Usi,
    /// The Go text protocol, version 2, as Othello programs speak it.
    Gtp,
    /// NBoard, version 2, of Othello engines.
    NBoard,
    /// The contest protocol of Trax programs.
    Trax,
}

impl PlayerProtocol {
    /// All protocols.
    pub const ALL: [PlayerProtocol; 4] =
        [PlayerProtocol::Usi, PlayerProtocol::Gtp, PlayerProtocol::NBoard, PlayerProtocol::Trax];

    /// The name in a spec.
    pub const fn name(self) -> &'static str {
        match self {
            PlayerProtocol::Usi => "usi",
            PlayerProtocol::Gtp => "gtp",
            PlayerProtocol::NBoard => "nboard",
            PlayerProtocol::Trax => "trax",
        }
    }

    fn of_name(name: &str, known: &[PlayerProtocol]) -> Result<PlayerProtocol, SpecError> {
        known.iter().copied().find(|protocol| protocol.name() == name).ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(|protocol| protocol.name()).collect();
            SpecError::unknown("protocol of this game", name, &names)
        })
    }
}

/// How long to wait for a program when no game clock limits it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timeouts {
    /// From the start to the end of the handshake.
    pub start: Duration,
    /// Until it is ready for a new game. Programs load weights and books here.
    pub game: Duration,
    /// Until it has processed a command between moves.
    pub ping: Duration,
    /// For a move, where the game has no clock.
    pub answer: Duration,
    /// From `quit` to the kill.
    pub quit: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            start: Duration::from_secs(10),
            game: Duration::from_secs(60),
            ping: Duration::from_secs(60),
            answer: Duration::from_secs(600),
            quit: Duration::from_secs(2),
        }
    }
}

/// An external program, not yet started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalProgram {
    /// The file to run and its arguments; no shell is involved.
    pub command: Vec<String>,
    /// The working directory; a relative command is resolved from there.
    pub dir: Option<String>,
    /// Additional environment variables.
    pub environment: Vec<(String, String)>,
    /// Its protocol.
    pub protocol: PlayerProtocol,
    /// Options to set before the first game, for USI.
    pub options: Vec<(String, String)>,
    /// Whether every game gets a new process. The default for Trax: contest programs play one game per process.
    pub restart: bool,
    /// Whether a Trax program takes `-R moves -F` before its colour, an extension of the contest protocol.
    pub extended: bool,
    /// Whether a Trax program answers `-T`.
    pub team: bool,
    /// Whether a Trax program is told the move that ends the game against it; the contest protocol has no other word.
    pub tells_end: bool,
    /// The board size sent to a GTP program.
    pub board_size: u32,
    /// Its timeouts.
    pub timeouts: Timeouts,
}

const fn setting(key: &'static str, about: &'static str) -> EngineSetting {
    EngineSetting { key, about }
}

impl ExternalProgram {
    /// The settings of a spec, for help texts.
    pub const KIND: EngineKind = EngineKind {
        name: "process",
        about: "an external program as a child process",
        settings: &[
            setting("cmd", "the program and its arguments; no shell is involved"),
            setting("protocol", "its protocol: usi, gtp, nboard or trax, as the game supports"),
            setting("dir", "working directory (the current one)"),
            setting("env", "environment variables: NAME=VALUE;NAME=VALUE (none)"),
            setting("options", "usi options: Name=Value;Name=Value (none)"),
            setting("restart", "start a new process for every game (trax: true, else false)"),
            setting("extended", "trax: the program takes -R moves -F before its colour, for openings (false)"),
            setting("team", "trax: the program answers -T (true)"),
            setting("boardsize", "gtp: board size (8)"),
            setting("start", "timeout of the handshake (10s)"),
            setting("newgame", "timeout of preparing a game (60s)"),
            setting("ping", "timeout of commands between moves (60s)"),
            setting("answer", "timeout of a move in a game without a clock (10m)"),
            setting("quit", "time to exit before it is killed (2s)"),
        ],
    };

    /// Whether a spec describes an external program.
    pub fn matches(spec: &Spec) -> bool {
        spec.name == ExternalProgram::KIND.name
    }

    /// The program of a spec, which must speak one of `protocols`.
    pub fn of(spec: &Spec, protocols: &[PlayerProtocol]) -> Result<ExternalProgram, SpecError> {
        let keys: Vec<&str> = ExternalProgram::KIND.settings.iter().map(|setting| setting.key).collect();
        if let Some((key, _)) = spec.settings.iter().find(|(key, _)| !keys.contains(&key.as_str())) {
            return Err(SpecError::unknown("setting", key, &keys));
        }
        let usual = Timeouts::default();
        let timeouts = Timeouts {
            start: spec.duration("start")?.unwrap_or(usual.start),
            game: spec.duration("newgame")?.unwrap_or(usual.game),
            ping: spec.duration("ping")?.unwrap_or(usual.ping),
            answer: spec.duration("answer")?.unwrap_or(usual.answer),
            quit: spec.duration("quit")?.unwrap_or(usual.quit),
        };
        let protocol = PlayerProtocol::of_name(spec.get("protocol").unwrap_or_default(), protocols)?;
        let options = pairs(spec, "options")?;
        if protocol != PlayerProtocol::Usi && !options.is_empty() {
            return Err(wrong(spec, "options", "only programs that speak usi have options"));
        }
        let board_size = spec.number("boardsize", 1, 64)?.map_or(8, |size| size as u32);
        Ok(ExternalProgram {
            command: command(spec)?,
            dir: spec.get("dir").map(str::to_owned),
            environment: pairs(spec, "env")?,
            protocol,
            options,
            restart: flag(spec, "restart", protocol == PlayerProtocol::Trax)?,
            extended: flag(spec, "extended", false)?,
            team: flag(spec, "team", true)?,
            tells_end: false,
            board_size,
            timeouts,
        })
    }
}

fn wrong(spec: &Spec, key: &str, message: impl Into<String>) -> SpecError {
    let value = spec.get(key).unwrap_or_default().to_owned();
    SpecError::Value { key: key.to_owned(), value, message: message.into() }
}

/// The command, split into words as a shell would.
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

/// `Name=Value;Name=Value`. A name alone is an option without a value.
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
    use super::*;

    fn of(text: &str) -> Result<ExternalProgram, String> {
        let spec = Spec::parse(text).expect(text);
        ExternalProgram::of(&spec, &PlayerProtocol::ALL).map_err(|error| error.to_string())
    }

    #[test]
    fn a_spec_describes_a_program() {
        let text = "process:cmd=\"./a 'b c' d\",protocol=usi,dir=/tmp,options=\"USI_Hash=16; Mode = a b\",start=2s";
        let program = of(text).expect(text);
        assert_eq!(program.command, ["./a", "b c", "d"]);
        assert_eq!(program.dir.as_deref(), Some("/tmp"));
        let options = [("USI_Hash", "16"), ("Mode", "a b")];
        assert_eq!(program.options, options.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(program.timeouts.start, Duration::from_secs(2));
        assert_eq!(program.timeouts.game, Timeouts::default().game);
        assert!(program.team && !program.restart);
    }

    #[test]
    fn contest_programs_play_one_game_per_process() {
        assert!(of("process:cmd=a,protocol=trax").is_ok_and(|program| program.restart));
        assert!(of("process:cmd=a,protocol=trax,restart=no").is_ok_and(|program| !program.restart));
        assert!(of("process:cmd=a,protocol=gtp").is_ok_and(|program| !program.restart));
    }

    #[test]
    fn an_invalid_spec_is_rejected_with_a_correction() {
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
        let error = ExternalProgram::of(&spec, &[PlayerProtocol::Gtp]).expect_err("no USI here");
        assert!(error.to_string().contains("gtp"), "{error}");
    }
}

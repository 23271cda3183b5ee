//! The state of a GTP conversation: game, clocks and engine.

use std::time::{Duration, Instant};

use tesuji_engines::{EngineFactory, Spec};
use tesuji_game::{Formats, Game, Record, Side};
use tesuji_othello::{Move, Othello};
use tesuji_protocol::gtp::{Colour, CommandKind};
use tesuji_search::{Choice, Engine, Limits, Time};
use tesuji_task::CancelToken;

use super::board;
use super::clock::GtpClocks;
use crate::{DriverError, first_move, truncated};

/// The time per move without any other limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Every command, in the order of `list_commands`.
const COMMANDS: [&str; 27] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "time_settings",
    "time_left",
    "final_score",
    "showboard",
    "set_game",
    "list_games",
    "loadsgf",
    "gogui-rules_game_id",
    "gogui-rules_board",
    "gogui-rules_board_size",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "gogui-rules_final_result",
    "gogui-play_sequence",
];

/// The text of a reply, or of an error.
type GtpResponse = Result<String, String>;

pub(super) struct GtpSession {
    engine: Box<dyn Engine<Othello>>,
    /// Whether the spec sets limits of its own.
    limited: bool,
    record: Record<Othello>,
    /// Passes after the end of the game. They are not part of the record.
    final_passes: usize,
    /// Plies and final passes before each command that moved, for `undo`.
    undo_stack: Vec<(usize, usize)>,
    clocks: GtpClocks,
}

impl GtpSession {
    pub(super) fn new(engines: &EngineFactory<Othello>, spec: Option<&str>) -> Result<GtpSession, DriverError> {
        let spec = Spec::parse(spec.unwrap_or(engines.default))?;
        let engine = (engines.make)(&spec)?;
        Ok(GtpSession {
            engine,
            limited: spec.is_limited(),
            record: Record::new(Othello::start()),
            final_passes: 0,
            undo_stack: Vec::new(),
            clocks: GtpClocks::default(),
        })
    }

    /// Executes a command.
    pub(super) fn execute(&mut self, kind: CommandKind) -> GtpResponse {
        let now = self.record.now();
        match kind {
            CommandKind::ProtocolVersion => reply("2"),
            CommandKind::Name => reply("tesuji"),
            CommandKind::Version => reply(env!("CARGO_PKG_VERSION")),
            CommandKind::KnownCommand(name) => reply(if COMMANDS.contains(&name.as_str()) { "true" } else { "false" }),
            CommandKind::ListCommands => Ok(COMMANDS.join("\n")),
            CommandKind::Quit | CommandKind::Komi(_) => reply(""),
            CommandKind::BoardSize(8) => {
                self.restart(Record::new(Othello::start()));
                reply("")
            }
            CommandKind::BoardSize(_) => Err("unacceptable size: the board size of Othello is 8".to_owned()),
            CommandKind::ClearBoard => {
                self.restart(Record::new(Othello::start()));
                self.engine.forget();
                reply("")
            }
            CommandKind::Play(colour, mv) => self.play(side(colour), &mv),
            CommandKind::GenMove(colour) => self.generate_move(side(colour), true),
            CommandKind::RegGenMove(colour) => self.generate_move(side(colour), false),
            CommandKind::Undo => self.undo(),
            CommandKind::TimeSettings { main, byoyomi, stones } => {
                self.clocks.set(main, byoyomi, stones);
                reply("")
            }
            CommandKind::TimeLeft { colour, time, stones } => {
                self.clocks.set_left(side(colour), time, stones);
                reply("")
            }
            CommandKind::FinalScore => board::score(now).ok_or_else(|| "the game is not over".to_owned()),
            CommandKind::ShowBoard => Ok(format!("\n{}", board::draw(now))),
            CommandKind::Other { name, arguments } => self.other(&name, &arguments),
        }
    }

    fn other(&mut self, name: &str, arguments: &[String]) -> GtpResponse {
        let now = self.record.now();
        match name {
            "list_games" | "gogui-rules_game_id" => reply(board::GAME),
            "set_game" => match arguments.first() {
                Some(game) if ["othello", "reversi"].contains(&game.to_ascii_lowercase().as_str()) => {
                    self.restart(Record::new(Othello::start()));
                    reply("")
                }
                _ => Err(format!("the only game is {}", board::GAME)),
            },
            "gogui-rules_board_size" => reply("8"),
            "gogui-rules_board" => Ok(board::rows(now)),
            "gogui-rules_legal_moves" => Ok(board::moves(now)),
            "gogui-rules_side_to_move" => reply(board::colour(now.mover())),
            "gogui-rules_final_result" => Ok(board::result(now)),
            "gogui-play_sequence" => self.play_sequence(arguments),
            "loadsgf" => self.load(arguments),
            known if COMMANDS.contains(&known) => Err(format!("{known}: invalid arguments")),
            _ => Err("unknown command".to_owned()),
        }
    }

    /// Starts another game.
    fn restart(&mut self, record: Record<Othello>) {
        (self.record, self.final_passes) = (record, 0);
        self.undo_stack.clear();
    }

    /// Saves the state that `undo` returns to.
    fn save_for_undo(&mut self) {
        self.undo_stack.push((self.record.plies().len(), self.final_passes));
    }

    fn play(&mut self, side: Side, mv: &str) -> GtpResponse {
        if self.record.ending().is_some() && mv.eq_ignore_ascii_case("pass") {
            self.save_for_undo();
            self.final_passes += 1;
            return reply("");
        }
        let mut record = turn_of(&self.record, side)?;
        record.push_text(mv).map_err(|error| format!("illegal move: {error}"))?;
        self.save_for_undo();
        self.record = record;
        reply("")
    }

    /// Plays `b F5 w D6 …`: all moves or none.
    fn play_sequence(&mut self, words: &[String]) -> GtpResponse {
        let before = (self.record.clone(), self.final_passes, self.undo_stack.len());
        for pair in words.chunks(2) {
            let played = match pair {
                [colour, mv] => match colour.to_ascii_lowercase().as_str() {
                    "b" | "black" => self.play(Side::First, mv),
                    "w" | "white" => self.play(Side::Second, mv),
                    _ => Err(format!("{colour:?} is not a colour")),
                },
                _ => Err("a colour without a move".to_owned()),
            };
            if let Err(why) = played {
                (self.record, self.final_passes) = (before.0, before.1);
                self.undo_stack.truncate(before.2);
                return Err(why);
            }
        }
        reply("")
    }

    fn generate_move(&mut self, side: Side, play: bool) -> GtpResponse {
        if self.record.ending().is_some() {
            if play {
                self.save_for_undo();
                self.final_passes += 1;
            }
            return reply("pass");
        }
        let record = turn_of(&self.record, side)?;
        let started = Instant::now();
        let mv = if record.now().must_pass() { Move::PASS } else { self.search(&record, side)? };
        if play {
            self.clocks.spend(side, started.elapsed());
            self.save_for_undo();
            self.record = record;
            self.record.push(mv).map_err(|error| error.to_string())?;
        }
        Ok(board::vertex(&mv.to_string()))
    }

    fn search(&mut self, record: &Record<Othello>, side: Side) -> Result<Move, String> {
        let default = (!self.limited).then_some(Time::Move(DEFAULT_TIME));
        let limits = Limits { time: self.clocks.time(side).or(default), lines: 1, ..Limits::default() };
        match self.engine.think(record, &limits, &CancelToken::new(), &mut |_| {}) {
            Choice::Move { mv, .. } => Ok(mv),
            Choice::Claim | Choice::Resign | Choice::Over => {
                first_move(record.now()).ok_or_else(|| "there is no move".to_owned())
            }
        }
    }

    fn undo(&mut self) -> GtpResponse {
        let Some((plies, final_passes)) = self.undo_stack.pop() else { return Err("cannot undo".to_owned()) };
        self.record = truncated(&self.record, plies);
        self.final_passes = final_passes;
        reply("")
    }

    /// `FILE [N]`: loads the first game of a file in any Othello format, up to the position before move N.
    fn load(&mut self, arguments: &[String]) -> GtpResponse {
        let (name, plies) = match arguments {
            [name] => (name, usize::MAX),
            [name, number] => {
                let number: usize = number.parse().map_err(|_| format!("{number:?} is not a move number"))?;
                (name, number.max(1) - 1)
            }
            _ => return Err("usage: loadsgf FILE [MOVE_NUMBER]".to_owned()),
        };
        let bytes = std::fs::read(name).map_err(|error| format!("cannot load file: {error}"))?;
        let reading = Othello::read(Othello::detect(&bytes), &bytes).next();
        let reading = reading.ok_or_else(|| "cannot load file: it contains no game".to_owned())?;
        if let Some(fault) = reading.fault {
            return Err(format!("cannot load file: {fault}"));
        }
        self.restart(truncated(&reading.record, plies));
        reply(board::colour(self.record.now().mover()))
    }
}

fn reply(text: &str) -> GtpResponse {
    Ok(text.to_owned())
}

fn side(colour: Colour) -> Side {
    match colour {
        Colour::Black => Side::First,
        Colour::White => Side::Second,
    }
}

/// The game with `side` to move. Many controllers do not send forced passes, so one is added here.
fn turn_of(record: &Record<Othello>, side: Side) -> Result<Record<Othello>, String> {
    let mut record = record.clone();
    if record.ending().is_none() && record.now().mover() != side {
        record.push(Move::PASS).map_err(|_| format!("illegal move: it is {}'s turn", board::colour(!side)))?;
    }
    Ok(record)
}

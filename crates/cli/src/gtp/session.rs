//! The state of a GTP conversation: the game, the clocks and the engine; and what each command does.

use std::time::{Duration, Instant};

use tesuji_engines::{EngineFactory, Spec};
use tesuji_game::{Formats, Game, MoveList, Record, Side};
use tesuji_othello::{Move, Moves, Othello};
use tesuji_protocol::gtp::{Colour, Verb};
use tesuji_search::{CancelToken, Choice, Engine, Limits, Time};

use super::clocks::Clocks;
use super::told;
use crate::failure::Failure;

/// What an engine without any limit gets for a move.
const USUAL: Duration = Duration::from_secs(1);

/// Every command, in the order they are listed.
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

type Told = Result<String, String>;

pub(super) struct Session {
    engine: Box<dyn Engine<Othello>>,
    /// Whether the spec of the engine ends its thinking by itself.
    limited: bool,
    record: Record<Othello>,
    /// Passes after the end of the game, which are no part of the record.
    closing: usize,
    /// Where each command that moved began, for `undo`: plies and passes after the end.
    marks: Vec<(usize, usize)>,
    clocks: Clocks,
}

impl Session {
    pub(super) fn new(engines: &EngineFactory<Othello>, spec: Option<&str>) -> Result<Session, Failure> {
        let wrong = |error| Failure::usage(format!("--engine: {error}"));
        let spec = Spec::parse(spec.unwrap_or(engines.default)).map_err(wrong)?;
        let engine = (engines.make)(&spec).map_err(wrong)?;
        Ok(Session {
            engine,
            limited: spec.is_limited(),
            record: Record::new(Othello::start()),
            closing: 0,
            marks: Vec::new(),
            clocks: Clocks::default(),
        })
    }

    /// Does what a command says; the answer, or why there is none.
    pub(super) fn obey(&mut self, verb: Verb) -> Told {
        let now = self.record.now();
        match verb {
            Verb::ProtocolVersion => told("2"),
            Verb::Name => told("tesuji"),
            Verb::Version => told(env!("CARGO_PKG_VERSION")),
            Verb::KnownCommand(name) => {
                told(if COMMANDS.contains(&name.as_str()) { "true" } else { "false" })
            }
            Verb::ListCommands => Ok(COMMANDS.join("\n")),
            Verb::Quit | Verb::Komi(_) => told(""),
            Verb::BoardSize(8) => {
                self.restart(Record::new(Othello::start()));
                told("")
            }
            Verb::BoardSize(_) => Err("unacceptable size: Othello is played on 8".to_owned()),
            Verb::ClearBoard => {
                self.restart(Record::new(Othello::start()));
                self.engine.forget();
                told("")
            }
            Verb::Play(colour, mv) => self.play(side(colour), &mv),
            Verb::GenMove(colour) => self.choose(side(colour), true),
            Verb::RegGenMove(colour) => self.choose(side(colour), false),
            Verb::Undo => self.undo(),
            Verb::TimeSettings { main, byoyomi, stones } => {
                self.clocks.set(main, byoyomi, stones);
                told("")
            }
            Verb::TimeLeft { colour, time, stones } => {
                self.clocks.tell(side(colour), time, stones);
                told("")
            }
            Verb::FinalScore => told::score(now).ok_or_else(|| "the game is not over".to_owned()),
            Verb::ShowBoard => Ok(format!("\n{}", told::drawn(now))),
            Verb::Other { name, arguments } => self.other(&name, &arguments),
        }
    }

    fn other(&mut self, name: &str, arguments: &[String]) -> Told {
        let now = self.record.now();
        match name {
            "list_games" | "gogui-rules_game_id" => told(told::GAME),
            "set_game" => match arguments.first() {
                Some(game) if ["othello", "reversi"].contains(&game.to_ascii_lowercase().as_str()) => {
                    self.restart(Record::new(Othello::start()));
                    told("")
                }
                _ => Err(format!("the only game here is {}", told::GAME)),
            },
            "gogui-rules_board_size" => told("8"),
            "gogui-rules_board" => Ok(told::rows(now)),
            "gogui-rules_legal_moves" => Ok(told::moves(now)),
            "gogui-rules_side_to_move" => told(told::colour(now.mover())),
            "gogui-rules_final_result" => Ok(told::result(now)),
            "gogui-play_sequence" => self.play_all(arguments),
            "loadsgf" => self.load(arguments),
            known if COMMANDS.contains(&known) => Err(format!("{known}: the arguments make no sense")),
            _ => Err("unknown command".to_owned()),
        }
    }

    /// Another game.
    fn restart(&mut self, record: Record<Othello>) {
        (self.record, self.closing) = (record, 0);
        self.marks.clear();
    }

    /// Remembers where a command began that may be taken back.
    fn mark(&mut self) {
        self.marks.push((self.record.plies().len(), self.closing));
    }

    fn play(&mut self, side: Side, mv: &str) -> Told {
        if self.record.ending().is_some() && mv.eq_ignore_ascii_case("pass") {
            self.mark();
            self.closing += 1;
            return told("");
        }
        let mut record = turn_of(&self.record, side)?;
        record.push_text(mv).map_err(|refusal| format!("illegal move: {refusal}"))?;
        self.mark();
        self.record = record;
        told("")
    }

    /// `b F5 w D6 …`: all or nothing.
    fn play_all(&mut self, words: &[String]) -> Told {
        let before = (self.record.clone(), self.closing, self.marks.len());
        for pair in words.chunks(2) {
            let played = match pair {
                [colour, mv] => match colour.to_ascii_lowercase().as_str() {
                    "b" | "black" => self.play(Side::First, mv),
                    "w" | "white" => self.play(Side::Second, mv),
                    _ => Err(format!("{colour:?} is no colour")),
                },
                _ => Err("a colour without a move".to_owned()),
            };
            if let Err(why) = played {
                (self.record, self.closing) = (before.0, before.1);
                self.marks.truncate(before.2);
                return Err(why);
            }
        }
        told("")
    }

    fn choose(&mut self, side: Side, play: bool) -> Told {
        if self.record.ending().is_some() {
            if play {
                self.mark();
                self.closing += 1;
            }
            return told("pass");
        }
        let record = turn_of(&self.record, side)?;
        let begun = Instant::now();
        let mv = if record.now().must_pass() { Move::PASS } else { self.think(&record, side)? };
        if play {
            self.clocks.spend(side, begun.elapsed());
            self.mark();
            self.record = record;
            self.record.push(mv).map_err(|refusal| refusal.to_string())?;
        }
        Ok(told::vertex(&mv.to_string()))
    }

    fn think(&mut self, record: &Record<Othello>, side: Side) -> Result<Move, String> {
        let usual = (!self.limited).then_some(Time::Move(USUAL));
        let limits = Limits { time: self.clocks.time(side).or(usual), lines: 1, ..Limits::default() };
        match self.engine.think(record, &limits, &CancelToken::new(), &mut |_| {}) {
            Choice::Move { mv, .. } => Ok(mv),
            // No engine of Othello claims; whatever it gives up, there is a move.
            Choice::Claim | Choice::Resign | Choice::Over => {
                let mut list = Moves::default();
                record.now().clone().moves(&mut list);
                list.each().next().ok_or_else(|| "there is no move".to_owned())
            }
        }
    }

    fn undo(&mut self) -> Told {
        let Some((plies, closing)) = self.marks.pop() else { return Err("cannot undo".to_owned()) };
        self.record = cut(&self.record, plies);
        self.closing = closing;
        told("")
    }

    /// `FILE [N]`: the first game of a file in any format of Othello, up to before its move N.
    fn load(&mut self, arguments: &[String]) -> Told {
        let (name, plies) = match arguments {
            [name] => (name, usize::MAX),
            [name, number] => {
                let number: usize =
                    number.parse().map_err(|_| format!("{number:?} is no number of a move"))?;
                (name, number.max(1) - 1)
            }
            _ => return Err("loadsgf wants a file and perhaps the number of a move".to_owned()),
        };
        let bytes = std::fs::read(name).map_err(|error| format!("cannot load file: {error}"))?;
        let reading = Othello::read(Othello::detect(&bytes), &bytes).next();
        let reading = reading.ok_or_else(|| "cannot load file: there is no game in it".to_owned())?;
        if let Some(fault) = reading.fault {
            return Err(format!("cannot load file: {fault}"));
        }
        self.restart(cut(&reading.record, plies));
        told(told::colour(self.record.now().mover()))
    }
}

fn told(text: &str) -> Told {
    Ok(text.to_owned())
}

fn side(colour: Colour) -> Side {
    match colour {
        Colour::Black => Side::First,
        Colour::White => Side::Second,
    }
}

/// The game when it is the turn of `side`: many controllers leave out the passes that the rules force.
fn turn_of(record: &Record<Othello>, side: Side) -> Result<Record<Othello>, String> {
    let mut record = record.clone();
    if record.ending().is_none() && record.now().mover() != side {
        record
            .push(Move::PASS)
            .map_err(|_| format!("illegal move: it is the turn of {}", told::colour(!side)))?;
    }
    Ok(record)
}

/// The first so many plies, open even if the record says that somebody gave up.
fn cut(record: &Record<Othello>, plies: usize) -> Record<Othello> {
    let mut short = Record::new(*record.start());
    for mv in record.moves().take(plies) {
        if short.push(mv).is_err() {
            break;
        }
    }
    short
}

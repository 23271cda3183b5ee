//! `tesuji connect`: plays on a match server.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use tesuji_registry::{ByeRow, ConnectEvent, ConnectGame, ConnectRequest, Error, GameHandle, Registry};

use crate::args;
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::play::stamp;

/// The game that is played under this word: its name, or the protocol of its servers.
pub(crate) fn game<'a>(registry: &'a Registry, word: &str) -> Result<&'a GameHandle, Error> {
    let csa = registry.games().iter().find(|game| word == args::CSA && game.has_csa_servers());
    csa.map_or_else(|| registry.game(word), Ok)
}

pub(crate) fn run(game: &GameHandle, args: &args::Connect, out: &mut Out) -> Done {
    let (port, name) = match game.name() {
        "trax" => (10_001, "TS"),
        "shogi" => (4081, "tesuji"),
        _ => (3000, "tesuji"),
    };
    let request = ConnectRequest {
        host: args.host.clone(),
        port: args.port.unwrap_or(port),
        name: args.name.clone().unwrap_or_else(|| name.to_owned()),
        engine: args.engine.clone(),
        depth: args.depth,
        solve: args.solve,
        no_book: args.no_book,
        threads: args.threads.get(),
        hash: args.hash,
        reconnect: args.reconnect.unwrap_or(0),
        patience: args.patience,
        time: args.time.clone(),
        games: args.games.map(|games| games as usize),
        password: args.password.clone(),
        game_name: args.game_name.clone(),
        keep_alive: args.keep_alive,
        comments: args.comments,
        records: args.records.clone(),
    };
    let mut log = args.log.as_deref().map(Log::open).transpose()?;
    out.events(
        |context, events| game.connect(&request, context, events),
        |out, event| {
            write_log(&mut log, &event);
            print(game, &event, args.json.json, out)
        },
    )
}

fn print(game: &GameHandle, event: &ConnectEvent, json: bool, out: &mut Out) -> Done {
    let remark = |text: String| {
        if !out.quiet() {
            eprintln!("{text}");
        }
    };
    match event {
        ConnectEvent::Game(_) | ConnectEvent::Bye { .. } | ConnectEvent::Closed { .. } | ConnectEvent::Lost { .. }
            if json =>
        {
            return out.json("connect", event);
        }
        ConnectEvent::Connected { peer } => remark(format!("connected to {peer}")),
        ConnectEvent::Started { side, opponent, time_ms } => {
            remark(format!("{} against {opponent}, {} s", game.player(*side), *time_ms as f64 / 1e3));
        }
        ConnectEvent::Warning { message } => eprintln!("warning: {message}"),
        ConnectEvent::Retry { message, seconds } => eprintln!("{message}; trying again in {seconds:.1} s"),
        ConnectEvent::Game(played) => return out.line(game_line(game, played)),
        ConnectEvent::Bye { table } => return print_table(table, out),
        ConnectEvent::Closed { games } => remark(format!("the server closed the connection; games played: {games}")),
        ConnectEvent::Sent { .. } | ConnectEvent::Received { .. } | ConnectEvent::Lost { .. } => {}
    }
    Ok(())
}

fn game_line(game: &GameHandle, played: &ConnectGame) -> String {
    let head = format!("game {}: {} against {}: ", played.game, game.player(played.side), played.opponent);
    match (&played.result, played.own, played.other, &played.reason) {
        (Some(result), Some(own), Some(other), Some(reason)) => {
            format!("{head}{result} {own}–{other} {reason}")
        }
        (Some(result), None, None, Some(reason)) => {
            format!("{head}{result} by {reason}, {} moves", played.moves.split_whitespace().count())
        }
        _ => format!("{head}cut off after {} moves", played.moves.split_whitespace().count()),
    }
}

fn print_table(table: &[ByeRow], out: &mut Out) -> Done {
    let width = table.iter().map(|row| row.name.len()).max().unwrap_or(0);
    table.iter().try_for_each(|ByeRow { name, score, won, lost }| {
        out.line(format_args!("{name:width$}  {score:+}  {won} won  {lost} lost"))
    })
}

/// Adds an event to the log. After an error the log is closed.
fn write_log(log: &mut Option<Log>, event: &ConnectEvent) {
    let (sign, line) = match event {
        ConnectEvent::Connected { peer } => ('=', format!("connected to {peer}")),
        ConnectEvent::Sent { line } => ('>', line.clone()),
        ConnectEvent::Received { line } => ('<', line.clone()),
        ConnectEvent::Warning { message } => ('!', message.clone()),
        _ => return,
    };
    if let Some(open) = log
        && let Err(error) = open.add(sign, &line)
    {
        eprintln!("warning: no more log: {error}");
        *log = None;
    }
}

/// The log of a connection, line by line. Nothing is read back from it, so an incomplete last line does no harm.
struct Log {
    file: File,
    started: Instant,
}

impl Log {
    /// Appends to this file, which may exist.
    fn open(path: &Path) -> Result<Log, Failure> {
        let wrong = |error: io::Error| Failure::usage(format!("--log {}: {error}", path.display()));
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(wrong)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        writeln!(file, "# {} UTC, times in seconds from here", stamp(now)).map_err(wrong)?;
        Ok(Log { file, started: Instant::now() })
    }

    /// Adds a line: `>` sent, `<` received, `!` warning, `=` event.
    fn add(&mut self, sign: char, line: &str) -> io::Result<()> {
        // One write, so that a line is complete.
        let text = format!("{:10.3} {sign} {line}\n", self.started.elapsed().as_secs_f64());
        self.file.write_all(text.as_bytes())
    }
}

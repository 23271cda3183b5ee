//! `tesuji connect`: plays on somebody's match server.

mod again;
mod log;

use std::thread::{available_parallelism, sleep};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tesuji_arena::online::{Client, ClientEvent, Disconnect, OnlineGame, ClientSettings};
use tesuji_arena::player::of_spec;
use tesuji_engines::Spec;
use tesuji_protocol::reversi::{Colour, Standing, Verdict, check_name};
use tesuji_search::CancelToken;

use crate::args;
use crate::entry::{Playable, Registration};
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::think::raise_on_interrupt;
use again::Pauses;
use log::Log;

pub(crate) fn run<G: Playable>(shelf: &Registration<G>, args: &args::Connect, out: &mut Out) -> Done {
    if shelf.discs.is_none() {
        return Err(Failure::usage(format!("{} has no match servers; othello has", G::NAME)));
    }
    check_name(&args.name).map_err(|error| Failure::usage(format!("--name: {error}")))?;
    let mut client = client(shelf, args)?;
    let mut log = args.log.as_deref().map(Log::open).transpose()?;
    let stop = CancelToken::new();
    raise_on_interrupt(&stop);
    let mut pauses = Pauses::new(args.reconnect.unwrap_or(0));
    loop {
        let mut report =
            Report { json: args.json.json, quiet: out.quiet(), out, done: Ok(()), log: log.as_mut() };
        let mut met = false;
        let disconnect = client.play(&args.host, args.port, &stop, &mut |event| {
            met |= matches!(event, ClientEvent::Begins(_));
            report.hear(event);
        });
        report.done?;
        if met {
            pauses.again();
        }
        let (how, pause) = match disconnect {
            Disconnect::Farewell(table) => return farewell(&table, args.json.json, out),
            Disconnect::Stopped => return Err(Failure::Failed("interrupted".to_owned())),
            Disconnect::Lost { runner, how } => {
                let place = if runner { "in the middle of a game" } else { "between games" };
                (format!("the connection ended {place} without a farewell: {how}"), pauses.next())
            }
            Disconnect::Unreachable(how) => {
                (format!("no connection to {}:{}: {how}", args.host, args.port), pauses.next())
            }
        };
        let Some(pause) = pause else {
            if args.json.json {
                out.json("connect", json!({ "event": "lost", "message": how }))?;
            }
            return Err(Failure::Failed(how));
        };
        eprintln!("{how}; trying again in {:.1} s", pause.as_secs_f64());
        if !slept(pause, &stop) {
            return Err(Failure::Failed("interrupted".to_owned()));
        }
    }
}

/// The player of the flags, ready to play.
fn client<G: Playable>(shelf: &Registration<G>, args: &args::Connect) -> Result<Client<G>, Failure> {
    let wrong = |error| Failure::usage(format!("--engine: {error}"));
    let mut spec = Spec::parse(args.engine.as_deref().unwrap_or(shelf.engines.default)).map_err(wrong)?;
    let cores = available_parallelism().map_or(1, usize::from).to_string();
    let threads = args.threads.map_or(cores, |threads| threads.to_string());
    if args.no_book {
        spec.settings.retain(|(key, _)| key != "book");
        shelf.engines.fill_setting(&mut spec, "book", Some("none".to_owned()));
    }
    shelf.engines.fill_setting(&mut spec, "threads", Some(threads));
    shelf.engines.fill_setting(&mut spec, "hash", args.hash.map(|mib| mib.to_string()));
    shelf.engines.fill_setting(&mut spec, "solve", args.solve.map(|empties| empties.to_string()));
    let player = of_spec(&spec, &shelf.engines, shelf.custom.protocols).map_err(wrong)?;
    let settings = ClientSettings { name: args.name.clone(), depth: args.depth, patience: args.patience };
    Client::new(settings, player).map_err(|fault| Failure::usage(format!("--engine: the player {fault}")))
}

/// Sleeps, unless somebody wants to stop.
fn slept(pause: Duration, stop: &CancelToken) -> bool {
    let until = Instant::now() + pause;
    while !stop.is_cancelled() {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return true;
        }
        sleep(left.min(Duration::from_millis(50)));
    }
    false
}

/// What a play leaves on the screen and in the log.
struct Report<'a> {
    json: bool,
    quiet: bool,
    out: &'a mut Out,
    done: Done,
    log: Option<&'a mut Log>,
}

impl Report<'_> {
    fn hear<G: Playable>(&mut self, event: ClientEvent<'_, G>) {
        match event {
            ClientEvent::Connected(peer) => {
                self.note('=', &format!("connected to {peer}"));
                self.remark(&format!("connected to {peer}"));
            }
            ClientEvent::Said(line) => self.note('>', line),
            ClientEvent::Heard(line) => self.note('<', line),
            ClientEvent::Odd(words) => {
                self.note('!', &words);
                eprintln!("warning: {words}");
            }
            ClientEvent::Begins(start) => {
                self.remark(&format!(
                    "{} against {}, {} s",
                    start.colour.to_string().to_lowercase(),
                    start.opponent,
                    start.time as f64 / 1e3
                ));
            }
            ClientEvent::Ended(game) => {
                let told =
                    if self.json { self.out.json("connect", fields(game)) } else { self.out.line(row(game)) };
                if self.done.is_ok() {
                    self.done = told;
                }
            }
        }
    }

    fn remark(&self, words: &str) {
        if !self.quiet {
            eprintln!("{words}");
        }
    }

    fn note(&mut self, sign: char, line: &str) {
        if let Some(log) = &mut self.log
            && let Err(error) = log.add(sign, line)
        {
            eprintln!("warning: no more log: {error}");
            self.log = None;
        }
    }
}

/// How a game ended, for scripts.
fn fields<G: Playable>(game: &OnlineGame<G>) -> Value {
    let end = game.end.as_ref();
    json!({
        "event": "game",
        "game": game.number,
        "colour": game.start.colour.to_string().to_lowercase(),
        "opponent": game.start.opponent,
        "result": end.map(|end| word(end.verdict)),
        "own": end.map(|end| end.own),
        "other": end.map(|end| end.other),
        "reason": end.map(|end| &end.reason),
        "left_ms": game.left,
        "moves": game.record.start().print_line(&game.record.moves().collect::<Vec<_>>()).join(" "),
    })
}

/// How a game ended, for people.
fn row<G: Playable>(game: &OnlineGame<G>) -> String {
    let colour = if game.start.colour == Colour::Black { "black" } else { "white" };
    let head = format!("game {}: {colour} against {}: ", game.number, game.start.opponent);
    match &game.end {
        Some(end) => format!("{head}{} {}-{} {}", word(end.verdict), end.own, end.other, end.reason),
        None => format!("{head}cut off after {} moves", game.record.plies().len()),
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Win => "win",
        Verdict::Lose => "loss",
        Verdict::Tie => "tie",
    }
}

fn farewell(table: &[Standing], json: bool, out: &mut Out) -> Done {
    if json {
        let row = |row: &Standing| json!({ "name": row.name, "score": row.score, "won": row.won, "lost": row.lost });
        let rows: Vec<Value> = table.iter().map(row).collect();
        return out.json("connect", json!({ "event": "bye", "table": rows }));
    }
    let width = table.iter().map(|row| row.name.len()).max().unwrap_or(0);
    table.iter().try_for_each(|Standing { name, score, won, lost }| {
        out.line(format_args!("{name:width$}  {score:+}  {won} won  {lost} lost"))
    })
}

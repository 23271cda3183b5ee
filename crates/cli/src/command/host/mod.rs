//! `tesuji host`: a match server.

mod keep;

use std::net::SocketAddr;

use serde_json::{Value, json};
use tesuji_arena::online::{LoginError, MatchServer, ServerReport, ServerEvent, Result as Played, ServerSettings, ServerWinner};
use tesuji_game::Side;
use tesuji_search::CancelToken;

use super::player;
use crate::args;
use crate::entry::{Playable, Registration};
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::think::raise_on_interrupt;
use keep::Keeper;

pub(crate) fn run<G: Playable>(shelf: &Registration<G>, args: &args::MatchServer, out: &mut Out) -> Done {
    let Some(discs) = shelf.discs else {
        return Err(Failure::usage(format!("{} has no match servers; othello has", G::NAME)));
    };
    let players = usize::from(args.players);
    let settings = ServerSettings {
        players,
        rounds: usize::from(args.rounds),
        time: args.time,
        byoyomi: args.byoyomi,
        wait: args.wait,
        concurrency: args.concurrency.map_or(players / 2, usize::from),
    };
    let wanted = SocketAddr::new(args.listen, args.port);
    let deaf = |error| Failure::Failed(format!("cannot listen on {wanted}: {error}"));
    let host = MatchServer::<G>::new(wanted, settings, discs).map_err(deaf)?;
    let address = host.address().map_err(deaf)?;
    let mut keeper =
        args.out.as_ref().map(|path| Keeper::new(path.clone(), shelf.format(), args)).transpose()?;
    let json = args.json.json;
    if json {
        let fields = json!({ "event": "listening", "address": address.to_string(), "port": address.port() });
        out.json("host", fields)?;
    } else {
        eprintln!("listening on {address} for {players} players");
    }
    let stop = CancelToken::new();
    raise_on_interrupt(&stop);
    let mut done = Ok(());
    let report = host.run(&stop, &mut |event| {
        let told = tell(&event, json, keeper.as_mut(), out);
        if done.is_ok() {
            done = told;
            if done.is_err() {
                stop.cancel();
            }
        }
    });
    done?;
    let report = report.map_err(|why| match why {
        LoginError::Few { .. } | LoginError::Stopped | LoginError::Deaf(_) => Failure::Failed(why.to_string()),
    })?;
    table(&report, json, out)?;
    if report.stopped {
        Err(Failure::Failed("interrupted; not all games were played".to_owned()))
    } else {
        Ok(())
    }
}

fn tell<G: Playable>(event: &ServerEvent<'_, G>, json: bool, keeper: Option<&mut Keeper>, out: &mut Out) -> Done {
    match event {
        ServerEvent::Came(name, peer) if json => {
            out.json("host", json!({ "event": "came", "name": name, "peer": peer.to_string() }))
        }
        ServerEvent::Came(name, peer) => remark(&format!("{name} came, from {peer}")),
        ServerEvent::Left(name) => remark(&format!("{name} left again")),
        ServerEvent::Refused(peer, why) => remark(&format!("{peer} was turned away: {why}")),
        ServerEvent::Begins(number, round, [black, white]) => {
            if out.quiet() {
                return Ok(());
            }
            remark(&format!("game {number}, round {round}: {black} against {white}"))
        }
        ServerEvent::Ended(result) => {
            if let Some(keeper) = keeper {
                keeper.add(result)?;
            }
            if json { out.json("host", fields(result)) } else { out.line(row(result)) }
        }
    }
}

fn remark(words: &str) -> Done {
    eprintln!("{words}");
    Ok(())
}

/// How a game ended, for scripts.
fn fields<G: Playable>(result: &Played<G>) -> Value {
    let outcome = &result.outcome;
    let winner = match outcome.winner {
        ServerWinner::Side(Side::First) => "first",
        ServerWinner::Side(Side::Second) => "second",
        ServerWinner::Tie => "draw",
        ServerWinner::Nobody => "nobody",
    };
    json!({
        "event": "game",
        "game": result.number,
        "round": result.round,
        "first": result.names[0],
        "second": result.names[1],
        "outcome": winner,
        "reason": outcome.reason,
        "discs": outcome.discs,
        "left_ms": outcome.left,
        "moves": outcome.record.start().print_line(&outcome.record.moves().collect::<Vec<_>>()).join(" "),
    })
}

/// How a game ended, for people.
fn row<G: Playable>(result: &Played<G>) -> String {
    let [black, white] = &result.names;
    let [own, other] = result.outcome.discs;
    let winner = match result.outcome.winner {
        ServerWinner::Side(side) => format!("{} won", player::<G>(side)),
        ServerWinner::Tie => "a tie".to_owned(),
        ServerWinner::Nobody => "both lost".to_owned(),
    };
    let reason = result.outcome.reason;
    format!("game {}: {black} {own}-{other} {white}, {winner} ({reason})", result.number)
}

/// The table, the best first.
fn table<G: Playable>(report: &ServerReport<G>, json: bool, out: &mut Out) -> Done {
    if json {
        let rows: Vec<Value> = report
            .members
            .iter()
            .map(|member| {
                json!({
                    "name": member.name,
                    "score": member.score(),
                    "won": member.won,
                    "tied": member.tied,
                    "lost": member.lost,
                    "discs": member.discs,
                })
            })
            .collect();
        return out.json("host", json!({ "event": "final", "games": report.games.len(), "table": rows }));
    }
    let width = report.members.iter().map(|member| member.name.len()).max().unwrap_or(0).max(6);
    out.line("")?;
    out.line(format_args!("{:width$}  score  won  tied  lost  discs", "player"))?;
    report.members.iter().try_for_each(|member| {
        out.line(format_args!(
            "{:width$}  {:>+5}  {:>3}  {:>4}  {:>4}  {:>+5}",
            member.name,
            member.score(),
            member.won,
            member.tied,
            member.lost,
            member.discs
        ))
    })
}

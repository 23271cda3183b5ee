//! Shogi on servers of the Computer Shogi Association, such as floodgate.

use std::path::Path;

use tesuji_arena::online::{
    CsaClient, CsaDisconnect, CsaEvent, CsaNotation, CsaOnlineGame, CsaSettings, PlayerMaker, ReconnectDelays,
};
use tesuji_arena::player::of_spec;
use tesuji_game::Formats;
use tesuji_protocol::csa::{GameResult, GameSummary, check_login};
use tesuji_shogi::{Declaration, Rules, Shogi};
use tesuji_store::save;
use tesuji_task::Context;

use crate::online::{moves_of, wait};
use crate::{ConnectEvent, ConnectGame, ConnectRequest, Error, Playable, Registration};

impl Registration<Shogi> {
    /// It is played on servers of the Computer Shogi Association.
    pub fn csa(mut self) -> Registration<Shogi> {
        let format = Shogi::FORMATS.iter().find(|format| format.name == "csa");
        self.csa = format.map(|&format| CsaNotation {
            format,
            print_move: Shogi::csa_move,
            parse_move: Shogi::parse_csa_move,
            rules: rules_of,
            unlimited: |rules| Rules { move_limit: None, ..rules.clone() },
        });
        self
    }
}

/// The rules that a server announces. It grants a declared win only if it names a rule for it.
fn rules_of(summary: &GameSummary) -> Rules {
    let declares = summary.declaration.as_deref().is_some_and(|rule| rule.starts_with("Jishogi"));
    Rules {
        declaration: if declares { Declaration::Points27 } else { Declaration::None },
        move_limit: summary.max_moves.map(|moves| moves as usize),
    }
}

impl<G: Playable> Registration<G> {
    /// Plays so many games on a CSA server, each over a connection of its own if the server wants it so.
    pub(crate) fn connect_csa(
        &self,
        request: &ConnectRequest,
        notation: CsaNotation<G>,
        context: Context<'_>,
        events: &mut dyn FnMut(ConnectEvent),
    ) -> Result<(), Error> {
        let mut client = self.csa_client(request, notation, context)?;
        let games = request.games.unwrap_or(1);
        if let Some(folder) = &request.records {
            std::fs::create_dir_all(folder)
                .map_err(|error| Error::field("records", format!("{}: {error}", folder.display())))?;
        }
        let mut delays = ReconnectDelays::new(request.reconnect);
        loop {
            let before = client.games();
            let end = client.connect(&request.host, request.port, context.cancel, &mut |event| {
                if let (CsaEvent::GameEnded(game), Some(folder)) = (&event, &request.records)
                    && let Err(message) = keep(folder, game, notation)
                {
                    events(ConnectEvent::Warning { message });
                }
                events(event_of(&event));
            });
            let played = client.games();
            if played > before {
                delays.reset();
            }
            let message = match end {
                CsaDisconnect::Finished if played >= games => {
                    events(ConnectEvent::Closed { games: played });
                    return Ok(());
                }
                CsaDisconnect::Finished => {
                    // The usual way from game to game; the pause keeps clients from coming back all at once.
                    let pause = ReconnectDelays::new(1).next_delay().unwrap_or_default();
                    if wait(pause, context.cancel) {
                        continue;
                    }
                    return Err(Error::failed("interrupted"));
                }
                CsaDisconnect::Cancelled => return Err(Error::failed("interrupted")),
                CsaDisconnect::Lost { playing, how } => {
                    let place = if playing { "in the middle of a game" } else { "between games" };
                    format!("the connection ended {place}: {how}")
                }
                CsaDisconnect::Unreachable(how) => {
                    format!("no connection to {}:{}: {how}", request.host, request.port)
                }
                CsaDisconnect::PlayerFault(fault) => format!("the game was refused: {fault}"),
            };
            let Some(delay) = delays.next_delay().filter(|_| played < games) else {
                events(ConnectEvent::Lost { message: message.clone() });
                return Err(Error::Failed(message));
            };
            events(ConnectEvent::Retry { message, seconds: delay.as_secs_f64() });
            if !wait(delay, context.cancel) {
                return Err(Error::failed("interrupted"));
            }
        }
    }

    /// The client of a request, ready to play.
    fn csa_client(
        &self,
        request: &ConnectRequest,
        notation: CsaNotation<G>,
        context: Context<'_>,
    ) -> Result<CsaClient<G>, Error> {
        if request.solve.is_some() {
            return Err(Error::field("solve", format!("{} has no endgame solver", G::NAME)));
        }
        if request.time.is_some() {
            return Err(Error::field("time", "a CSA server has the clock; the name of the game may ask for one"));
        }
        let password = match (&request.game_name, &request.password) {
            (Some(game), Some(password)) => format!("{game},{password}"),
            (Some(word), None) | (None, Some(word)) => word.clone(),
            (None, None) => {
                let message = "is missing; a CSA server wants one, floodgate any, and the name of a game with --game";
                return Err(Error::field("password", message));
            }
        };
        check_login(&request.name, &password)
            .map_err(|error| Error::field(if error.is_password { "password" } else { "name" }, error))?;
        let spec = self.client_spec(request)?;
        let (engines, protocols) = (self.engines.clone(), self.matches.protocols);
        let wrong = |error| Error::field("engine", error);
        of_spec(&spec, &engines, protocols).map_err(wrong)?;
        let make: PlayerMaker<G> =
            Box::new(move || of_spec(&spec, &engines, protocols).map_err(|error| error.to_string()));
        let settings = CsaSettings {
            name: request.name.clone(),
            password,
            depth: request.depth,
            patience: request.patience,
            keep_alive: Some(request.keep_alive).filter(|interval| !interval.is_zero()),
            comments: request.comments,
            games: Some(request.games.unwrap_or(1)),
        };
        CsaClient::new(settings, notation, make, context.cancel).map_err(|fault| match context.is_cancelled() {
            true => Error::Cancelled,
            false => Error::field("engine", format!("the player {fault}")),
        })
    }
}

/// Writes the record of a game into a file of its own.
fn keep<G: Playable>(folder: &Path, game: &CsaOnlineGame<G>, notation: CsaNotation<G>) -> Result<(), String> {
    let plain = |letter: char| if letter.is_alphanumeric() || "+-_.@".contains(letter) { letter } else { '_' };
    let name: String = game.summary.id.chars().map(plain).take(200).collect();
    let path = folder.join(format!("{name}.csa"));
    let bytes = G::write(notation.format, &game.record)?;
    save(&path, &bytes).map_err(|error| format!("{}: {error}", path.display()))
}

fn event_of<G: Playable>(event: &CsaEvent<'_, G>) -> ConnectEvent {
    match event {
        CsaEvent::Connected(peer) => ConnectEvent::Connected { peer: peer.to_string() },
        CsaEvent::Sent(line) => ConnectEvent::Sent { line: (*line).to_owned() },
        CsaEvent::Received(line) => ConnectEvent::Received { line: (*line).to_owned() },
        CsaEvent::Warning(message) => ConnectEvent::Warning { message: message.clone() },
        CsaEvent::GameStarted(game) => ConnectEvent::Started {
            side: game.side().into(),
            opponent: game.opponent().to_owned(),
            time_ms: game.left().as_millis() as i64,
        },
        CsaEvent::GameEnded(game) => {
            let ending = game.record.ending();
            let result = game.end.map(|end| match end.result {
                GameResult::Win => "win",
                GameResult::Lose => "loss",
                GameResult::Draw | GameResult::Censored => "draw",
                GameResult::Interrupted => "interrupted",
            });
            ConnectEvent::Game(ConnectGame {
                game: game.number,
                side: game.side().into(),
                opponent: game.opponent().to_owned(),
                result: result.map(str::to_owned),
                own: None,
                other: None,
                reason: ending.filter(|_| game.end.is_some()).map(|ending| ending.reason.to_owned()),
                id: Some(game.summary.id.clone()),
                left_ms: game.left().as_millis() as i64,
                moves: moves_of(&game.record),
            })
        }
    }
}

//! Match servers and clients.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tesuji_arena::duration_text;
use tesuji_arena::online::{
    Client, ClientEvent, ClientSettings, Disconnect, LoginError, MatchServer, MatchServerEvent, OnlineGame,
    ReconnectDelays, ServerGameResult, ServerSettings, ServerTableRow, ServerWinner,
};
use tesuji_arena::player::of_spec;
use tesuji_engines::Spec;
use tesuji_game::{Format, Record, Side, tags};
use tesuji_protocol::reversi::{Colour, GameResult, ServerStanding, check_name, reason};
use tesuji_store::save;
use tesuji_task::{CancelToken, Context, cores};

use crate::{Error, Playable, Registration, SideName};

/// How often cancellation is checked while waiting.
pub(crate) const POLL: Duration = Duration::from_millis(50);

/// Plays on a match server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ConnectRequest {
    /// The server.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// The name to log in with; in Trax the team code.
    pub name: String,
    /// The engine spec; the default engine of the game when absent.
    #[serde(default)]
    pub engine: Option<String>,
    /// Search depth limit.
    #[serde(default)]
    pub depth: Option<u32>,
    /// Solve from this many empty squares on.
    #[serde(default)]
    pub solve: Option<u32>,
    /// Whether to play without the opening book.
    #[serde(default)]
    pub no_book: bool,
    /// Threads; all cores when absent.
    #[serde(default)]
    pub threads: Option<usize>,
    /// Size of the transposition table in MiB.
    #[serde(default)]
    pub hash: Option<u64>,
    /// Attempts to reconnect in a row.
    #[serde(default)]
    pub reconnect: u32,
    /// How long the server may be silent.
    #[serde(with = "duration_text")]
    pub patience: Duration,
    /// Trax: the time of a turn with the communication, such as `1s`.
    #[serde(default)]
    pub time: Option<String>,
    /// Trax and shogi: games to play, over as many connections as it takes; without a number, in Trax until the server
    /// closes the connection after a game, in shogi one.
    #[serde(default)]
    pub games: Option<usize>,
    /// Shogi: the password.
    #[serde(default)]
    pub password: Option<String>,
    /// Shogi: the name of the game with its times, as floodgate expects it before the password: `test-600-10`.
    #[serde(default)]
    pub game_name: Option<String>,
    /// Shogi: an empty line is sent after this time without another one; 0 for never.
    #[serde(default = "keep_alive", with = "duration_text")]
    pub keep_alive: Duration,
    /// Shogi: whether to send value and line with each move.
    #[serde(default)]
    pub comments: bool,
    /// Shogi: a folder that gets a record of each game.
    #[serde(default)]
    pub records: Option<PathBuf>,
}

/// An event of a client.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum ConnectEvent {
    /// The connection is established.
    Connected {
        /// The address of the server.
        peer: String,
    },
    /// A line was sent.
    Sent {
        /// The line.
        line: String,
    },
    /// A line was received.
    Received {
        /// The line.
        line: String,
    },
    /// Something unexpected that does not end the connection.
    Warning {
        /// The message.
        message: String,
    },
    /// A game starts.
    Started {
        /// Our side.
        side: SideName,
        /// The opponent.
        opponent: String,
        /// Our time in milliseconds.
        time_ms: i64,
    },
    /// A game has ended.
    Game(ConnectGame),
    /// The connection failed and is tried again.
    Retry {
        /// What happened.
        message: String,
        /// The pause before the next attempt.
        seconds: f64,
    },
    /// The server said goodbye.
    Bye {
        /// Its table.
        table: Vec<ByeRow>,
    },
    /// Trax and shogi: the server closed the connection, and all games are played.
    Closed {
        /// Games played.
        games: usize,
    },
    /// The connection is lost for good.
    Lost {
        /// What happened.
        message: String,
    },
}

/// A game on a server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ConnectGame {
    /// Its number in this connection, from 1.
    pub game: usize,
    /// Our side.
    pub side: SideName,
    /// The opponent.
    pub opponent: String,
    /// `win`, `loss` or `draw`, if the server reported it.
    pub result: Option<String>,
    /// Our discs.
    pub own: Option<u32>,
    /// The discs of the opponent.
    pub other: Option<u32>,
    /// Why the game ended.
    pub reason: Option<String>,
    /// The id that the server gave it, in shogi.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Our clock in milliseconds.
    pub left_ms: i64,
    /// The moves.
    pub moves: String,
}

/// A row of the table that a server sends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ByeRow {
    /// The player.
    pub name: String,
    /// Its score.
    pub score: i64,
    /// Games won.
    pub won: u32,
    /// Games lost.
    pub lost: u32,
}

/// Runs a match server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct HostRequest {
    /// The address to listen on; port 0 takes any free port.
    pub listen: SocketAddr,
    /// Players to wait for.
    pub players: usize,
    /// Round-robins to play.
    pub rounds: usize,
    /// Time of each side for a game.
    #[serde(with = "duration_text")]
    pub time: Duration,
    /// How far a clock may fall below zero.
    #[serde(with = "duration_text")]
    pub byoyomi: Duration,
    /// How long to wait for the players.
    #[serde(with = "duration_text")]
    pub wait: Duration,
    /// Games at a time; by default as many as there are pairs of players.
    #[serde(default)]
    pub concurrency: Option<usize>,
    /// A new file for the games; in Trax a new folder for the journal, the games and the report.
    #[serde(default)]
    pub out: Option<PathBuf>,
    /// Trax: the port of the second program; by default the next one.
    #[serde(default)]
    pub second_port: Option<u16>,
    /// Trax: whether programs are asked for their team code.
    #[serde(default = "yes")]
    pub asks_team: bool,
}

fn keep_alive() -> Duration {
    Duration::from_secs(60)
}

fn yes() -> bool {
    true
}

/// An event of a server.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum HostEvent {
    /// The server listens.
    Listening {
        /// The address with the port.
        address: String,
        /// The port.
        port: u16,
    },
    /// A player logged in.
    Came {
        /// The player.
        name: String,
        /// Its address.
        peer: String,
    },
    /// A player left before the first game.
    Left {
        /// The player.
        name: String,
    },
    /// A connection was refused.
    Refused {
        /// Its address.
        peer: String,
        /// The reason.
        reason: String,
    },
    /// A game starts.
    Started {
        /// Its number, from 1.
        game: usize,
        /// Its round, from 1.
        round: usize,
        /// The player of the first side.
        first: String,
        /// The player of the second side.
        second: String,
    },
    /// Something that does not end the server.
    Warning {
        /// The message.
        message: String,
    },
    /// A game has ended.
    Game(HostGame),
    /// The final table.
    Final {
        /// Games played.
        games: usize,
        /// The players, the best first.
        table: Vec<HostRow>,
    },
}

/// A game of the server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct HostGame {
    /// Its number, from 1.
    pub game: usize,
    /// Its round, from 1.
    pub round: usize,
    /// The player of the first side.
    pub first: String,
    /// The player of the second side.
    pub second: String,
    /// `first`, `second`, `draw` or `nobody`.
    pub outcome: String,
    /// Why the game ended, as the protocol names it.
    pub reason: String,
    /// The fault of the loser, where the referee tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The final discs of both sides, in games that have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discs: Option<[u32; 2]>,
    /// The clocks of both sides in milliseconds, where there is a clock for the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_ms: Option<[i64; 2]>,
    /// Its plies, where the moves alone do not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// The moves.
    pub moves: String,
}

/// A row of the final table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct HostRow {
    /// The player.
    pub name: String,
    /// Wins minus losses.
    pub score: i64,
    /// Games won.
    pub won: u32,
    /// Games drawn.
    #[serde(alias = "tied")]
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
    /// The sum of disc differences, in games that have discs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discs: Option<i64>,
}

/// Match servers and clients.
pub trait OnlineApi {
    /// Whether the game is played on match servers that we can be.
    fn has_match_servers(&self) -> bool;

    /// Whether the game is played on servers of the Computer Shogi Association.
    fn has_csa_servers(&self) -> bool;

    /// Plays on a match server until it says goodbye, and reconnects as often as the request allows.
    ///
    /// # Errors
    /// The game has no match servers, the request is invalid, the connection is lost, or it was cancelled.
    fn connect(
        &self,
        request: &ConnectRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(ConnectEvent),
    ) -> Result<(), Error>;

    /// Runs a match server until all games are played.
    ///
    /// # Errors
    /// The game has no match servers, the address or the file cannot be used, players are missing, or it was
    /// cancelled.
    fn host(&self, request: &HostRequest, context: Context<'_>, events: &mut dyn FnMut(HostEvent))
    -> Result<(), Error>;
}

impl<G: Playable> OnlineApi for Registration<G> {
    fn has_match_servers(&self) -> bool {
        self.discs.is_some() || self.has_contests
    }

    fn has_csa_servers(&self) -> bool {
        self.csa.is_some()
    }

    fn connect(
        &self,
        request: &ConnectRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(ConnectEvent),
    ) -> Result<(), Error> {
        if self.has_contests {
            return self.connect_contest(request, context, events);
        }
        if let Some(notation) = self.csa {
            return self.connect_csa(request, notation, context, events);
        }
        self.disc_counter()?;
        check_name(&request.name).map_err(|error| Error::field("name", error))?;
        let mut client = self.client(request, context.cancel)?;
        let mut delays = ReconnectDelays::new(request.reconnect);
        loop {
            let mut played = false;
            let end = client.connect(&request.host, request.port, context.cancel, &mut |event| {
                played |= matches!(event, ClientEvent::GameStarted(_));
                events(ConnectEvent::of(&event));
            });
            if played {
                delays.reset();
            }
            let message = match end {
                Disconnect::Bye(table) => {
                    events(ConnectEvent::Bye { table: table.iter().map(ByeRow::of).collect() });
                    return Ok(());
                }
                Disconnect::Cancelled => return Err(Error::failed("interrupted")),
                Disconnect::Lost { playing, how } => {
                    let place = if playing { "in the middle of a game" } else { "between games" };
                    format!("the connection ended {place} without a farewell: {how}")
                }
                Disconnect::Unreachable(how) => {
                    format!("no connection to {}:{}: {how}", request.host, request.port)
                }
            };
            let Some(delay) = delays.next_delay() else {
                events(ConnectEvent::Lost { message: message.clone() });
                return Err(Error::Failed(message));
            };
            events(ConnectEvent::Retry { message, seconds: delay.as_secs_f64() });
            if !wait(delay, context.cancel) {
                return Err(Error::failed("interrupted"));
            }
        }
    }

    fn host(
        &self,
        request: &HostRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(HostEvent),
    ) -> Result<(), Error> {
        if self.has_contests {
            return self.host_contest(request, context, events);
        }
        let discs = self.disc_counter()?;
        let settings = ServerSettings {
            players: request.players,
            rounds: request.rounds,
            time: request.time,
            byoyomi: request.byoyomi,
            wait: request.wait,
            concurrency: request.concurrency.unwrap_or(request.players / 2),
        };
        let unusable = |error| Error::failed(format!("cannot listen on {}: {error}", request.listen));
        let server = MatchServer::<G>::new(request.listen, settings, discs).map_err(unusable)?;
        let address = server.address().map_err(unusable)?;
        let file = request.out.as_deref().map(|path| GameFile::create(path, self.format(), request.time));
        let mut file = file.transpose()?;
        events(HostEvent::Listening { address: address.to_string(), port: address.port() });
        let mut written = Ok(());
        let report = server.run(context.cancel, &mut |event| {
            if let (MatchServerEvent::GameEnded(result), Some(file), Ok(())) = (&event, &mut file, &written) {
                written = file.add(result);
                if written.is_err() {
                    context.cancel.cancel();
                }
            }
            events(HostEvent::of(&event));
        });
        written?;
        let report = report.map_err(|error: LoginError| Error::failed(error))?;
        let table = report.standings.iter().map(HostRow::of).collect();
        events(HostEvent::Final { games: report.games.len(), table });
        if report.cancelled { Err(Error::failed("interrupted; not all games were played")) } else { Ok(()) }
    }
}

impl<G: Playable> Registration<G> {
    /// Counts the discs of both sides, for games that have match servers.
    fn disc_counter(&self) -> Result<fn(&G) -> [u32; 2], Error> {
        self.discs.ok_or_else(|| Error::invalid(format!("{} has no match server here; othello and trax have", G::NAME)))
    }

    /// The engine of a client with the settings of the request.
    pub(crate) fn client_spec(&self, request: &ConnectRequest) -> Result<Spec, Error> {
        let wrong = |error| Error::field("engine", error);
        let mut spec = Spec::parse(request.engine.as_deref().unwrap_or(self.engines.default)).map_err(wrong)?;
        if request.no_book {
            spec.settings.retain(|(key, _)| key != "book");
            self.engines.fill_setting(&mut spec, "book", Some("none".to_owned()));
        }
        let threads = request.threads.unwrap_or_else(cores);
        self.engines.fill_setting(&mut spec, "threads", Some(threads.to_string()));
        self.engines.fill_setting(&mut spec, "hash", request.hash.map(|mib| mib.to_string()));
        self.engines.fill_setting(&mut spec, "solve", request.solve.map(|empties| empties.to_string()));
        Ok(spec)
    }

    /// The client of a request, ready to play.
    fn client(&self, request: &ConnectRequest, cancel: &CancelToken) -> Result<Client<G>, Error> {
        let wrong = |error| Error::field("engine", error);
        let spec = self.client_spec(request)?;
        let player = of_spec(&spec, &self.engines, self.matches.protocols).map_err(wrong)?;
        let settings = ClientSettings { name: request.name.clone(), depth: request.depth, patience: request.patience };
        Client::new(settings, player, cancel).map_err(|fault| match cancel.is_cancelled() {
            true => Error::Cancelled,
            false => Error::field("engine", format!("the player {fault}")),
        })
    }
}

/// Waits, unless the operation is cancelled; whether it waited to the end.
pub(crate) fn wait(delay: Duration, cancel: &CancelToken) -> bool {
    let until = Instant::now() + delay;
    while !cancel.is_cancelled() {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return true;
        }
        std::thread::sleep(left.min(POLL));
    }
    false
}

/// The moves of a record in the notation of the game.
pub(crate) fn moves_of<G: Playable>(record: &Record<G>) -> String {
    let mut now = record.start().clone();
    let text = |mv| {
        let text = now.print_move(mv);
        now.play(mv);
        text
    };
    record.moves().map(text).collect::<Vec<_>>().join(" ")
}

impl ConnectEvent {
    fn of<G: Playable>(event: &ClientEvent<'_, G>) -> ConnectEvent {
        match event {
            ClientEvent::Connected(peer) => ConnectEvent::Connected { peer: peer.to_string() },
            ClientEvent::Sent(line) => ConnectEvent::Sent { line: (*line).to_owned() },
            ClientEvent::Received(line) => ConnectEvent::Received { line: (*line).to_owned() },
            ClientEvent::Warning(message) => ConnectEvent::Warning { message: message.clone() },
            ClientEvent::GameStarted(start) => ConnectEvent::Started {
                side: side(start.colour),
                opponent: start.opponent.clone(),
                time_ms: start.time,
            },
            ClientEvent::GameEnded(game) => ConnectEvent::Game(ConnectGame::of(game)),
        }
    }
}

/// Black moves first.
fn side(colour: Colour) -> SideName {
    match colour {
        Colour::Black => SideName::First,
        Colour::White => SideName::Second,
    }
}

impl ConnectGame {
    fn of<G: Playable>(game: &OnlineGame<G>) -> ConnectGame {
        let end = game.end.as_ref();
        let result = |result| match result {
            GameResult::Win => "win".to_owned(),
            GameResult::Lose => "loss".to_owned(),
            GameResult::Tie => "draw".to_owned(),
        };
        ConnectGame {
            game: game.number,
            side: side(game.start.colour),
            opponent: game.start.opponent.clone(),
            result: end.map(|end| result(end.verdict)),
            own: end.map(|end| end.own),
            other: end.map(|end| end.other),
            reason: end.map(|end| end.reason.clone()),
            id: None,
            left_ms: game.left,
            moves: moves_of(&game.record),
        }
    }
}

impl ByeRow {
    fn of(row: &ServerStanding) -> ByeRow {
        ByeRow { name: row.name.clone(), score: row.score, won: row.won, lost: row.lost }
    }
}

impl HostEvent {
    fn of<G: Playable>(event: &MatchServerEvent<'_, G>) -> HostEvent {
        match event {
            MatchServerEvent::LoggedIn(name, peer) => {
                HostEvent::Came { name: (*name).to_owned(), peer: peer.to_string() }
            }
            MatchServerEvent::Left(name) => HostEvent::Left { name: (*name).to_owned() },
            MatchServerEvent::Refused(peer, why) => HostEvent::Refused { peer: peer.to_string(), reason: why.clone() },
            MatchServerEvent::GameStarted(game, round, [first, second]) => HostEvent::Started {
                game: *game,
                round: *round,
                first: (*first).to_owned(),
                second: (*second).to_owned(),
            },
            MatchServerEvent::GameEnded(result) => HostEvent::Game(HostGame::of(result)),
        }
    }
}

impl HostGame {
    fn of<G: Playable>(result: &ServerGameResult<G>) -> HostGame {
        let outcome = &result.outcome;
        let [first, second] = result.names.clone();
        HostGame {
            game: result.number,
            round: result.round,
            first,
            second,
            outcome: match outcome.winner {
                ServerWinner::Side(Side::First) => "first".to_owned(),
                ServerWinner::Side(Side::Second) => "second".to_owned(),
                ServerWinner::Tie => "draw".to_owned(),
                ServerWinner::Nobody => "nobody".to_owned(),
            },
            reason: outcome.reason.to_owned(),
            fault: None,
            discs: Some(outcome.discs),
            left_ms: Some(outcome.left),
            plies: None,
            moves: moves_of(&outcome.record),
        }
    }
}

impl HostRow {
    fn of(row: &ServerTableRow) -> HostRow {
        HostRow {
            name: row.name.clone(),
            score: row.score(),
            won: row.won,
            drawn: row.drawn,
            lost: row.lost,
            discs: Some(row.discs),
        }
    }
}

/// The games of a server in one file, rewritten atomically after each game.
struct GameFile {
    path: PathBuf,
    format: Format,
    clock: String,
    bytes: Vec<u8>,
}

impl GameFile {
    /// A new file; an existing one is not overwritten.
    fn create(path: &Path, format: Format, time: Duration) -> Result<GameFile, Error> {
        if path.exists() {
            let shown = path.display();
            return Err(Error::invalid(format!("--out {shown} is there already; name a new file")));
        }
        let clock = format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60);
        let file = GameFile { path: path.to_owned(), format, clock, bytes: Vec::new() };
        // Fails now rather than after the first game.
        file.write()?;
        Ok(file)
    }

    fn add<G: Playable>(&mut self, result: &ServerGameResult<G>) -> Result<(), Error> {
        let mut record = result.outcome.record.clone();
        let [first, second] = &result.names;
        record.set_tag(tags::FIRST, first.as_str());
        record.set_tag(tags::SECOND, second.as_str());
        record.set_tag(tags::EVENT, format!("round {}", result.round));
        record.set_tag(tags::CLOCK, self.clock.as_str());
        if let Some(text) = stated_result(result) {
            record.set_tag(tags::RESULT, text);
        }
        self.bytes.extend(G::write(self.format, &record).map_err(Error::failed)?);
        self.write()
    }

    fn write(&self) -> Result<(), Error> {
        save(&self.path, &self.bytes).map_err(Error::failed)
    }
}

/// The result of a game that was not decided on the board, as servers write it: the lead of black, then `r` for a
/// resignation and `t` for a timeout.
fn stated_result<G: Playable>(result: &ServerGameResult<G>) -> Option<String> {
    let outcome = &result.outcome;
    let lead = match outcome.winner {
        _ if outcome.reason == reason::DOUBLE_PASS => return None,
        ServerWinner::Side(Side::First) => "+64.000",
        ServerWinner::Side(Side::Second) => "-64.000",
        ServerWinner::Tie | ServerWinner::Nobody => return None,
    };
    Some(format!("{lead}:{}", if outcome.reason == reason::GIVEUP { 'r' } else { 't' }))
}

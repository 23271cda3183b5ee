//! The contest protocol of Trax over a network: our player as a client, and a referee for two programs.

use std::io::BufReader;
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use tesuji_arena::online::{ReconnectDelays, open_stream};
use tesuji_arena::player::{ExternalProgram, NetworkSeat, PlayerProtocol, ProcessPlayer, SeatError, Timeouts};
use tesuji_arena::{Entrant, EventConfig, GameRunner, SEAT, ScheduleKind, TimeControl, TournamentConfig};
use tesuji_drivers::DriverError;
use tesuji_drivers::trax::{self, TraxEvent, TraxPlayer};
use tesuji_engines::{Spec, SpecError, duration};
use tesuji_game::{Record, Side};
use tesuji_task::Context;

use crate::online::{POLL, moves_of, wait};
use crate::{
    Competition, CompetitionEvent, ConnectEvent, ConnectGame, ConnectRequest, Error, HostEvent, HostGame, HostRequest,
    HostRow, Playable, PlayedGameReport, RecordedResult, RecordsApi, Registration,
};

impl<G: Playable> Registration<G> {
    /// Programs of this game play contests by the Trax protocol.
    pub fn contest(mut self) -> Registration<G> {
        self.has_contests = true;
        self
    }

    /// Plays on a contest server until it closes the connection after a game, or until so many games were played.
    pub(crate) fn connect_contest(
        &self,
        request: &ConnectRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(ConnectEvent),
    ) -> Result<(), Error> {
        let player = self.contest_player(request)?;
        let mut delays = ReconnectDelays::new(request.reconnect);
        let mut played = 0;
        loop {
            let before = played;
            let message = match self.contest_connection(request, &player, &mut played, context, events) {
                Ok(()) if request.games.is_none_or(|games| played >= games) => {
                    events(ConnectEvent::Closed { games: played });
                    return Ok(());
                }
                Ok(()) => format!("the server closed the connection after game {played}"),
                Err(_) if context.is_cancelled() => return Err(Error::failed("interrupted")),
                Err(message) => message,
            };
            if played > before {
                delays.reset();
            }
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

    fn contest_player(&self, request: &ConnectRequest) -> Result<TraxPlayer, Error> {
        if !TraxPlayer::is_team_code(&request.name) {
            let message = format!("{:?} is no team code: write two letters or digits, such as TS", request.name);
            return Err(Error::field("name", message));
        }
        if request.solve.is_some() {
            return Err(Error::field("solve", format!("{} has no endgame solver", G::NAME)));
        }
        let spec = self.engine_with(request)?;
        let time = request.time.as_deref().map(duration).transpose().map_err(|error| Error::field("time", error))?;
        Ok(TraxPlayer {
            engine: Some(spec.to_string()),
            team: request.name.clone(),
            time: time.filter(|time| !time.is_zero()).unwrap_or(TraxPlayer::TIME),
            longest: self.matches.longest.unwrap_or(TraxPlayer::LONGEST),
            answers_at_end: false,
        })
    }

    /// The engine of a client; programs of others connect by themselves.
    fn engine_with(&self, request: &ConnectRequest) -> Result<Spec, Error> {
        let wrong = |error: SpecError| Error::field("engine", error);
        let mut spec = Spec::parse(request.engine.as_deref().unwrap_or(self.engines.default)).map_err(wrong)?;
        if request.no_book {
            spec.settings.retain(|(key, _)| key != "book");
            self.engines.fill_setting(&mut spec, "book", Some("none".to_owned()));
        }
        let threads = request.threads.unwrap_or(1);
        self.engines.fill_setting(&mut spec, "threads", Some(threads.to_string()));
        self.engines.fill_setting(&mut spec, "hash", request.hash.map(|mib| mib.to_string()));
        self.engines.fill_setting(&mut spec, "depth", request.depth.map(|depth| depth.to_string()));
        // A bad spec is reported before anybody waits for us.
        (self.engines.make)(&spec).map_err(wrong)?;
        Ok(spec)
    }

    /// One connection. An error unless it ended after a game that was played to the end.
    fn contest_connection(
        &self,
        request: &ConnectRequest,
        player: &TraxPlayer,
        played: &mut usize,
        context: Context<'_>,
        events: &mut dyn FnMut(ConnectEvent),
    ) -> Result<(), String> {
        let unreachable = |error| format!("no connection to {}:{}: {error}", request.host, request.port);
        let stream = open_stream(&request.host, request.port, context.cancel).ok_or("cancelled")?;
        let mut stream = stream.map_err(unreachable)?;
        let peer = stream.peer_addr().map_err(unreachable)?;
        let input = prepared(&stream, request.patience).map_err(unreachable)?;
        events(ConnectEvent::Connected { peer: peer.to_string() });
        let over = AtomicBool::new(false);
        let closing = stream.try_clone().map_err(unreachable)?;
        let (mut complete, mut cut_off) = (false, false);
        let ended = thread::scope(|scope| {
            // Cancellation closes the connection, which ends the conversation.
            scope.spawn(|| {
                while !over.load(Ordering::Acquire) {
                    if context.is_cancelled() {
                        let _ = closing.shutdown(Shutdown::Both);
                        return;
                    }
                    thread::sleep(POLL);
                }
            });
            let ended = trax::run(&self.engines, player, input, &mut stream, &mut |event| {
                if let TraxEvent::Started(_) = event {
                    *played += 1;
                }
                if let TraxEvent::Ended(_, record) = &event {
                    complete = is_complete(record, player.longest);
                    cut_off = !complete;
                }
                events(contest_event(event, *played, player));
            });
            over.store(true, Ordering::Release);
            ended
        });
        let _ = stream.shutdown(Shutdown::Both);
        match ended {
            Err(DriverError::Io(error)) => Err(error.to_string()),
            Err(error) => Err(error.to_string()),
            Ok(()) if complete => Ok(()),
            Ok(()) if cut_off => Err("the connection ended in the middle of a game".to_owned()),
            Ok(()) => Err("the connection ended before a game".to_owned()),
        }
    }

    /// Referee of two programs: waits for both, plays the games with the colours exchanged, and keeps them as a
    /// tournament.
    pub(crate) fn host_contest(
        &self,
        request: &HostRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(HostEvent),
    ) -> Result<(), Error> {
        if request.players != 2 {
            return Err(Error::field("players", "a contest is played by two programs"));
        }
        if !request.byoyomi.is_zero() {
            return Err(Error::field("byoyomi", "a contest knows only the time per turn"));
        }
        let seats = self.seats(request, events)?;
        let mut names = Vec::new();
        for seat in &seats {
            names.push(greet(seat, &names, context, events)?);
        }
        let config = contest_config::<G>(request, &names)?;
        let mut settings = self.game_settings();
        let program = contest_program();
        settings.make_player = Arc::new(move |spec: &Spec| {
            let number = spec.number("number", 1, 2)?.unwrap_or(1) as usize;
            Ok(Box::new(ProcessPlayer::at_seat(program.clone(), seats[number - 1].clone())))
        });
        let runner = GameRunner::new(&config, 0, settings).map_err(Error::invalid)?;
        let mut competition = Competition::of_runner(config, Box::new(runner), request.out.as_deref())?;
        let mut rows: Vec<HostRow> = names.iter().map(|name| HostRow::new(name)).collect();
        let mut games = 0;
        let summary = competition.run(context, &mut |event| match event {
            CompetitionEvent::Game(report) => {
                games += 1;
                rows.iter_mut().for_each(|row| row.count(&report));
                events(HostEvent::Game(HostGame::of_report(&report)));
            }
            CompetitionEvent::Failure { player, message } | CompetitionEvent::Barred { player, message } => {
                events(HostEvent::Warning { message: format!("{player}: {message}") });
            }
            CompetitionEvent::Warning { message } => events(HostEvent::Warning { message }),
            _ => {}
        })?;
        competition.write_archive(&|_, games| Ok(self.archive_format(games)))?;
        rows.sort_by_key(|row| std::cmp::Reverse(row.score));
        events(HostEvent::Final { games, table: rows });
        match (summary.cancelled, summary.missing) {
            (true, _) => Err(Error::failed("interrupted; not all games were played")),
            (false, 0) => Ok(()),
            (false, missing) => Err(Error::failed(format!("{missing} games were not played"))),
        }
    }

    /// The ports of both programs.
    fn seats(&self, request: &HostRequest, events: &mut dyn FnMut(HostEvent)) -> Result<Vec<Arc<NetworkSeat>>, Error> {
        let first = request.listen.port();
        let second = request.second_port.unwrap_or(if first == 0 { 0 } else { first.saturating_add(1) });
        let mut seats = Vec::new();
        for port in [first, second] {
            let address = SocketAddr::new(request.listen.ip(), port);
            let unusable = |error| Error::failed(format!("cannot listen on {address}: {error}"));
            let seat = NetworkSeat::new(address, request.wait, request.asks_team).map_err(unusable)?;
            let address = seat.address().map_err(unusable)?;
            events(HostEvent::Listening { address: address.to_string(), port: address.port() });
            seats.push(Arc::new(seat));
        }
        Ok(seats)
    }
}

/// The other end of a connection as an input; a server that is silent for too long ends it.
fn prepared(stream: &TcpStream, patience: Duration) -> std::io::Result<BufReader<TcpStream>> {
    stream.set_nodelay(true)?;
    let input = stream.try_clone()?;
    input.set_read_timeout(Some(patience.max(POLL)))?;
    Ok(BufReader::new(input))
}

fn is_complete<G: Playable>(record: &Record<G>, longest: usize) -> bool {
    record.ending().is_some() || record.plies().len() >= longest
}

fn contest_event<G: Playable>(event: TraxEvent<'_, G>, game: usize, player: &TraxPlayer) -> ConnectEvent {
    let time_ms = player.time.as_millis() as i64;
    match event {
        TraxEvent::Received(line) => ConnectEvent::Received { line: line.to_owned() },
        TraxEvent::Sent(line) => ConnectEvent::Sent { line: line.to_owned() },
        TraxEvent::Warning(message) => ConnectEvent::Warning { message },
        TraxEvent::Started(side) => ConnectEvent::Started { side: side.into(), opponent: OPPONENT.to_owned(), time_ms },
        TraxEvent::Ended(side, record) => {
            let ending = record.ending();
            let limit = is_complete(record, player.longest).then_some("move limit");
            let result = |winner: Option<Side>| match winner {
                Some(winner) if winner == side => "win",
                Some(_) => "loss",
                None => "draw",
            };
            ConnectEvent::Game(ConnectGame {
                game,
                side: side.into(),
                opponent: OPPONENT.to_owned(),
                result: ending.map(|ending| result(ending.winner)).or(limit.map(|_| "draw")).map(str::to_owned),
                own: None,
                other: None,
                reason: ending.map(|ending| ending.reason).or(limit).map(str::to_owned),
                id: None,
                left_ms: time_ms,
                moves: moves_of(record),
            })
        }
    }
}

/// The contest protocol does not name the opponent.
const OPPONENT: &str = "the opponent";

/// Waits for the program of a seat; its team code, or its port, is its name.
fn greet(
    seat: &NetworkSeat,
    taken: &[String],
    context: Context<'_>,
    events: &mut dyn FnMut(HostEvent),
) -> Result<String, Error> {
    let greeted = seat.greet(context.cancel, &mut |peer, reason| {
        events(HostEvent::Refused { peer: peer.to_string(), reason });
    });
    let (peer, code) = greeted.map_err(|error| match error {
        SeatError::Cancelled => Error::failed("stopped before the first game"),
        error => Error::failed(error),
    })?;
    let port = seat.address().map(|address| address.port()).unwrap_or_default();
    let name = code.unwrap_or_else(|| format!("port {port}"));
    let name = if taken.contains(&name) { format!("{name} (2)") } else { name };
    events(HostEvent::Came { name: name.clone(), peer: peer.to_string() });
    Ok(name)
}

fn contest_config<G: Playable>(request: &HostRequest, names: &[String]) -> Result<TournamentConfig, Error> {
    let entrant = |(index, name): (usize, &String)| Entrant {
        name: name.clone(),
        engine: format!("{SEAT}:number={}", index + 1),
    };
    let mut event = EventConfig::new(G::NAME, names.iter().enumerate().map(entrant).collect());
    event.schedule = ScheduleKind::Match;
    event.pairs = request.rounds.div_ceil(2).max(1);
    event.control = TimeControl::Move(request.time);
    // The time of a turn includes the communication, so there is no tolerance.
    event.margin = Duration::ZERO;
    event.openings.plies = Some(0);
    let config = TournamentConfig { name: names.join(" against "), seed: 0, concurrency: Some(1), events: vec![event] };
    config.checked().map_err(Error::invalid)
}

/// A program that was asked for its team code when it connected.
fn contest_program() -> ExternalProgram {
    ExternalProgram {
        command: Vec::new(),
        dir: None,
        environment: Vec::new(),
        protocol: PlayerProtocol::Trax,
        options: Vec::new(),
        restart: false,
        extended: false,
        team: false,
        tells_end: true,
        board_size: 8,
        timeouts: Timeouts::default(),
    }
}

impl HostGame {
    fn of_report(report: &PlayedGameReport) -> HostGame {
        let outcome = match report.result {
            RecordedResult::First => "first",
            RecordedResult::Second => "second",
            RecordedResult::Draw => "draw",
        };
        HostGame {
            game: report.number,
            round: report.number,
            first: report.first.clone(),
            second: report.second.clone(),
            outcome: outcome.to_owned(),
            reason: report.reason.clone(),
            fault: report.fault.clone(),
            discs: None,
            left_ms: None,
            plies: Some(report.plies),
            moves: report.moves.clone(),
        }
    }
}

impl HostRow {
    fn new(name: &str) -> HostRow {
        HostRow { name: name.to_owned(), score: 0, won: 0, drawn: 0, lost: 0, discs: None }
    }

    fn count(&mut self, report: &PlayedGameReport) {
        let own = if report.first == self.name { RecordedResult::First } else { RecordedResult::Second };
        match report.result {
            RecordedResult::Draw => self.drawn += 1,
            result if result == own => self.won += 1,
            _ => self.lost += 1,
        }
        self.score = i64::from(self.won) - i64::from(self.lost);
    }
}

//! One connection to a CSA server. Lines of the server and answers of our player arrive in one channel.

use std::io;
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_game::{Formats, MoveList};
use tesuji_protocol::csa::{ClientState, Command, GameSummary, ServerEvent};
use tesuji_search::CancelToken;

use super::game::MoveNote;
use super::thinking::{PendingMove, SentMove, choose, comment, prepare};
use super::{CsaClient, CsaDisconnect, CsaEvent, CsaOnlineGame};
use crate::line_reader::{LineRead, MAX_LINE, ReceivedLine};
use crate::online::connection::{Connection, shown};
use crate::player::{Player, PlayerAction, PlayerAnswer, PlayerFault};

/// Events that may be queued.
const QUEUE: usize = 64;
/// How often deadlines and cancellation are checked.
const POLL: Duration = Duration::from_millis(50);
/// How long a cancelled search may take before a fallback move is played, as a part of what is kept back for the lag.
const GRACE_PART: u32 = 2;
/// The stack of the search thread.
const STACK: usize = 32 << 20;
/// How long the server may take to end a game that is over by our rules, before we play on.
const VERDICT_WAIT: Duration = Duration::from_secs(2);
/// How long a resignation or a logout may take when we leave.
const LEAVE_WAIT: Duration = Duration::from_secs(3);
/// Servers allow an empty line no more often than this.
const LEAST_KEEP_ALIVE: Duration = Duration::from_secs(30);

/// An event of the connection.
enum Event<G: Formats> {
    /// A line of the server.
    Line(ReceivedLine),
    /// The connection is closed.
    Closed,
    /// The player, unless it was lost, is prepared for the offered game or failed.
    Prepared(Option<Box<dyn Player<G>>>, Result<(), PlayerFault>),
    /// The player, unless it was lost, with its answer to this request.
    Chosen(u64, Option<Box<dyn Player<G>>>, Result<PlayerAnswer<G::Move>, PlayerFault>),
}

pub(super) struct CsaSession<'a, G: Formats> {
    client: &'a mut CsaClient<G>,
    cancel: &'a CancelToken,
    report: &'a mut dyn FnMut(CsaEvent<'_, G>),
    connection: Connection,
    to: SyncSender<Event<G>>,
    from: Receiver<Event<G>>,
    protocol: ClientState,
    game: Option<CsaOnlineGame<G>>,
    /// Games that ended on this connection.
    finished: usize,
    thinking: Option<PendingMove>,
    sent: Option<SentMove<G::Move>>,
    requests: u64,
    /// The player is on its thread, perhaps for an outdated request.
    busy: bool,
    /// The player must prepare again before it chooses.
    stale: bool,
    /// The server has had no word on a game that is over by our rules until then.
    verdict: Option<Instant>,
    /// We resigned or declared: nothing more is sent.
    silent: bool,
    /// We leave: when the connection is closed at the latest.
    leaving: Option<Instant>,
    last_received: Instant,
    last_sent: Instant,
    /// When the clock of our move started.
    turn: Instant,
}

impl<'a, G: Formats> CsaSession<'a, G> {
    pub(super) fn open(
        stream: TcpStream,
        client: &'a mut CsaClient<G>,
        cancel: &'a CancelToken,
        report: &'a mut dyn FnMut(CsaEvent<'_, G>),
    ) -> io::Result<CsaSession<'a, G>> {
        let (to, from) = sync_channel(QUEUE);
        let lines = to.clone();
        let connection =
            Connection::new(stream, move |received| lines.send(received.map_or(Event::Closed, Event::Line)).is_ok())?;
        report(CsaEvent::Connected(connection.peer()));
        let now = Instant::now();
        Ok(CsaSession {
            client,
            cancel,
            report,
            connection,
            to,
            from,
            protocol: ClientState::default(),
            game: None,
            finished: 0,
            thinking: None,
            sent: None,
            requests: 0,
            busy: false,
            stale: false,
            verdict: None,
            silent: false,
            leaving: None,
            last_received: now,
            last_sent: now,
            turn: now,
        })
    }

    /// Plays until the connection ends and takes the player back.
    pub(super) fn run(mut self) -> CsaDisconnect {
        let settings = &self.client.settings;
        let login = Command::Login { name: settings.name.clone(), password: settings.password.clone() };
        let disconnect = match self.send(&login) {
            Ok(()) => self.serve(),
            Err(disconnect) => disconnect,
        };
        self.close();
        disconnect
    }

    fn serve(&mut self) -> CsaDisconnect {
        loop {
            let happened = match self.from.recv_timeout(self.timeout()) {
                Ok(Event::Line(received)) => self.line(received),
                Ok(Event::Closed) => Err(self.closed()),
                Ok(Event::Prepared(player, prepared)) => self.prepared(player, prepared),
                Ok(Event::Chosen(number, player, answer)) => self.chosen(number, player, answer),
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => Err(self.lost("the reader ended")),
            };
            // A flood of lines must not keep us from our deadlines.
            if let Err(disconnect) = happened.and_then(|()| self.check_deadlines()) {
                return disconnect;
            }
        }
    }

    /// The time until the next deadline check.
    fn timeout(&self) -> Duration {
        let due = self.thinking.as_ref().map(|thinking| match thinking.cancel.is_cancelled() {
            true => thinking.latest,
            false => thinking.until,
        });
        due.map_or(POLL, |due| due.saturating_duration_since(Instant::now()).min(POLL))
    }

    fn check_deadlines(&mut self) -> Result<(), CsaDisconnect> {
        if self.cancel.is_cancelled() && self.leaving.is_none() {
            self.leave()?;
        }
        let now = Instant::now();
        if self.leaving.is_some_and(|until| now >= until) {
            return Err(CsaDisconnect::Cancelled);
        }
        if now.duration_since(self.last_received) > self.client.settings.patience && self.thinking.is_none() {
            return Err(self.lost(&format!("the server was silent for {:?}", self.client.settings.patience)));
        }
        if self.verdict.is_some_and(|until| now >= until) {
            self.verdict = None;
            self.warn("the server goes on where the game is over by our rules".to_owned());
            if let Some(game) = &mut self.game {
                game.reopen(&self.client.notation);
            }
            self.stale = true;
            self.act()?;
        }
        self.keep_alive(now)?;
        match &self.thinking {
            Some(thinking) if now >= thinking.latest => {
                self.thinking = None;
                self.warn("the player exceeded its time; a fallback move is played".to_owned());
                self.play_fallback()
            }
            Some(thinking) if now >= thinking.until => {
                thinking.cancel.cancel();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Sends an empty line after a while without any other.
    fn keep_alive(&mut self, now: Instant) -> Result<(), CsaDisconnect> {
        let Some(interval) = self.client.settings.keep_alive else { return Ok(()) };
        if now.duration_since(self.last_sent) < interval.max(LEAST_KEEP_ALIVE) {
            return Ok(());
        }
        self.send(&Command::KeepAlive)
    }

    /// Leaves as soon as possible: a game under way is resigned.
    fn leave(&mut self) -> Result<(), CsaDisconnect> {
        self.leaving = Some(Instant::now() + LEAVE_WAIT);
        if let Some(thinking) = self.thinking.take() {
            thinking.cancel.cancel();
        }
        if !self.protocol.is_playing() {
            // The answer is worth no wait: a server of the basic protocol does not know the command.
            self.send(&Command::Logout)?;
            return Err(CsaDisconnect::Cancelled);
        }
        if std::mem::replace(&mut self.silent, true) { Ok(()) } else { self.send(&Command::Resign) }
    }

    fn line(&mut self, received: ReceivedLine) -> Result<(), CsaDisconnect> {
        self.last_received = Instant::now();
        let bytes = match received.read {
            LineRead::Line(bytes) => bytes,
            LineRead::TooLong => return Err(self.lost(&format!("a line of more than {MAX_LINE} bytes"))),
        };
        let text = shown(&bytes);
        (self.report)(CsaEvent::Received(&text));
        match self.protocol.receive(&bytes) {
            ServerEvent::LoggedIn | ServerEvent::Nothing => Ok(()),
            ServerEvent::LoginRefused => {
                let refused = "the server refused the login: the password is wrong, or the name is logged in already";
                Err(CsaDisconnect::Unreachable(refused.to_owned()))
            }
            ServerEvent::Offer(summary) => self.offered(*summary),
            ServerEvent::BadOffer(error) => self.refuse(&error.to_string()),
            ServerEvent::Started => self.started(received.at),
            ServerEvent::Rejected { by } => {
                self.game = None;
                self.warn(format!("{by} refused the game"));
                Ok(())
            }
            ServerEvent::Move { mv, time } => self.moved(&mv, time, received.at),
            ServerEvent::Ended(end) => {
                if let Some(game) = &mut self.game {
                    game.finish(end);
                }
                self.finish();
                if self.leaving.is_some() {
                    return Err(CsaDisconnect::Cancelled);
                }
                if self.client.settings.games.is_some_and(|games| self.client.games >= games) {
                    self.send(&Command::Logout)?;
                    return Err(CsaDisconnect::Finished);
                }
                Ok(())
            }
            ServerEvent::LoggedOut => Err(self.closed()),
            ServerEvent::Notice(words) => {
                if words.contains("ERROR") {
                    self.warn(format!("the server said {words:?}"));
                }
                Ok(())
            }
            ServerEvent::Unexpected => {
                self.warn(format!("the server said {text:?} out of turn"));
                Ok(())
            }
            ServerEvent::Unknown => {
                self.warn(format!("the server said {text:?}, which is unknown"));
                Ok(())
            }
        }
    }

    /// A game is offered: the player prepares for it before we agree, because no clock runs yet.
    fn offered(&mut self, summary: GameSummary) -> Result<(), CsaDisconnect> {
        if self.leaving.is_some() {
            return Ok(());
        }
        match CsaOnlineGame::new(self.client.games + 1, summary, &self.client.notation) {
            Ok(game) => {
                self.game = Some(game);
                self.prepare()
            }
            Err(error) => self.refuse(&error),
        }
    }

    fn prepare(&mut self) -> Result<(), CsaDisconnect> {
        let Some(game) = &self.game else { return Ok(()) };
        let Some(player) = self.client.player.take() else {
            // It comes back from an outdated search.
            return if self.busy { Ok(()) } else { self.refuse("there is no player") };
        };
        let (record, cancel) = (game.record.clone(), self.cancel.clone());
        self.run_player(move |to| {
            let (player, prepared) = prepare(player, &record, &cancel);
            // The connection may have ended.
            let _ = to.send(Event::Prepared(player, prepared));
        })
    }

    fn prepared(
        &mut self,
        player: Option<Box<dyn Player<G>>>,
        prepared: Result<(), PlayerFault>,
    ) -> Result<(), CsaDisconnect> {
        self.busy = false;
        self.restore(player);
        if let Err(fault) = prepared {
            return self.refuse(&format!("the player {fault}"));
        }
        let Some(game) = &self.game else { return Ok(()) };
        let id = game.summary.id.clone();
        self.stale = false;
        self.protocol.agreed();
        self.send(&Command::Agree(Some(id)))
    }

    /// Takes the player back, or makes a new one for one that was lost.
    fn restore(&mut self, player: Option<Box<dyn Player<G>>>) {
        self.client.player = player.or_else(|| match (self.client.make_player)() {
            Ok(player) => {
                self.stale = true;
                Some(player)
            }
            Err(error) => {
                (self.report)(CsaEvent::Warning(format!("the player does not start again: {error}")));
                None
            }
        });
    }

    /// Refuses the offered game and ends the connection.
    fn refuse(&mut self, why: &str) -> Result<(), CsaDisconnect> {
        let id = self.game.take().map(|game| game.summary.id);
        self.send(&Command::Reject(id))?;
        Err(CsaDisconnect::PlayerFault(why.to_owned()))
    }

    fn started(&mut self, at: Instant) -> Result<(), CsaDisconnect> {
        let Some(game) = &self.game else { return Ok(()) };
        self.client.games += 1;
        (self.report)(CsaEvent::GameStarted(game));
        self.silent = false;
        self.turn = at;
        self.act()
    }

    /// A move that the server accepted: ours or the opponent's.
    fn moved(&mut self, mv: &str, time: Option<u64>, at: Instant) -> Result<(), CsaDisconnect> {
        self.verdict = None;
        let Some(game) = &mut self.game else { return Ok(()) };
        let echo = self.sent.take_if(|sent| sent.text == mv);
        if let Some(sent) = &echo {
            self.client.lag.update(at.saturating_duration_since(sent.at));
        }
        let played = game.play(mv, time, echo.map(|sent| sent.note), &self.client.notation);
        match played {
            Ok(()) => {
                self.turn = at;
                self.act()
            }
            Err(why) => {
                // The boards differ, so no move of ours is meaningful.
                self.warn(format!("the server's move {mv} cannot be played ({why}); resigning"));
                self.resign()
            }
        }
    }

    /// If it is our turn: asks the player, or resigns a game that is lost on the board.
    fn act(&mut self) -> Result<(), CsaDisconnect> {
        let idle = self.protocol.is_playing() && self.thinking.is_none() && self.sent.is_none() && !self.silent;
        let Some(game) = self.game.as_ref().filter(|game| idle && game.is_ours()) else { return Ok(()) };
        if game.record.now().outcome().is_some() {
            // A server does not know that no move is left.
            return self.resign();
        }
        if game.record.ending().is_some() {
            self.verdict = Some(Instant::now() + VERDICT_WAIT);
            return Ok(());
        }
        self.think(false)
    }

    fn think(&mut self, retried: bool) -> Result<(), CsaDisconnect> {
        let Some(game) = &self.game else { return Ok(()) };
        if self.client.player.is_none() && !self.busy {
            return self.play_fallback();
        }
        let cancel = CancelToken::new();
        let reserve = self.client.lag.reserve() + self.turn.elapsed();
        let settings = &self.client.settings;
        let side = game.side();
        let request = game.clocks.request(side, reserve, settings.depth, &cancel);
        let now = Instant::now();
        let until = now + game.clocks.limit(side, reserve);
        let latest = until + self.client.lag.reserve() / GRACE_PART;
        self.requests += 1;
        let number = self.requests;
        self.thinking = Some(PendingMove { number, cancel, until, latest, retried });
        // A player that is still busy with an outdated request is waited for.
        let Some(player) = self.client.player.take() else { return Ok(()) };
        let (record, stale) = (game.record.clone(), std::mem::take(&mut self.stale));
        self.run_player(move |to| {
            let (player, answer) = choose(player, &record, &request, stale);
            // The connection may have ended.
            let _ = to.send(Event::Chosen(number, player, answer));
        })
    }

    /// Runs the player on a thread of its own.
    fn run_player(&mut self, task: impl FnOnce(SyncSender<Event<G>>) + Send + 'static) -> Result<(), CsaDisconnect> {
        let to = self.to.clone();
        let spawned = thread::Builder::new().name("player".to_owned()).stack_size(STACK).spawn(move || task(to));
        match spawned {
            Ok(_) => {
                self.busy = true;
                Ok(())
            }
            // The player went with the thread.
            Err(error) => {
                self.thinking = None;
                Err(self.lost(&format!("no thread for the player: {error}")))
            }
        }
    }

    fn chosen(
        &mut self,
        number: u64,
        player: Option<Box<dyn Player<G>>>,
        answer: Result<PlayerAnswer<G::Move>, PlayerFault>,
    ) -> Result<(), CsaDisconnect> {
        self.busy = false;
        self.restore(player);
        let Some(thinking) = self.thinking.take_if(|thinking| thinking.number == number) else {
            // Too late for its request, in time for the next.
            self.stale = true;
            self.thinking = None;
            if self.game.is_some() && !self.protocol.is_playing() {
                return self.prepare();
            }
            return self.act();
        };
        let Some(game) = &self.game else { return Ok(()) };
        match answer {
            Ok(PlayerAnswer { action: PlayerAction::Resign, .. }) => self.resign(),
            Ok(PlayerAnswer { action: PlayerAction::Claim, .. }) => {
                self.silent = true;
                self.send(&Command::Declare)
            }
            Ok(answer) => {
                let PlayerAction::Move(mv) = answer.action else { return Ok(()) };
                let mut moves = G::Moves::default();
                game.record.now().clone().moves(&mut moves);
                if !moves.has(mv) {
                    self.warn("the player chose a move that is not legal; a fallback move is played".to_owned());
                    return self.play_fallback();
                }
                self.play(mv, MoveNote::of(answer))
            }
            Err(fault) if !thinking.retried => {
                self.warn(format!("the player {fault}; it is started again"));
                self.stale = true;
                self.think(true)
            }
            Err(fault) => {
                self.warn(format!("the player {fault}; a fallback move is played"));
                self.stale = true;
                self.play_fallback()
            }
        }
    }

    /// Plays any legal move.
    fn play_fallback(&mut self) -> Result<(), CsaDisconnect> {
        let Some(game) = &self.game else { return Ok(()) };
        let mut moves = G::Moves::default();
        game.record.now().clone().moves(&mut moves);
        match moves.each().next() {
            Some(mv) => self.play(mv, MoveNote::none()),
            None => self.resign(),
        }
    }

    /// Sends a legal move. It is played on our board when the server confirms it.
    fn play(&mut self, mv: G::Move, note: MoveNote<G::Move>) -> Result<(), CsaDisconnect> {
        let Some(game) = self.game.as_ref().filter(|_| self.protocol.is_playing() && !self.silent) else {
            return Ok(());
        };
        let print = self.client.notation.print_move;
        let text = print(game.record.now(), mv);
        let comment = self.client.settings.comments.then(|| comment(game, mv, &note, print)).flatten();
        self.send(&Command::Move { mv: text.clone(), comment })?;
        self.sent = Some(SentMove { text, at: Instant::now(), note });
        Ok(())
    }

    fn resign(&mut self) -> Result<(), CsaDisconnect> {
        if !self.protocol.is_playing() || std::mem::replace(&mut self.silent, true) {
            return Ok(());
        }
        self.send(&Command::Resign)
    }

    fn send(&mut self, command: &Command) -> Result<(), CsaDisconnect> {
        let line = command.to_string();
        // A password is nobody's business.
        let shown = match command {
            Command::Login { name, .. } => format!("LOGIN {name} *"),
            _ => line.clone(),
        };
        (self.report)(CsaEvent::Sent(&shown));
        self.last_sent = Instant::now();
        self.connection.send(&line).map_err(|error| self.lost(&error.to_string()))
    }

    /// Ends the current game.
    fn finish(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.cancel.cancel();
        }
        (self.sent, self.verdict) = (None, None);
        let Some(game) = self.game.take() else { return };
        if let Some(player) = self.client.player.as_mut() {
            player.end(&game.record);
        }
        self.finished += 1;
        (self.report)(CsaEvent::GameEnded(&game));
    }

    fn close(&mut self) {
        let started = self.protocol.is_playing();
        match started {
            true => self.finish(),
            false => self.game = None,
        }
        self.connection.close();
        // The search is cancelled and returns soon; the player is needed for the next connection.
        let until = Instant::now() + Duration::from_secs(5);
        while self.busy {
            let left = until.saturating_duration_since(Instant::now());
            match self.from.recv_timeout(left) {
                Ok(Event::Chosen(_, player, _) | Event::Prepared(player, _)) => {
                    self.client.player = player;
                    return;
                }
                Ok(_) => {}
                Err(_) => return,
            }
        }
    }

    fn warn(&mut self, words: String) {
        (self.report)(CsaEvent::Warning(words));
    }

    /// The server closed the connection, which is usual after a game.
    fn closed(&self) -> CsaDisconnect {
        match self.leaving {
            Some(_) => CsaDisconnect::Cancelled,
            None if self.finished > 0 && !self.protocol.is_playing() => CsaDisconnect::Finished,
            None => self.lost("the server closed the connection"),
        }
    }

    fn lost(&self, how: &str) -> CsaDisconnect {
        CsaDisconnect::Lost { playing: self.protocol.is_playing(), how: how.to_owned() }
    }
}

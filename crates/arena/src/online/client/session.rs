//! One connection to a server. Lines of the server and answers of our player arrive in one channel.

use std::io;
use std::net::TcpStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_game::Notation;
use tesuji_protocol::reversi::{ClientPhase, ClientState, Command, Message, ServerEvent, ServerMove};
use tesuji_search::CancelToken;

use super::time;
use super::{ClientEvent, ClientSettings, Disconnect, OnlineGame};
use crate::line_reader::{self, LineRead, MAX_LINE};
use crate::online::connection::{Connection, shown};
use crate::player::{Player, PlayerAction, PlayerAnswer, PlayerFault};

/// Events that may be queued.
const QUEUE: usize = 64;
/// How often deadlines and cancellation are checked.
const POLL: Duration = Duration::from_millis(50);
/// How long a cancelled search may take before a fallback move is played.
const GRACE: Duration = Duration::from_millis(100);
/// The stack of the search thread.
const STACK: usize = 32 << 20;

/// An event of the connection.
enum ConnectionEvent<G: Notation> {
    /// A line of the server.
    Line(line_reader::ReceivedLine),
    /// The connection is closed.
    Closed,
    /// The player, unless it panicked, with its answer to this request.
    Chosen(u64, Option<Box<dyn Player<G>>>, Result<PlayerAnswer<G::Move>, PlayerFault>),
}

/// A move request to our player.
struct PendingMove {
    number: u64,
    cancel: CancelToken,
    /// When the search is cancelled.
    until: Instant,
}

pub(super) struct ClientSession<'a, G: Notation> {
    settings: &'a ClientSettings,
    player: &'a mut Option<Box<dyn Player<G>>>,
    cancel: &'a CancelToken,
    report: &'a mut dyn FnMut(ClientEvent<'_, G>),
    connection: Connection,
    to: SyncSender<ConnectionEvent<G>>,
    from: Receiver<ConnectionEvent<G>>,
    protocol: ClientState,
    game: Option<OnlineGame<G>>,
    games: usize,
    thinking: Option<PendingMove>,
    requests: u64,
    /// The player is searching, perhaps for an outdated request.
    busy: bool,
    /// The player must prepare for this game first.
    fresh: bool,
    /// When the last line arrived.
    last_line: Instant,
}

impl<'a, G: Notation> ClientSession<'a, G> {
    pub(super) fn open(
        stream: TcpStream,
        settings: &'a ClientSettings,
        player: &'a mut Option<Box<dyn Player<G>>>,
        cancel: &'a CancelToken,
        report: &'a mut dyn FnMut(ClientEvent<'_, G>),
    ) -> io::Result<ClientSession<'a, G>> {
        let (to, from) = sync_channel(QUEUE);
        let lines = to.clone();
        let connection = Connection::new(stream, move |received| {
            lines.send(received.map_or(ConnectionEvent::Closed, ConnectionEvent::Line)).is_ok()
        })?;
        report(ClientEvent::Connected(connection.peer()));
        Ok(ClientSession {
            settings,
            player,
            cancel,
            report,
            connection,
            to,
            from,
            protocol: ClientState::default(),
            game: None,
            games: 0,
            thinking: None,
            requests: 0,
            busy: false,
            fresh: true,
            last_line: Instant::now(),
        })
    }

    /// Plays until the connection ends and takes the player back.
    pub(super) fn run(mut self) -> Disconnect {
        let disconnect = match self.send(&Command::Open(self.settings.name.clone())) {
            Ok(()) => self.serve(),
            Err(disconnect) => disconnect,
        };
        self.close(&disconnect);
        disconnect
    }

    fn serve(&mut self) -> Disconnect {
        loop {
            let event = self.from.recv_timeout(self.timeout());
            let happened = match event {
                Ok(ConnectionEvent::Line(received)) => self.line(received),
                Ok(ConnectionEvent::Closed) => Err(self.lost("the server closed the connection")),
                Ok(ConnectionEvent::Chosen(number, player, answer)) => self.chosen(number, player, answer),
                Err(RecvTimeoutError::Timeout) => self.check_deadlines(),
                Err(RecvTimeoutError::Disconnected) => Err(self.lost("the reader ended")),
            };
            if let Err(disconnect) = happened {
                return disconnect;
            }
        }
    }

    /// The time until the next deadline check.
    fn timeout(&self) -> Duration {
        let now = Instant::now();
        let due = self.thinking.as_ref().map(|thinking| match thinking.cancel.is_cancelled() {
            true => thinking.until + GRACE,
            false => thinking.until,
        });
        due.map_or(POLL, |due| due.saturating_duration_since(now).min(POLL))
    }

    /// Checks cancellation, the silence of the server and the time limit of the search.
    fn check_deadlines(&mut self) -> Result<(), Disconnect> {
        if self.cancel.is_cancelled() {
            return Err(Disconnect::Cancelled);
        }
        if self.last_line.elapsed() > self.settings.patience && self.thinking.is_none() {
            return Err(self.lost(&format!("the server was silent for {:?}", self.settings.patience)));
        }
        let now = Instant::now();
        match &self.thinking {
            Some(thinking) if now >= thinking.until + GRACE => {
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

    fn line(&mut self, received: line_reader::ReceivedLine) -> Result<(), Disconnect> {
        self.last_line = Instant::now();
        let bytes = match received.read {
            LineRead::Line(bytes) => bytes,
            LineRead::TooLong => return Err(self.lost(&format!("a line of more than {MAX_LINE} bytes"))),
        };
        let text = shown(&bytes);
        (self.report)(ClientEvent::Received(&text));
        let Some(message) = Message::parse(&bytes) else {
            if !text.is_empty() {
                self.warn(format!("the server said {text:?}, which is unknown"));
            }
            return Ok(());
        };
        match self.protocol.receive(message) {
            ServerEvent::Start(start) => {
                self.finish(None);
                self.games += 1;
                (self.report)(ClientEvent::GameStarted(&start));
                self.game = Some(OnlineGame::new(self.games, start));
                self.fresh = true;
                self.act()
            }
            ServerEvent::Ack(left) => {
                if let Some(game) = &mut self.game {
                    game.left = left;
                }
                Ok(())
            }
            ServerEvent::Move(play) => {
                let played = self.game.as_mut().map_or(Ok(()), |game| game.play(play));
                match played {
                    Ok(()) => self.act(),
                    Err(why) => {
                        // The boards differ, so no move of ours is meaningful.
                        self.warn(format!("the server's move {play} cannot be played ({why}); giving up"));
                        self.play(ServerMove::GiveUp)
                    }
                }
            }
            ServerEvent::End(end) => {
                if let Some(game) = &mut self.game {
                    game.end = Some(end);
                }
                self.finish(None);
                Ok(())
            }
            ServerEvent::Bye(table) => Err(Disconnect::Bye(table)),
            ServerEvent::Unexpected => {
                self.warn(format!("the server said {text:?} out of turn"));
                Ok(())
            }
        }
    }

    /// If it is our turn: plays a forced move, or requests one from the player as soon as it is available.
    fn act(&mut self) -> Result<(), Disconnect> {
        if self.protocol.phase() != ClientPhase::OwnTurn || self.thinking.is_some() {
            return Ok(());
        }
        let Some(game) = &self.game else { return Ok(()) };
        if let Some(play) = game.forced() {
            return self.play(play);
        }
        if self.player.is_none() && !self.busy {
            return self.play_fallback();
        }
        let cancel = CancelToken::new();
        let request = time::request(game.left, self.settings.depth, &cancel);
        self.requests += 1;
        let number = self.requests;
        self.thinking = Some(PendingMove { number, cancel, until: Instant::now() + time::limit(game.left) });
        // A player that is still busy with the last request is waited for.
        let Some(mut player) = self.player.take() else { return Ok(()) };
        let (record, to, fresh) = (game.record.clone(), self.to.clone(), std::mem::take(&mut self.fresh));
        let think = move || {
            let answer = catch_unwind(AssertUnwindSafe(|| {
                if fresh {
                    player.begin(&record, &request.cancel)?;
                }
                player.choose(&record, &request)
            }));
            let (player, answer) = match answer {
                Ok(answer) => (Some(player), answer),
                Err(_) => (None, Err(PlayerFault::Crash("it panicked".to_owned()))),
            };
            // The connection may have ended.
            let _ = to.send(ConnectionEvent::Chosen(number, player, answer));
        };
        let spawned = thread::Builder::new().name("player".to_owned()).stack_size(STACK).spawn(think);
        match spawned {
            Ok(_) => {
                self.busy = true;
                Ok(())
            }
            Err(error) => {
                self.thinking = None;
                self.warn(format!("no thread for the search: {error}"));
                self.play_fallback()
            }
        }
    }

    fn chosen(
        &mut self,
        number: u64,
        player: Option<Box<dyn Player<G>>>,
        answer: Result<PlayerAnswer<G::Move>, PlayerFault>,
    ) -> Result<(), Disconnect> {
        *self.player = player;
        self.busy = false;
        if self.thinking.as_ref().is_none_or(|thinking| thinking.number != number) {
            // Too late for its request, in time for the next.
            self.fresh = true;
            self.thinking = None;
            return self.act();
        }
        self.thinking = None;
        let Some(game) = &self.game else { return Ok(()) };
        match answer {
            Ok(PlayerAnswer { action: PlayerAction::Resign, .. }) => self.play(ServerMove::GiveUp),
            Ok(PlayerAnswer { action: PlayerAction::Move(mv), used, .. }) => match game.notation(mv) {
                Some(play) => {
                    self.play(play)?;
                    if let Some(note) = self.game.as_mut().and_then(|game| game.record.note()) {
                        note.time(used);
                    }
                    Ok(())
                }
                None => self.play_fallback(),
            },
            Ok(PlayerAnswer { action: PlayerAction::Claim, .. }) => self.play_fallback(),
            Err(fault) => {
                self.warn(format!("the player {fault}; a fallback move is played"));
                self.fresh = true;
                self.play_fallback()
            }
        }
    }

    /// Plays any legal move.
    fn play_fallback(&mut self) -> Result<(), Disconnect> {
        let Some(game) = &self.game else { return Ok(()) };
        self.play(game.any())
    }

    /// Plays a move on our board and sends it.
    fn play(&mut self, play: ServerMove) -> Result<(), Disconnect> {
        if self.protocol.phase() != ClientPhase::OwnTurn {
            return Ok(());
        }
        let mut play = play;
        if play != ServerMove::GiveUp
            && let Some(game) = &mut self.game
            && let Err(why) = game.play(play)
        {
            let words = format!("the player chose {play}, which cannot be played: {why}");
            play = game.any();
            let _ = game.play(play);
            self.warn(words);
        }
        self.protocol.moved();
        self.send(&Command::Move(play))
    }

    fn send(&mut self, command: &Command) -> Result<(), Disconnect> {
        let line = command.to_string();
        (self.report)(ClientEvent::Sent(&line));
        self.connection.send(&line).map_err(|error| self.lost(&error.to_string()))
    }

    /// Ends the current game.
    fn finish(&mut self, cut: Option<&Disconnect>) {
        if let Some(thinking) = &self.thinking {
            thinking.cancel.cancel();
        }
        // The next answer belongs to no request.
        self.thinking = None;
        let Some(game) = self.game.take() else { return };
        if let Some(player) = self.player.as_mut() {
            player.end(&game.record);
        }
        if game.end.is_none() && cut.is_none() {
            self.warn("a game started before the last one had ended".to_owned());
        }
        (self.report)(ClientEvent::GameEnded(&game));
    }

    fn close(&mut self, disconnect: &Disconnect) {
        self.finish(Some(disconnect));
        self.connection.close();
        // The search is cancelled and returns soon; the player is needed for the next connection.
        let until = Instant::now() + Duration::from_secs(5);
        while self.busy {
            let left = until.saturating_duration_since(Instant::now());
            match self.from.recv_timeout(left) {
                Ok(ConnectionEvent::Chosen(_, player, _)) => {
                    *self.player = player;
                    return;
                }
                Ok(_) => {}
                Err(_) => return,
            }
        }
    }

    fn warn(&mut self, words: String) {
        (self.report)(ClientEvent::Warning(words));
    }

    fn lost(&self, how: &str) -> Disconnect {
        Disconnect::Lost { playing: self.protocol.is_playing(), how: how.to_owned() }
    }
}

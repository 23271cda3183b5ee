//! One visit, line by line. Two things may happen at any moment, a line from the server and an answer of our
//! player, and they meet in one channel.

use std::io;
use std::net::TcpStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_game::Notation;
use tesuji_protocol::reversi::{ClientPhase, ClientState, Command, Message, ServerEvent, ServerMove};
use tesuji_search::CancelToken;

use super::bout::OnlineGame;
use super::time;
use super::{ClientEvent, Leaving, Want};
use crate::lines::{self, LONGEST, Sound};
use crate::online::wire::Wire;
use crate::player::{Answer, Fault, Player, Reply};

/// What may wait to be looked at.
const WAITING: usize = 64;
/// How soon it is noticed that we are to stop.
const GLANCE: Duration = Duration::from_millis(50);
/// How long a player that was told to stop may take before somebody else moves for it.
const GRACE: Duration = Duration::from_millis(100);
/// Deep lines need more than the usual stack.
const STACK: usize = 32 << 20;
/// The longest that a line is shown.
const SHOWN: usize = 200;

/// What is heard of.
enum Event<G: Notation> {
    /// A line.
    Line(lines::Heard),
    /// There will be no more lines.
    Closed,
    /// The player is back, unless it broke, with the answer to this question.
    Chosen(u64, Option<Box<dyn Player<G>>>, Result<Answer<G::Move>, Fault>),
}

/// A question to our player.
struct Thinking {
    question: u64,
    stop: CancelToken,
    /// When it is told to stop.
    until: Instant,
}

pub(super) struct Session<'a, G: Notation> {
    want: &'a Want,
    player: &'a mut Option<Box<dyn Player<G>>>,
    stop: &'a CancelToken,
    tell: &'a mut dyn FnMut(ClientEvent<'_, G>),
    wire: Wire,
    to: SyncSender<Event<G>>,
    from: Receiver<Event<G>>,
    seat: ClientState,
    bout: Option<OnlineGame<G>>,
    games: usize,
    thinking: Option<Thinking>,
    questions: u64,
    /// The player is thinking, perhaps about a question that is no longer of interest.
    away: bool,
    /// The player has not heard of this game yet.
    fresh: bool,
    /// When the server last said something.
    heard: Instant,
}

impl<'a, G: Notation> Session<'a, G> {
    pub(super) fn open(
        stream: TcpStream,
        want: &'a Want,
        player: &'a mut Option<Box<dyn Player<G>>>,
        stop: &'a CancelToken,
        tell: &'a mut dyn FnMut(ClientEvent<'_, G>),
    ) -> io::Result<Session<'a, G>> {
        let (to, from) = sync_channel(WAITING);
        let lines = to.clone();
        let wire =
            Wire::new(stream, move |heard| lines.send(heard.map_or(Event::Closed, Event::Line)).is_ok())?;
        tell(ClientEvent::Connected(wire.peer()));
        Ok(Session {
            want,
            player,
            stop,
            tell,
            wire,
            to,
            from,
            seat: ClientState::default(),
            bout: None,
            games: 0,
            thinking: None,
            questions: 0,
            away: false,
            fresh: true,
            heard: Instant::now(),
        })
    }

    /// Stays to the end. Whatever way that is, the player comes home.
    pub(super) fn run(mut self) -> Leaving {
        let leaving = match self.say(&Command::Open(self.want.name.clone())) {
            Ok(()) => self.stay(),
            Err(leaving) => leaving,
        };
        self.close(&leaving);
        leaving
    }

    fn stay(&mut self) -> Leaving {
        loop {
            let event = self.from.recv_timeout(self.pause());
            let happened = match event {
                Ok(Event::Line(heard)) => self.line(heard),
                Ok(Event::Closed) => Err(self.lost("the server closed the connection")),
                Ok(Event::Chosen(question, player, answer)) => self.chosen(question, player, answer),
                Err(RecvTimeoutError::Timeout) => self.glance(),
                Err(RecvTimeoutError::Disconnected) => Err(self.lost("nobody reads the connection")),
            };
            if let Err(leaving) = happened {
                return leaving;
            }
        }
    }

    /// How long nothing may happen before somebody has to look.
    fn pause(&self) -> Duration {
        let now = Instant::now();
        let due = self.thinking.as_ref().map(|thinking| match thinking.stop.is_cancelled() {
            true => thinking.until + GRACE,
            false => thinking.until,
        });
        due.map_or(GLANCE, |due| due.saturating_duration_since(now).min(GLANCE))
    }

    /// Looks at clocks and flags.
    fn glance(&mut self) -> Result<(), Leaving> {
        if self.stop.is_cancelled() {
            return Err(Leaving::Stopped);
        }
        if self.heard.elapsed() > self.want.patience && self.thinking.is_none() {
            return Err(self.lost(&format!("the server said nothing for {:?}", self.want.patience)));
        }
        let now = Instant::now();
        match &self.thinking {
            Some(thinking) if now >= thinking.until + GRACE => {
                self.thinking = None;
                self.odd("the player does not come to an end; it is moved for".to_owned());
                self.improvise()
            }
            Some(thinking) if now >= thinking.until => {
                thinking.stop.cancel();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn line(&mut self, heard: lines::Heard) -> Result<(), Leaving> {
        self.heard = Instant::now();
        let bytes = match heard.sound {
            Sound::Line(bytes) => bytes,
            Sound::TooLong => return Err(self.lost(&format!("a line of more than {LONGEST} bytes"))),
        };
        let text = shown(&bytes);
        (self.tell)(ClientEvent::Heard(&text));
        let Some(message) = Message::parse(&bytes) else {
            if !text.is_empty() {
                self.odd(format!("the server said {text:?}, which is nothing we know"));
            }
            return Ok(());
        };
        match self.seat.receive(message) {
            ServerEvent::Start(start) => {
                self.finish(None);
                self.games += 1;
                (self.tell)(ClientEvent::Begins(&start));
                self.bout = Some(OnlineGame::new(self.games, start));
                self.fresh = true;
                self.act()
            }
            ServerEvent::Ack(left) => {
                if let Some(bout) = &mut self.bout {
                    bout.left = left;
                }
                Ok(())
            }
            ServerEvent::Move(play) => {
                let played = self.bout.as_mut().map_or(Ok(()), |bout| bout.play(play));
                match played {
                    Ok(()) => self.act(),
                    Err(why) => {
                        // The boards differ: nothing that we could play would mean anything.
                        self.odd(format!("the server's move {play} cannot be played ({why}); giving up"));
                        self.play(ServerMove::GiveUp)
                    }
                }
            }
            ServerEvent::End(end) => {
                if let Some(bout) = &mut self.bout {
                    bout.end = Some(end);
                }
                self.finish(None);
                Ok(())
            }
            ServerEvent::Bye(table) => Err(Leaving::Farewell(table)),
            ServerEvent::Unexpected => {
                self.odd(format!("the server said {text:?} out of turn"));
                Ok(())
            }
        }
    }

    /// If it is our turn: plays what must be played, or asks the player as soon as it is there.
    fn act(&mut self) -> Result<(), Leaving> {
        if self.seat.phase() != ClientPhase::OwnTurn || self.thinking.is_some() {
            return Ok(());
        }
        let Some(bout) = &self.bout else { return Ok(()) };
        if let Some(play) = bout.forced() {
            return self.play(play);
        }
        if self.player.is_none() && !self.away {
            return self.improvise();
        }
        let stop = CancelToken::new();
        let turn = time::turn(bout.left, self.want.depth, &stop);
        self.questions += 1;
        let question = self.questions;
        self.thinking = Some(Thinking { question, stop, until: Instant::now() + time::most(bout.left) });
        // One that has not come back from the last question is waited for.
        let Some(mut player) = self.player.take() else { return Ok(()) };
        let (record, to, fresh) = (bout.record.clone(), self.to.clone(), std::mem::take(&mut self.fresh));
        let think = move || {
            let answer = catch_unwind(AssertUnwindSafe(|| {
                if fresh {
                    player.begin(&record)?;
                }
                player.choose(&record, &turn)
            }));
            let (player, answer) = match answer {
                Ok(answer) => (Some(player), answer),
                Err(_) => (None, Err(Fault::Crash("it panicked".to_owned()))),
            };
            // The visit may be over.
            let _ = to.send(Event::Chosen(question, player, answer));
        };
        let spawned = thread::Builder::new().name("player".to_owned()).stack_size(STACK).spawn(think);
        match spawned {
            Ok(_) => {
                self.away = true;
                Ok(())
            }
            Err(error) => {
                self.thinking = None;
                self.odd(format!("no thread to think in: {error}"));
                self.improvise()
            }
        }
    }

    fn chosen(
        &mut self,
        question: u64,
        player: Option<Box<dyn Player<G>>>,
        answer: Result<Answer<G::Move>, Fault>,
    ) -> Result<(), Leaving> {
        *self.player = player;
        self.away = false;
        if self.thinking.as_ref().is_none_or(|thinking| thinking.question != question) {
            // Too late for its question, in time for the next.
            self.fresh = true;
            self.thinking = None;
            return self.act();
        }
        self.thinking = None;
        let Some(bout) = &self.bout else { return Ok(()) };
        match answer {
            Ok(Answer { reply: Reply::Resign, .. }) => self.play(ServerMove::GiveUp),
            Ok(Answer { reply: Reply::Move(mv), used, .. }) => match bout.word(mv) {
                Some(play) => {
                    self.play(play)?;
                    if let Some(note) = self.bout.as_mut().and_then(|bout| bout.record.note()) {
                        note.time(used);
                    }
                    Ok(())
                }
                None => self.improvise(),
            },
            Ok(Answer { reply: Reply::Claim, .. }) => self.improvise(),
            Err(fault) => {
                self.odd(format!("the player {fault}; it is moved for"));
                self.fresh = true;
                self.improvise()
            }
        }
    }

    /// Any move, when there is none from the player.
    fn improvise(&mut self) -> Result<(), Leaving> {
        let Some(bout) = &self.bout else { return Ok(()) };
        self.play(bout.any())
    }

    /// Plays on our board and says so.
    fn play(&mut self, play: ServerMove) -> Result<(), Leaving> {
        if self.seat.phase() != ClientPhase::OwnTurn {
            return Ok(());
        }
        let mut play = play;
        if play != ServerMove::GiveUp
            && let Some(bout) = &mut self.bout
            && let Err(why) = bout.play(play)
        {
            let words = format!("the player chose {play}, which cannot be played: {why}");
            play = bout.any();
            let _ = bout.play(play);
            self.odd(words);
        }
        self.seat.moved();
        self.say(&Command::Move(play))
    }

    fn say(&mut self, command: &Command) -> Result<(), Leaving> {
        let line = command.to_string();
        (self.tell)(ClientEvent::Said(&line));
        self.wire.say(&line).map_err(|error| self.lost(&error.to_string()))
    }

    /// The game is over, or will never be.
    fn finish(&mut self, cut: Option<&Leaving>) {
        if let Some(thinking) = &self.thinking {
            thinking.stop.cancel();
        }
        // The next answer belongs to no question.
        self.thinking = None;
        let Some(bout) = self.bout.take() else { return };
        if let Some(player) = self.player.as_mut() {
            player.end(&bout.record);
        }
        if bout.end.is_none() && cut.is_none() {
            self.odd("the next game began before the last one had ended".to_owned());
        }
        (self.tell)(ClientEvent::Ended(&bout));
    }

    fn close(&mut self, leaving: &Leaving) {
        self.finish(Some(leaving));
        self.wire.close();
        // The player is asked to stop and comes back soon; it is needed for the next visit.
        let until = Instant::now() + Duration::from_secs(5);
        while self.away {
            let left = until.saturating_duration_since(Instant::now());
            match self.from.recv_timeout(left) {
                Ok(Event::Chosen(_, player, _)) => {
                    *self.player = player;
                    return;
                }
                Ok(_) => {}
                Err(_) => return,
            }
        }
    }

    fn odd(&mut self, words: String) {
        (self.tell)(ClientEvent::Odd(words));
    }

    fn lost(&self, how: &str) -> Leaving {
        Leaving::Lost { playing: self.seat.is_playing(), how: how.to_owned() }
    }
}

/// A line as it can be shown and logged: cut when long, without what a terminal would obey.
fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN)]);
    let text: String = text.trim_end().chars().map(|c| if c.is_control() { '.' } else { c }).collect();
    if bytes.len() > SHOWN { text + "…" } else { text }
}

//! A match server: so many players, everybody against everybody, so many rounds, colours exchanged from round
//! to round. Players who vanish, stall or talk nonsense lose their games; the tournament goes on.

mod board;
mod game;
mod lobby;
mod member;
mod result;
mod watch;

use std::collections::VecDeque;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use tesuji_game::Notation;
use tesuji_protocol::reversi::{Message, ServerStanding};
use tesuji_search::CancelToken;

use crate::schedule::circle;
use game::Table;
pub use lobby::Gathering;
use member::Contestant;
pub use result::{Meeting, Member, Outcome, Result, Winner};

/// How a tournament on the server is played.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Players to wait for.
    pub players: usize,
    /// How often everybody meets everybody.
    pub rounds: usize,
    /// For a whole game, each side.
    pub time: Duration,
    /// How far a clock may fall below zero; then it is set to this.
    pub byoyomi: Duration,
    /// How long to wait for the players.
    pub wait: Duration,
    /// Games at a time; everybody plays one at most.
    pub concurrency: usize,
}

/// What happens on the server.
#[derive(Debug)]
pub enum News<'a, G: Notation> {
    /// Somebody came, under this name.
    Came(&'a str, SocketAddr),
    /// Somebody left before anything began.
    Left(&'a str),
    /// Somebody was turned away, and why.
    Refused(SocketAddr, String),
    /// A game begins: its number from 1, its round from 1, and who plays black and white.
    Begins(usize, usize, [&'a str; 2]),
    /// A game is over.
    Ended(&'a Result<G>),
}

/// A match server that listens.
#[derive(Debug)]
pub struct Host<G> {
    listener: TcpListener,
    terms: Terms,
    /// The discs of both sides.
    discs: fn(&G) -> [u32; 2],
}

impl<G: Notation> Host<G> {
    /// Listens on `address`; port 0 takes any that is free.
    pub fn new(address: SocketAddr, terms: Terms, discs: fn(&G) -> [u32; 2]) -> io::Result<Host<G>> {
        Ok(Host { listener: TcpListener::bind(address)?, terms, discs })
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Waits for the players, plays all games, and tells everybody the table. What is told of a game that was
    /// never begun, because everything was stopped, is nothing.
    pub fn run(
        self,
        stop: &CancelToken,
        tell: &mut dyn FnMut(News<'_, G>),
    ) -> std::result::Result<Meeting<G>, Gathering> {
        let Host { listener, terms, discs } = self;
        let members = lobby::gather(&listener, &terms, stop, tell)?;
        // Whoever comes now comes too late.
        drop(listener);
        let members: Vec<Mutex<Contestant>> = members.into_iter().map(Mutex::new).collect();
        let names: Vec<String> = members.iter().map(|member| locked(member).name.clone()).collect();
        let mut results = Vec::new();
        for round in 0..terms.rounds {
            for meetings in circle(names.len()) {
                let pairs = meetings.into_iter();
                let pairs = pairs.map(|[one, two]| if round % 2 == 0 { [one, two] } else { [two, one] });
                let mut played =
                    play(&members, &names, pairs.collect(), round, &results, terms, discs, stop, tell);
                results.append(&mut played);
            }
        }
        let meeting = Meeting::of(names, results, stop.is_cancelled());
        let table: Vec<ServerStanding> = meeting.members.iter().map(Member::standing).collect();
        for member in &members {
            locked(member).say(&Message::Bye(table.clone()));
        }
        Ok(meeting)
    }
}

/// Plays games in which everybody takes part once at most, so many at a time.
#[expect(clippy::too_many_arguments, reason = "all that a tournament knows, and nobody else asks")]
fn play<G: Notation>(
    members: &[Mutex<Contestant>],
    names: &[String],
    pairs: VecDeque<[usize; 2]>,
    round: usize,
    before: &[Result<G>],
    terms: Terms,
    discs: fn(&G) -> [u32; 2],
    stop: &CancelToken,
    tell: &mut dyn FnMut(News<'_, G>),
) -> Vec<Result<G>> {
    let workers = terms.concurrency.clamp(1, pairs.len().max(1));
    let first = before.len() + 1;
    let numbered: VecDeque<(usize, [usize; 2])> = (first..).zip(pairs).collect();
    let waiting = Mutex::new(numbered);
    let (to, from) = mpsc::channel();
    let mut results: Vec<Result<G>> = Vec::new();
    thread::scope(|scope| {
        for _ in 0..workers {
            let (to, waiting) = (to.clone(), &waiting);
            scope.spawn(move || {
                while let Some((number, players)) = locked(waiting).pop_front() {
                    if stop.is_cancelled() || to.send(Err((number, players))).is_err() {
                        return;
                    }
                    // Nobody else wants either of them now, so there is nothing to wait for.
                    let [mut black, mut white] = players.map(|player| locked(&members[player]));
                    let table = Table::new([&mut black, &mut white], terms, discs, stop);
                    let Some(outcome) = table.play() else { return };
                    let names = players.map(|player| names[player].clone());
                    let result = Result { number, round: round + 1, players, names, outcome };
                    if to.send(Ok(result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(to);
        for news in from {
            match news {
                Err((number, [black, white])) => {
                    tell(News::Begins(number, round + 1, [&names[black], &names[white]]));
                }
                Ok(result) => {
                    tell(News::Ended(&result));
                    results.push(result);
                }
            }
        }
    });
    results.sort_by_key(|result| result.number);
    results
}

/// Whoever panicked while holding it has done no harm to what it holds.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! An external program as a player: a child process that speaks its own protocol. Every wait has a deadline; a program
//! that misbehaves is killed with its descendants and restarted for the next game.

mod child;
mod dialogue;
mod group;
mod io;
mod network;
mod program;
mod transport;

use std::sync::Arc;
use std::time::Duration;

use tesuji_game::{Formats, Game, Record};
use tesuji_search::CancelToken;

pub use network::{NetworkSeat, SeatError};
pub use program::{ExternalProgram, PlayerProtocol, Timeouts};

use super::{MoveRequest, Player, PlayerAnswer, PlayerFault, SearchInfo};
use child::ChildProcess;
use dialogue::Dialogue;
use io::{DialogueError, EngineIo};
use transport::Transport;

/// How long a program that closed its pipe may take to exit, so that its exit status is known.
const EXIT_GRACE: Duration = Duration::from_millis(200);

/// The most oddities that are kept over all processes.
const MAX_ODDITIES: usize = 256;

/// An external program as a player.
pub struct ProcessPlayer<G: Game> {
    program: ExternalProgram,
    /// Where the program connects to us; without a seat it is started as a child process.
    seat: Option<Arc<NetworkSeat>>,
    /// The dialogue with a new process.
    dialogue: fn(&ExternalProgram) -> Box<dyn Dialogue<G>>,
    running: Option<Running<G>>,
    /// Whether the process has played an earlier game and has not answered in this one.
    reused: bool,
    name: Option<String>,
    oddities: Vec<String>,
}

/// A running process and the dialogue with it.
struct Running<G: Game> {
    io: EngineIo,
    dialogue: Box<dyn Dialogue<G>>,
}

impl<G: Formats> ProcessPlayer<G> {
    /// A player. The program starts with the first game.
    pub fn new(program: ExternalProgram) -> ProcessPlayer<G> {
        ProcessPlayer {
            program,
            seat: None,
            dialogue: dialogue::of,
            running: None,
            reused: false,
            name: None,
            oddities: Vec::new(),
        }
    }
}

impl<G: Formats> ProcessPlayer<G> {
    /// A player that connects to us. Only its protocol and its timeouts matter of the program.
    pub fn at_seat(program: ExternalProgram, seat: Arc<NetworkSeat>) -> ProcessPlayer<G> {
        let mut player = ProcessPlayer::new(program);
        player.seat = Some(seat);
        player
    }
}

impl<G: Game> ProcessPlayer<G> {
    /// The process id, if the program is running.
    pub fn id(&self) -> Option<u32> {
        self.running.as_ref().and_then(|running| running.io.program.id())
    }

    /// Starts the program and performs the handshake.
    fn start(&mut self, cancel: &CancelToken) -> Result<(), PlayerFault> {
        let program = self.connect(cancel)?;
        let mut io = EngineIo::new(program, self.program.timeouts);
        io.start_turn(cancel);
        self.reused = false;
        let running = self.running.insert(Running { io, dialogue: (self.dialogue)(&self.program) });
        let greeted = running.dialogue.handshake(&mut running.io);
        self.name = running.io.name.clone();
        greeted.map_err(|error| self.start_fault(error, self.program.timeouts.start))
    }

    /// Starts the process, or waits for the program that connects to us.
    fn connect(&self, cancel: &CancelToken) -> Result<Box<dyn Transport>, PlayerFault> {
        if let Some(seat) = &self.seat {
            let program = seat.connect(cancel).map_err(|error| PlayerFault::Start(error.to_string()))?;
            return Ok(Box::new(program));
        }
        let child = ChildProcess::start(&self.program).map_err(|error| {
            let command = self.program.command.first().map_or("", String::as_str);
            PlayerFault::Start(format!("{command}: {error}"))
        })?;
        tracing::info!(command = ?self.program.command, process = child.id(), "program started");
        Ok(Box::new(child))
    }

    /// Starts a game in the running process.
    fn begin_running(&mut self, record: &Record<G>, cancel: &CancelToken) -> Result<(), DialogueError> {
        let Some(running) = &mut self.running else { return Err(DialogueError::Ended) };
        running.io.start_turn(cancel);
        running.dialogue.new_game(&mut running.io, record)
    }

    /// The fault of an error before the game. The process is stopped.
    fn start_fault(&mut self, error: DialogueError, waited: Duration) -> PlayerFault {
        let message = match self.fault(error, waited) {
            PlayerFault::Start(message) => message,
            PlayerFault::Late(waited) => format!("it was not ready within {waited:?}"),
            fault => fault.to_string(),
        };
        self.stop(Duration::ZERO);
        PlayerFault::Start(message)
    }

    /// The fault of an error. A process in an unknown state is stopped.
    fn fault(&mut self, error: DialogueError, waited: Duration) -> PlayerFault {
        match error {
            DialogueError::Late => {
                self.stop(Duration::ZERO);
                PlayerFault::Late(waited)
            }
            DialogueError::Ended => PlayerFault::Crash(self.stop(EXIT_GRACE)),
            DialogueError::Protocol(message) => {
                self.stop(Duration::ZERO);
                PlayerFault::Protocol(message)
            }
            DialogueError::Illegal { text, message } => PlayerFault::Illegal { text, message },
            DialogueError::Unable(message) => PlayerFault::Start(message),
        }
    }

    /// Ends the process and describes how it ended, with the last lines of its standard error.
    fn stop(&mut self, grace: Duration) -> String {
        let Some(mut running) = self.running.take() else { return "it was not running".to_owned() };
        self.oddities.append(&mut running.io.oddities());
        self.oddities.truncate(MAX_ODDITIES);
        let alive = !running.io.program.has_ended_within(grace);
        let status = running.io.program.end(Duration::ZERO);
        let status = match status {
            _ if alive => running.io.program.closed().to_owned(),
            Some(status) => status.text,
            None => "it cannot be killed".to_owned(),
        };
        match running.io.program.stderr() {
            words if words.is_empty() => status,
            words => format!("{status}; it said: {words}"),
        }
    }

    /// Whether the process ended by itself and without an error after an earlier game. It is stopped then.
    fn left_after_game(&mut self) -> bool {
        let Some(running) = self.running.as_mut().filter(|_| self.reused) else { return false };
        let child = &mut running.io.program;
        let left = child.has_ended_within(EXIT_GRACE) && child.end(Duration::ZERO).is_some_and(|status| status.success);
        if left {
            tracing::info!(command = ?self.program.command, "program left after a game and is started again");
            self.stop(Duration::ZERO);
        }
        left
    }

    /// Requests a move of the running process.
    fn request_move(
        &mut self,
        record: &Record<G>,
        request: &MoveRequest,
        wait: Duration,
    ) -> Result<PlayerAnswer<G::Move>, DialogueError> {
        let Some(Running { io, dialogue }) = &mut self.running else { return Err(DialogueError::Ended) };
        io.start_turn(&request.cancel);
        let before = io.program.cpu();
        let answer = dialogue.request_move(io, record, request, wait)?;
        let cpu = io.program.cpu().zip(before).map(|(after, before)| after.saturating_sub(before));
        self.reused = false;
        let info = SearchInfo { cpu, ..answer.info };
        Ok(PlayerAnswer { action: answer.action, info, line: answer.line, used: answer.used })
    }

    /// Ends the process by the quit command of the protocol.
    fn quit(&mut self) {
        if let Some(mut running) = self.running.take() {
            if let Some(line) = running.dialogue.quit_command() {
                let _ = running.io.send(line);
            }
            running.io.program.end(self.program.timeouts.quit);
        }
    }
}

impl<G: Game> Player<G> for ProcessPlayer<G> {
    fn begin(&mut self, record: &Record<G>, cancel: &CancelToken) -> Result<(), PlayerFault> {
        let has_left = |running: &mut Running<G>| running.io.program.has_ended_within(Duration::ZERO);
        if self.program.restart || self.seat.is_some() && self.running.as_mut().is_some_and(has_left) {
            self.quit();
        }
        if self.running.is_some() {
            match self.begin_running(record, cancel) {
                Ok(()) => {
                    self.reused = true;
                    return Ok(());
                }
                Err(DialogueError::Unable(message)) => return Err(PlayerFault::Start(message)),
                // It may have ended since the last game.
                Err(_) => {
                    let reason = self.stop(Duration::ZERO);
                    tracing::info!(command = ?self.program.command, reason, "program is started again");
                }
            }
        }
        self.start(cancel)?;
        self.begin_running(record, cancel).map_err(|error| self.start_fault(error, self.program.timeouts.game))
    }

    fn choose(&mut self, record: &Record<G>, request: &MoveRequest) -> Result<PlayerAnswer<G::Move>, PlayerFault> {
        let wait = request.deadline.unwrap_or(self.program.timeouts.answer);
        let mut answer = self.request_move(record, request, wait);
        // A program that plays one game per process may leave after the last game, even while it is asked.
        if answer == Err(DialogueError::Ended) && self.left_after_game() {
            self.begin(record, &request.cancel)?;
            answer = self.request_move(record, request, wait);
        }
        answer.map_err(|error| self.fault(error, wait))
    }

    fn end(&mut self, record: &Record<G>) {
        if let Some(Running { io, dialogue }) = &mut self.running
            && let Err(error) = dialogue.game_over(io, record)
        {
            let _ = self.fault(error, Duration::ZERO);
        }
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn oddities(&mut self) -> Vec<String> {
        let mut all = std::mem::take(&mut self.oddities);
        if let Some(running) = &mut self.running {
            all.append(&mut running.io.oddities());
        }
        all
    }
}

impl<G: Game> Drop for ProcessPlayer<G> {
    fn drop(&mut self) {
        self.quit();
    }
}

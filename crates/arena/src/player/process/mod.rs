//! Another program as a player: a child process that is asked in its own protocol, never waited for longer
//! than it may take, killed with its children when it goes astray, and started again for the next game.

mod child;
mod dialogue;
mod group;
mod patience;
mod program;
mod talk;

use std::time::Duration;

use tesuji_game::{Formats, Game, Record};
use tesuji_search::CancelToken;

pub use patience::Patience;
pub use program::Program;

use super::{Answer, Fault, Player, Thought, Turn};
use child::Child;
use dialogue::Dialogue;
use talk::{Talk, Trouble};

/// How long a program whose pipe has ended may take to end itself, so that we learn how it did.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Oddities kept until somebody asks, of all processes together.
const ODDITIES: usize = 256;

/// Another program, which plays.
pub struct Process<G: Game> {
    program: Program,
    /// How to talk to a new process.
    dialogue: fn(&Program) -> Box<dyn Dialogue<G>>,
    running: Option<Running<G>>,
    name: Option<String>,
    oddities: Vec<String>,
}

/// A process and the conversation with it.
struct Running<G: Game> {
    talk: Talk,
    dialogue: Box<dyn Dialogue<G>>,
}

impl<G: Formats> Process<G> {
    /// A player; the program starts with the first game.
    pub fn new(program: Program) -> Process<G> {
        Process { program, dialogue: dialogue::of, running: None, name: None, oddities: Vec::new() }
    }
}

impl<G: Game> Process<G> {
    /// The number of the running process, if one is running.
    pub fn id(&self) -> Option<u32> {
        self.running.as_ref().map(|running| running.talk.child.id())
    }

    /// Starts the program and hears its introduction.
    fn start(&mut self) -> Result<(), Fault> {
        let child = Child::start(&self.program).map_err(|error| {
            let command = self.program.command.first().map_or("", String::as_str);
            Fault::Start(format!("{command}: {error}"))
        })?;
        let talk = Talk::new(child, self.program.patience);
        let running = self.running.insert(Running { talk, dialogue: (self.dialogue)(&self.program) });
        let greeted = running.dialogue.greet(&mut running.talk);
        self.name = running.talk.name.clone();
        greeted.map_err(|trouble| self.no_start(trouble, self.program.patience.start))
    }

    /// Begins a game with the process that is running.
    fn begin_running(&mut self, record: &Record<G>) -> Result<(), Trouble> {
        let Some(running) = &mut self.running else { return Err(Trouble::Ended) };
        running.talk.turn(&CancelToken::new());
        running.dialogue.begin(&mut running.talk, record)
    }

    /// The fault behind a trouble before the game. The process does not survive it, unless it is not to blame.
    fn no_start(&mut self, trouble: Trouble, waited: Duration) -> Fault {
        let message = match self.fault(trouble, waited) {
            Fault::Start(message) => message,
            Fault::Late(waited) => format!("it was not ready within {waited:?}"),
            fault => fault.to_string(),
        };
        self.stop(Duration::ZERO);
        Fault::Start(message)
    }

    /// The fault behind a trouble. A process that cannot be trusted any longer does not survive it.
    fn fault(&mut self, trouble: Trouble, waited: Duration) -> Fault {
        match trouble {
            Trouble::Late => {
                self.stop(Duration::ZERO);
                Fault::Late(waited)
            }
            Trouble::Ended => Fault::Crash(self.stop(LAST_WORDS)),
            Trouble::Protocol(message) => {
                self.stop(Duration::ZERO);
                Fault::Protocol(message)
            }
            Trouble::Illegal { text, message } => Fault::Illegal { text, message },
            Trouble::Unable(message) => Fault::Start(message),
        }
    }

    /// Ends the process and tells how it ended, with its last words.
    fn stop(&mut self, grace: Duration) -> String {
        let Some(mut running) = self.running.take() else { return "it was not running".to_owned() };
        self.oddities.append(&mut running.talk.oddities());
        self.oddities.truncate(ODDITIES);
        let alive = !running.talk.child.has_ended_within(grace);
        let status = running.talk.child.end(Duration::ZERO);
        let status = match status {
            _ if alive => "it closed its pipe".to_owned(),
            Some(status) => status.to_string(),
            None => "it cannot be killed".to_owned(),
        };
        match running.talk.child.complaints() {
            words if words.is_empty() => status,
            words => format!("{status}; it said: {words}"),
        }
    }

    /// Ends the process as the protocol has it.
    fn dismiss(&mut self) {
        if let Some(mut running) = self.running.take() {
            if let Some(line) = running.dialogue.farewell() {
                let _ = running.talk.say(line);
            }
            running.talk.child.end(self.program.patience.quit);
        }
    }
}

impl<G: Game> Player<G> for Process<G> {
    fn begin(&mut self, record: &Record<G>) -> Result<(), Fault> {
        if self.program.restart {
            self.dismiss();
        }
        if self.running.is_some() {
            match self.begin_running(record) {
                Ok(()) => return Ok(()),
                Err(Trouble::Unable(message)) => return Err(Fault::Start(message)),
                // It may have ended since the last game, as programs for one game do.
                Err(_) => drop(self.stop(Duration::ZERO)),
            }
        }
        self.start()?;
        self.begin_running(record).map_err(|trouble| self.no_start(trouble, self.program.patience.game))
    }

    fn choose(&mut self, record: &Record<G>, turn: &Turn) -> Result<Answer<G::Move>, Fault> {
        let wait = turn.deadline.unwrap_or(self.program.patience.answer);
        let Some(Running { talk, dialogue }) = &mut self.running else {
            return Err(Fault::Crash("it was not running".to_owned()));
        };
        talk.turn(&turn.stop);
        let before = talk.child.cpu();
        match dialogue.ask(talk, record, turn, wait) {
            Ok(said) => {
                let cpu = talk.child.cpu().zip(before).map(|(after, before)| after.saturating_sub(before));
                let thought = Thought { cpu, ..said.thought };
                Ok(Answer { reply: said.reply, thought, used: said.used })
            }
            Err(trouble) => Err(self.fault(trouble, wait)),
        }
    }

    fn end(&mut self, record: &Record<G>) {
        if let Some(Running { talk, dialogue }) = &mut self.running
            && let Err(trouble) = dialogue.end(talk, record)
        {
            let _ = self.fault(trouble, Duration::ZERO);
        }
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn oddities(&mut self) -> Vec<String> {
        let mut all = std::mem::take(&mut self.oddities);
        if let Some(running) = &mut self.running {
            all.append(&mut running.talk.oddities());
        }
        all
    }
}

impl<G: Game> Drop for Process<G> {
    fn drop(&mut self) {
        self.dismiss();
    }
}

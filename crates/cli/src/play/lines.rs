//! Play in plain text: moves and commands come in line by line, boards go out. For pipes and scripts.

use std::io::{IsTerminal, stdin};
use std::time::Duration;

use tesuji_registry::{EngineChoice, Error, GameHandle, Session, SessionAction, SessionEvent};
use tesuji_task::CancelToken;

use crate::command::counted;
use crate::command::show::wrapped;
use crate::draw::{Marks, Style, draw};
use crate::failure::{Done, Failure};
use crate::input::InputLines;
use crate::out::Out;

const HELP: &str = "\
a move       plays it, in the game's notation
moves        lists the legal moves
board        draws the board again
go           the engine moves for you
hint         shows what the engine would play
undo, redo   takes back to your last move, or plays it again
resign       resigns
save FILE    saves the game there from now on
quit         ends";

/// How often to check for Ctrl-C while an engine searches.
const TICK: Duration = Duration::from_millis(40);

struct Lines<'a> {
    game: &'a GameHandle,
    session: Box<dyn Session>,
    cancel: CancelToken,
    out: &'a mut Out,
}

pub(super) fn run(game: &GameHandle, session: Box<dyn Session>, out: &mut Out) -> Done {
    let cancel = out.cancel_on_interrupt();
    let mut lines = Lines { game, session, cancel, out };
    let done = lines.play();
    if let Some(path) = &lines.session.view().saved {
        eprintln!("the game is saved in {path}");
    }
    done
}

impl Lines<'_> {
    fn play(&mut self) -> Done {
        let input = InputLines::start()?;
        let prompts = stdin().is_terminal();
        self.board()?;
        loop {
            while self.session.view().awaits_engine() && !self.cancel.is_cancelled() {
                self.wait()?;
            }
            if self.cancel.is_cancelled() {
                return Err(Failure::No);
            }
            let view = self.session.view();
            if let Some(ending) = &view.ending {
                self.out.line(format_args!("the game is over: {}", ending.text))?;
                // A human may want to take back; a script is done.
                if !prompts {
                    return Ok(());
                }
            }
            if prompts {
                let player = view.to_move.map_or("", |side| self.game.player(side));
                self.out.bytes(format!("{player}> ").as_bytes())?;
                self.out.flush()?;
            }
            let Some(line) = input.next(&self.cancel, || {}) else {
                return if self.cancel.is_cancelled() { Err(Failure::No) } else { Ok(()) };
            };
            if !self.command(String::from_utf8_lossy(&line).trim())? {
                return Ok(());
            }
        }
    }

    /// Executes a line; `false` if it ends the program.
    fn command(&mut self, line: &str) -> Result<bool, Failure> {
        let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let is_over = self.session.view().to_move.is_none();
        let done = match verb.to_ascii_lowercase().as_str() {
            "" => return Ok(true),
            "quit" | "exit" => return Ok(false),
            "help" | "?" => return self.out.line(HELP).map(|()| true),
            "board" => Ok(()),
            "moves" => return self.moves().map(|()| true),
            "go" | "hint" if is_over => Err(Error::invalid("the game is over")),
            "go" => return self.search(SessionAction::EngineMove).map(|()| true),
            "hint" => return self.search(SessionAction::Hint).map(|()| true),
            "undo" => self.session.act(SessionAction::Undo),
            "redo" => self.session.act(SessionAction::Redo),
            "save" if rest.is_empty() => Err(Error::invalid("save needs the name of a file")),
            "save" => self.session.act(SessionAction::Save { file: Some(rest.trim().to_owned()) }),
            _ => line
                .split_whitespace()
                .try_for_each(|word| self.session.act(SessionAction::Play { text: word.to_owned() })),
        };
        match done {
            Ok(()) => self.board()?,
            Err(error) => eprintln!("{error}"),
        }
        Ok(true)
    }

    fn moves(&mut self) -> Done {
        let moves = &self.session.view().legal;
        self.out.line(format_args!("{}:", counted(moves.len(), "move")))?;
        wrapped(moves).iter().try_for_each(|line| self.out.line(line))
    }

    /// Starts a search and waits for its result.
    fn search(&mut self, action: SessionAction) -> Done {
        if let Err(error) = self.session.act(action) {
            eprintln!("{error}");
            return Ok(());
        }
        while !self.cancel.is_cancelled() && !self.wait()? {}
        Ok(())
    }

    /// Waits for a moment and prints what happened; whether anything did.
    fn wait(&mut self) -> Result<bool, Failure> {
        let events = self.session.poll(TICK);
        for event in &events {
            match event {
                SessionEvent::Played { side, choice } => {
                    if let EngineChoice::Move { mv } = choice {
                        self.out.line(format_args!("{} plays {mv}", self.game.player(*side)))?;
                    }
                }
                SessionEvent::Hint { choice, value } => self.hint(choice, value.as_deref())?,
                SessionEvent::Failed { message } => {
                    eprintln!("{message}");
                    return Err(Failure::No);
                }
            }
        }
        if events.iter().any(|event| matches!(event, SessionEvent::Played { .. })) {
            self.board()?;
        }
        Ok(!events.is_empty())
    }

    fn hint(&mut self, choice: &EngineChoice, value: Option<&str>) -> Done {
        let value = value.map_or(String::new(), |value| format!(" ({value})"));
        match choice {
            EngineChoice::Move { mv } => self.out.line(format_args!("hint: {mv}{value}")),
            EngineChoice::Claim => self.out.line("hint: declare the win"),
            EngineChoice::Resign => self.out.line("hint: resign"),
            EngineChoice::Over => self.out.line("there is no move"),
        }
    }

    fn board(&mut self) -> Done {
        let view = self.session.view();
        let picture = draw(&view.board, &Marks::default(), Style::pick(self.out.colored));
        self.out.bytes(picture.ansi().as_bytes())?;
        match view.to_move {
            Some(side) => self.out.line(format_args!("{} to move", self.game.player(side))),
            None => self.out.flush(),
        }
    }
}

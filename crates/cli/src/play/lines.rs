//! Play in plain text: moves and commands come in line by line, boards go out. For pipes and scripts.

use std::io::{IsTerminal, stdin};
use std::time::Duration;

use tesuji_registry::{EngineChoice, Error, GameHandle, Session, SessionAction, SessionEvent, SideName};
use tesuji_task::CancelToken;

use crate::command::counted;
use crate::command::show::wrapped;
use crate::draw::{Marks, Style, draw};
use crate::failure::{Done, Failure};
use crate::input::InputLines;
use crate::out::Out;
use crate::play::saved_lines;

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
    /// Whether players and moves have their native names.
    native: bool,
    /// Whether the end of the game was told.
    told: bool,
    cancel: CancelToken,
    out: &'a mut Out,
}

pub(super) fn run(game: &GameHandle, session: Box<dyn Session>, native: bool, out: &mut Out) -> Done {
    let cancel = out.cancel_on_interrupt();
    let mut lines = Lines { game, session, native, told: false, cancel, out };
    let done = lines.play();
    for line in saved_lines(game, lines.session.view())? {
        eprintln!("{line}");
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
            let is_over = view.to_move.is_none();
            if is_over && !self.told {
                self.tell_ending(prompts)?;
            }
            self.told = is_over;
            // A human may want to take back; a script is done.
            if is_over && !prompts {
                return Ok(());
            }
            if prompts {
                let prompt = self.session.view().to_move.map_or("over", |side| self.player(side)).to_owned();
                self.out.bytes(format!("{prompt}> ").as_bytes())?;
                self.out.flush()?;
            }
            let Some(line) = input.next(&self.cancel, || {}) else {
                return if self.cancel.is_cancelled() { Err(Failure::No) } else { self.end_of_input() };
            };
            if !self.command(String::from_utf8_lossy(&line).trim())? {
                return Ok(());
            }
        }
    }

    /// The end of the input in the middle of a game is no success, unlike `quit`. A game without new moves is none.
    fn end_of_input(&self) -> Done {
        let view = self.session.view();
        if view.ending.is_some() || view.saved.is_none() { Ok(()) } else { Err(Failure::No) }
    }

    fn player(&self, side: SideName) -> &str {
        let native = self.session.view().native.as_ref().filter(|_| self.native);
        native.map_or(self.game.player(side), |native| native.players[side.index()].as_str())
    }

    /// The last move of the game.
    fn last_move(&self) -> Option<&String> {
        let view = self.session.view();
        view.native.as_ref().filter(|_| self.native).map_or(&view.moves, |native| &native.moves).last()
    }

    fn tell_ending(&mut self, prompts: bool) -> Done {
        let Some(ending) = &self.session.view().ending else { return Ok(()) };
        let text = match ending.winner {
            // The text begins with the winner.
            Some(side) => ending.text.replacen(self.game.player(side), self.player(side), 1),
            None => ending.text.clone(),
        };
        self.out.line(format_args!("the game is over: {text}"))?;
        if prompts { self.out.line("undo takes back, save FILE saves, quit ends") } else { Ok(()) }
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
            "go" | "hint" | "moves" if is_over => Err(Error::invalid("the game is over; undo takes back")),
            "moves" => return self.moves().map(|()| true),
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
                        let mv = self.last_move().unwrap_or(mv);
                        let text = format!("{} plays {mv}", self.player(*side));
                        self.out.line(text)?;
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
            EngineChoice::Move { mv } if self.native => {
                let mv = self.session.native_line(std::slice::from_ref(mv)).concat();
                self.out.line(format_args!("hint: {mv}{value}"))
            }
            EngineChoice::Move { mv } => self.out.line(format_args!("hint: {mv}{value}")),
            EngineChoice::Claim => self.out.line("hint: declare the win"),
            EngineChoice::Resign => self.out.line("hint: resign"),
            EngineChoice::Over => self.out.line("there is no move"),
        }
    }

    fn board(&mut self) -> Done {
        let view = self.session.view();
        let picture = draw(&view.board, &Marks::default(), Style::pick(self.out.colored));
        let mut lines = Vec::new();
        if let Some(counts) = &view.board.counts {
            let side = |side: SideName| format!("{} {}", self.player(side), counts.sides[side.index()]);
            lines.push(format!("{}: {}, {}", counts.noun, side(SideName::First), side(SideName::Second)));
        }
        if let Some(forbidden) = &view.board.forbidden {
            lines.push(format!("forbidden: {} (ko)", forbidden.mv));
        }
        lines.extend(view.to_move.map(|side| format!("{} to move", self.player(side))));
        self.out.bytes(picture.ansi().as_bytes())?;
        lines.iter().try_for_each(|line| self.out.line(line))?;
        self.out.flush()
    }
}

//! The game on a full terminal screen, which is given back as it was whatever happens.

mod desk;
mod help;
mod keys;
mod orders;
mod panel;
mod render;
mod run;
#[cfg(test)]
mod tests;
mod typing;
mod window;

use std::io;
use std::time::Duration;

use crossterm::event::{self, Event, KeyEventKind};
use ratatui::DefaultTerminal;
use tesuji_search::Stop;

use super::sitting::Sitting;
use crate::entry::Playable;
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::think::{interrupted, on_forced_end, raise_on_interrupt};
use desk::Desk;

/// How often to look for news of an engine.
const TICK: Duration = Duration::from_millis(40);

pub(super) fn run<G: Playable>(sitting: Sitting<G>, out: &mut Out) -> Done {
    raise_on_interrupt(&Stop::new());
    let mut desk = Desk::new(sitting, out.colored);
    let ended = {
        let mut screen = Screen::open()?;
        play(&mut desk, &mut screen.0)
    };
    if let Ok(Ended::HungUp) = ended {
        // The game was saved after its last move, and nobody is left to tell.
        return Err(Failure::No);
    }
    let keeper = desk.sitting.keeper.as_ref();
    if let Some(path) = keeper.and_then(super::Keeper::path) {
        out.line(format_args!("the game is kept in {}", path.display()))?;
        let quoted = path.display().to_string();
        let quoted = if quoted.contains(' ') { format!("'{quoted}'") } else { quoted };
        out.line(format_args!("go on with: tesuji play {} --game {quoted}", G::NAME))?;
    }
    match ended {
        Ok(Ended::Quit) => Ok(()),
        Ok(Ended::Interrupted | Ended::HungUp) => Err(Failure::No),
        Err(error) => Err(Failure::from(error)),
    }
}

enum Ended {
    Quit,
    Interrupted,
    /// The terminal was closed or its connection lost.
    HungUp,
}

fn play<G: Playable>(desk: &mut Desk<G>, terminal: &mut DefaultTerminal) -> io::Result<Ended> {
    loop {
        if hung_up() {
            return Ok(Ended::HungUp);
        }
        desk.tick();
        terminal.draw(|frame| render::draw(desk, frame))?;
        if interrupted() {
            return Ok(Ended::Interrupted);
        }
        if !event::poll(TICK)? {
            continue;
        }
        match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                if keys::is_interrupt(&key) {
                    return Ok(Ended::Interrupted);
                }
                desk.press(key);
            }
            Event::Paste(text) => desk.paste(&text),
            _ => {}
        }
        if desk.leaving {
            return Ok(Ended::Quit);
        }
    }
}

/// Whether the terminal is gone. Without this check the event loop would spin: a dead terminal is always readable.
#[cfg(unix)]
fn hung_up() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdin = rustix::stdio::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut fds, Some(&now)).is_ok()
        && fds[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL)
}

#[cfg(not(unix))]
fn hung_up() -> bool {
    false
}

/// Gives the terminal back. `ratatui::restore` would print an error, and panic, on a terminal that is gone.
fn restore() {
    let _ = ratatui::try_restore();
}

/// The terminal while it is ours; a panic gives it back too.
struct Screen(DefaultTerminal);

impl Screen {
    fn open() -> Result<Screen, Failure> {
        on_forced_end(restore);
        Ok(Screen(ratatui::try_init()?))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

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
use tesuji_search::CancelToken;

use super::sitting::Sitting;
use crate::entry::Playable;
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::think::{interrupted, on_forced_end, raise_on_interrupt};
use desk::Desk;

/// How often to look for news of an engine.
const TICK: Duration = Duration::from_millis(40);
/// How long input that is there may take to become an event.
const SHORT: Duration = Duration::from_millis(1);

pub(super) fn run<G: Playable>(sitting: Sitting<G>, out: &mut Out) -> Done {
    raise_on_interrupt(&CancelToken::new());
    let mut desk = Desk::new(sitting, out.colored);
    let mut screen = Screen::open()?;
    let ended = play(&mut desk, &mut screen.0);
    if hung_up() {
        // The game was saved after its last move. Restoring a terminal that is gone would print, and so panic.
        std::mem::forget(screen);
        return Err(Failure::No);
    }
    drop(screen);
    let keeper = desk.sitting.keeper.as_ref();
    if let Some(path) = keeper.and_then(super::Keeper::path) {
        out.line(format_args!("the game is kept in {}", path.display()))?;
        let quoted = path.display().to_string();
        let quoted = if quoted.contains(' ') { format!("'{quoted}'") } else { quoted };
        out.line(format_args!("go on with: tesuji play {} --game {quoted}", G::NAME))?;
    }
    match ended {
        Ok(Ended::Quit) => Ok(()),
        Ok(Ended::Interrupted) => Err(Failure::No),
        Err(error) => Err(Failure::from(error)),
    }
}

enum Ended {
    Quit,
    /// By Ctrl-C, a signal, or a terminal that is gone.
    Interrupted,
}

fn play<G: Playable>(desk: &mut Desk<G>, terminal: &mut DefaultTerminal) -> io::Result<Ended> {
    loop {
        desk.tick();
        terminal.draw(|frame| render::draw(desk, frame))?;
        if interrupted() {
            return Ok(Ended::Interrupted);
        }
        match wait_for_input(TICK) {
            Input::None => continue,
            Input::HungUp => return Ok(Ended::Interrupted),
            Input::Ready => {}
        }
        while event::poll(SHORT)? {
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
}

/// What a wait for the terminal gave.
enum Input {
    None,
    Ready,
    HungUp,
}

/// Waits for input ourselves: a terminal that has hung up counts as readable, and an event loop would spin on it.
#[cfg(unix)]
fn wait_for_input(time: Duration) -> Input {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdin = rustix::stdio::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    let time = Timespec { tv_sec: 0, tv_nsec: time.subsec_nanos().into() };
    // An error is a signal that arrived while we waited.
    if poll(&mut fds, Some(&time)).unwrap_or(0) == 0 {
        return Input::None;
    }
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    if fds[0].revents().intersects(gone) { Input::HungUp } else { Input::Ready }
}

/// Whether the terminal was closed or its connection lost.
fn hung_up() -> bool {
    cfg!(unix) && matches!(wait_for_input(Duration::ZERO), Input::HungUp)
}

#[cfg(not(unix))]
fn wait_for_input(time: Duration) -> Input {
    if event::poll(time).unwrap_or(false) { Input::Ready } else { Input::None }
}

/// The terminal while it is ours; a panic gives it back too.
struct Screen(DefaultTerminal);

impl Screen {
    fn open() -> Result<Screen, Failure> {
        on_forced_end(ratatui::restore);
        Ok(Screen(ratatui::try_init()?))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

//! Play on the full terminal screen. The terminal is restored however the program ends.

mod app;
mod commands;
mod keys;
mod mouse;
mod panel;
mod render;
#[cfg(test)]
mod tests;
mod window;

use std::io;
use std::time::Duration;

use crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture, Event, KeyEventKind,
};
use crossterm::execute;
use crossterm::terminal::{Clear, ClearType, EnterAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::backend::CrosstermBackend;
use ratatui::{DefaultTerminal, Terminal};
use tesuji_registry::{GameHandle, Session};
use tesuji_task::CancelToken;

use crate::failure::{Done, Failure};
use crate::interrupt::Interrupt;
use crate::out::Out;
use crate::play::saved_lines;
use app::App;
use window::BoardHits;

/// How often to poll the session.
const TICK: Duration = Duration::from_millis(40);
/// How long input that is there may take to become an event.
const SHORT: Duration = Duration::from_millis(1);

pub(super) fn run(game: &GameHandle, session: Box<dyn Session>, native: bool, out: &mut Out) -> Done {
    let cancel = out.cancel_on_interrupt();
    let mut app = App::new(game, session, out.colored);
    app.native = native;
    out.log().hold();
    let mut screen = Screen::open(out.interrupt())?;
    let ended = play(&mut app, &mut screen, &cancel);
    if hung_up() {
        // The game was saved after its last move. Restoring a terminal that is gone would print, and so panic.
        screen.interrupt.set_screen(false);
        std::mem::forget(screen);
        return Err(Failure::No);
    }
    drop(screen);
    out.log().release();
    saved_lines(game, app.view())?.iter().try_for_each(|line| out.line(line))?;
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

fn play(app: &mut App, screen: &mut Screen<'_>, cancel: &CancelToken) -> io::Result<Ended> {
    loop {
        app.tick();
        screen.obey_job_control()?;
        let mut hits = BoardHits::default();
        screen.terminal.draw(|frame| hits = render::draw(app, frame))?;
        app.hits = hits;
        if cancel.is_cancelled() {
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
                    app.press(key);
                }
                Event::Mouse(mouse) => app.mouse(mouse),
                Event::Paste(text) => app.paste(&text),
                _ => {}
            }
            if app.quit {
                return Ok(Ended::Quit);
            }
        }
    }
}

/// The result of waiting for input.
enum Input {
    None,
    Ready,
    HungUp,
}

/// Waits for input with `poll`: a terminal that has hung up is readable, and crossterm would read from it for ever.
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

/// The terminal in raw mode. Dropping it restores the terminal, also on a panic.
struct Screen<'a> {
    terminal: DefaultTerminal,
    interrupt: &'a Interrupt,
}

impl Screen<'_> {
    fn open(interrupt: &Interrupt) -> Result<Screen<'_>, Failure> {
        interrupt.set_screen(true);
        #[cfg(unix)]
        interrupt.job_control().take_over();
        let screen = Screen { terminal: ratatui::try_init()?, interrupt };
        // The hook of ratatui restores the rest of the terminal.
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            release_mouse();
            hook(info);
        }));
        capture_mouse()?;
        Ok(screen)
    }

    /// Stops when asked to, with the terminal as the shell needs it, and draws everything anew when continued.
    #[cfg(unix)]
    fn obey_job_control(&mut self) -> io::Result<()> {
        let job_control = self.interrupt.job_control();
        if job_control.is_stop_requested() {
            release_mouse();
            ratatui::try_restore()?;
            job_control.stop();
        } else if !job_control.is_resumed() {
            return Ok(());
        }
        // The shell may have changed the settings meanwhile. Without this crossterm would think they are as it left them.
        disable_raw_mode()?;
        enable_raw_mode()?;
        execute!(io::stdout(), EnterAlternateScreen, Clear(ClearType::All))?;
        capture_mouse()?;
        // A new one draws everything. `clear` would ask the terminal where its cursor is.
        self.terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
        Ok(())
    }

    #[cfg(not(unix))]
    fn obey_job_control(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Screen<'_> {
    fn drop(&mut self) {
        release_mouse();
        ratatui::restore();
        self.interrupt.set_screen(false);
    }
}

/// From now on clicks and pasted texts are events.
fn capture_mouse() -> io::Result<()> {
    execute!(io::stdout(), EnableMouseCapture, EnableBracketedPaste)
}

/// Clicks and pasted texts belong to the terminal again.
pub(crate) fn release_mouse() {
    // A terminal that is gone needs nothing.
    let _ = execute!(io::stdout(), DisableBracketedPaste, DisableMouseCapture);
}

//! What each key does.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::desk::Desk;
use crate::entry::Playable;

/// Ctrl-C, which a raw terminal hands over as a key.
pub(super) fn is_interrupt(key: &KeyEvent) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL) && matches!(key.code, KeyCode::Char('c' | 'C'))
}

impl<G: Playable> Desk<G> {
    pub(super) fn press(&mut self, key: KeyEvent) {
        if self.help {
            self.help = false;
            return;
        }
        let shifted = key.modifiers.contains(KeyModifiers::SHIFT);
        let control = key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        match key.code {
            KeyCode::Enter => self.enter(),
            KeyCode::Esc => self.escape(),
            KeyCode::Tab => self.cycle(true),
            KeyCode::BackTab => self.cycle(false),
            KeyCode::Down if !shifted => self.cycle(true),
            KeyCode::Up if !shifted => self.cycle(false),
            KeyCode::Left if shifted => self.shift.0 -= 3,
            KeyCode::Right if shifted => self.shift.0 += 3,
            KeyCode::Up => self.shift.1 -= 2,
            KeyCode::Down => self.shift.1 += 2,
            KeyCode::Left => self.look(self.ply().saturating_sub(1)),
            KeyCode::Right => self.look(self.ply() + 1),
            KeyCode::Home => self.look(0),
            KeyCode::End => self.look(usize::MAX),
            KeyCode::Backspace => self.rub_out(),
            KeyCode::F(1) => self.help = true,
            KeyCode::Char('z' | 'Z') if control && shifted => self.redo(),
            KeyCode::Char('z') if control => self.undo(),
            KeyCode::Char('y') if control => self.redo(),
            KeyCode::Char('d') if control => self.leaving = true,
            KeyCode::Char(_) if control => {}
            KeyCode::Char(' ') if self.input.is_empty() => self.toggle_values(),
            KeyCode::Char(letter) if self.input.is_empty() && !self.begins_a_move(letter) => {
                self.shortcut(letter);
            }
            KeyCode::Char(letter) => self.type_text(letter),
            _ => {}
        }
    }

    /// Whether some legal move is written with this letter first: then it is typed, whatever else it means.
    fn begins_a_move(&self, letter: char) -> bool {
        self.legal.iter().any(|(_, text)| text.starts_with(letter))
    }

    fn shortcut(&mut self, letter: char) {
        match letter {
            'q' => self.leaving = true,
            'u' => self.undo(),
            'U' => self.redo(),
            '?' => self.help = true,
            'v' => self.toggle_values(),
            'h' => self.ask_hint(),
            'j' | '0' => self.look(if letter == 'j' { self.ply().saturating_sub(1) } else { 0 }),
            'k' => self.look(self.ply() + 1),
            '$' => self.look(usize::MAX),
            other => self.type_text(other),
        }
    }

    pub(super) fn paste(&mut self, text: &str) {
        text.chars().filter(|letter| !letter.is_control()).for_each(|letter| self.type_text(letter));
    }
}

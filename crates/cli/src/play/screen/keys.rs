//! The keys.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::app::App;

/// Key and meaning, for the help.
pub(super) const KEYS: &[(&str, &str)] = &[
    ("a move, Enter", "plays it"),
    ("Tab ↓ ↑", "selects a legal move"),
    ("Enter", "the engine moves now, for you too"),
    ("u  U", "takes back, plays again"),
    ("← →  Home End", "shows earlier positions"),
    ("v  Space", "values on, off"),
    ("h  :hint", "suggests a move"),
    ("Esc", "clears, or pauses the engine"),
    ("Shift+arrows", "moves a large board"),
    (":resign", "resigns (:declare a win in shogi)"),
    (":save FILE", "saves the game there"),
    (":load FILE", "continues the game of a file"),
    ("q  Ctrl-C", "ends; the game is saved"),
    ("", "A letter that begins a legal move is"),
    ("", "typed; :u :v :h :q work everywhere."),
];

/// Ctrl-C, which is a key on a raw terminal.
pub(super) fn is_interrupt(key: &KeyEvent) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL) && matches!(key.code, KeyCode::Char('c' | 'C'))
}

impl App {
    pub(super) fn press(&mut self, key: KeyEvent) {
        if self.help {
            self.help = false;
            return;
        }
        let shifted = key.modifiers.contains(KeyModifiers::SHIFT);
        let control = key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        let ply = self.view().ply;
        match key.code {
            KeyCode::Enter => self.enter(),
            KeyCode::Esc => self.escape(),
            KeyCode::Tab => self.complete(true),
            KeyCode::BackTab => self.complete(false),
            KeyCode::Down if !shifted => self.complete(true),
            KeyCode::Up if !shifted => self.complete(false),
            KeyCode::Left if shifted => self.shift.0 -= 3,
            KeyCode::Right if shifted => self.shift.0 += 3,
            KeyCode::Up => self.shift.1 -= 2,
            KeyCode::Down => self.shift.1 += 2,
            KeyCode::Left => self.show_ply(ply.saturating_sub(1)),
            KeyCode::Right => self.show_ply(ply + 1),
            KeyCode::Home => self.show_ply(0),
            KeyCode::End => self.show_ply(usize::MAX),
            KeyCode::Backspace => self.backspace(),
            KeyCode::F(1) => self.help = true,
            KeyCode::Char('z' | 'Z') if control && shifted => self.redo(),
            KeyCode::Char('z') if control => self.undo(),
            KeyCode::Char('y') if control => self.redo(),
            KeyCode::Char('d') if control => self.quit = true,
            KeyCode::Char(_) if control => {}
            KeyCode::Char(' ') if self.input.is_empty() => self.toggle_values(),
            KeyCode::Char(letter) if self.input.is_empty() && !self.begins_a_move(letter) => {
                self.shortcut(letter);
            }
            KeyCode::Char(letter) => self.type_char(letter),
            _ => {}
        }
    }

    /// Whether a legal move starts with this letter: then the letter is typed.
    fn begins_a_move(&self, letter: char) -> bool {
        self.view().legal.iter().any(|text| text.starts_with(letter))
    }

    fn shortcut(&mut self, letter: char) {
        let ply = self.view().ply;
        match letter {
            'q' => self.quit = true,
            'u' => self.undo(),
            'U' => self.redo(),
            '?' => self.help = true,
            'v' => self.toggle_values(),
            'h' => self.hint(),
            'j' => self.show_ply(ply.saturating_sub(1)),
            '0' => self.show_ply(0),
            'k' => self.show_ply(ply + 1),
            '$' => self.show_ply(usize::MAX),
            other => self.type_char(other),
        }
    }

    pub(super) fn paste(&mut self, text: &str) {
        text.chars().filter(|letter| !letter.is_control()).for_each(|letter| self.type_char(letter));
    }
}

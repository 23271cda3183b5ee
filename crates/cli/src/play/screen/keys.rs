//! The keys.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::app::App;

/// Key and meaning, for the help. Every line fits a terminal of 40 columns.
pub(super) const KEYS: &[(&str, &str)] = &[
    ("move, Enter", "plays the move"),
    ("Tab ↓ ↑", "selects a legal move"),
    ("click", "cell, or piece and cell"),
    ("Enter", "the engine moves now"),
    (":go", "the engine moves for you"),
    ("u  U", "takes back, plays again"),
    ("← → Home End", "shows earlier positions"),
    ("i  F2", "suggests a move (hint)"),
    ("v  Space", "values of the best moves"),
    ("Esc", "clears, pauses the engine"),
    ("Shift+arrows", "moves a large board"),
    (":resign", "resigns"),
    (":declare", "claims a win, in shogi"),
    (":save FILE", "saves the game there"),
    (":load FILE", "continues that game"),
    (":japanese", "▲７六歩 in shogi, on, off"),
    ("q  Ctrl-C", "ends; the game is saved"),
    ("", "Letters that continue a"),
    ("", "legal move are typed."),
    ("", ":u :i :v :q always work."),
];

/// Ctrl-C, which is a key on a raw terminal.
pub(super) fn is_interrupt(key: &KeyEvent) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL) && matches!(key.code, KeyCode::Char('c' | 'C'))
}

impl App {
    pub(super) fn press(&mut self, key: KeyEvent) {
        if self.help.is_some() {
            return self.turn_help();
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
            KeyCode::F(1) => self.help = Some(0),
            KeyCode::F(2) => self.hint(),
            KeyCode::Char('z' | 'Z') if control && shifted => self.redo(),
            KeyCode::Char('z') if control => self.undo(),
            KeyCode::Char('y') if control => self.redo(),
            KeyCode::Char('d') if control => self.quit = true,
            KeyCode::Char(_) if control => {}
            KeyCode::Char(letter) => self.letter(letter),
            _ => {}
        }
    }

    /// Shows the next page of the help, or closes it.
    pub(super) fn turn_help(&mut self) {
        let next = self.help.map(|first| first + self.hits.help_lines());
        self.help = next.filter(|&first| first < KEYS.len());
    }

    /// A letter is typed if a legal move continues with it; else it is a key, or the beginning of another move. So no
    /// text in the input can disable a key.
    fn letter(&mut self, letter: char) {
        let is_command = self.input.starts_with(':') || (self.input.is_empty() && letter == ':');
        // Native notation is not known letter by letter.
        if is_command || !letter.is_ascii() || self.continues(&format!("{}{letter}", self.input)) {
            self.type_char(letter);
        } else if !self.shortcut(letter) {
            if letter == ':' || self.continues(&letter.to_string()) {
                self.clear_input();
                self.type_char(letter);
            } else {
                self.message = format!("no legal move continues with \"{}{letter}\"; ? shows the keys", self.input);
            }
        }
    }

    /// Does what a key means; `false` if it means nothing.
    fn shortcut(&mut self, letter: char) -> bool {
        let ply = self.view().ply;
        match letter {
            'q' => self.quit = true,
            'u' => self.undo(),
            'U' => self.redo(),
            '?' => self.help = Some(0),
            'v' | ' ' => self.toggle_values(),
            'i' => self.hint(),
            'j' => self.show_ply(ply.saturating_sub(1)),
            '0' => self.show_ply(0),
            'k' => self.show_ply(ply + 1),
            '$' => self.show_ply(usize::MAX),
            _ => return false,
        }
        true
    }

    pub(super) fn paste(&mut self, text: &str) {
        text.chars().filter(|letter| !letter.is_control()).for_each(|letter| self.type_char(letter));
    }
}

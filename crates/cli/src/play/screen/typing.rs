//! The text being typed, and the legal moves it may become.

use super::desk::Desk;
use crate::entry::Playable;

impl<G: Playable> Desk<G> {
    pub(super) fn clear_input(&mut self) {
        self.input.clear();
        self.stem = None;
    }

    pub(super) fn type_text(&mut self, letter: char) {
        self.stem = None;
        if self.input.len() < 200 {
            self.input.push(letter);
        }
    }

    pub(super) fn rub_out(&mut self) {
        self.stem = None;
        self.input.pop();
    }

    /// The legal moves that begin as typed.
    pub(super) fn fitting(&self) -> impl Iterator<Item = &(G::Move, String)> {
        let stem = self.stem.as_ref().unwrap_or(&self.input).to_ascii_lowercase();
        self.legal.iter().filter(move |(_, text)| text.to_ascii_lowercase().starts_with(&stem))
    }

    /// Puts the next, or the previous, fitting move into the input.
    pub(super) fn cycle(&mut self, forward: bool) {
        let fitting: Vec<String> = self.fitting().map(|(_, text)| text.clone()).collect();
        if fitting.is_empty() {
            return;
        }
        let at = fitting.iter().position(|text| *text == self.input).filter(|_| self.stem.is_some());
        let next = match (at, forward) {
            (None, true) => 0,
            (None, false) => fitting.len() - 1,
            (Some(at), true) => (at + 1) % fitting.len(),
            (Some(at), false) => (at + fitting.len() - 1) % fitting.len(),
        };
        let typed = std::mem::take(&mut self.input);
        self.stem.get_or_insert(typed);
        self.input.clone_from(&fitting[next]);
    }

    /// The move the input names.
    pub(super) fn picked(&self) -> Option<G::Move> {
        self.legal.iter().find(|(_, text)| text.eq_ignore_ascii_case(&self.input)).map(|(mv, _)| *mv)
    }
}

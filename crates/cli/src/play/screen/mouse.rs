//! The mouse: a click on a cell places a piece, a click on a piece and one on a cell move it.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use tesuji_registry::{Ground, MoveOnBoard};

use super::app::App;
use crate::draw::Target;

impl App {
    pub(super) fn mouse(&mut self, event: MouseEvent) {
        let ply = self.view().ply;
        match event.kind {
            MouseEventKind::Down(_) if self.help.is_some() => self.turn_help(),
            _ if self.help.is_some() => {}
            MouseEventKind::Down(MouseButton::Left) => match self.hits.at(event.column, event.row) {
                Some(target) => self.click(target),
                None => self.clear_input(),
            },
            MouseEventKind::Down(MouseButton::Right) if !self.input.is_empty() => self.enter(),
            MouseEventKind::ScrollUp => self.show_ply(ply.saturating_sub(1)),
            MouseEventKind::ScrollDown => self.show_ply(ply + 1),
            _ => {}
        }
    }

    /// A click on a cell or on a piece in hand.
    pub(super) fn click(&mut self, target: Target) {
        if let Some(why) = self.no_move_now() {
            self.message = why;
            return;
        }
        if let [only] = &self.view().on_board[..]
            && only.cells.is_empty()
        {
            let pass = only.text.clone();
            self.message = format!("{pass} is the only move: Enter plays it");
            return self.suggest(pass);
        }
        if self.is_placing() {
            let moves = self.moves_where(|mv| Target::Cell(mv.cells[0]) == target);
            return self.choose(&moves, "no legal move goes there");
        }
        if let Some(source) = &self.source {
            let moves = self.moves_where(|mv| self.origin(mv).as_ref() == Some(source) && ends_at(mv, &target));
            if !moves.is_empty() {
                return self.choose(&moves, "");
            }
        }
        let again = self.source.as_ref() == Some(&target);
        let moves = self.moves_where(|mv| self.origin(mv).as_ref() == Some(&target));
        let had_source = self.source.is_some();
        self.clear_input();
        self.message = match moves.len() {
            _ if again => String::new(),
            0 if had_source => "it cannot go there; click a piece".to_owned(),
            0 => "no legal move starts there".to_owned(),
            _ => {
                self.source = Some(target);
                "click where it goes".to_owned()
            }
        };
    }

    /// Plays the only move, or steps through several: a tile, with or without promotion.
    fn choose(&mut self, moves: &[MoveOnBoard], none: &str) {
        let at = moves.iter().position(|mv| mv.text == self.input);
        match (moves, at) {
            ([], _) => {
                self.clear_input();
                self.message = none.to_owned();
            }
            // What is laid or lost is shown first.
            ([only], None) if self.view().board.ground == Ground::Table || self.leaves_the_board(only) => {
                self.message = format!("{}: click again or press Enter to play it", only.text);
                self.pick(only);
            }
            ([only], _) => {
                self.input.clone_from(&only.text);
                self.enter();
            }
            _ => {
                let at = at.map_or(0, |at| (at + 1) % moves.len());
                let (this, next) = (&moves[at], &moves[(at + 1) % moves.len()]);
                self.message = format!("{}: Enter plays it, another click selects {}", this.text, next.text);
                self.pick(this);
            }
        }
    }

    /// Selects a move and keeps the piece that was clicked.
    fn pick(&mut self, mv: &MoveOnBoard) {
        let source = self.source.take();
        self.suggest(mv.text.clone());
        self.source = source;
    }

    fn moves_where(&self, fits: impl Fn(&MoveOnBoard) -> bool) -> Vec<MoveOnBoard> {
        self.view().on_board.iter().filter(|mv| !mv.cells.is_empty() && fits(mv)).cloned().collect()
    }

    /// Whether all moves place something on one cell.
    fn is_placing(&self) -> bool {
        self.view().on_board.iter().all(|mv| mv.cells.len() <= 1 && mv.dropped.is_none())
    }

    fn leaves_the_board(&self, mv: &MoveOnBoard) -> bool {
        mv.cells.len() == 1 && mv.dropped.is_none() && !self.is_placing()
    }

    /// The piece that a move moves, on the board or in hand.
    fn origin(&self, mv: &MoveOnBoard) -> Option<Target> {
        match &mv.dropped {
            Some(letters) => self.view().mover.map(|side| Target::Hand(side, letters.clone())),
            None => mv.cells.first().map(|&cell| Target::Cell(cell)),
        }
    }

    /// Where the clicked piece may go.
    pub(super) fn destinations(&self) -> Vec<usize> {
        let moves = self.moves_where(|mv| self.origin(mv) == self.source && !self.leaves_the_board(mv));
        moves.iter().filter_map(|mv| mv.cells.last().copied()).collect()
    }
}

fn ends_at(mv: &MoveOnBoard, target: &Target) -> bool {
    mv.cells.last().is_some_and(|&cell| Target::Cell(cell) == *target)
}

//! A whole game: `cargo run --example tictactoe -- perft 9`. `docs/add-a-game.md` walks through it.
use tesuji_game::{BoardView, Formats, Game, Ground, Notation, Outcome, Side, TextError, View, ViewCell};

/// The cells: a1, b1, c1, a2, …
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TicTacToe([Option<Side>; 9]);
const SIGNS: [(char, Option<Side>); 3] = [('-', None), ('X', Some(Side::First)), ('O', Some(Side::Second))];
const ROWS: [(usize, usize); 8] = [(0, 1), (3, 1), (6, 1), (0, 3), (1, 3), (2, 3), (0, 4), (2, 2)]; // from, step

impl Game for TicTacToe {
    type Move = u8; // the cell, 0 to 8
    type Moves = Vec<u8>;
    type Undo = u8;
    type Rules = ();
    const NAME: &'static str = "tictactoe";
    const RECURS: bool = false;

    fn start() -> Self {
        TicTacToe([None; 9])
    }
    fn mover(&self) -> Side {
        Side::BOTH[self.0.iter().flatten().count() % 2]
    }
    fn moves(&mut self, out: &mut Vec<u8>) {
        let over = self.outcome().is_some();
        *out = (0..9).filter(|&cell| !over && self.0[usize::from(cell)].is_none()).collect();
    }
    fn play(&mut self, cell: u8) -> u8 {
        self.0[usize::from(cell)] = Some(self.mover());
        cell
    }
    fn undo(&mut self, cell: u8) {
        self.0[usize::from(cell)] = None;
    }
    fn outcome(&self) -> Option<Outcome> {
        let same = |a: usize, b: usize| self.0[a] == self.0[b];
        let winner = ROWS.iter().find_map(|&(a, s)| self.0[a].filter(|_| same(a, a + s) && same(a, a + 2 * s)));
        (winner.is_some() || !self.0.contains(&None)).then(|| Outcome::of(winner, self.mover()))
    }
}
impl Notation for TicTacToe {
    fn parse(text: &str) -> Result<Self, TextError> {
        let side = |sign| SIGNS.iter().find(|known| known.0 == sign).map(|known| known.1);
        let cells = text.chars().map(side).collect::<Option<Vec<_>>>().and_then(|all| all.try_into().ok());
        let fair = |game: &Self| [0, 1].contains(&game.0.iter().flatten().map(|&side| 1 - 2 * side as i32).sum());
        let wrong = || TextError::new(text, 0, "a board is nine of X O -, a1 first, as many X as O or one more");
        cells.map(TicTacToe).filter(fair).ok_or_else(wrong)
    }
    fn print(&self) -> String {
        self.0.iter().map(|cell| SIGNS[cell.map_or(0, |side| side.index() + 1)].0).collect()
    }
    fn print_move(&self, cell: u8) -> String {
        format!("{}{}", ['a', 'b', 'c'][usize::from(cell % 3)], cell / 3 + 1)
    }
}
impl Formats for TicTacToe {}
impl BoardView for TicTacToe {
    fn view(&self) -> View {
        View::grid(3, Ground::Felt, self.0.map(|cell| cell.map_or(ViewCell::Empty, ViewCell::Disc)).to_vec())
    }
    fn cells(&self, cell: u8) -> Vec<usize> {
        vec![cell.into()]
    }
}
fn main() -> std::process::ExitCode {
    tesuji_cli::run(&tesuji_registry::Registry::of::<TicTacToe>("three in a row"))
}

//! A game of one heap, which breaks at a word.

use tesuji_game::{BoardView, Formats, Game, Ground, Notation, Outcome, Side, TextError, View, ViewCell};
use tesuji_registry::Registry;

/// Take one or two; who takes the last one wins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Nim {
    heap: u8,
    mover: Side,
}

/// The registry with this game alone.
pub(crate) fn registry() -> Registry {
    Registry::of::<Nim>("take one or two")
}

impl Game for Nim {
    type Move = u8;
    type Moves = Vec<u8>;
    type Undo = u8;
    type Rules = ();
    const NAME: &'static str = "nim";
    const RECURS: bool = false;

    fn start() -> Nim {
        Nim { heap: 7, mover: Side::First }
    }

    fn mover(&self) -> Side {
        self.mover
    }

    fn moves(&mut self, list: &mut Vec<u8>) {
        list.clear();
        list.extend((1..=2).filter(|&count| count <= self.heap));
    }

    fn play(&mut self, count: u8) -> u8 {
        self.heap -= count;
        self.mover = !self.mover;
        count
    }

    fn undo(&mut self, count: u8) {
        self.heap += count;
        self.mover = !self.mover;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.heap == 0).then_some(Outcome::Loss)
    }
}

impl Notation for Nim {
    fn parse(text: &str) -> Result<Nim, TextError> {
        assert_ne!(text, "panic", "as asked for");
        let heap = text.parse().map_err(|_| TextError::new(text, 0, "a number"))?;
        Ok(Nim { heap, mover: Side::First })
    }

    fn print(&self) -> String {
        self.heap.to_string()
    }

    fn print_move(&self, count: u8) -> String {
        count.to_string()
    }
}

impl Formats for Nim {}

impl BoardView for Nim {
    fn view(&self) -> View {
        View::grid(1, Ground::Wood, vec![ViewCell::Empty])
    }

    fn cells(&self, _: u8) -> Vec<usize> {
        vec![0]
    }
}

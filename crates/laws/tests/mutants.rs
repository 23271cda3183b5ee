//! Mutation tests of the kit: a toy game with one defect at a time, and the property test that finds it.

use std::panic::catch_unwind;

use tesuji_game::{
    BoardView, Format, Formats, Game, Ground, LINES, Notation, Outcome, Packed, ParsedRecord, Record, Side, Symmetric,
    TextError, View, ViewCell, lines,
};

/// The defects.
mod fault {
    pub(crate) const NONE: u8 = 0;
    pub(crate) const UNDO: u8 = 1;
    pub(crate) const TWICE: u8 = 2;
    pub(crate) const COUNT: u8 = 3;
    pub(crate) const OUTCOME: u8 = 4;
    pub(crate) const KEY: u8 = 5;
    pub(crate) const LEAVES: u8 = 6;
    pub(crate) const PRINT: u8 = 7;
    pub(crate) const PANIC: u8 = 8;
    pub(crate) const PLACE: u8 = 9;
    pub(crate) const RECORD: u8 = 10;
    pub(crate) const DAMAGE: u8 = 11;
    pub(crate) const VIEW: u8 = 12;
    pub(crate) const IMAGE: u8 = 13;
    pub(crate) const MOVES: u8 = 14;
    pub(crate) const PACK: u8 = 15;
    pub(crate) const UNPACK: u8 = 16;
}

/// Two piles: take one or two from either. The player who takes the last one wins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Piles<const FAULT: u8> {
    piles: [u8; 2],
    plies: u8,
}

impl<const FAULT: u8> Game for Piles<FAULT> {
    /// Pile and number: `10 * pile + taken`.
    type Move = u8;
    type Moves = Vec<u8>;
    type Undo = Self;
    type Rules = ();
    const NAME: &'static str = "piles";

    fn start() -> Self {
        Piles { piles: [7, 7], plies: 0 }
    }

    fn mover(&self) -> Side {
        Side::BOTH[usize::from(self.plies % 2)]
    }

    fn moves(&mut self, out: &mut Vec<u8>) {
        let legal = |mv: &u8| mv % 10 <= self.piles[usize::from(mv / 10)];
        *out = [1, 2, 11, 12].into_iter().filter(legal).collect();
        if FAULT == fault::TWICE && self.plies == 5 {
            out.extend(out.first().copied());
        }
        if FAULT == fault::MOVES && self.plies == 5 {
            out.pop();
        }
    }

    fn count(&mut self) -> u64 {
        let count: u64 = self.piles.iter().map(|&pile| u64::from(pile.min(2))).sum();
        if FAULT == fault::COUNT && self.piles == [1, 1] { 3 } else { count }
    }

    fn play(&mut self, mv: u8) -> Self {
        let before = *self;
        self.piles[usize::from(mv / 10)] -= mv % 10;
        self.plies += 1;
        before
    }

    fn undo(&mut self, before: Self) {
        *self = before;
        if FAULT == fault::UNDO && self.piles == [0, 2] {
            self.piles = [2, 0];
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let over = self.piles == [0, 0] || (FAULT == fault::OUTCOME && self.piles == [0, 1]);
        over.then_some(Outcome::Loss)
    }

    fn key(&self) -> u64 {
        let [a, b] = self.piles.map(u64::from);
        let b = if FAULT == fault::KEY { b / 2 } else { b };
        a * 1_000_003 + b * 1009 + u64::from(self.plies)
    }

    fn leaves(&mut self, depth: u32) -> u64 {
        let leaves = tesuji_game::perft::walk(self, depth);
        if FAULT == fault::LEAVES && depth == 3 { leaves + 1 } else { leaves }
    }
}

impl<const FAULT: u8> Notation for Piles<FAULT> {
    fn parse(text: &str) -> Result<Self, TextError> {
        if FAULT == fault::PANIC && text.contains('é') {
            panic!("an accent");
        }
        let at = if FAULT == fault::PLACE { 1000 } else { 0 };
        let numbers: Option<Vec<u8>> = text.split(' ').map(|word| word.parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[a, b, plies]) if a <= 7 && b <= 7 && plies <= 100 => Ok(Piles { piles: [a, b], plies }),
            _ => Err(TextError::new(text, at, "write two piles and the plies")),
        }
    }

    fn print(&self) -> String {
        let [a, b] = self.piles;
        let plies = if FAULT == fault::PRINT { self.plies / 4 } else { self.plies };
        format!("{a} {b} {plies}")
    }

    fn print_move(&self, mv: u8) -> String {
        format!("{}x{}", mv / 10, mv % 10)
    }
}

impl<const FAULT: u8> Formats for Piles<FAULT> {
    const FORMATS: &'static [Format] = &[LINES];

    fn read<'a>(_: Format, bytes: &'a [u8]) -> Box<dyn Iterator<Item = ParsedRecord<Self>> + 'a> {
        assert!(FAULT != fault::DAMAGE || bytes.last().is_none_or(|&last| last == b'\n'), "cut short");
        Box::new(lines::read(bytes))
    }

    fn write(_: Format, record: &Record<Self>) -> Result<Vec<u8>, String> {
        let mut text = lines::write(record);
        if record.plies().is_empty() {
            return Err("an empty line is no record".to_owned());
        }
        if FAULT == fault::RECORD && text.len() > 20 {
            text = text.replace("0x1", "0x2");
        }
        Ok(text.into_bytes())
    }
}

impl<const FAULT: u8> BoardView for Piles<FAULT> {
    fn view(&self) -> View {
        let cells = if FAULT == fault::VIEW { 1 } else { 2 };
        let mut view = View::grid(2, Ground::Table, vec![ViewCell::Empty; 2]);
        view.cells.truncate(cells);
        view
    }

    fn cells(&self, mv: u8) -> Vec<usize> {
        vec![usize::from(mv / 10)]
    }
}

impl<const FAULT: u8> Symmetric for Piles<FAULT> {
    const SYMMETRIES: usize = 2;

    fn image(&self, symmetry: usize) -> Self {
        let [a, b] = self.piles;
        if symmetry == 0 || (FAULT == fault::IMAGE && a == 3) { *self } else { Piles { piles: [b, a], ..*self } }
    }

    fn image_move(&self, mv: u8, symmetry: usize) -> u8 {
        if symmetry == 0 { mv } else { (mv + 10) % 20 }
    }
}

impl<const FAULT: u8> Packed for Piles<FAULT> {
    const PACKING: &'static str = "piles/1";
    const BYTES: usize = 3;

    fn pack(&self, bytes: &mut [u8]) -> bool {
        let [a, b, plies] = bytes else { return false };
        [*a, *b] = self.piles;
        *plies = if FAULT == fault::PACK { self.plies / 4 } else { self.plies };
        self.piles.into_iter().all(|pile| pile <= 7)
    }

    fn unpack(bytes: &[u8]) -> Option<Self> {
        match *bytes {
            [a, b, plies] if (a <= 7 && b <= 7) || FAULT == fault::UNPACK => Some(Piles { piles: [a, b], plies }),
            _ => None,
        }
    }
}

/// The same game as another type, as the reference implementation.
impl<const FAULT: u8> From<&Piles<FAULT>> for Piles<{ fault::NONE }> {
    fn from(game: &Piles<FAULT>) -> Self {
        Piles { piles: game.piles, plies: game.plies }
    }
}

#[test]
fn a_correct_game_passes() {
    type Sound = Piles<{ fault::NONE }>;
    tesuji_laws::rules::<Sound>();
    tesuji_laws::perft::<Sound>(4);
    tesuji_laws::text::<Sound>();
    tesuji_laws::records::<Sound>();
    tesuji_laws::symmetry::<Sound>();
    tesuji_laws::view::<Sound>();
    tesuji_laws::packed::<Sound>(true);
}

#[test]
fn every_defect_is_found() {
    let caught: [(&str, fn()); 16] = [
        ("undo", tesuji_laws::rules::<Piles<{ fault::UNDO }>>),
        ("twice", tesuji_laws::rules::<Piles<{ fault::TWICE }>>),
        ("count", tesuji_laws::rules::<Piles<{ fault::COUNT }>>),
        ("outcome", tesuji_laws::rules::<Piles<{ fault::OUTCOME }>>),
        ("key", tesuji_laws::rules::<Piles<{ fault::KEY }>>),
        ("leaves", || tesuji_laws::perft::<Piles<{ fault::LEAVES }>>(3)),
        ("print", tesuji_laws::text::<Piles<{ fault::PRINT }>>),
        ("panic", || tesuji_laws::fuzz::position_text::<Piles<{ fault::PANIC }>>("é".as_bytes())),
        ("place", tesuji_laws::text::<Piles<{ fault::PLACE }>>),
        ("record", tesuji_laws::records::<Piles<{ fault::RECORD }>>),
        ("damage", tesuji_laws::records::<Piles<{ fault::DAMAGE }>>),
        ("view", tesuji_laws::view::<Piles<{ fault::VIEW }>>),
        ("image", tesuji_laws::symmetry::<Piles<{ fault::IMAGE }>>),
        ("moves", tesuji_laws::reference::<Piles<{ fault::MOVES }>, Piles<{ fault::NONE }>>),
        ("pack", || tesuji_laws::packed::<Piles<{ fault::PACK }>>(true)),
        ("unpack", || tesuji_laws::packed::<Piles<{ fault::UNPACK }>>(true)),
    ];
    let missed: Vec<&str> =
        caught.iter().filter(|(_, test)| catch_unwind(test).is_ok()).map(|(name, _)| *name).collect();
    assert_eq!(missed, [""; 0], "defects that no property test found");
}

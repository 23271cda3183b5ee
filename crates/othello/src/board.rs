//! The position: two bitboards from the mover's point of view, and the rules.

use tesuji_game::{Ending, Game, Margin, Outcome, Path, Side};

use crate::{Move, Moves, Square, flips, kernel, mobility};

/// A position, from the mover's point of view. The two sets never overlap. Any other position is allowed, even an empty
/// board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Othello {
    own: u64,
    other: u64,
    mover: Side,
}

impl Othello {
    /// The position with these discs of the mover and of the opponent; none when the two overlap.
    pub const fn new(own: u64, other: u64, mover: Side) -> Option<Othello> {
        if own & other == 0 { Some(Othello { own, other, mover }) } else { None }
    }

    /// The mover's discs.
    #[inline]
    pub const fn own(&self) -> u64 {
        self.own
    }

    /// The opponent's discs.
    #[inline]
    pub const fn other(&self) -> u64 {
        self.other
    }

    /// The empty squares.
    #[inline]
    pub const fn empties(&self) -> u64 {
        !(self.own | self.other)
    }

    /// The discs of one side: black is [`Side::First`].
    pub fn discs(&self, side: Side) -> u64 {
        if side == self.mover { self.own } else { self.other }
    }

    /// The final score of this board for the mover: the empty squares count for the side with more discs.
    pub const fn score(&self) -> i32 {
        let own = self.own.count_ones() as i32;
        let other = self.other.count_ones() as i32;
        let empties = 64 - own - other;
        own - other + empties * (own - other).signum()
    }

    /// The position with every disc moved by `place`, which must keep squares apart.
    pub(crate) fn placed(&self, place: impl Fn(u64) -> u64, mover: Side) -> Othello {
        Othello { own: place(self.own), other: place(self.other), mover }
    }

    /// Whether neither side can move.
    pub fn is_over(&self) -> bool {
        mobility(self.own, self.other) == 0 && mobility(self.other, self.own) == 0
    }

    /// Whether the mover must pass: only the opponent has a move.
    pub fn must_pass(&self) -> bool {
        mobility(self.own, self.other) == 0 && mobility(self.other, self.own) != 0
    }

    /// Whether the mover may put a disc on `square`.
    pub fn is_legal(&self, square: Square) -> bool {
        flips(self.own, self.other, square) != 0
    }
}

impl Game for Othello {
    type Move = Move;
    type Moves = Moves;
    type Undo = Othello;
    type Rules = ();

    const NAME: &'static str = "othello";
    const REASONS: &'static [&'static str] = &["discs"];
    const RECURS: bool = false;
    const FINISHED_IS_LEAF: bool = true;

    fn start() -> Othello {
        const BLACK: u64 = 1 << 28 | 1 << 35; // e4 d5
        const WHITE: u64 = 1 << 27 | 1 << 36; // d4 e5
        Othello { own: BLACK, other: WHITE, mover: Side::First }
    }

    #[inline]
    fn mover(&self) -> Side {
        self.mover
    }

    #[inline]
    fn moves(&mut self, out: &mut Moves) {
        let squares = mobility(self.own, self.other);
        *out = Moves { squares, pass: squares == 0 && mobility(self.other, self.own) != 0 };
    }

    #[inline]
    fn count(&mut self) -> u64 {
        match mobility(self.own, self.other) {
            0 => u64::from(mobility(self.other, self.own) != 0),
            squares => u64::from(squares.count_ones()),
        }
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Othello {
        let before = *self;
        let changed = match mv.square() {
            Some(square) => {
                let turned = kernel::flips_of_empty(self.own, self.other, square);
                debug_assert!(turned != 0 && self.empties() & square.bit() != 0, "{square} is illegal in {self:?}");
                turned | square.bit()
            }
            None => {
                debug_assert!(self.must_pass(), "no pass is allowed in {self:?}");
                0
            }
        };
        *self = Othello { own: self.other & !changed, other: self.own | changed, mover: !self.mover };
        before
    }

    #[inline]
    fn undo(&mut self, before: Othello) {
        *self = before;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.margin().map(|margin| match margin {
            0 => Outcome::Draw,
            1.. => Outcome::Win,
            _ => Outcome::Loss,
        })
    }

    #[inline]
    fn key(&self) -> u64 {
        const WHITE_TO_MOVE: u64 = 0x6c62_272e_07bb_0142;
        let mover = if self.mover == Side::First { 0 } else { WHITE_TO_MOVE };
        // Both products depend on all lower bits only, so their halves are crossed before the last rounds.
        let own = self.own.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let other = self.other.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
        let mixed = (own ^ other ^ mover).wrapping_mul(0xff51_afd7_ed55_8ccd);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        mixed ^ mixed >> 29
    }

    fn ending(&self, _: &Path<Othello>) -> Option<Ending> {
        let winner = self.outcome()?.winner(self.mover);
        Some(Ending { winner, reason: "discs" })
    }

    fn leaves(&mut self, depth: u32) -> u64 {
        kernel::leaves(self.own, self.other, depth)
    }
}

impl Margin for Othello {
    const COUNTED: &'static str = "discs";

    fn counts(&self) -> [u32; 2] {
        Side::BOTH.map(|side| self.discs(side).count_ones())
    }

    fn final_score(&self) -> Option<[u32; 2]> {
        let own = (64 + self.score()).cast_unsigned() / 2;
        let score = if self.mover == Side::First { [own, 64 - own] } else { [64 - own, own] };
        self.is_over().then_some(score)
    }

    fn margin(&self) -> Option<i32> {
        self.is_over().then(|| self.score())
    }
}

//! Toy games whose boards are indexed by listing them.

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Mutex;

use tesuji_game::{BoardRank, NO_MOVE, Outcome, PerfectIndex, Predecessor, Successor};
use tesuji_task::CancelToken;

/// The rules of a toy game, spelled out.
pub(crate) trait Toy: Sync {
    type Board: Copy + Eq + Ord + Hash + Debug + Send + Sync;

    /// All boards in play.
    fn boards(&self) -> Vec<Self::Board>;

    /// Classes by the stage they are solved in.
    fn stages(&self) -> &'static [&'static [u8]];

    fn class(&self, board: Self::Board) -> u8;

    /// Every move, and the board after it or how the game ended for the mover.
    fn moves(&self, board: Self::Board) -> Vec<(u8, Result<Self::Board, Outcome>)>;

    /// How many symmetries there are, the identity being 0.
    fn symmetries(&self) -> u8;

    fn image(&self, board: Self::Board, symmetry: u8) -> Self::Board;

    fn image_move(&self, mv: u8, symmetry: u8) -> u8;

    /// The move that would take back the one from `before` to `after`.
    fn reply(&self, before: Self::Board, after: Self::Board) -> u8 {
        let back = self.moves(after).into_iter().find(|(_, result)| *result == Ok(before));
        back.map_or(NO_MOVE, |(mv, _)| mv)
    }
}

/// A toy game with its index.
pub(crate) struct Listed<T: Toy> {
    pub(crate) toy: T,
    boards: Vec<Vec<T::Board>>,
    numbers: HashMap<T::Board, u32>,
    past: HashMap<(u8, u32), Vec<Predecessor>>,
    /// Is cancelled after so many looks at boards.
    fuse: Mutex<Option<(usize, CancelToken)>>,
}

impl<T: Toy> Listed<T> {
    pub(crate) fn new(toy: T) -> Listed<T> {
        let classes = toy.stages().iter().flat_map(|classes| classes.iter()).max().map_or(0, |&class| class + 1);
        let mut boards = vec![Vec::new(); classes.into()];
        for board in toy.boards() {
            if (0..toy.symmetries()).all(|symmetry| toy.image(board, symmetry) >= board) {
                boards[usize::from(toy.class(board))].push(board);
            }
        }
        let mut numbers = HashMap::new();
        for class in &mut boards {
            class.sort_unstable();
            numbers.extend(class.iter().copied().zip(0..));
        }
        let mut listed = Listed { toy, boards, numbers, past: HashMap::new(), fuse: Mutex::default() };
        listed.past = listed.find_past();
        listed
    }

    /// A token that is cancelled after so many looks at boards, in the middle of whatever looks.
    pub(crate) fn cancelled_after(&self, looks: usize) -> CancelToken {
        let token = CancelToken::new();
        *self.fuse.lock().expect("no panic") = Some((looks, token.clone()));
        token
    }

    fn look(&self) {
        if let Some((left, token)) = &mut *self.fuse.lock().expect("no panic") {
            *left = left.saturating_sub(1);
            if *left == 0 {
                token.cancel();
            }
        }
    }

    fn find_past(&self) -> HashMap<(u8, u32), Vec<Predecessor>> {
        let mut past: HashMap<(u8, u32), Vec<Predecessor>> = HashMap::new();
        for (class, boards) in (0..).zip(&self.boards) {
            for (index, &board) in (0..).zip(boards) {
                self.successors(board, |mv, step| {
                    if let Successor::Board(next, reply) = step {
                        let place = self.rank(next);
                        let reply = if reply == NO_MOVE { reply } else { self.image(reply, place.symmetry) };
                        let symmetric = self.is_symmetric(board);
                        let back = Predecessor { class, index, mv, reply, symmetric };
                        past.entry((place.class, place.index)).or_default().push(back);
                    }
                });
            }
        }
        past
    }

    fn stage(&self, class: u8) -> Option<usize> {
        self.toy.stages().iter().position(|classes| classes.contains(&class))
    }
}

impl<T: Toy> PerfectIndex for Listed<T> {
    type Board = T::Board;

    fn stages(&self) -> &[&[u8]] {
        self.toy.stages()
    }

    /// One index more than boards, so that there is a gap.
    fn size(&self, class: u8) -> u32 {
        self.boards[usize::from(class)].len() as u32 + 1
    }

    fn class_name(&self, class: u8) -> String {
        format!("{class}")
    }

    fn class(&self, board: T::Board) -> u8 {
        self.toy.class(board)
    }

    fn rank(&self, board: T::Board) -> BoardRank {
        let images = (0..self.toy.symmetries()).map(|symmetry| (self.toy.image(board, symmetry), symmetry));
        let (least, symmetry) = images.min().expect("a board is its own image");
        let symmetric = self.is_symmetric(board);
        BoardRank { class: self.toy.class(board), index: self.numbers[&least], symmetry, symmetric }
    }

    fn unrank(&self, class: u8, index: u32) -> Option<T::Board> {
        self.look();
        self.boards[usize::from(class)].get(index as usize).copied()
    }

    fn image(&self, mv: u8, symmetry: u8) -> u8 {
        self.toy.image_move(mv, symmetry)
    }

    fn is_symmetric(&self, board: T::Board) -> bool {
        (1..self.toy.symmetries()).any(|symmetry| self.toy.image(board, symmetry) == board)
    }

    fn equivalent_moves(&self, board: T::Board, mv: u8, visit: impl FnMut(u8)) {
        let keeps = |symmetry: &u8| self.toy.image(board, *symmetry) == board;
        (0..self.toy.symmetries()).filter(keeps).map(|symmetry| self.toy.image_move(mv, symmetry)).for_each(visit);
    }

    fn wins_in_one(&self, board: T::Board) -> bool {
        self.toy.moves(board).iter().any(|(_, result)| *result == Err(Outcome::Win))
    }

    fn successors(&self, board: T::Board, mut visit: impl FnMut(u8, Successor<T::Board>)) {
        for (mv, result) in self.toy.moves(board) {
            visit(mv, result.map_or_else(Successor::End, |next| Successor::Board(next, self.toy.reply(board, next))));
        }
    }

    fn after(&self, board: T::Board, mv: u8) -> Option<(T::Board, u8)> {
        let found = self.toy.moves(board).into_iter().find(|&(listed, _)| listed == mv);
        let next = found?.1.ok()?;
        Some((next, self.toy.reply(board, next)))
    }

    fn predecessors(&self, class: u8, index: u32, visit: impl FnMut(Predecessor)) {
        self.look();
        let within = |back: &&Predecessor| self.stage(back.class) == self.stage(class);
        self.past.get(&(class, index)).into_iter().flatten().filter(within).copied().for_each(visit);
    }

    fn conversions(&self, class: u8, index: u32, visit: impl FnMut(Predecessor)) {
        let later = |back: &&Predecessor| self.stage(back.class) != self.stage(class);
        self.past.get(&(class, index)).into_iter().flatten().filter(later).copied().for_each(visit);
    }
}

//! Counting the tree: plays every move but the last two plies' worth, which are sketched and counted.

use crate::Moves;
use crate::board::Board;
use crate::colour::Colour;
use crate::count::count;
use crate::generate::generate;

/// One list for each ply that writes its moves down: all but the last.
pub(crate) fn lists(depth: u32) -> Vec<Moves> {
    (1..depth).map(|_| Moves::default()).collect()
}

/// The leaves one ply below the lists; `deeper` does the same for the other side and the lists left.
#[inline(always)]
pub(crate) fn descend<C: Colour>(
    board: &mut Board,
    lists: &mut [Moves],
    deeper: impl Fn(&mut Board, &mut [Moves]) -> u64,
) -> u64 {
    let Some((here, below)) = lists.split_first_mut() else { return count::<C>(board) };
    generate::<C>(board, here);
    let mut leaves = 0;
    for &mv in here.as_slice() {
        if below.is_empty() {
            board.sketch::<C>(mv);
            leaves += count::<C::Other>(board);
            board.erase::<C>(mv);
        } else {
            let undo = board.play(mv);
            leaves += deeper(board, below);
            board.undo(undo);
        }
    }
    leaves
}

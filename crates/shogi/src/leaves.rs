//! Counting the tree: plays every move but the last two plies' worth, which are sketched and counted.

use crate::Moves;
use crate::board::Board;
use crate::generate::generate;
use crate::replies::Replies;
use crate::side::StaticSide;

/// One list for each ply that writes its moves down: all but the last.
pub(crate) fn lists(depth: u32) -> Vec<Moves> {
    (1..depth).map(|_| Moves::default()).collect()
}

/// The leaves one ply below the lists; `deeper` does the same for the other side and the lists left.
#[inline(always)]
pub(crate) fn descend<C: StaticSide>(
    board: &mut Board,
    lists: &mut [Moves],
    count: impl Fn(&Board) -> u64,
    deeper: impl Fn(&mut Board, &mut [Moves]) -> u64,
) -> u64 {
    let Some((here, below)) = lists.split_first_mut() else { return 0 };
    generate::<C>(board, here);
    let mut leaves = 0;
    if below.is_empty() {
        let replies = Replies::foresee::<C>(board);
        let mut sketch = board.clone();
        for &mv in here.as_slice() {
            leaves += match replies.after::<C>(board, mv) {
                Some(replies) => replies,
                None => {
                    sketch.sketch::<C>(board, mv);
                    let replies = count(&sketch);
                    sketch.erase::<C>(board, mv);
                    replies
                }
            };
        }
    } else {
        for &mv in here.as_slice() {
            let undo = board.play(mv);
            leaves += deeper(board, below);
            board.undo(undo);
        }
    }
    leaves
}

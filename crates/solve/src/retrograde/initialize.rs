//! Initialisation: the first pass over all boards of a stage finds wins in one, counts moves, and derives the
//! limit set by moves to earlier stages, whose values are known.
//!
//! The limit is one byte. Odd: a move to an earlier stage wins in this many plies. Even: every such move
//! loses, and the board cannot be lost in fewer plies; 0 when there is no such move. [`NEVER`]: one of them
//! draws, so the board is not lost. With the limit stored, earlier stages are not read again.

use tesuji_game::{NO_MOVE, Outcome, PerfectIndex, Successor};
use tesuji_task::CancelToken;

use super::messages::BLOCK;
use super::stage::{EarlierValues, Phase, Stage};
use super::state::{BoardState, MOST, Status, UNCOUNTED};

/// Not lost, whatever the other moves lead to. Odd, so it is never taken for a loss, and larger than any DTW.
pub(super) const NEVER: u8 = u8::MAX;

/// Blocks per round.
const ROUND: usize = 256;

/// Totals of the first pass.
#[derive(Default)]
struct ScanTotals {
    symmetric_boards: Vec<u32>,
    decided: u64,
    horizon: u8,
    overflow: Option<usize>,
}

/// Initialises some blocks; none when cancelled. The error is the position of a board with more moves than the count
/// can hold.
pub(super) fn round<G: PerfectIndex>(
    stage: &mut Stage<'_, G>,
    earlier: &EarlierValues<'_>,
    threads: usize,
    cancel: &CancelToken,
) -> Result<(), usize> {
    let Phase::Initialize { block } = stage.phase else { return Ok(()) };
    let last = (block + ROUND).min(stage.blocks());
    let range = block * BLOCK..(last * BLOCK).min(stage.size);
    let (game, layout) = (stage.game, &stage.layout);
    let first = stage.first[range.clone()].chunks_mut(BLOCK);
    let second = stage.second[range.clone()].chunks_mut(BLOCK);
    let states = stage.states.words_mut()[range.clone()].chunks_mut(BLOCK);
    let tasks = (range.start..).step_by(BLOCK).zip(states.zip(first.zip(second))).collect();
    let looks = tesuji_task::fold(threads, tasks, |(start, (states, (first, second))), look: &mut ScanTotals| {
        if cancel.is_cancelled() {
            return;
        }
        for (offset, state) in states.iter_mut().enumerate() {
            let at = start + offset;
            let (class, index) = layout.place(at);
            let found = first_look(game, class, index, |board| match known(game, board, earlier) {
                None => Earlier::Within,
                Some(value) => Earlier::Value(value),
            });
            *state = found.state.0;
            first[offset] = found.value;
            second[offset] = found.limit;
            look.decided += u64::from(found.value != 0);
            if found.symmetric_boards {
                look.symmetric_boards.push(at as u32);
            }
            look.horizon = look.horizon.max(found.horizon);
            if found.overflow {
                look.overflow = Some(at);
            }
        }
    });
    if cancel.is_cancelled() {
        // The boards are initialised again.
        return Ok(());
    }
    let found = stage.symmetric_boards.len();
    for look in looks {
        stage.symmetric_boards.extend(look.symmetric_boards);
        stage.progress.decided += look.decided;
        stage.progress.horizon = stage.progress.horizon.max(look.horizon);
        if let Some(at) = look.overflow {
            return Err(at);
        }
    }
    // Independent of the thread that found them.
    stage.symmetric_boards[found..].sort_unstable();
    stage.phase = if last == stage.blocks() {
        Phase::Propagate { layer: 1, block: 0 }
    } else {
        Phase::Initialize { block: last }
    };
    Ok(())
}

pub(super) struct FirstLook {
    pub(super) state: BoardState,
    pub(super) value: u8,
    pub(super) limit: u8,
    /// The last layer at which the limit matters.
    pub(super) horizon: u8,
    pub(super) symmetric_boards: bool,
    pub(super) overflow: bool,
}

/// What is known of a successor before its stage is solved.
pub(super) enum Earlier {
    /// It belongs to this stage.
    Within,
    /// It belongs to an earlier stage and has this value.
    Value(u8),
    /// It belongs to an earlier stage, and its value is added to the limit later.
    Later,
}

/// Looks at a board for the first time. `earlier` says what is known of a successor that has no win in one.
#[inline(always)]
pub(super) fn first_look<G: PerfectIndex>(
    game: &G,
    class: u8,
    index: u32,
    earlier: impl Fn(G::Board) -> Earlier,
) -> FirstLook {
    let done = |value: u8| {
        let state = BoardState::new(Status::Final, NO_MOVE, UNCOUNTED);
        FirstLook { state, value, limit: 0, horizon: 0, symmetric_boards: false, overflow: false }
    };
    let Some(board) = game.unrank(class, index) else { return done(0) };
    if game.wins_in_one(board) {
        return done(1);
    }
    let (mut count, mut xor, mut highest) = (0, 0, 0);
    let (mut wins, mut loses, mut horizon) = (NEVER, 0, 0);
    game.successors(board, |mv, step| match step {
        Successor::End(Outcome::Draw) => loses = NEVER,
        Successor::End(Outcome::Win) => wins = 1,
        Successor::End(Outcome::Loss) => {}
        Successor::Board(next, _) if game.wins_in_one(next) => {}
        Successor::Board(next, _) => match earlier(next) {
            Earlier::Later => {}
            Earlier::Within => {
                count += 1;
                xor ^= mv;
                highest = mv.max(highest);
            }
            Earlier::Value(0) => loses = NEVER,
            Earlier::Value(value) => {
                horizon = horizon.max(value + 1);
                if value % 2 == 0 {
                    wins = wins.min(value + 1);
                } else {
                    loses = loses.max(value + 1);
                }
            }
        },
    });
    let overflow = count > MOST || highest >= NO_MOVE;
    // The move count of a symmetric board is misleading, so it is evaluated forwards and has no limit.
    let symmetric_boards = game.is_symmetric(board);
    let (xor, count) = if symmetric_boards { (0, UNCOUNTED) } else { (xor, count.min(MOST)) };
    let limit = match (symmetric_boards, wins) {
        (true, _) => NEVER,
        (false, NEVER) => loses,
        (false, wins) => wins,
    };
    FirstLook { state: BoardState::new(Status::Open, xor, count), value: 0, limit, horizon, symmetric_boards, overflow }
}

/// The limit after one more move to an earlier stage, to a board of this value.
#[inline(always)]
pub(super) fn limited(limit: u8, value: u8) -> u8 {
    let more = if value == 0 { NEVER } else { value + 1 };
    match (limit % 2 == 1 && limit != NEVER, more % 2 == 1 && more != NEVER) {
        (true, true) => limit.min(more),
        (true, false) => limit,
        (false, true) => more,
        (false, false) => limit.max(more),
    }
}

/// The value of a board of an earlier stage; `None` for a board of this stage.
#[inline(always)]
fn known<G: PerfectIndex>(game: &G, board: G::Board, earlier: &EarlierValues<'_>) -> Option<u8> {
    let plane = earlier.get(usize::from(game.class(board))).copied().flatten()?;
    Some(plane[game.rank(board).index as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One by one, in any order, the values of moves to earlier stages give the limit that all give at once.
    #[test]
    fn a_limit_may_be_found_move_by_move() {
        let at_once = |values: &[u8]| {
            let wins = values.iter().filter(|&&value| value > 0 && value % 2 == 0).map(|value| value + 1).min();
            let loses = values.iter().map(|&value| if value == 0 { NEVER } else { value + 1 }).max().unwrap_or(0);
            wins.unwrap_or(loses)
        };
        let values = [0, 1, 2, 3, 8, 249, 250];
        for number in 0..7usize.pow(4) {
            let chosen = [1, 7, 49, 343].map(|place| values[number / place % 7]);
            for length in 0..=4 {
                let found = chosen[..length].iter().fold(0, |limit, &value| limited(limit, value));
                assert_eq!(found, at_once(&chosen[..length]), "{:?}", &chosen[..length]);
            }
        }
    }
}

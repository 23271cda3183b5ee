//! What is coded of a board, whatever the file is about: two numbers, and a move that belongs to the second.

use tesuji_game::{NO_MOVE, PerfectIndex, Successor};

/// Two numbers, and the place of a move among those of the board that can be taken back. The second number may be one
/// that says there is no move.
pub(crate) type CodedEntry = [u8; 3];

/// The boards before one, within a block, and what the symbols of the next depend on.
pub(crate) trait CodingContext: Default {
    /// How many contexts there are: fewer than 2¹⁶.
    const CONTEXTS: usize;
    /// The second number of a board without a move.
    const ALONE: u8;

    /// What is known of a board without a file, and takes no room there.
    fn known<G: PerfectIndex>(game: &G, board: G::Board) -> Option<CodedEntry>;

    /// What the first number of the next board depends on.
    fn first(&self) -> usize;

    /// What its second number depends on.
    fn second(&self, first: u8) -> usize;

    /// What the place of its move depends on.
    fn order(&self, first: u8, second: u8) -> usize;

    /// Goes on to the next board.
    fn push(&mut self, cell: CodedEntry);
}

/// The boards of a class that is to be written.
pub(crate) trait EntrySource: Sync {
    /// What their symbols depend on.
    type CodingContext: CodingContext;
    /// What is counted of them.
    type EntryCounts: EntryCounts;

    /// What is coded of a board, or would be if it were not known; an error says what is wrong with it.
    fn cell<G: PerfectIndex>(
        &self,
        game: &G,
        index: u32,
        board: G::Board,
    ) -> Result<CodedEntry, &'static str>;
}

/// Counts of some boards of a class.
pub(crate) trait EntryCounts: Default + Send {
    /// One board more, `known` without a file or not.
    fn board(&mut self, cell: CodedEntry, known: bool);

    /// What was counted elsewhere.
    fn add(&mut self, other: &Self);
}

/// The place of a move among those that can be taken back.
pub(crate) fn place<G: PerfectIndex>(game: &G, board: G::Board, mv: u8) -> Option<u8> {
    let (mut seen, mut found) = (0u8, None);
    each_reversible(game, board, |reversible| {
        if reversible == mv && found.is_none() {
            found = Some(seen);
        }
        seen += 1;
    });
    found
}

/// The move at a place among those that can be taken back.
pub(crate) fn reversible<G: PerfectIndex>(game: &G, board: G::Board, place: u8) -> Option<u8> {
    let (mut seen, mut found) = (0u8, None);
    each_reversible(game, board, |mv| {
        if seen == place {
            found = Some(mv);
        }
        seen += 1;
    });
    found
}

fn each_reversible<G: PerfectIndex>(game: &G, board: G::Board, mut visit: impl FnMut(u8)) {
    game.successors(board, |mv, step| {
        if matches!(step, Successor::Board(_, reply) if reply != NO_MOVE) {
            visit(mv);
        }
    });
}

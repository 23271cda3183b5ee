//! The coded entry of a board: two numbers, and a move that belongs to the second.

use tesuji_game::{NO_MOVE, PerfectIndex, Successor};

/// Two numbers, and the position of a move among the reversible moves of the board. A special second number
/// means that there is no move.
pub(crate) type CodedEntry = [u8; 3];

/// The coding context: the preceding boards of a block, which condition the symbols of the next.
pub(crate) trait CodingContext: Default {
    /// The number of contexts, below 2¹⁶.
    const CONTEXTS: usize;
    /// The second number of a board without a move.
    const ALONE: u8;

    /// The entry of a board if the rules imply it; such entries are not coded.
    fn known<G: PerfectIndex>(game: &G, board: G::Board) -> Option<CodedEntry>;

    /// The context of the first number.
    fn first(&self) -> usize;

    /// The context of the second number.
    fn second(&self, first: u8) -> usize;

    /// The context of the move.
    fn order(&self, first: u8, second: u8) -> usize;

    /// Advances to the next board.
    fn push(&mut self, entry: CodedEntry);
}

/// The entries of a class to be written.
pub(crate) trait EntrySource: Sync {
    /// The context of their symbols.
    type CodingContext: CodingContext;
    /// Their totals.
    type EntryCounts: EntryCounts;

    /// The entry of a board; the error says why it cannot be coded.
    fn entry<G: PerfectIndex>(&self, game: &G, index: u32, board: G::Board) -> Result<CodedEntry, &'static str>;
}

/// Totals over the boards of a class.
pub(crate) trait EntryCounts: Default + Send {
    /// Adds a board; `known` when the rules imply its entry.
    fn board(&mut self, entry: CodedEntry, known: bool);

    /// Adds other totals.
    fn add(&mut self, other: &Self);
}

/// The position of a move among the reversible moves.
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

/// The reversible move at a position.
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

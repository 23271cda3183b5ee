//! What a game provides for its opening books, and positions up to symmetry.

use std::fmt::Debug;
use std::hash::Hash;
use std::path::Path;
use std::sync::Arc;

use tesuji_game::{Formats, Game, Move, MoveList, Notation, Symmetric};
use tesuji_learn::JobError;
use tesuji_search::{CancelToken, Value};
use tesuji_store::frame::{Fields, FileFrame};

use super::{Book, BookDepth, BookLeaf, ForeignBook};

/// A game with opening books. Its moves only add discs or tiles, or are numbered.
pub trait BookGame: Symmetric + Notation + Formats + PartialEq + Debug + Send + Sync + 'static {
    /// A position up to symmetry.
    type Key: Copy + Ord + Hash + Debug + Send + Sync;
    /// A position as a book stores it. Files are sorted by it, and of several images of a position the least is kept.
    type Stored: Clone + Ord + Debug + Send + Sync;
    /// The evaluation of searches.
    type Evaluation: Clone + Send + Sync;
    /// A search of leaves.
    type Searcher: BookSearcher<Self>;

    /// The frame of files.
    const BOOK_FRAME: FileFrame;
    /// A move may lose this much and still be played in games for a book.
    const TOLERANCE: i32;
    /// What a position looks like in a text, for messages.
    const POSITION_TEXT: &'static str;
    /// Leaves as they are written in a text, for messages.
    const LEAF_TEXT: &'static str;

    /// The move if the side to move must pass.
    fn forced_pass(&self) -> Option<Self::Move> {
        None
    }

    /// The key that all images of this position share.
    fn book_key(&self) -> Self::Key;

    /// The position as it is stored. Where keys tell everything, this is the same for all images.
    fn stored(&self) -> Self::Stored;

    /// A stored position.
    fn restore(stored: &Self::Stored) -> Self;

    /// The number of discs, tiles or moves, which grows by every move.
    fn pieces(&self) -> u32;

    /// The number of moves since the start, without passes.
    fn turns(&self) -> u32;

    /// Whether a leaf may have this score and depth here.
    ///
    /// # Errors
    /// What is expected.
    fn check_leaf(&self, score: i32, depth: BookDepth) -> Result<(), String>;

    /// Appends a position and its leaf to a file.
    fn write_entry(position: &Self::Stored, leaf: Option<&BookLeaf<Self::Move>>, out: &mut Vec<u8>);

    /// Reads the next position and its leaf, whose legality is checked by the caller; `None` if they are impossible.
    fn read_entry(fields: &mut Fields<'_>) -> Option<StoredEntry<Self>>;

    /// The value of a score.
    fn score_value(score: i32) -> Value;

    /// A score for people.
    fn score_text(score: i32) -> String {
        format!("{score:+}")
    }

    /// The evaluation with the weights of a file, or with those that ship.
    ///
    /// # Errors
    /// What is wrong with the file.
    fn book_evaluation(weights: Option<&Path>) -> Result<Self::Evaluation, JobError>;

    /// A search with an empty transposition table.
    fn searcher(evaluation: &Self::Evaluation, hash_mib: usize) -> Self::Searcher;

    /// How deep a search of this level is here.
    fn level_depth(&self, level: u32) -> BookDepth;

    /// The book that ships, if there is one.
    fn shipped_book() -> Option<&'static Book<Self>>;

    /// The book of another program in a file, or what is wrong with it; `None` if the file does not look like one.
    fn foreign_book(path: &Path) -> Option<Result<Arc<dyn ForeignBook<Self>>, String>> {
        let _ = path;
        None
    }
}

/// A stored position and its leaf.
pub type StoredEntry<G> = (<G as BookGame>::Stored, Option<BookLeaf<<G as Game>::Move>>);

/// Searches the leaves of a book.
pub trait BookSearcher<G: BookGame> {
    /// The best of the moves that are not excluded and its score, at a level of play. `None` if there is no such move, or
    /// if it is cancelled before the end.
    fn best_excluding(
        &mut self,
        game: &G,
        level: u32,
        excluded: &[G::Move],
        cancel: &CancelToken,
    ) -> Option<(G::Move, i32)>;
}

/// The key of a position in which the mover has a choice.
pub(super) struct Canonical<G: BookGame> {
    pub(super) key: G::Key,
    /// The position, after a forced pass.
    pub(super) game: G,
    /// The forced pass.
    pub(super) pass: Option<G::Move>,
    /// Whether there was one.
    pub(super) passed: bool,
}

impl<G: BookGame> Canonical<G> {
    /// The key of a position; `None` once the game is over.
    pub(super) fn of(game: &G) -> Option<Canonical<G>> {
        if game.outcome().is_some() {
            return None;
        }
        let (mut game, pass) = (game.clone(), game.forced_pass());
        if let Some(pass) = pass {
            game.play(pass);
        }
        Some(Canonical { key: game.book_key(), game, pass, passed: pass.is_some() })
    }

    /// The symmetry that maps the position to a stored image of it.
    fn symmetry(&self, stored: &G) -> Option<usize> {
        (0..G::SYMMETRIES).find(|&symmetry| self.game.image(symmetry) == *stored)
    }

    /// Maps a move of this position to the stored image.
    pub(super) fn to_stored(&self, stored: &G, mv: G::Move) -> Option<G::Move> {
        Some(self.game.image_move(mv, self.symmetry(stored)?))
    }

    /// Maps moves of the stored image to this position; those that are not legal are absent.
    pub(super) fn stored_moves(&self, stored: &G) -> Option<impl Fn(G::Move) -> Option<G::Move> + use<G>> {
        let symmetry = self.symmetry(stored)?;
        let (mut game, mut list) = (self.game.clone(), G::Moves::default());
        game.moves(&mut list);
        let mut moves: Vec<(u32, G::Move)> =
            list.each().map(|mv| (game.image_move(mv, symmetry).to_bits(), mv)).collect();
        moves.sort_unstable_by_key(|&(bits, _)| bits);
        Some(move |mv: G::Move| {
            let at = moves.binary_search_by_key(&mv.to_bits(), |&(bits, _)| bits).ok()?;
            moves.get(at).map(|&(_, mv)| mv)
        })
    }
}

/// Whether a move is legal.
pub(super) fn is_legal<G: Game>(game: &G, mv: G::Move) -> bool {
    let (mut game, mut list) = (game.clone(), G::Moves::default());
    game.moves(&mut list);
    list.has(mv)
}

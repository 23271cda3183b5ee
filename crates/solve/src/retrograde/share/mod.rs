//! A share of a stage: retrograde analysis divided among several owners of boards.
//!
//! Each share holds the boards of its bands ([`Partition`]) and nothing else. What it finds out about other boards it
//! sends in packets of messages; who carries them is no concern of this module. The rules of a round:
//!
//! 1. [`look`](ShareStage::look) at all own blocks; [`ask`](ShareStage::ask) for the successors of symmetric boards.
//! 2. For each class of an earlier stage: [`answer_earlier`](ShareStage::answer_earlier), and
//!    [`convert`](ShareStage::convert) all own blocks of it, which sends limits.
//! 3. For each layer: [`propagate`](ShareStage::propagate) all own blocks; once all messages of all shares have arrived,
//!    [`scan`](ShareStage::scan) and [`answer`](ShareStage::answer); once all answers have arrived,
//!    [`evaluate`](ShareStage::evaluate).
//!
//! The updates of a step commute, so the values depend neither on the number of shares nor on the order of messages.

mod lookup;
mod outbox;
mod partition;
mod snapshot;
mod values;

use tesuji_game::{BoardRank, NO_MOVE, PerfectIndex};

use super::error::RetrogradeError;
use super::evaluate::{ValueSource, evaluate};
use super::initialize::{Earlier, FirstLook, first_look, limited};
use super::memory::Plane;
use super::propagate::{Edge, evaluated, losses_in, refute, win, wins_in};
use super::state::{BoardState, Status, UNCOUNTED};
use lookup::{Answers, Lookup, Request};
pub use outbox::{Outbox, Packet};
pub use partition::{MOST_SHARES, Partition};
pub use values::{FinishedShare, ShareValues};

/// Places per unit of scanning.
const BLOCK: usize = super::messages::BLOCK;
/// Places that are scanned at the end of a layer before the next one.
const SCAN: usize = 16 * BLOCK;

/// The position of a share. Everything before it is done, everything after it is not begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SharePhase {
    /// The first look at all boards.
    Look {
        /// The next block.
        block: usize,
    },
    /// Moves to earlier stages.
    Convert {
        /// The class of an earlier stage, as its number in their list.
        number: usize,
        /// The next block.
        block: usize,
    },
    /// Propagation of a layer.
    Propagate {
        /// The distance to win of the layer, in plies.
        layer: u8,
        /// The next block.
        block: usize,
    },
    /// Solved.
    Done,
}

/// Counters of a share.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ShareCounters {
    /// Moves followed.
    pub edges: u64,
    /// First and second values decided.
    pub decided: u64,
    /// The last layer that decided a value.
    pub last_active: u8,
    /// The last layer at which a limit set by a move to an earlier stage matters.
    pub horizon: u8,
}

/// One share of a stage in progress.
pub struct ShareStage<'g, G: PerfectIndex> {
    game: &'g G,
    partition: Partition,
    /// Its number.
    share: usize,
    /// The classes with the start of their places.
    classes: Vec<(u8, u32)>,
    starts: [Option<u32>; 256],
    /// Packed [`BoardState`]s by place.
    states: Plane,
    first: Plane,
    second: Plane,
    /// Places of symmetric boards.
    symmetric_boards: Vec<u32>,
    /// What they need of other boards.
    answers: Answers,
    /// What other shares wait for.
    requests: Vec<Request>,
    /// Where it stands.
    pub phase: SharePhase,
    /// Its counters.
    pub counters: ShareCounters,
}

/// Bytes per place while a stage is solved.
const WORKING: u64 = 4;

impl<'g, G: PerfectIndex> ShareStage<'g, G> {
    /// A share of a stage of these classes, at its beginning.
    ///
    /// # Errors
    /// The system refused the memory.
    pub fn new(
        game: &'g G,
        classes: &[u8],
        partition: Partition,
        share: usize,
    ) -> Result<ShareStage<'g, G>, RetrogradeError> {
        let (mut starts, mut size, mut found) = ([None; 256], 0u32, Vec::new());
        for &class in classes {
            found.push((class, size));
            starts[usize::from(class)] = Some(size);
            let places = partition.places(game.size(class));
            size = size.checked_add(places).ok_or_else(|| {
                let what = "more than 2³² boards of one share cannot be numbered: use more workers";
                RetrogradeError::Allocation(std::io::Error::new(std::io::ErrorKind::InvalidInput, what))
            })?;
        }
        let plane = |len: usize| Plane::zeros(len).map_err(RetrogradeError::Allocation);
        let size = size as usize;
        Ok(ShareStage {
            game,
            partition,
            share,
            classes: found,
            starts,
            states: plane(2 * size)?,
            first: plane(size)?,
            second: plane(size)?,
            symmetric_boards: Vec::new(),
            answers: Answers::default(),
            requests: Vec::new(),
            phase: SharePhase::Look { block: 0 },
            counters: ShareCounters::default(),
        })
    }

    /// Bytes that a share of a stage needs, without messages.
    pub fn memory(game: &G, classes: &[u8], partition: Partition) -> u64 {
        let places = |&class: &u8| u64::from(partition.places(game.size(class)));
        WORKING * classes.iter().map(places).sum::<u64>()
    }

    /// The number of blocks.
    pub fn blocks(&self) -> usize {
        Self::blocks_of(self.places())
    }

    /// The number of blocks of so many places.
    pub fn blocks_of(places: usize) -> usize {
        places.div_ceil(BLOCK)
    }

    /// The number of places.
    pub fn places(&self) -> usize {
        self.first.len()
    }

    /// Looks at the boards of a block for the first time.
    ///
    /// # Errors
    /// A board has more moves than the state can count.
    pub fn look(&mut self, block: usize) -> Result<(), RetrogradeError> {
        for at in block * BLOCK..((block + 1) * BLOCK).min(self.places()) {
            let (class, index) = self.board(at);
            let found = if index < self.game.size(class) {
                first_look(self.game, class, index, |next| {
                    let class = self.game.class(next);
                    if self.starts[usize::from(class)].is_some() { Earlier::Within } else { Earlier::Later }
                })
            } else {
                let state = BoardState::new(Status::Final, NO_MOVE, UNCOUNTED);
                FirstLook { state, value: 0, limit: 0, horizon: 0, symmetric_boards: false, overflow: false }
            };
            if found.overflow {
                return Err(RetrogradeError::TooManyMoves { class: self.game.class_name(class), index });
            }
            self.states.words_mut()[at] = found.state.0;
            self.first[at] = found.value;
            self.second[at] = found.limit;
            self.counters.decided += u64::from(found.value != 0);
            if found.symmetric_boards {
                self.symmetric_boards.push(at as u32);
            }
        }
        Ok(())
    }

    /// Asks for the successors of symmetric boards: a message for each share that holds some.
    pub fn ask(&mut self) -> Vec<(usize, Vec<u8>)> {
        let lookups = std::cell::RefCell::new(Vec::new());
        for &at in &self.symmetric_boards {
            let (class, index) = self.board(at as usize);
            if let Some(board) = self.game.unrank(class, index) {
                evaluate(self.game, board, &Recorder(&lookups));
            }
        }
        self.answers = Answers::to(lookups.into_inner());
        let mut messages = vec![Vec::new(); self.partition.shares()];
        for lookup in self.answers.lookups() {
            lookup.write(&mut messages[self.partition.place(lookup.index).0]);
        }
        numbered(messages)
    }

    /// Takes in what another share asks for.
    pub fn asked(&mut self, share: usize, bytes: &[u8]) {
        self.requests.extend(Request::read(share, bytes));
    }

    /// Answers what was asked of a class of an earlier stage, from the values of this share of it.
    pub fn answer_earlier(&mut self, class: u8, first: &[u8]) -> Vec<(usize, Vec<u8>)> {
        self.answer_if(|stage, lookup| {
            // A draw needs no answer: it is what is assumed.
            (lookup.class == class).then(|| first[stage.partition.place(lookup.index).1 as usize])
        })
    }

    /// Sends the values of a block of a class of an earlier stage to the boards whose moves lead there.
    pub fn convert(&self, class: u8, first: &[u8], block: usize, out: &mut Outbox, post: &mut impl FnMut(Packet)) {
        let (game, size) = (self.game, self.game.size(class));
        let range = block * BLOCK..((block + 1) * BLOCK).min(first.len());
        for (place, &value) in range.clone().zip(&first[range]) {
            let index = self.partition.index(self.share, place as u32);
            if index >= size || game.unrank(class, index).is_none_or(|board| game.wins_in_one(board)) {
                continue;
            }
            game.conversions(class, index, |back| {
                if let Some(start) = self.starts[usize::from(back.class)] {
                    let (share, place) = self.partition.place(back.index);
                    out.send((share, start + place), value, post);
                }
            });
        }
    }

    /// Takes in limits set by moves to earlier stages.
    pub fn limit(&mut self, page: u32, bytes: &[u8]) {
        for (at, value) in outbox::messages(page, bytes) {
            let state = self.state(at);
            if state.status() == Status::Final {
                continue;
            }
            if value != 0 {
                self.counters.horizon = self.counters.horizon.max(value + 1);
            }
            // The limit of a symmetric board, whose moves are not counted, stays.
            if state.count() != UNCOUNTED {
                self.second[at] = limited(self.second[at], value);
            }
        }
    }

    /// Sends the moves into the boards of a block that belong to the layer.
    pub fn propagate(&self, layer: u8, block: usize, out: &mut Outbox, post: &mut impl FnMut(Packet)) {
        let range = block * BLOCK..((block + 1) * BLOCK).min(self.places());
        // The first look already accounted for moves into boards that win in one.
        if layer > 1 {
            for offset in memchr::memchr_iter(layer, &self.first[range.clone()]) {
                let at = range.start + offset;
                let (class, index) = self.board(at);
                // A predecessor whose reply is the exceptional move gets the second value instead.
                let except = self.state(at).exception().unwrap_or(u8::MAX);
                self.game.predecessors(class, index, |back| {
                    if back.reply != except && !back.symmetric {
                        let start = self.starts[usize::from(back.class)].unwrap_or(0);
                        let (share, place) = self.partition.place(back.index);
                        out.send((share, start + place), update(back.mv, back.reply != NO_MOVE), post);
                    }
                });
            }
        }
        for offset in memchr::memchr_iter(layer, &self.second[range.clone()]) {
            let at = range.start + offset;
            let state = self.state(at);
            if let Some(mv) = state.exception().filter(|_| state.second_known())
                && let Some((before, mv)) = self.before(at, mv)
            {
                out.send(before, update(mv, true), post);
            }
        }
    }

    /// The predecessor, with its share and place, and the move after which `mv` is forbidden on the board `at`.
    fn before(&self, at: usize, mv: u8) -> Option<((usize, u32), u8)> {
        let (class, index) = self.board(at);
        let (board, reply) = self.game.after(self.game.unrank(class, index)?, mv)?;
        let rank = self.game.rank(board);
        let start = self.starts[usize::from(rank.class)].filter(|_| !rank.symmetric)?;
        let (share, place) = self.partition.place(rank.index);
        Some(((share, start + place), self.game.image(reply, rank.symmetry)))
    }

    /// Takes in moves into boards of the layer.
    pub fn apply(&mut self, layer: u8, page: u32, bytes: &[u8]) {
        let moves = outbox::messages(page, bytes);
        let moves = moves.map(|(at, content)| Edge { at, mv: content & 0x7f, reversible: content >> 7 != 0 });
        if layer % 2 == 1 {
            refute(self.states.words_mut(), moves);
        } else {
            let decided = win(self.states.words_mut(), &mut self.first, &mut self.second, moves, layer + 1);
            self.note(layer, decided);
        }
    }

    /// Ends a layer for all boards but the symmetric: finds boards without moves left, and wins through earlier stages.
    /// `horizon` is the highest of all shares.
    pub fn scan(&mut self, layer: u8, horizon: u8) {
        let mut decided = 0;
        for start in (0..self.places()).step_by(SCAN) {
            let range = start..(start + SCAN).min(self.places());
            let (game, partition, share, classes) = (self.game, self.partition, self.share, &self.classes);
            let states = &mut self.states.words_mut()[range.clone()];
            let (first, second) = (&mut self.first[range.clone()], &mut self.second[range.clone()]);
            if layer % 2 == 1 {
                decided += losses_in(states, first, second, layer + 1, |offset, mv| {
                    let (class, index) = board(classes, partition, share, start + offset);
                    let board = game.unrank(class, index);
                    board.and_then(|board| game.after(board, mv)).is_some_and(|(_, reply)| reply != NO_MOVE)
                });
            } else if layer < horizon {
                decided += wins_in(states, first, second, layer + 1);
            }
        }
        self.note(layer, decided);
    }

    /// The answers that are known up to this layer and were not given before, one message per share.
    pub fn answer(&mut self, layer: u8) -> Vec<(usize, Vec<u8>)> {
        self.answer_if(|stage, lookup| {
            let start = stage.starts[usize::from(lookup.class)]?;
            let at = (start + stage.partition.place(lookup.index).1) as usize;
            let state = stage.state(at);
            let value = match state.exception() {
                Some(mv) if mv == lookup.forbidden && state.second_known() => stage.second[at],
                Some(mv) if mv == lookup.forbidden => 0,
                _ => stage.first[at],
            };
            (value != 0 && value <= layer).then_some(value)
        })
    }

    fn answer_if(&mut self, value: impl Fn(&Self, Lookup) -> Option<u8>) -> Vec<(usize, Vec<u8>)> {
        let mut messages = vec![Vec::new(); self.partition.shares()];
        let mut requests = std::mem::take(&mut self.requests);
        requests.retain(|request| {
            let Some(value) = value(self, request.lookup) else { return true };
            let bytes = &mut messages[usize::from(request.share)];
            request.lookup.write(bytes);
            bytes.push(value);
            false
        });
        self.requests = requests;
        numbered(messages)
    }

    /// Takes in answers.
    pub fn answered(&mut self, bytes: &[u8]) {
        self.answers.read(bytes);
    }

    /// Evaluates symmetric boards forwards, from the values up to this layer.
    pub fn evaluate(&mut self, layer: u8) {
        let mut decided = 0;
        for number in 0..self.symmetric_boards.len() {
            let at = self.symmetric_boards[number] as usize;
            if self.state(at).status() == Status::Final {
                continue;
            }
            let (class, index) = self.board(at);
            if let Some(board) = self.game.unrank(class, index) {
                let value = evaluate(self.game, board, &AnswersUpTo { answers: &self.answers, layer });
                let states = self.states.words_mut();
                decided += u64::from(evaluated(&mut states[at], &mut self.first[at], &mut self.second[at], value));
            }
        }
        self.note(layer, decided);
    }

    fn note(&mut self, layer: u8, decided: u64) {
        if decided > 0 {
            self.counters.last_active = layer;
            self.counters.decided += decided;
        }
    }

    #[inline(always)]
    fn state(&self, at: usize) -> BoardState {
        BoardState(self.states.words()[at])
    }

    /// The class and index of a place.
    #[inline(always)]
    fn board(&self, at: usize) -> (u8, u32) {
        board(&self.classes, self.partition, self.share, at)
    }
}

/// The class and index of a place of a share.
#[inline(always)]
fn board(classes: &[(u8, u32)], partition: Partition, share: usize, at: usize) -> (u8, u32) {
    let found = classes.iter().rev().find(|&&(_, start)| start as usize <= at);
    let (class, start) = found.copied().unwrap_or_default();
    (class, partition.index(share, at as u32 - start))
}

/// The content of a message: the move into the board, and whether it is reversible.
#[inline(always)]
fn update(mv: u8, reversible: bool) -> u8 {
    mv & 0x7f | u8::from(reversible) << 7
}

/// The messages that are not empty, with their recipients.
fn numbered(messages: Vec<Vec<u8>>) -> Vec<(usize, Vec<u8>)> {
    messages.into_iter().enumerate().filter(|(_, bytes)| !bytes.is_empty()).collect()
}

/// Notes which values an evaluation looks up.
struct Recorder<'a>(&'a std::cell::RefCell<Vec<Lookup>>);

impl ValueSource for Recorder<'_> {
    fn value(&self, BoardRank { class, index, .. }: BoardRank, forbidden: u8) -> u8 {
        self.0.borrow_mut().push(Lookup { class, forbidden, index });
        0
    }
}

/// The answers up to a layer; higher values count as unknown.
struct AnswersUpTo<'a> {
    answers: &'a Answers,
    layer: u8,
}

impl ValueSource for AnswersUpTo<'_> {
    fn value(&self, BoardRank { class, index, .. }: BoardRank, forbidden: u8) -> u8 {
        let value = self.answers.get(Lookup { class, forbidden, index });
        if value <= self.layer { value } else { 0 }
    }
}

//! One position of a data set, and the bytes of many.

use std::ops::Range;

use tesuji_game::Outcome;

use super::PositionGame;

/// The bytes of an entry after the packed position.
pub(super) const FIELDS: usize = 20;
/// The bytes of a block before its entries.
pub(super) const BLOCK_HEAD: usize = 8;
/// The bytes of a visit count.
const VISIT: usize = 4;

const NO_LABEL: u16 = u16::MAX;
const NO_VALUE: i16 = i16::MIN;
const UNKNOWN: u8 = 3;
const SECOND: u8 = 1;

/// Offsets of the fields after the packed position.
const LABEL: usize = 0;
const VALUE: usize = 2;
const RESULT: usize = 4;
const FLAGS: usize = 5;
const PLY: usize = 6;
const GAME: usize = 8;
const VISITS_AT: usize = 12;
const VISITS: usize = 16;

/// A position and what is known about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionEntry<G> {
    /// The position.
    pub position: G,
    /// The policy label of the move played.
    pub label: Option<u16>,
    /// The value of a search for the mover: 600 multiply the odds of winning by e, as the centipawns of shogi programs
    /// do. Never `i16::MIN`.
    pub value: Option<i16>,
    /// The result of the game for the mover.
    pub result: Option<Outcome>,
    /// Whether the mover is the second player.
    pub second: bool,
    /// The ply of the game.
    pub ply: u16,
    /// The game.
    pub game: u32,
    /// Labels and visit counts of a tree search, if there was one.
    pub visits: Vec<(u16, u16)>,
}

impl<G: PositionGame> PositionEntry<G> {
    /// A position about which nothing is known.
    pub fn of(position: G) -> PositionEntry<G> {
        PositionEntry {
            position,
            label: None,
            value: None,
            result: None,
            second: false,
            ply: 0,
            game: 0,
            visits: Vec::new(),
        }
    }

    /// Reads an entry of a block. The error completes the sentence "position N …".
    pub(super) fn read(&mut self, bytes: &[u8], tail: &[u8]) -> Result<(), &'static str> {
        let (packed, fields) = bytes.split_at(G::BYTES);
        let word = |at: usize| u16::from_le_bytes([fields[at], fields[at + 1]]);
        let long = |at: usize| u32::from_le_bytes([fields[at], fields[at + 1], fields[at + 2], fields[at + 3]]);
        let is_label = |label: u16| usize::from(label) < G::ENCODING.labels();
        self.label = match word(LABEL) {
            NO_LABEL => None,
            label if is_label(label) => Some(label),
            _ => return Err("has a label that the encoding does not have"),
        };
        self.value = Some(word(VALUE).cast_signed()).filter(|&value| value != NO_VALUE);
        self.result = match fields[RESULT] {
            0 => Some(Outcome::Loss),
            1 => Some(Outcome::Draw),
            2 => Some(Outcome::Win),
            UNKNOWN => None,
            _ => return Err("has a result that does not exist"),
        };
        self.second = fields[FLAGS] & SECOND != 0;
        self.ply = word(PLY);
        self.game = long(GAME);
        self.visits.clear();
        let count = usize::from(word(VISITS));
        if count > 0 {
            let from = long(VISITS_AT) as usize;
            let Some(pairs) = tail.get(from..from + VISIT * count) else {
                return Err("has visit counts outside its block");
            };
            for &[a, b, c, d] in pairs.as_chunks().0 {
                let (label, visits) = (u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]));
                if !is_label(label) {
                    return Err("has visits of a label that the encoding does not have");
                }
                self.visits.push((label, visits));
            }
        }
        self.position = G::unpack(packed).ok_or("is none: its bytes are not a position of the game")?;
        Ok(())
    }
}

/// How many entries of a block have what not every entry has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KnownFields {
    /// Entries with the value of a search.
    pub values: usize,
    /// Entries with a result.
    pub results: usize,
    /// Entries with visit counts.
    pub visits: usize,
}

/// Entries in the making, as the bytes of a block: what threads hand over, journals keep and writers append.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionBlock<G> {
    entries: Vec<u8>,
    tail: Vec<u8>,
    game: std::marker::PhantomData<fn() -> G>,
}

impl<G> Default for PositionBlock<G> {
    fn default() -> Self {
        PositionBlock { entries: Vec::new(), tail: Vec::new(), game: std::marker::PhantomData }
    }
}

impl<G: PositionGame> PositionBlock<G> {
    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len() / G::ENTRY
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.tail.clear();
    }

    /// Adds an entry. `false` if the packing cannot express the position; nothing is added then.
    #[must_use]
    pub fn push(&mut self, entry: &PositionEntry<G>) -> bool {
        let start = self.entries.len();
        self.entries.resize(start + G::ENTRY, 0);
        let (packed, fields) = self.entries[start..].split_at_mut(G::BYTES);
        if !entry.position.pack(packed) {
            self.entries.truncate(start);
            return false;
        }
        let result = entry.result.map_or(UNKNOWN, |result| match result {
            Outcome::Loss => 0,
            Outcome::Draw => 1,
            Outcome::Win => 2,
        });
        let visits = &entry.visits[..entry.visits.len().min(usize::from(u16::MAX))];
        let mut put = |at: usize, bytes: &[u8]| fields[at..at + bytes.len()].copy_from_slice(bytes);
        put(LABEL, &entry.label.unwrap_or(NO_LABEL).to_le_bytes());
        put(VALUE, &entry.value.unwrap_or(NO_VALUE).to_le_bytes());
        put(RESULT, &[result, if entry.second { SECOND } else { 0 }]);
        put(PLY, &entry.ply.to_le_bytes());
        put(GAME, &entry.game.to_le_bytes());
        put(VISITS_AT, &(self.tail.len() as u32).to_le_bytes());
        put(VISITS, &(visits.len() as u16).to_le_bytes());
        for (label, count) in visits {
            self.tail.extend(label.to_le_bytes());
            self.tail.extend(count.to_le_bytes());
        }
        true
    }

    /// Adds some entries of another block, with other game numbers if `game` says so.
    pub(super) fn append(&mut self, other: &PositionBlock<G>, which: Range<usize>, game: impl Fn(u32) -> u32) {
        for bytes in other.entries[which.start * G::ENTRY..which.end * G::ENTRY].chunks_exact(G::ENTRY) {
            let start = self.entries.len() + G::BYTES;
            self.entries.extend_from_slice(bytes);
            let fields = &mut self.entries[start..];
            let number = game(long(fields, GAME));
            fields[GAME..GAME + 4].copy_from_slice(&number.to_le_bytes());
            let (from, count) =
                (long(fields, VISITS_AT) as usize, usize::from(fields[VISITS]) | usize::from(fields[VISITS + 1]) << 8);
            fields[VISITS_AT..VISITS_AT + 4].copy_from_slice(&(self.tail.len() as u32).to_le_bytes());
            self.tail.extend_from_slice(&other.tail[from..from + VISIT * count]);
        }
    }

    /// What is known about the entries.
    pub fn known(&self) -> KnownFields {
        let mut known = KnownFields::default();
        for entry in self.entries.chunks_exact(G::ENTRY) {
            let fields = &entry[G::BYTES..];
            known.values += usize::from(fields[VALUE..VALUE + 2] != NO_VALUE.to_le_bytes());
            known.results += usize::from(fields[RESULT] != UNKNOWN);
            known.visits += usize::from(fields[VISITS..VISITS + 2] != [0, 0]);
        }
        known
    }

    /// The game number of an entry.
    pub(super) fn game(&self, entry: usize) -> u32 {
        long(&self.entries[entry * G::ENTRY + G::BYTES..], GAME)
    }

    /// The bytes of a block.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(BLOCK_HEAD + self.entries.len() + self.tail.len());
        bytes.extend((self.len() as u32).to_le_bytes());
        bytes.extend((self.tail.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&self.entries);
        bytes.extend_from_slice(&self.tail);
        bytes
    }

    /// Reads the bytes of a block. `None` if they are none.
    pub fn from_bytes(bytes: &[u8]) -> Option<PositionBlock<G>> {
        let (entries, tail) = split_block::<G>(bytes)?;
        let block = PositionBlock { entries: entries.to_vec(), tail: tail.to_vec(), game: std::marker::PhantomData };
        let is_inside = |fields: &[u8]| {
            let count = u16::from_le_bytes([fields[VISITS], fields[VISITS + 1]]);
            long(fields, VISITS_AT) as usize + VISIT * usize::from(count) <= tail.len()
        };
        entries.chunks_exact(G::ENTRY).all(|entry| is_inside(&entry[G::BYTES..])).then_some(block)
    }

    /// Visits the entries in order.
    ///
    /// # Errors
    /// An entry that is none.
    pub fn for_each(&self, mut visit: impl FnMut(&PositionEntry<G>)) -> Result<(), &'static str> {
        let mut entry = PositionEntry::of(G::start());
        for bytes in self.entries.chunks_exact(G::ENTRY) {
            entry.read(bytes, &self.tail)?;
            visit(&entry);
        }
        Ok(())
    }
}

/// The entries and the tail of a block; `None` if the lengths do not fit.
pub(super) fn split_block<G: PositionGame>(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (head, rest) = bytes.split_at_checked(BLOCK_HEAD)?;
    let (count, tail) = (long(head, 0) as usize, long(head, 4) as usize);
    let (entries, rest) = rest.split_at_checked(count.checked_mul(G::ENTRY)?)?;
    (rest.len() == tail).then_some((entries, rest))
}

fn long(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

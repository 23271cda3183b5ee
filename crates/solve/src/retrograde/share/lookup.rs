//! Values that one share needs of another: those of the successors of symmetric boards.
//!
//! Symmetric boards are evaluated forwards in every layer. Their successors belong to other shares, which are asked
//! once, and answer once, in the layer in which the value becomes known.

/// A value that is asked for: a board, and the move that is forbidden there, or none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Lookup {
    /// The class of the board.
    pub class: u8,
    /// The forbidden move in the frame of the representative; [`NO_MOVE`](tesuji_game::NO_MOVE) for none.
    pub forbidden: u8,
    /// The index of the board.
    pub index: u32,
}

/// The bytes of a lookup in a message.
const LOOKUP: usize = 6;

impl Lookup {
    pub(super) fn write(self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&[self.class, self.forbidden]);
        bytes.extend_from_slice(&self.index.to_le_bytes());
    }

    fn read(bytes: &[u8; LOOKUP]) -> Lookup {
        let [class, forbidden, a, b, c, d] = *bytes;
        Lookup { class, forbidden, index: u32::from_le_bytes([a, b, c, d]) }
    }
}

/// A lookup that another share waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Request {
    pub(super) lookup: Lookup,
    /// The share that asked.
    pub(super) share: u16,
}

impl Request {
    /// The requests in the bytes of a message.
    pub(super) fn read(share: usize, bytes: &[u8]) -> impl Iterator<Item = Request> + '_ {
        let (lookups, _) = bytes.as_chunks::<LOOKUP>();
        lookups.iter().map(move |bytes| Request { lookup: Lookup::read(bytes), share: share as u16 })
    }

    /// The bytes of a list of requests, as a snapshot keeps them.
    pub(super) fn save(list: &[Request]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(list.len() * (LOOKUP + 2));
        for request in list {
            request.lookup.write(&mut bytes);
            bytes.extend_from_slice(&request.share.to_le_bytes());
        }
        bytes
    }

    pub(super) fn load(bytes: &[u8]) -> Vec<Request> {
        let (requests, _) = bytes.as_chunks::<{ LOOKUP + 2 }>();
        let read = |&[a, b, c, d, e, f, low, high]: &[u8; LOOKUP + 2]| Request {
            lookup: Lookup::read(&[a, b, c, d, e, f]),
            share: u16::from_le_bytes([low, high]),
        };
        requests.iter().map(read).collect()
    }
}

/// The answers that have arrived: lookups with their values, sorted.
#[derive(Default, Debug)]
pub(super) struct Answers(Vec<(Lookup, u8)>);

impl Answers {
    /// No answers yet to these lookups.
    pub(super) fn to(mut lookups: Vec<Lookup>) -> Answers {
        lookups.sort_unstable();
        lookups.dedup();
        Answers(lookups.into_iter().map(|lookup| (lookup, 0)).collect())
    }

    pub(super) fn lookups(&self) -> impl Iterator<Item = Lookup> + '_ {
        self.0.iter().map(|&(lookup, _)| lookup)
    }

    /// The value; 0 while it is unknown.
    pub(super) fn get(&self, lookup: Lookup) -> u8 {
        self.find(lookup).map_or(0, |at| self.0[at].1)
    }

    /// Enters the answers in the bytes of a message.
    pub(super) fn read(&mut self, bytes: &[u8]) {
        let (answers, _) = bytes.as_chunks::<{ LOOKUP + 1 }>();
        for &[a, b, c, d, e, f, value] in answers {
            if let Some(at) = self.find(Lookup::read(&[a, b, c, d, e, f])) {
                self.0[at].1 = value;
            }
        }
    }

    pub(super) fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.0.len() * (LOOKUP + 1));
        for &(lookup, value) in &self.0 {
            lookup.write(&mut bytes);
            bytes.push(value);
        }
        bytes
    }

    pub(super) fn load(bytes: &[u8]) -> Answers {
        let (answers, _) = bytes.as_chunks::<{ LOOKUP + 1 }>();
        let lookups = answers.iter().map(|&[a, b, c, d, e, f, _]| Lookup::read(&[a, b, c, d, e, f])).collect();
        let mut loaded = Answers::to(lookups);
        loaded.read(bytes);
        loaded
    }

    fn find(&self, lookup: Lookup) -> Option<usize> {
        self.0.binary_search_by_key(&lookup, |&(known, _)| known).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_and_answers_survive_bytes() {
        let lookup = |class, forbidden, index| Lookup { class, forbidden, index };
        let asked = vec![lookup(2, 127, 70_000), lookup(1, 5, 9), lookup(2, 127, 70_000), lookup(1, 5, u32::MAX)];
        let mut answers = Answers::to(asked.clone());
        assert_eq!(answers.lookups().count(), 3);
        let mut bytes = Vec::new();
        answers.lookups().for_each(|lookup| lookup.write(&mut bytes));
        let requests: Vec<Request> = Request::read(300, &bytes).collect();
        assert_eq!(Request::load(&Request::save(&requests)), requests);
        let mut answer = Vec::new();
        requests[1].lookup.write(&mut answer);
        answer.push(17);
        lookup(9, 9, 9).write(&mut answer);
        answer.push(3);
        answers.read(&answer);
        let again = Answers::load(&answers.save());
        for lookup in asked {
            assert_eq!(again.get(lookup), if lookup == requests[1].lookup { 17 } else { 0 });
        }
        assert_eq!(again.get(lookup(9, 9, 9)), 0, "nobody asked");
    }
}

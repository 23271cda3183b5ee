//! Outgoing messages to boards of all shares, in packets.

/// Places that a packet can address: a message is a place of 24 bits and a byte.
const PAGE_BITS: u32 = 24;
/// Bytes of a message.
const MESSAGE: usize = 4;
/// Bytes of a packet: large enough to make its costs small, small enough to keep one per page and share.
const PACKET: usize = 1 << 15;

/// Collects messages by recipient and page, and passes on a packet when it is full.
pub struct Outbox {
    pages: usize,
    packets: Vec<Vec<u8>>,
    /// Messages so far.
    count: u64,
}

/// Messages to the boards of one page of a share.
pub struct Packet {
    /// The recipient.
    pub share: usize,
    /// The page.
    pub page: u32,
    /// The messages.
    pub bytes: Vec<u8>,
}

impl Outbox {
    /// No messages yet to `shares` shares of `places` places each.
    pub fn new(shares: usize, places: usize) -> Outbox {
        let pages = (places >> PAGE_BITS) + 1;
        Outbox { pages, packets: vec![Vec::new(); pages * shares], count: 0 }
    }

    /// Bytes that the packets under construction occupy at most.
    pub fn memory(shares: usize, places: usize) -> u64 {
        ((places >> PAGE_BITS) + 1) as u64 * shares as u64 * PACKET as u64
    }

    /// Messages since [`take_count`](Outbox::take_count).
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Messages since the last call.
    pub fn take_count(&mut self) -> u64 {
        std::mem::take(&mut self.count)
    }

    #[inline(always)]
    pub(super) fn send(&mut self, (share, place): (usize, u32), content: u8, post: &mut impl FnMut(Packet)) {
        let page = place >> PAGE_BITS;
        let bytes = &mut self.packets[share * self.pages + page as usize];
        bytes.extend_from_slice(&(place & PLACE | u32::from(content) << PAGE_BITS).to_le_bytes());
        self.count += 1;
        if bytes.len() >= PACKET {
            let bytes = std::mem::replace(bytes, Vec::with_capacity(PACKET));
            post(Packet { share, page, bytes });
        }
    }

    /// Passes on the packets that are not full.
    pub fn flush(&mut self, post: &mut impl FnMut(Packet)) {
        for (number, bytes) in self.packets.iter_mut().enumerate().filter(|(_, bytes)| !bytes.is_empty()) {
            let (share, page) = (number / self.pages, (number % self.pages) as u32);
            post(Packet { share, page, bytes: std::mem::take(bytes) });
        }
    }
}

const PLACE: u32 = (1 << PAGE_BITS) - 1;

/// The places of the messages of a packet, and their contents.
#[inline(always)]
pub(super) fn messages(page: u32, bytes: &[u8]) -> impl Iterator<Item = (usize, u8)> + '_ {
    let start = (page as usize) << PAGE_BITS;
    let (messages, _) = bytes.as_chunks::<MESSAGE>();
    messages.iter().map(move |&message| {
        let message = u32::from_le_bytes(message);
        (start + (message & PLACE) as usize, (message >> PAGE_BITS) as u8)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_arrives_at_its_share_and_place() {
        let places = (2 << PAGE_BITS) + 5;
        let mut outbox = Outbox::new(3, places);
        let mut arrived = Vec::new();
        let mut post = |packet: Packet| {
            arrived.extend(messages(packet.page, &packet.bytes).map(|(at, content)| (packet.share, at, content)));
        };
        let sent: Vec<(usize, usize, u8)> =
            (0..30_000).map(|n: usize| (n % 3, n * 104_729 % places, (n % 251) as u8)).collect();
        for &(share, at, content) in &sent {
            outbox.send((share, at as u32), content, &mut post);
        }
        outbox.flush(&mut post);
        outbox.flush(&mut |_| panic!("nothing is left"));
        assert_eq!((outbox.take_count(), outbox.take_count()), (30_000, 0));
        let sorted = |mut list: Vec<_>| {
            list.sort_unstable();
            list
        };
        assert_eq!(sorted(arrived), sorted(sent));
    }
}

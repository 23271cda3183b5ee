//! The search, ply by ply: every board first reached so many plies from the start tells the boards after it.

use std::io;

use tesuji_game::{NO_MOVE, Place, Ranked, Step};

use super::{Distance, UNREACHED};
use crate::retrograde::boxes::{BLOCK, Boxes, Message, Outbox};
use crate::retrograde::shelf::State;
use crate::retrograde::spans::Spans;
use crate::retrograde::{Order, Plane, RetrogradeError, Shelf};

/// How far all boards are from the start.
///
/// Depths are kept one higher than they are, so that fresh memory means unreached.
pub struct Reached {
    pub(super) spans: Spans,
    first: Plane,
    mv: Plane,
    second: Plane,
    progress: Progress,
}

/// Where the search stands. Everything before is done, everything after is not begun.
#[derive(Clone, Copy, Default)]
struct Progress {
    depth: u8,
    block: usize,
    sent: u64,
    arrived: u64,
    done: bool,
}

impl Reached {
    fn new<G: Ranked>(game: &G) -> io::Result<Reached> {
        let classes: Vec<u8> = game.stages().iter().flat_map(|classes| classes.iter().copied()).collect();
        let spans = Spans::new(game, &classes)?;
        let plane = || Plane::zeros(spans.size());
        Ok(Reached { first: plane()?, mv: plane()?, second: plane()?, progress: Progress::default(), spans })
    }

    /// How many bytes of memory a search takes.
    pub fn memory<G: Ranked>(game: &G) -> u64 {
        let classes = game.stages().iter().flat_map(|classes| classes.iter());
        3 * classes.map(|&class| u64::from(game.size(class))).sum::<u64>()
    }

    /// The distance of a numbered board.
    #[inline]
    pub fn get(&self, class: u8, index: u32) -> Distance {
        match self.spans.start(class) {
            Some(start) => self.at((start + index) as usize),
            None => Distance { first: UNREACHED, mv: NO_MOVE, second: UNREACHED },
        }
    }

    #[inline]
    fn at(&self, at: usize) -> Distance {
        let depth = |kept: u8| kept.wrapping_sub(1);
        // A move is kept one higher, too.
        let mv = if self.mv[at] == 0 { NO_MOVE } else { self.mv[at] - 1 };
        Distance { first: depth(self.first[at]), mv, second: depth(self.second[at]) }
    }

    /// The plies after which a board can have been reached with this move forbidden, [`NO_MOVE`] for none, as the
    /// board given sees it. `None` when it cannot.
    ///
    /// With a move forbidden, the last move was the one that it would take back. With none it was one that cannot be
    /// taken back, or there was none.
    pub fn depth<G: Ranked>(&self, game: &G, board: G::Board, forbidden: u8) -> Option<u8> {
        let place = game.rank(board);
        if forbidden == NO_MOVE {
            return self.depth_without_ko(game, place.class, place.index);
        }
        let (before, mv) = game.after(board, forbidden).filter(|&(_, reply)| reply != NO_MOVE)?;
        self.depth_after(game, before, mv)
    }

    /// The same for a numbered board with nothing forbidden.
    pub(super) fn depth_without_ko<G: Ranked>(&self, game: &G, class: u8, index: u32) -> Option<u8> {
        if self.get(class, index).first == 0 {
            return Some(0);
        }
        let mut least = UNREACHED;
        let mut visit = |back: tesuji_game::Back| {
            if back.reply == NO_MOVE {
                least = least.min(self.get(back.class, back.index).first.saturating_add(1));
            }
        };
        game.predecessors(class, index, &mut visit);
        game.entrances(class, index, &mut visit);
        (least != UNREACHED).then_some(least)
    }

    /// The plies after which `mv` can have been played on the board `before`.
    pub(super) fn depth_after<G: Ranked>(&self, game: &G, before: G::Board, mv: u8) -> Option<u8> {
        let place = game.rank(before);
        let mv = game.image(mv, place.symmetry);
        self.get(place.class, place.index).after(mv)
    }
}

/// Finds the distance of every board from `start`, nothing being forbidden there. `watch` is told the depth and how many
/// moves were followed so far, several times a second, and says what to do; when it says stop there is no result.
///
/// With a shelf the work is saved there by order, and what was stopped or killed goes on from where it was last saved;
/// the result stays there.
pub fn reach<G: Ranked>(
    game: &G,
    start: G::Board,
    threads: usize,
    mut shelf: Option<&mut Shelf>,
    watch: &mut dyn FnMut(u8, u64) -> Order,
) -> Result<Option<Reached>, RetrogradeError> {
    let mut reached = Reached::new(game).map_err(RetrogradeError::Allocation)?;
    let place = game.rank(start);
    let from = format!("{} {}", place.class, place.index);
    if let Some(begin) = reached.spans.start(place.class) {
        reached.first[(begin + place.index) as usize] = 1;
    }
    if let Some(shelf) = &mut shelf {
        shelf.restore_state("reach", &mut |state| reached.restore(&from, state))?;
    }
    let mut boxes = Boxes::new(reached.spans.size(), threads);
    while !reached.progress.done {
        let order = watch(reached.progress.depth, reached.progress.sent);
        if order != Order::Go
            && let Some(shelf) = &mut shelf
        {
            reached.save(&from, shelf)?;
        }
        if order == Order::Stop {
            return Ok(None);
        }
        round(game, &mut reached, &mut boxes);
        if let Some(shelf) = &mut shelf
            && reached.progress.done
        {
            reached.save(&from, shelf)?;
        }
    }
    Ok(Some(reached))
}

/// Goes on from some boards, and from one depth to the next.
fn round<G: Ranked>(game: &G, reached: &mut Reached, boxes: &mut Boxes) {
    let Progress { depth, block, .. } = reached.progress;
    let blocks = reached.spans.size().div_ceil(BLOCK);
    let shared: &Reached = reached;
    let (next, count) = boxes.gather(block, blocks, |block, out| find(game, shared, depth, block, out));
    let band = boxes.band();
    let moves = reached.mv.chunks_mut(band).zip(reached.second.chunks_mut(band));
    let bands = reached.first.chunks_mut(band).zip(moves);
    let sums = boxes.deliver(bands, |(first, (mv, second)), messages, mask, sum: &mut u64| {
        *sum += arrive(first, mv, second, messages, mask, depth + 1);
    });
    let progress = &mut reached.progress;
    progress.sent += count;
    progress.arrived += sums.iter().sum::<u64>();
    progress.block = next;
    if next == blocks {
        // Depths are bytes, kept one higher than they are.
        progress.done = progress.arrived == 0 || depth >= UNREACHED - 2;
        (progress.depth, progress.block, progress.arrived) = (depth + 1, 0, 0);
    }
}

impl Reached {
    fn save(&self, from: &str, shelf: &mut Shelf) -> Result<(), RetrogradeError> {
        let Progress { depth, block, sent, arrived, done } = self.progress;
        let facts = [
            ("from", from.to_owned()),
            ("progress", format!("{depth} {block} {sent} {arrived} {}", u8::from(done))),
        ];
        let planes: [(&str, &[u8]); 3] =
            [("first", &self.first), ("move", &self.mv), ("second", &self.second)];
        shelf.save_state("reach", &facts, &planes)
    }

    /// Goes on with what was saved, unless that began elsewhere.
    fn restore(&mut self, from: &str, state: &State) -> Result<bool, RetrogradeError> {
        if state.fact("from") != from {
            return Ok(false);
        }
        let &[depth, block, sent, arrived, done] = &state.numbers("progress")[..] else {
            return Err(state.unreadable());
        };
        state.load("first", &mut self.first)?;
        state.load("move", &mut self.mv)?;
        state.load("second", &mut self.second)?;
        let (depth, block) = (depth as u8, block as usize);
        self.progress = Progress { depth, block, sent, arrived, done: done != 0 };
        Ok(true)
    }
}

/// Finds the moves from the boards of a block that are gone on from at this depth.
fn find<G: Ranked>(game: &G, reached: &Reached, depth: u8, block: usize, out: &mut Outbox<'_>) {
    let range = block * BLOCK..((block + 1) * BLOCK).min(reached.spans.size());
    let mut send = |next: G::Board, reply: u8| {
        let place = game.rank(next);
        if let Some(start) = reached.spans.start(place.class) {
            // Where nothing is forbidden, or a twin of what is forbidden is allowed, nothing is kept.
            let what = forbidden(game, next, reply, place).map_or(0, |mv| u32::from(mv) + 1);
            out.send(start + place.index, what);
        }
    };
    for offset in memchr::memchr_iter(depth + 1, &reached.first[range.clone()]) {
        let at = range.start + offset;
        let (class, index) = reached.spans.place(at);
        let except = reached.at(at).mv;
        let Some(board) = game.unrank(class, index) else { continue };
        game.successors(board, |mv, step| match step {
            Step::On(next, reply) if mv != except => send(next, reply),
            _ => {}
        });
    }
    for offset in memchr::memchr_iter(depth + 1, &reached.second[range.clone()]) {
        let at = range.start + offset;
        let (class, index) = reached.spans.place(at);
        let mv = reached.at(at).mv;
        if let Some((next, reply)) = game.unrank(class, index).and_then(|board| game.after(board, mv)) {
            send(next, reply);
        }
    }
}

/// What is forbidden on a board just reached, as the numbered board sees it.
#[inline]
fn forbidden<G: Ranked>(game: &G, board: G::Board, reply: u8, place: Place) -> Option<u8> {
    if reply == NO_MOVE {
        return None;
    }
    if place.symmetric {
        let mut twin = false;
        game.twins(board, reply, |mv| twin |= mv != reply);
        if twin {
            return None;
        }
    }
    Some(game.image(reply, place.symmetry))
}

/// Boards are reached, `depth` plies from the start; returns how many for the first time, or first in another way.
fn arrive(
    first: &mut [u8],
    mv: &mut [u8],
    second: &mut [u8],
    messages: &[Message],
    mask: u32,
    depth: u8,
) -> u64 {
    let mut arrived = 0;
    for &message in messages {
        let (at, forbidden) = ((message as u32 & mask) as usize, (message >> 32) as u8);
        if first[at] == 0 {
            first[at] = depth + 1;
            mv[at] = forbidden;
            arrived += 1;
        } else if mv[at] != 0 && mv[at] != forbidden && second[at] == 0 {
            if first[at] == depth + 1 {
                // Two ways at once: together they allow every move.
                mv[at] = 0;
            } else {
                second[at] = depth + 1;
                arrived += 1;
            }
        }
    }
    arrived
}

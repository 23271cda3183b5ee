//! Which positions the book lacks most: those that cost both sides together the least to come to.

use std::collections::HashMap;

use tesuji_game::Game;
use tesuji_othello::Othello;

use super::{Book, Key, Place};

/// A position that a leaf leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Deviation {
    /// What the moves from the start to it gave away, by both sides.
    loss: i32,
    discs: u32,
    to: Key,
}

impl Book {
    /// The positions out of the book that are nearest to best play, of up to so many moves: every move on the way to
    /// them, by whichever side, is held against the best one there. Of equal ones those with fewer discs come first.
    pub(super) fn deviations(&self, plies: u32) -> Vec<Key> {
        let losses = self.losses();
        let mut found: HashMap<Key, Deviation> = HashMap::new();
        for (key, loss) in losses {
            let Some(page) = self.pages.get(&key) else { continue };
            let (Some(leaf), Some(worth)) = (page.leaf, page.worth) else { continue };
            let to = page.steps.iter().find(|step| step.square == leaf.square).and_then(|step| step.to);
            let Some(to) = to.filter(|to| to.plies() <= plies) else { continue };
            let loss = loss + worth - i32::from(leaf.value);
            let deviation = Deviation { loss, discs: to.discs(), to };
            let known = found.entry(to).or_insert(deviation);
            *known = deviation.min(*known);
        }
        let mut found: Vec<Deviation> = found.into_values().collect();
        found.sort_unstable();
        found.into_iter().map(|deviation| deviation.to).collect()
    }

    /// What it takes at least to come from the start to each position, through the book.
    fn losses(&self) -> HashMap<Key, i32> {
        let mut losses: HashMap<Key, i32> = HashMap::new();
        let start = Place::of(&Othello::start()).map(|place| place.key);
        losses.extend(start.map(|start| (start, 0)));
        let mut keys: Vec<Key> = self.pages.keys().copied().collect();
        // The emptiest boards first: when a position is looked at, all ways to it are known.
        keys.sort_unstable_by_key(|key| key.discs());
        for key in keys {
            let (Some(&loss), Some(page)) = (losses.get(&key), self.pages.get(&key)) else { continue };
            for step in &page.steps {
                if let (Some(to), Some(value), Some(worth)) = (step.to, self.value(step), page.worth) {
                    let way = loss + worth - value;
                    losses.entry(to).and_modify(|least| *least = way.min(*least)).or_insert(way);
                }
            }
        }
        losses
    }
}

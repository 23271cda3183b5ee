//! Several books made one.

use std::collections::HashMap;

use super::{Book, Key, Leaf};

impl Book {
    /// All positions of all books. Of several leaves of a position only those count whose move leads out of the merged
    /// book; the one that was searched deepest, then most surely, is taken. Where none counts a search has to tell
    /// which move is best now: [`super::Grower`] does that. The order of the books does not matter.
    pub fn merged<'a>(books: impl IntoIterator<Item = &'a Book>) -> Book {
        let mut merged = Book::default();
        let mut leaves: HashMap<Key, Vec<Leaf>> = HashMap::new();
        for book in books {
            for (&key, page) in &book.pages {
                merged.add(key, None);
                leaves.entry(key).or_default().extend(page.leaf);
            }
        }
        for (key, found) in leaves {
            let leaf = merged.pages.get(&key).and_then(|page| {
                let inside = merged.inside(page);
                let open = found.into_iter().filter(|leaf| inside >> leaf.square & 1 == 0);
                open.max_by_key(|leaf| (leaf.sight(), leaf.value, leaf.square))
            });
            merged.add(key, leaf);
        }
        merged.settle();
        merged
    }
}

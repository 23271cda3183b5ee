//! Several classes side by side, under one run of numbers.

use std::io;

use tesuji_game::PerfectIndex;

/// Where each class begins.
pub(crate) struct Spans {
    /// The classes in order, with their starts.
    classes: Vec<(u8, u32)>,
    /// The starts by class; `None` for classes that are not here.
    starts: [Option<u32>; 256],
    size: u32,
}

impl Spans {
    pub(crate) fn new<G: PerfectIndex>(game: &G, classes: &[u8]) -> io::Result<Spans> {
        let mut spans = Spans { classes: Vec::new(), starts: [None; 256], size: 0 };
        for &class in classes {
            spans.classes.push((class, spans.size));
            spans.starts[usize::from(class)] = Some(spans.size);
            spans.size = spans.size.checked_add(game.size(class)).ok_or_else(|| {
                io::Error::new(io::ErrorKind::InvalidInput, "more than 2³² boards at once cannot be numbered")
            })?;
        }
        Ok(spans)
    }

    /// How many numbers there are.
    pub(crate) fn size(&self) -> usize {
        self.size as usize
    }

    /// The classes, in order.
    pub(crate) fn classes(&self) -> impl Iterator<Item = u8> + '_ {
        self.classes.iter().map(|&(class, _)| class)
    }

    /// Where a class begins.
    #[inline(always)]
    pub(crate) fn start(&self, class: u8) -> Option<u32> {
        self.starts[usize::from(class)]
    }

    /// The class of a number, and the number there.
    #[inline(always)]
    pub(crate) fn place(&self, at: usize) -> (u8, u32) {
        let found = self.classes.iter().rev().find(|&&(_, start)| start as usize <= at);
        let (class, start) = found.copied().unwrap_or_default();
        (class, (at - start as usize) as u32)
    }
}

//! The games that ship with tesuji, with the commands that are not behind the registry yet.

use tesuji_registry::shipped as games;
use tesuji_trax::{EightByEight, Loops, Unlimited};

use crate::Entry;
use crate::command::solve;
use crate::entry::CliGame;

/// All of them, in the order they are listed.
pub fn shipped() -> Vec<Entry> {
    vec![
        CliGame::new(games::othello()).endings(solve::endings::run).entry(),
        CliGame::new(games::trax::<Unlimited>()).entry(),
        CliGame::new(games::trax::<EightByEight>()).entry(),
        CliGame::new(games::trax::<Loops>()).entry(),
        CliGame::new(games::ostle()).numbered().published(solve::published::run).entry(),
        CliGame::new(games::shogi()).entry(),
    ]
}

//! How a game enters the command line: its registration, and the commands that are not behind the registry yet.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use tesuji_game::HasPerfectIndex;
use tesuji_registry::GameHandle;
pub(crate) use tesuji_registry::Registration;

pub(crate) use tesuji_registry::Playable;

use crate::args;
use crate::command::{query, solve, verify};
use crate::failure::{Done, Failure};
use crate::out::Out;

/// A game on the command line.
pub struct Entry {
    handle: GameHandle,
    tool: Box<dyn Tool>,
}

impl Entry {
    /// A game with no more than its rules, notation, formats and board.
    pub fn of<G: Playable>(about: &'static str) -> Entry {
        CliGame::<G>::new(Registration::new(about)).entry()
    }

    pub(crate) fn name(&self) -> &'static str {
        self.handle.name()
    }

    pub(crate) fn handle(&self) -> &GameHandle {
        &self.handle
    }

    pub(crate) fn tool(&self) -> &dyn Tool {
        self.tool.as_ref()
    }
}

/// A registered game with the commands that are not behind the registry yet.
pub(crate) struct CliGame<G: Playable> {
    game: Arc<Registration<G>>,
    /// What can be done with the whole of it.
    whole: Option<Whole>,
    /// Solving single positions.
    endings: Option<fn(&args::Solve, &mut Out) -> Done>,
    /// Solving by the rules of a published solution.
    published: Option<fn(&args::Solve, &mut Out) -> Done>,
}

impl<G: Playable> Deref for CliGame<G> {
    type Target = Registration<G>;

    fn deref(&self) -> &Registration<G> {
        &self.game
    }
}

/// What can be done with a game that is small enough to be solved whole.
pub(crate) struct Whole {
    solve: fn(&args::Solve, &mut Out) -> Done,
    query: fn(&args::Query, &mut Out) -> Done,
    verify: fn(&Path, &args::Verify, &mut Out) -> Option<Done>,
}

impl<G: Playable> CliGame<G> {
    pub(crate) fn new(game: Registration<G>) -> CliGame<G> {
        CliGame { game: Arc::new(game), whole: None, endings: None, published: None }
    }

    /// All boards of the game are numbered: it can be solved whole.
    pub(crate) fn numbered(mut self) -> CliGame<G>
    where
        G: HasPerfectIndex,
    {
        self.whole =
            Some(Whole { solve: solve::run::<G>, query: query::run::<G>, verify: verify::table::<G> });
        self
    }

    /// The last moves of the game can be solved.
    pub(crate) fn endings(mut self, solve: fn(&args::Solve, &mut Out) -> Done) -> CliGame<G> {
        self.endings = Some(solve);
        self
    }

    /// Somebody solved the game before by other rules, which `solve --published` follows.
    pub(crate) fn published(mut self, solve: fn(&args::Solve, &mut Out) -> Done) -> CliGame<G> {
        self.published = Some(solve);
        self
    }

    /// Ready for the command line.
    pub(crate) fn entry(self) -> Entry {
        let handle: GameHandle = Arc::clone(&self.game) as GameHandle;
        Entry { handle, tool: Box::new(self) }
    }
}

/// The commands of one game, whatever its type.
pub(crate) trait Tool {
    fn solve(&self, args: &args::Solve, out: &mut Out) -> Done;
    fn query(&self, args: &args::Query, out: &mut Out) -> Done;
    /// Verifies a table of this game, if that is what lies there.
    fn verify(&self, path: &Path, args: &args::Verify, out: &mut Out) -> Option<Done>;
}

impl<G: Playable> Tool for CliGame<G> {
    fn solve(&self, args: &args::Solve, out: &mut Out) -> Done {
        if let Some(solve) = self.endings.or(self.published.filter(|_| args.published)) {
            return solve(args, out);
        }
        let whole = self.whole.as_ref().ok_or_else(too_large::<G>)?;
        match &args.what {
            Some(what) => Err(Failure::usage(format!(
                "{what:?}: {0} is solved whole; ask `tesuji query {0}` for a position",
                G::NAME
            ))),
            None => (whole.solve)(args, out),
        }
    }

    fn query(&self, args: &args::Query, out: &mut Out) -> Done {
        (self.whole.as_ref().ok_or_else(too_large::<G>)?.query)(args, out)
    }

    fn verify(&self, path: &Path, args: &args::Verify, out: &mut Out) -> Option<Done> {
        (self.whole.as_ref()?.verify)(path, args, out)
    }
}

fn too_large<G: Playable>() -> Failure {
    Failure::usage(format!("{} is too large to be solved whole; ostle is not", G::NAME))
}

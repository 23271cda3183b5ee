//! The engine `table` plays a small solved game as well as anybody can, and says so.

mod play;
mod trust;
mod warren;

use std::collections::HashMap;
use std::path::PathBuf;

use tesuji_engines::{EngineFactory, Spec, from_table};
use tesuji_game::{HasPerfectIndex, Outcome, Record};
use tesuji_search::{CancelToken, Choice, Engine, Limits, SearchReport, Value};
use tesuji_solve::retrograde::{Control, Solution, SolveResult, SolveSettings, solve};
use tesuji_solve::tablebase::{Metric, TablebaseId, TablebaseWriter};
use warren::{Rabbit, Warren};

/// A directory with the table of the game, gone when the test is over.
struct Scratch {
    dir: PathBuf,
    solution: Solution,
}

impl Scratch {
    fn new(name: &str, kind: Metric, classes: &[u8]) -> Scratch {
        let dir = std::env::temp_dir().join(format!("tesuji-engines-{name}-{}", std::process::id()));
        let plan = SolveSettings { threads: 1, stages: 2, memory: 1 << 30 };
        let SolveResult::Solved(solution) = solve(&Warren, &plan, None, &mut |_| Control::Continue).unwrap()
        else {
            panic!("nobody stops it")
        };
        let title = TablebaseId { game: "warren".to_owned(), rules: 1, index: 1 };
        let writer = TablebaseWriter::new(&dir, title, kind, 1).block(50);
        for &class in classes {
            writer.write(&Warren, class, solution.class(class).unwrap(), &mut |_| true).unwrap();
        }
        Scratch { dir, solution }
    }

    /// An engine by this table, with more settings.
    fn engine(&self, settings: &str) -> Box<dyn Engine<Rabbit>> {
        let spec = format!("table:dir=\"{}\",hash=1{settings}", self.dir.display());
        from_table(&Spec::parse(&spec).unwrap(), EngineFactory::generic().make).unwrap()
    }

    /// What a position is worth: odd plies when the mover wins, even ones when not, 0 for a draw.
    fn worth(&self, game: Rabbit) -> u16 {
        self.solution.value(&Warren, game, game.forbidden()).unwrap().into()
    }

    /// The same as engines tell it.
    fn value(&self, game: Rabbit) -> Value {
        match self.worth(game) {
            0 => Value::DRAW,
            plies if plies % 2 == 1 => Value::win(plies),
            plies => Value::loss(plies),
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

fn ask(
    engine: &mut dyn Engine<Rabbit>,
    record: &Record<Rabbit>,
    lines: usize,
) -> (u8, Option<SearchReport<u8>>) {
    let (limits, mut last) = (Limits { lines, ..Limits::default() }, None);
    match engine.think(record, &limits, &CancelToken::new(), &mut |report| last = Some(report.clone())) {
        Choice::Move { mv, .. } => (mv, last),
        other => panic!("{other:?} in {:?}", record.now()),
    }
}

fn moves(game: Rabbit) -> Vec<u8> {
    let mut list = Vec::new();
    tesuji_game::Game::moves(&mut { game }, &mut list);
    list
}

fn played(game: Rabbit, mv: u8) -> Rabbit {
    let mut after = game;
    tesuji_game::Game::play(&mut after, mv);
    after
}

/// The move an engine plays in every position there is.
fn policy(engine: &mut dyn Engine<Rabbit>) -> HashMap<Rabbit, u8> {
    let choose = |game: Rabbit| {
        let mv = ask(engine, &Record::new(game), 1).0;
        assert!(moves(game).contains(&mv), "{mv} is forbidden in {game:?}");
        (game, mv)
    };
    Rabbit::all().into_iter().map(choose).collect()
}

/// How a finished game went for whoever made the last move.
fn result(after: Rabbit) -> Option<Outcome> {
    match tesuji_game::Game::outcome(&after)? {
        Outcome::Win => Some(Outcome::Loss),
        Outcome::Draw => Some(Outcome::Draw),
        Outcome::Loss => Some(Outcome::Win),
    }
}

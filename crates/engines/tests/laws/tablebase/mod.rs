//! The tablebase player plays a small solved game perfectly and reports the true values.

mod fallback;
mod play;
mod toy_game;

use std::collections::HashMap;
use std::path::PathBuf;

use tesuji_engines::{EngineFactory, Spec, from_table};
use tesuji_game::{HasPerfectIndex, Outcome, Record};
use tesuji_search::{CancelToken, Choice, Engine, Limits, SearchReport, Value};
use tesuji_solve::retrograde::{Control, Solution, SolveResult, SolveSettings, solve};
use tesuji_solve::tablebase::{Metric, TablebaseId, TablebaseWriter};
use toy_game::{Token, TokenIndex};

/// A temporary directory with the tablebase of the toy game.
struct Scratch {
    dir: PathBuf,
    solution: Solution,
}

impl Scratch {
    fn new(name: &str, kind: Metric, classes: &[u8]) -> Scratch {
        let dir = std::env::temp_dir().join(format!("tesuji-engines-{name}-{}", std::process::id()));
        let plan = SolveSettings { threads: 1, stages: 2, memory: 1 << 30, cancel: CancelToken::new() };
        let SolveResult::Solved(solution) = solve(&TokenIndex, &plan, None, &mut |_| Control::Continue).unwrap() else {
            panic!("the solver was not stopped")
        };
        let title = TablebaseId { game: "toy-game".to_owned(), rules: 1, index: 1 };
        let writer = TablebaseWriter::new(&dir, title, kind, 1).block(50);
        for &class in classes {
            writer.write(&TokenIndex, class, solution.class(class).unwrap(), &mut |_| true).unwrap();
        }
        Scratch { dir, solution }
    }

    /// A tablebase player with more settings.
    fn engine(&self, settings: &str) -> Box<dyn Engine<Token>> {
        let spec = format!("table:dir=\"{}\",hash=1{settings}", self.dir.display());
        from_table(&Spec::parse(&spec).unwrap(), EngineFactory::generic().make).unwrap()
    }

    /// The distance of a position: odd for a win, even for a loss, 0 for a draw.
    fn distance(&self, game: Token) -> u16 {
        self.solution.value(&TokenIndex, game, game.forbidden()).unwrap().into()
    }

    /// The value of a position.
    fn value(&self, game: Token) -> Value {
        match self.distance(game) {
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

fn think(engine: &mut dyn Engine<Token>, record: &Record<Token>, lines: usize) -> (u8, Option<SearchReport<u8>>) {
    let (limits, mut last) = (Limits { lines, ..Limits::default() }, None);
    match engine.think(record, &limits, &CancelToken::new(), &mut |report| last = Some(report.clone())) {
        Choice::Move { mv, .. } => (mv, last),
        other => panic!("{other:?} in {:?}", record.now()),
    }
}

fn moves(game: Token) -> Vec<u8> {
    let mut list = Vec::new();
    tesuji_game::Game::moves(&mut { game }, &mut list);
    list
}

fn played(game: Token, mv: u8) -> Token {
    let mut after = game;
    tesuji_game::Game::play(&mut after, mv);
    after
}

/// The move of an engine in every position.
fn policy(engine: &mut dyn Engine<Token>) -> HashMap<Token, u8> {
    let choose = |game: Token| {
        let mv = think(engine, &Record::new(game), 1).0;
        assert!(moves(game).contains(&mv), "{mv} is forbidden in {game:?}");
        (game, mv)
    };
    Token::all().into_iter().map(choose).collect()
}

/// The result of a finished game for the side that moved last.
fn result(after: Token) -> Option<Outcome> {
    tesuji_game::Game::outcome(&after).map(|outcome| -outcome)
}

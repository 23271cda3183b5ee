//! The puzzles that ship, and those that are made.

use tesuji_registry::{
    MakePuzzlesRequest, Puzzle, PuzzleAnswerRequest, PuzzleListRequest, PuzzleVerdict, Registry, VerifyRequest,
    VerifyResponse, shipped,
};
use tesuji_task::{CancelToken, Context};

const GAMES: [&str; 4] = ["othello", "trax", "ostle", "shogi"];

fn answer(registry: &Registry, puzzle: &Puzzle, moves: &[String]) -> tesuji_registry::PuzzleFeedback {
    let request = PuzzleAnswerRequest { id: puzzle.id.clone(), moves: moves.to_vec() };
    let cancel = CancelToken::new();
    registry.game(&puzzle.game).unwrap().check_answer(&request, Context::silent(&cancel)).unwrap()
}

#[test]
fn at_least_fifty_ship_for_each_game() {
    let registry = shipped();
    for name in GAMES {
        let game = registry.game(name).unwrap();
        let all = game.list_puzzles(&PuzzleListRequest::default()).unwrap();
        assert!(all.len() >= 50, "{name}: {}", all.len());
        let easy = game.list_puzzles(&PuzzleListRequest { from: None, to: Some(4) }).unwrap();
        assert!(easy.iter().all(|task| task.difficulty <= 4) && easy.len() < all.len());
        for (index, task) in all.iter().enumerate() {
            assert_eq!(task.id, format!("{name}-{}", index + 1), "every line of the file is a puzzle");
        }
    }
    assert!(registry.game("trax-8x8").unwrap().list_puzzles(&PuzzleListRequest::default()).is_err());
}

/// The solution is accepted move by move, and another first move is not.
#[test]
fn answers_are_checked() {
    let registry = shipped();
    for name in GAMES {
        let game = registry.game(name).unwrap();
        let puzzle = game.puzzle(&format!("{name}-1")).unwrap();
        let found = answer(&registry, &puzzle, &puzzle.solution[..1]);
        let more = puzzle.to_find() > 1;
        assert_eq!(found.verdict, if more { PuzzleVerdict::Right } else { PuzzleVerdict::Solved }, "{puzzle:?}");
        assert_eq!(found.reply.as_ref(), more.then(|| &puzzle.solution[1]));
        if puzzle.plies % 2 == 1 {
            let whole = &puzzle.solution[..puzzle.plies as usize];
            let solved = answer(&registry, &puzzle, whole);
            assert_eq!((solved.verdict, solved.to_find), (PuzzleVerdict::Solved, 0), "{puzzle:?}");
            assert_eq!(solved.solution, Some(puzzle.solution.clone()));
        }
        let position = tesuji_registry::ShowRequest {
            at: tesuji_registry::PositionSpec { position: Some(puzzle.position.clone()), ..Default::default() },
            ..Default::default()
        };
        let moves = game.show(&position).unwrap().moves;
        let other = moves.into_iter().find(|mv| *mv != puzzle.solution[0]).unwrap();
        assert_eq!(answer(&registry, &puzzle, &[other]).verdict, PuzzleVerdict::Wrong);
    }
}

#[test]
fn wrong_answers_are_bad_input() {
    let registry = shipped();
    let cancel = CancelToken::new();
    let ask = |id: &str, moves: &[&str]| {
        let moves = moves.iter().map(|&mv| mv.to_owned()).collect();
        let request = PuzzleAnswerRequest { id: id.to_owned(), moves };
        registry.game("ostle").unwrap().check_answer(&request, Context::silent(&cancel)).unwrap_err().to_string()
    };
    assert!(ask("ostle-0", &["a1u"]).starts_with("id: there is no puzzle \"ostle-0\"; there are ostle-1 to ostle-"));
    assert!(ask("ostle-1", &[]).starts_with("moves: no move"));
    assert!(ask("ostle-1", &["z9u"]).starts_with("moves: "));
}

/// Few puzzles of the cheapest game: the same for any number of threads, verified, and a wrong one is told.
#[test]
fn puzzles_are_made_and_verified() {
    let registry = shipped();
    let folder = tempfile::tempdir().unwrap();
    let cancel = CancelToken::new();
    let make = |name: &str, threads| {
        let out = folder.path().join(name);
        let request = MakePuzzlesRequest { count: 2, out: out.clone(), seed: 5, engine: None, threads: Some(threads) };
        let game = registry.game("ostle").unwrap();
        let summary = game.make_puzzles(&request, Context::silent(&cancel), &mut |_| {}).unwrap();
        assert_eq!((summary.puzzles, summary.difficulties.iter().sum::<usize>()), (2, 2));
        assert!(game.make_puzzles(&request, Context::silent(&cancel), &mut |_| {}).is_err(), "no file is overwritten");
        out
    };
    let (one, two) = (make("one", 1), make("two", 2));
    let text = std::fs::read_to_string(&one).unwrap();
    assert_eq!(text, std::fs::read_to_string(two).unwrap());
    let verify = |path: &std::path::Path| {
        let request = VerifyRequest {
            path: path.display().to_string(),
            sums: false,
            step: 1,
            statistics: false,
            memory: None,
            threads: Some(2),
        };
        match registry.verify(&request, Context::silent(&cancel), &mut |_| {}).unwrap() {
            VerifyResponse::Puzzles(file) => file,
            other => panic!("{other:?}"),
        }
    };
    let file = verify(&one);
    assert!(file.right && file.puzzles == 2 && file.wrong.is_empty(), "{file:?}");
    let mut puzzle: Puzzle = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    puzzle.plies += 2;
    let wrong = folder.path().join("wrong");
    std::fs::write(&wrong, format!("{}\nno puzzle\n", serde_json::to_string(&puzzle).unwrap())).unwrap();
    let file = verify(&wrong);
    assert!(!file.right && file.wrong.len() == 2, "{file:?}");
    assert!(file.wrong[1].error.starts_with("not a puzzle: "), "{file:?}");
}

//! One-move wins and forced defences of Trax, taken from games whose ends are known.

use tesuji_engines::trax::AttacksOnly;
use tesuji_engines::{HasEngines, Spec};
use tesuji_game::{Game, MoveList, Outcome, Record};
use tesuji_search::dfpn::{Dfpn, ForcedWin, ProofQuery, ProofResult};
use tesuji_search::{CancelToken, Choice, Limits, Proven, SearchReport};
use tesuji_solve::forced_win::ForcedWinSolver;
use tesuji_trax::{Move, Trax, Unlimited};

const GAMES: &str = include_str!("../../../trax/testdata/games.txt");

/// The moves of every game of the file.
fn games() -> impl Iterator<Item = Vec<&'static str>> {
    GAMES.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_whitespace().skip(5).collect::<Vec<_>>())
}

/// The position so many moves before the end of each game.
pub(super) fn before_the_end(plies: usize) -> impl Iterator<Item = Record<Trax<Unlimited>>> {
    games().filter(move |moves| moves.len() > plies).map(move |moves| {
        let mut record = Record::new(Trax::start());
        for word in &moves[..moves.len() - plies] {
            record.push_text(word).unwrap();
        }
        record
    })
}

/// The outcome of each move, seen by the side that plays it.
fn results(game: &mut Trax<Unlimited>) -> Vec<(Move, Option<Outcome>)> {
    let mut list = Vec::new();
    game.moves(&mut list);
    let result = |mv: Move| {
        let undo = game.play(mv);
        let outcome = game.outcome().map(|outcome| -outcome);
        game.undo(undo);
        (mv, outcome)
    };
    list.each().map(result).collect()
}

fn wins(game: &mut Trax<Unlimited>) -> Vec<Move> {
    results(game).into_iter().filter(|(_, won)| *won == Some(Outcome::Win)).map(|(mv, _)| mv).collect()
}

/// The moves that do not lose at once, neither by themselves nor to the reply.
fn defences(game: &mut Trax<Unlimited>) -> Vec<Move> {
    let tries = results(game);
    let holds = |(mv, outcome): (Move, Option<Outcome>)| {
        let undo = game.play(mv);
        let safe = outcome != Some(Outcome::Loss) && wins(game).is_empty();
        game.undo(undo);
        safe.then_some(mv)
    };
    tries.into_iter().filter_map(holds).collect()
}

fn choose(spec: &str, record: &Record<Trax<Unlimited>>) -> Move {
    let mut engine = Spec::parse(spec).and_then(|spec| Trax::<Unlimited>::engine(&spec)).unwrap();
    match engine.think(record, &Limits::default(), &CancelToken::new(), &mut |_| {}) {
        Choice::Move { mv, .. } => mv,
        other => panic!("{spec} chose {other:?}"),
    }
}

/// Every position that is won in one move is won by this engine; of the games, every `each`-th is tried.
fn wins_what_is_won(spec: &str, each: usize) {
    let mut tried = 0;
    for record in before_the_end(1).step_by(each) {
        let winning = wins(&mut record.now().clone());
        if !winning.is_empty() {
            tried += 1;
            let mv = choose(spec, &record);
            assert!(winning.contains(&mv), "{spec} plays {mv} for {winning:?} in {:?}", record.now());
        }
    }
    assert!(tried >= 300 / each, "only {tried} positions");
}

#[test]
fn a_win_in_one_is_played() {
    wins_what_is_won("alphabeta:hash=1,depth=1", 1);
    wins_what_is_won("alphabeta:hash=1,depth=2", 4);
    wins_what_is_won("alphabeta:hash=1,depth=3", 30);
    wins_what_is_won("alphabeta:hash=1,depth=1,eval=none", 4);
    wins_what_is_won("alphabeta:hash=1,depth=1,eval=leaf-average", 4);
    wins_what_is_won("alphabeta:hash=1,depth=2,eval=leaf-average", 30);
    wins_what_is_won("alphabeta:hash=1,depth=1,eval=monte-carlo", 30);
    wins_what_is_won("alphabeta:hash=1,depth=1,eval=leaf-average+mc", 30);
    wins_what_is_won("uct:playouts=100,hash=1", 4);
    wins_what_is_won("puct:playouts=100,hash=1", 4);
    wins_what_is_won("puct:playouts=100,hash=1,eval=leaf-average", 30);
}

#[test]
fn a_forced_defence_is_found() {
    let (mut tried, mut forced) = (0, 0);
    for record in (2..5).flat_map(before_the_end) {
        let mut game = record.now().clone();
        let safe = defences(&mut game);
        if !wins(&mut game).is_empty() || safe.is_empty() || safe.len() == game.count() as usize {
            continue;
        }
        tried += 1;
        forced += usize::from(safe.len() * 4 <= game.count() as usize);
        for spec in [
            "alphabeta:hash=1,depth=2",
            "alphabeta:hash=1,depth=2,eval=none",
            "alphabeta:hash=1,depth=2,eval=leaf-average",
        ] {
            let mv = choose(spec, &record);
            assert!(safe.contains(&mv), "{spec} plays {mv}, safe are {safe:?} in {game:?}");
        }
    }
    assert!(tried >= 150 && forced >= 80, "{tried} positions, {forced} of them with few defences");
}

#[test]
fn attacks_that_are_found_win_and_most_are_found() {
    let (mut won, mut found) = (0, 0);
    for plies in 1..4 {
        for record in before_the_end(plies) {
            let mut game = record.now().clone();
            let winning = wins(&mut game);
            let claimed = game.win_in_one(game.mover());
            assert_eq!(game, *record.now());
            assert!(claimed.is_none_or(|mv| winning.contains(&mv)), "{claimed:?} does not win in {game:?}");
            won += usize::from(!winning.is_empty());
            found += usize::from(claimed.is_some());
        }
    }
    println!("{found} of {won} found");
    assert!(found * 10 > won * 9, "{found} of {won}");
}

/// The record of a list of moves.
fn played(moves: &str) -> Record<Trax<Unlimited>> {
    let mut record = Record::new(Trax::start());
    for word in moves.split_whitespace() {
        record.push_text(word).unwrap();
    }
    record
}

/// The last report of a search.
fn think(spec: &str, record: &Record<Trax<Unlimited>>) -> SearchReport<Move> {
    let mut engine = Spec::parse(spec).and_then(|spec| Trax::engine(&spec)).unwrap();
    let mut last = None;
    engine.think(record, &Limits::default(), &CancelToken::new(), &mut |report| last = Some(report.clone()));
    last.unwrap()
}

/// A threat search of so many nodes.
fn threats(record: &Record<Trax<Unlimited>>, nodes: u64) -> ProofResult<Move> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    Dfpn::new(AttacksOnly, 1).solve(&ProofQuery::of(record), &limits, &CancelToken::new())
}

/// The horizon example: attack follows attack, so that a search to a fixed depth sees nothing of what matters. Attacks
/// are searched far beyond the nominal depth.
///
/// No win is known for either side: fifty million nodes (depth 9) prove nothing, and from depth 4 on prefer `C1/` for red,
/// against which white has no win by attacks. Two moves lose at once.
#[test]
fn attacks_are_searched_beyond_the_horizon() {
    const EXAMPLE: &str = "@0+ A2+ @1+ B0/ B0/ B0/ A1/ @1/ A0/";
    let mut record = played(EXAMPLE);
    assert!(matches!(threats(&record, 20_000), ProofResult::Disproven), "red has no attack");
    let report = think("alphabeta:hash=16,nodes=60000", &record);
    assert!(report.seldepth >= 8, "{}", report.seldepth);
    let line = &report.lines[0];
    assert!(!line.value.is_proven(), "{line:?}");
    assert_eq!(line.moves[0].to_string(), "C1/", "{line:?}");
    for losing in [r"A0\", r"@1\"] {
        let lost = played(&format!("{EXAMPLE} {losing}"));
        assert!(matches!(threats(&lost, 10), ProofResult::Proven(ForcedWin { plies: 1, .. })), "{losing}");
    }
    record.push(line.moves[0]).unwrap();
    assert!(matches!(threats(&record, 20_000), ProofResult::Disproven), "white has no win by attacks");
    let reply = think("alphabeta:hash=16,depth=5", &record);
    assert!(!reply.lines[0].value.is_proven(), "{:?}", reply.lines[0]);
}

const TACTICS: &str = include_str!("../../testdata/trax_tactics.txt");

/// The positions of the tactics set and the plies of a known win.
fn tactics() -> impl Iterator<Item = (u16, Record<Trax<Unlimited>>)> {
    TACTICS.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (plies, moves) = line.split_once(' ').unwrap();
        (plies.parse().unwrap(), played(moves))
    })
}

/// Wins by attacks are found with few nodes, and their lines end with the win.
#[test]
fn wins_by_attacks_are_found() {
    let (mut all, mut found) = (0, 0);
    for (plies, record) in tactics() {
        all += 1;
        let report = think("alphabeta:hash=4,nodes=200000", &record);
        let line = &report.lines[0];
        let Some(Proven::Win(length)) = line.value.proven() else {
            println!("no win of {plies} plies in {:?}: {line:?}", record.now());
            continue;
        };
        found += 1;
        if line.moves.len() == usize::from(length) {
            let (mut game, winner) = (record.now().clone(), record.now().mover());
            for &mv in &line.moves {
                game.play(mv);
            }
            let outcome = game.outcome().map(|outcome| outcome.winner(game.mover()));
            assert_eq!(outcome, Some(Some(winner)), "{line:?} in {:?}", record.now());
        }
    }
    assert!(all >= 40 && found * 100 >= all * 95, "{found} of {all}");
}

/// Wins in three plies as exhaustive search finds them: threat search claims no other, and misses few, those by long
/// chains.
#[test]
fn threat_search_agrees_with_exhaustive_search() {
    let (mut won, mut found) = (0, 0);
    let mut exact = ForcedWinSolver::new();
    for record in before_the_end(3).step_by(5) {
        exact.forget();
        let truth = exact.shortest(record.now(), 3, 400_000, &CancelToken::new());
        let claim = match threats(&record, 2_000) {
            ProofResult::Proven(win) => Some(win),
            ProofResult::Disproven | ProofResult::Unknown => None,
        };
        match (truth, claim) {
            (Ok(Some(truth)), claim) => {
                let claimed = claim.as_ref().map(|win| win.plies as u32);
                assert!(claimed.is_none_or(|plies| plies >= truth.plies), "{claim:?} {truth:?} in {:?}", record.now());
                won += 1;
                found += u32::from(claim.is_some());
            }
            (Ok(None), Some(claim)) => assert!(claim.plies > 3, "{claim:?} in {:?}", record.now()),
            _ => {}
        }
    }
    assert!(won >= 30 && found * 10 >= won * 9, "{found} of {won}");
}

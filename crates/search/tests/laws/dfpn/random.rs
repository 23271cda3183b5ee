//! Results in random positions, compared with brute force.

use tesuji_game::{Game, MoveList, Notation, Path};
use tesuji_ostle::Ostle;
use tesuji_search::dfpn::{AttackPolicy, Dfpn, ProofQuery, ProofResult};
use tesuji_search::{CancelToken, Limits, Rng};
use tesuji_shogi::Shogi;
use tesuji_trax::{Trax, Unlimited};

use super::brute_force::BruteForce;
use super::policy::{Checks, Everything, Threats};
use super::{depth, nodes};

/// Visits `count` positions of random games, every `every`-th ply.
fn positions<G: Game>(seed: u64, count: usize, every: usize, mut visit: impl FnMut(&mut G)) {
    let mut rng = Rng::new(seed);
    let (mut seen, mut ply) = (0, 0);
    let mut list = G::Moves::default();
    let mut game = G::start();
    while seen < count {
        game.moves(&mut list);
        if list.is_empty() || ply > 300 {
            (game, ply) = (G::start(), 0);
            continue;
        }
        let mv = list.each().nth(rng.below(list.len())).expect("one below their number");
        game.play(mv);
        ply += 1;
        if ply % every == 0 && game.outcome().is_none() {
            seen += 1;
            visit(&mut game);
        }
    }
}

/// Solves a position and compares with brute force: a proven win exists within its plies, and a disproven one does not
/// within `plies`. Returns the length of a proven win.
fn checked<G: Game, P: AttackPolicy<G> + Copy>(
    solver: &mut Dfpn<P>,
    policy: P,
    game: &mut G,
    is_shortest: bool,
    limits: &Limits,
    plies: u32,
) -> Option<usize> {
    let path = Path::new(game, G::Rules::default());
    let query = ProofQuery::new(game, &path);
    let query = if is_shortest { query.shortest() } else { query };
    let result = solver.solve(&query, limits, &CancelToken::new());
    let mut brute = BruteForce::new(&policy, game.mover());
    match result {
        ProofResult::Proven(proof) => {
            let within = proof.plies as u32;
            assert!(brute.wins(game, within), "no win: {game:?} {proof:?}");
            let shorter = proof.shortest && (1..=5).contains(&within) && brute.wins(game, within - 1);
            assert!(!shorter, "not the shortest: {game:?} {proof:?}");
            Some(proof.plies)
        }
        ProofResult::Disproven => {
            assert!(!brute.wins(game, plies), "a win: {game:?}");
            None
        }
        ProofResult::Unknown => None,
    }
}

#[test]
fn no_false_mate_in_random_shogi() {
    let mut solver = Dfpn::new(Checks, 1);
    let mut mates = Vec::new();
    positions::<Shogi>(1, 2000, 7, |game| {
        mates.extend(checked(&mut solver, Checks, game, true, &nodes(100), 1));
    });
    assert!(mates.len() > 50, "{} mates are too few to tell", mates.len());
}

/// A random composition: a king near the corner with some pieces around it. Has far more mates than random games.
fn composed(rng: &mut Rng) -> Option<Shogi> {
    const ORDER: [(&str, usize); 7] = [("R", 2), ("B", 2), ("G", 4), ("S", 4), ("N", 4), ("L", 4), ("P", 18)];
    let mut left = ORDER.map(|(_, count)| count);
    let mut board = vec![vec!["1".to_owned(); 9]; 9];
    let (file, rank) = (rng.below(4), rng.below(3));
    board[rank][8 - file] = "k".to_owned();
    for black in [true, true, true, false, false] {
        let kind = rng.below(7);
        let (letter, _) = ORDER[kind];
        let letter = if black { letter.to_owned() } else { letter.to_lowercase() };
        let letter = if kind != 2 && rng.below(4) == 0 { format!("+{letter}") } else { letter };
        let place = &mut board[(rank + rng.below(5)).saturating_sub(1)][8 - (file + rng.below(5)).saturating_sub(2)];
        if place == "1" && left[kind] > 0 {
            left[kind] -= 1;
            *place = letter;
        }
    }
    let mut hands = String::new();
    for (kind, (letter, _)) in ORDER.into_iter().enumerate() {
        if left[kind] > 0 && rng.below(4) == 0 {
            left[kind] -= 1;
            hands += letter;
        }
        // The defender holds few pieces, so that brute force is feasible.
        let held = left[kind].min(rng.below(2));
        hands += &letter.to_lowercase().repeat(held);
    }
    let rows: Vec<String> = board.iter().map(|row| row.concat()).collect();
    let hands = if hands.is_empty() { "-" } else { &hands };
    let game = Shogi::parse(&format!("{} b {hands} 1", rows.join("/"))).ok()?;
    Some(game).filter(|game| game.outcome().is_none())
}

/// Either mode must find enough mates within its budget. The first mate takes fewer nodes than the proof that there is no
/// shorter one.
#[test]
fn no_false_mate_in_composed_shogi() {
    for (is_shortest, budget) in [(false, 300), (true, 800)] {
        let mut rng = Rng::new(2);
        let mut solver = Dfpn::new(Checks, 1);
        let mut mates = Vec::new();
        let mut seen = 0;
        while seen < 400 {
            let Some(mut game) = composed(&mut rng) else { continue };
            seen += 1;
            mates.extend(checked(&mut solver, Checks, &mut game, is_shortest, &nodes(budget), 3));
        }
        let long = mates.iter().filter(|&&plies| plies >= 5).count();
        assert!(mates.len() > 80 && long > 15, "{} mates, {long} long: too few to tell", mates.len());
    }
}

/// With enough nodes, a mate within three plies is never missed.
#[test]
fn no_short_mate_is_missed() {
    let mut rng = Rng::new(3);
    let mut solver = Dfpn::new(Checks, 1);
    for _ in 0..4000 {
        let Some(mut game) = composed(&mut rng) else { continue };
        let truth = BruteForce::new(&Checks, game.mover()).shortest(&mut game, 3);
        let path = Path::new(&game, Default::default());
        let result = solver.solve(&ProofQuery::new(&game, &path).shortest(), &depth(3), &CancelToken::new());
        let found = match result {
            ProofResult::Proven(proof) => Some(proof.plies as u32),
            ProofResult::Disproven => None,
            ProofResult::Unknown => panic!("{game:?} without a limit"),
        };
        assert_eq!(found, truth, "{game:?}");
    }
}

#[test]
fn ostle_agrees_with_brute_force() {
    let mut solver = Dfpn::new(Everything, 1);
    let mut wins = 0;
    positions::<Ostle>(4, 20000, 1, |game| {
        if game.pieces().1 > 4 {
            return;
        }
        let path = Path::new(game, ());
        let query = ProofQuery::new(game, &path).shortest();
        let result = solver.solve(&query, &depth(3), &CancelToken::new());
        let truth = BruteForce::new(&Everything, game.mover()).shortest(game, 3);
        match result {
            ProofResult::Proven(proof) => assert_eq!(Some(proof.plies as u32), truth, "{game:?}"),
            other => assert_eq!((other, truth), (ProofResult::Disproven, None), "{game:?}"),
        }
        wins += u32::from(truth.is_some());
    });
    assert!(wins > 30, "{wins} wins are too few to tell");
}

#[test]
fn trax_agrees_with_brute_force() {
    let mut solver = Dfpn::new(Threats, 1);
    let mut wins = Vec::new();
    positions::<Trax<Unlimited>>(6, 300, 4, |game| {
        wins.extend(checked(&mut solver, Threats, game, true, &nodes(500), 1));
    });
    let long = wins.iter().filter(|&&plies| plies >= 3).count();
    assert!(wins.len() > 30 && long > 2, "{wins:?} are too few to tell");
}

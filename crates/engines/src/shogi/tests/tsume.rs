//! The mate solver against brute force: checks, the shortest mate, and what more pieces in hand change.

use std::cell::Cell;
use std::collections::HashMap;

use tesuji_game::{Game, MoveList, Notation, Path, Side};
use tesuji_laws::hold;
use tesuji_search::dfpn::{AttackPolicy, Dfpn, ForcedWin, ProofQuery, ProofResult};
use tesuji_search::{CancelToken, Limits};
use tesuji_shogi::{Move, Moves, PieceKind, Rules, Setup, Shogi, Square};

use super::super::ChecksOnly;
use super::{parsed, positions};

/// Mates by trying every check and every defence.
#[derive(Default)]
struct BruteForce {
    cache: HashMap<(Shogi, u32), bool>,
}

impl BruteForce {
    /// Whether the mover mates within `left` plies; `left` is odd.
    fn mates(&mut self, game: &Shogi, left: u32) -> bool {
        if let Some(&known) = self.cache.get(&(game.clone(), left)) {
            return known;
        }
        let mates = moves(game).each().any(|mv| {
            let answer = after(game, mv);
            let replies = moves(&answer);
            answer.in_check()
                && (replies.is_empty()
                    || left > 2 && replies.each().all(|reply| self.mates(&after(&answer, reply), left - 2)))
        });
        self.cache.insert((game.clone(), left), mates);
        mates
    }

    /// The length of the shortest mate, up to `most` plies.
    fn shortest(&mut self, game: &Shogi, most: u32) -> Option<u32> {
        (1..=most).step_by(2).find(|&plies| self.mates(game, plies))
    }
}

fn moves(game: &Shogi) -> Moves {
    let mut list = Moves::default();
    game.clone().moves(&mut list);
    list
}

fn after(game: &Shogi, mv: Move) -> Shogi {
    let mut after = game.clone();
    after.play(mv);
    after
}

fn solve(solver: &mut Dfpn<ChecksOnly>, game: &Shogi, limits: &Limits) -> ProofResult<Move> {
    let path = Path::new(game, Rules::default());
    solver.solve(&ProofQuery::new(game, &path).shortest(), limits, &CancelToken::new())
}

#[test]
fn all_checks_are_attacks() {
    positions(40, 200, 5, |game, list| {
        let mut attacks = Vec::new();
        ChecksOnly.attacks(game, &mut attacks);
        let checks: Vec<Move> = list.each().filter(|&mv| after(game, mv).in_check()).collect();
        hold!(attacks == checks, "{attacks:?}, not {checks:?} in {game:?}");
        Ok(())
    });
}

/// In positions of games: the shortest mate of up to 5 plies is that of brute force, and where there is none, none is
/// found.
#[test]
fn the_shortest_mate_is_that_of_brute_force() {
    let met = [const { Cell::new(0) }; 3];
    let solver = std::cell::RefCell::new(Dfpn::new(ChecksOnly, 4));
    positions(60, 200, 13, |game, _| {
        let mut brute = BruteForce::default();
        let expected = brute.shortest(game, 5);
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        match (solve(&mut solver.borrow_mut(), game, &limits), expected) {
            (ProofResult::Proven(win), Some(plies)) => {
                hold!(!win.shortest || win.plies == plies as usize, "{win:?}, not {plies} in {game:?}");
                hold!(win.plies >= plies as usize, "{win:?} is shorter than {plies} in {game:?}");
                met[plies as usize / 2].set(met[plies as usize / 2].get() + usize::from(win.shortest));
            }
            (ProofResult::Proven(win), None) => hold!(win.plies > 5, "{win:?} in {game:?}"),
            (ProofResult::Disproven, Some(plies)) => return Err(format!("mate in {plies} overlooked in {game:?}")),
            _ => {}
        }
        Ok(())
    });
    let met = met.map(Cell::into_inner);
    assert!(met[0] >= 20 && met[1] >= 3 && met[2] >= 1, "mates met in 1, 3 and 5 plies: {met:?}");
}

/// Problems with known lengths, in both modes, with a large and a tiny table.
#[test]
fn tsume_problems_have_their_lengths() {
    let lines = include_str!("../../../../search/testdata/tsume.txt").lines().filter(|line| !line.starts_with('#'));
    let mut solvers = [Dfpn::new(ChecksOnly, 16), Dfpn::new(ChecksOnly, 0)];
    let mut count = 0;
    for line in lines {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let (game, plies): (Shogi, usize) = (parsed(fields[0]), fields[1].parse().unwrap());
        for solver in &mut solvers {
            let result = solve(solver, &game, &Limits::default());
            let ProofResult::Proven(ForcedWin { line, plies: found, shortest }) = result else {
                panic!("{}: {result:?}", fields[0])
            };
            assert_eq!((found, line.len(), shortest), (plies, plies, true), "{}", fields[0]);
            assert_eq!(game.print_move(line[0]), fields[2], "{}", fields[0]);
        }
        count += 1;
    }
    assert!(count >= 30, "{count}");
}

/// The same position with one piece of the defender's hand in the attacker's.
fn with_more(game: &Shogi, kind: PieceKind) -> Option<Shogi> {
    let attacker = game.mover();
    if game.hand(!attacker, kind) == 0 {
        return None;
    }
    let mut setup = Setup::new();
    setup.side(attacker);
    for square in Square::all() {
        if let Some(piece) = game.piece(square) {
            setup.put(square, piece);
        }
    }
    for side in Side::BOTH {
        for held in PieceKind::HAND {
            let change = i64::from(held == kind) * if side == attacker { 1 } else { -1 };
            let count = i64::from(game.hand(side, held)) + change;
            setup.hand(side, held, u32::try_from(count).ok()?);
        }
    }
    setup.build().ok()
}

/// What the table of solved positions relies on: with more in hand the attacker mates at least as soon.
#[test]
fn more_in_hand_never_delays_a_mate() {
    let compared = Cell::new(0);
    positions(40, 200, 17, |game, _| {
        let Some(plies) = BruteForce::default().shortest(game, 3) else { return Ok(()) };
        for kind in PieceKind::HAND {
            if let Some(richer) = with_more(game, kind) {
                hold!(
                    BruteForce::default().mates(&richer, plies),
                    "no mate in {plies} with one {kind:?} more: {game:?}"
                );
                let (poor, rich) =
                    (ChecksOnly.holdings(game, game.mover()), ChecksOnly.holdings(&richer, game.mover()));
                hold!(
                    poor.rest == rich.rest && rich.counts.covers(poor.counts) && rich != poor,
                    "{poor:?} {rich:?} in {game:?}"
                );
                compared.set(compared.get() + 1);
            }
        }
        Ok(())
    });
    assert!(compared.get() >= 20, "only {} positions were compared", compared.get());
}

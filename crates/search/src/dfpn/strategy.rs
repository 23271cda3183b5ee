//! Verification of a win: the winning strategy is extracted from the table, then replayed by the rules alone.

use std::collections::HashMap;

use tesuji_game::{Game, MoveList, Outcome, Path};

use super::search::DfpnSearch;
use super::{AttackPolicy, ProofQuery};

/// The attacker's move in every position that can arise.
pub(super) type Strategy<M> = HashMap<u64, M>;

/// The key of a position in a strategy. Some games leave the side to move out of their key.
fn strategy_key<G: Game>(game: &G) -> u64 {
    game.key().wrapping_add(game.mover().index() as u64)
}

/// Extracts a strategy that wins within `plies`. Searches again where the table has lost an entry. `None` if the budget
/// ends before, or the table was wrong.
pub(super) fn extract<G: Game, P: AttackPolicy<G>>(
    search: &mut DfpnSearch<'_, '_, G, P>,
    query: &ProofQuery<'_, G>,
    plies: u32,
) -> Option<Strategy<G::Move>> {
    let mut extractor = StrategyExtractor { search, moves: HashMap::new(), won: HashMap::new() };
    extractor.win(&mut query.game.clone(), plies)?;
    Some(extractor.moves)
}

struct StrategyExtractor<'t, 'a, 'b, G: Game, P> {
    search: &'t mut DfpnSearch<'a, 'b, G, P>,
    moves: Strategy<G::Move>,
    /// The lengths of proven wins. A shorter win replaces a longer one together with its move, so that every step of the
    /// strategy leads to a smaller number and it cannot cycle.
    won: HashMap<u64, u32>,
}

impl<G: Game, P: AttackPolicy<G>> StrategyExtractor<'_, '_, '_, G, P> {
    /// The length of the attacker's win, if it is at most `left`.
    fn win(&mut self, game: &mut G, left: u32) -> Option<u32> {
        let key = strategy_key(game);
        if let Some(&plies) = self.won.get(&key).filter(|&&plies| plies <= left) {
            return Some(plies);
        }
        let mut list = Vec::new();
        let attacking = self.search.attacks(game);
        if attacking {
            self.search.policy.attacks(game, &mut list);
        } else {
            let mut legal = G::Moves::default();
            game.moves(&mut legal);
            list.extend(legal.each());
        }
        let (mv, plies) = if list.is_empty() {
            let outcome = game.outcome()?;
            (outcome == if attacking { Outcome::Win } else { Outcome::Loss }).then_some((None, 0))?
        } else if left == 0 {
            return None;
        } else if attacking {
            let (mv, plies) = self.attack(game, &list, left)?;
            (Some(mv), plies)
        } else {
            let mut longest = 0;
            for mv in list {
                let undo = game.play(mv);
                let plies = self.win(game, left - 1);
                game.undo(undo);
                longest = longest.max(plies? + 1);
            }
            (None, longest)
        };
        // The position may have occurred again below, nearer to the end.
        if let Some(&shorter) = self.won.get(&key).filter(|&&known| known <= plies) {
            return Some(shorter);
        }
        self.won.insert(key, plies);
        self.moves.extend(mv.map(|mv| (key, mv)));
        Some(plies)
    }

    /// A move that wins within `left` plies.
    fn attack(&mut self, game: &mut G, list: &[G::Move], left: u32) -> Option<(G::Move, u32)> {
        let stored = self.stored_wins(game, list, left);
        if let Some(win) = stored.into_iter().find_map(|(_, mv)| self.verify_move(game, mv, left)) {
            return Some(win);
        }
        // Lost from the table, or behind a defence that the policy leaves out.
        let mv = self.search.search_again(game, left)?;
        self.verify_move(game, mv, left)
    }

    /// The length of the win after a move, if it is at most `left`.
    fn verify_move(&mut self, game: &mut G, mv: G::Move, left: u32) -> Option<(G::Move, u32)> {
        let undo = game.play(mv);
        let plies = self.win(game, left - 1);
        game.undo(undo);
        plies.map(|plies| (mv, plies + 1))
    }

    /// The moves that win according to the table, the shortest win first.
    fn stored_wins(&self, game: &mut G, list: &[G::Move], left: u32) -> Vec<(u32, G::Move)> {
        let mut wins = Vec::new();
        for &mv in list {
            let undo = game.play(mv);
            let win = self.search.stored_win(game, left - 1);
            game.undo(undo);
            wins.extend(win.map(|plies| (plies, mv)));
        }
        wins.sort_by_key(|&(plies, _)| plies);
        wins
    }
}

/// Replays the whole strategy by the rules of the game alone: every legal defence, no position twice, a win at every
/// end, and no other end of the game (repetition, move limit) before. Returns the longest line.
pub(super) fn replay<G: Game>(query: &ProofQuery<'_, G>, strategy: &Strategy<G::Move>) -> Option<Vec<G::Move>> {
    let verifier = StrategyVerifier { query, strategy, path: query.path.clone(), lengths: HashMap::new() };
    verifier.longest_line(&mut query.game.clone())
}

struct StrategyVerifier<'a, G: Game> {
    query: &'a ProofQuery<'a, G>,
    strategy: &'a Strategy<G::Move>,
    path: Path<G>,
    /// The longest play from a position; `None` while the position is on the path.
    lengths: HashMap<u64, Option<u32>>,
}

impl<G: Game> StrategyVerifier<'_, G> {
    /// The moves to replay: the strategy's move, or all defences. `None` if the strategy has no legal move.
    fn options(&self, game: &mut G) -> Option<Vec<G::Move>> {
        let mut legal = G::Moves::default();
        game.moves(&mut legal);
        if game.mover() != self.query.attacker {
            return Some(legal.each().collect());
        }
        let &mv = self.strategy.get(&strategy_key(game))?;
        legal.has(mv).then(|| vec![mv])
    }

    /// The longest play from here; `None` if the attacker does not always win.
    fn length(&mut self, game: &mut G) -> Option<u32> {
        if let Some(&length) = self.lengths.get(&strategy_key(game)) {
            return length;
        }
        if let Some(outcome) = game.outcome() {
            return (outcome.winner(game.mover()) == Some(self.query.attacker)).then_some(0);
        }
        if game.ending(&self.path).is_some() {
            return None;
        }
        self.lengths.insert(strategy_key(game), None);
        let mut longest = 0;
        for mv in self.options(game)? {
            let undo = game.play(mv);
            self.path.push(game);
            let length = self.length(game);
            self.path.pop();
            game.undo(undo);
            longest = longest.max(length? + 1);
        }
        self.lengths.insert(strategy_key(game), Some(longest));
        Some(longest)
    }

    /// The longest line, played to its end.
    fn longest_line(mut self, game: &mut G) -> Option<Vec<G::Move>> {
        let mut line = Vec::new();
        let mut left = self.length(game)?;
        while left > 0 {
            if game.ending(&self.path).is_some() {
                return None;
            }
            for mv in self.options(game)? {
                let undo = game.play(mv);
                if self.length(game) == Some(left - 1) {
                    line.push(mv);
                    break;
                }
                game.undo(undo);
            }
            self.path.push(game);
            left -= 1;
        }
        let winner = game.outcome().and_then(|outcome| outcome.winner(game.mover()));
        (winner == Some(self.query.attacker)).then_some(line)
    }
}

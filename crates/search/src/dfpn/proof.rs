//! A win is claimed only after this: the strategy is written down, then replayed by the rules alone.

use std::collections::HashMap;

use tesuji_game::{Game, MoveList, Outcome, Path};

use super::tree::Tree;
use super::{Policy, Question};

/// The attacker's move in every position that can arise.
pub(super) type Strategy<M> = HashMap<u64, M>;

/// A position's name in a strategy: some games leave the mover out of the key.
fn name<G: Game>(game: &G) -> u64 {
    game.key().wrapping_add(game.mover().index() as u64)
}

/// Writes down a strategy that wins within `plies`, as the table promises; searches again what the table has
/// lost. `None` when the budget ends before, or the promise was wrong.
pub(super) fn strategy<G: Game, P: Policy<G>>(
    tree: &mut Tree<'_, '_, G, P>,
    question: &Question<'_, G>,
    plies: u32,
) -> Option<Strategy<G::Move>> {
    let mut scribe = Scribe { tree, moves: HashMap::new(), won: HashMap::new() };
    scribe.win(&mut question.game.clone(), plies)?;
    Some(scribe.moves)
}

struct Scribe<'t, 'a, 'b, G: Game, P> {
    tree: &'t mut Tree<'a, 'b, G, P>,
    moves: Strategy<G::Move>,
    /// Within how many plies positions are known to be won. A shorter win replaces a longer one, move and all:
    /// every step of the strategy leads to a smaller number, so it cannot run in a circle.
    won: HashMap<u64, u32>,
}

impl<G: Game, P: Policy<G>> Scribe<'_, '_, '_, G, P> {
    /// Within how many plies the attacker wins, at most `left`.
    fn win(&mut self, game: &mut G, left: u32) -> Option<u32> {
        let name = name(game);
        if let Some(&plies) = self.won.get(&name).filter(|&&plies| plies <= left) {
            return Some(plies);
        }
        let mut list = Vec::new();
        let attacking = self.tree.attacks(game);
        if attacking {
            self.tree.policy.attacks(game, &mut list);
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
        // It may have come up again below, nearer to the end.
        if let Some(&shorter) = self.won.get(&name).filter(|&&known| known <= plies) {
            return Some(shorter);
        }
        self.won.insert(name, plies);
        self.moves.extend(mv.map(|mv| (name, mv)));
        Some(plies)
    }

    /// A move that wins within `left` plies.
    fn attack(&mut self, game: &mut G, list: &[G::Move], left: u32) -> Option<(G::Move, u32)> {
        let promised =
            self.promises(game, list, left).into_iter().find_map(|(_, mv)| self.try_out(game, mv, left));
        if promised.is_some() {
            return promised;
        }
        // Lost from the table, or behind a defence the policy leaves out.
        let mv = self.tree.again(game, left)?;
        self.try_out(game, mv, left)
    }

    /// Whether a move wins within `left` plies, and within how many.
    fn try_out(&mut self, game: &mut G, mv: G::Move, left: u32) -> Option<(G::Move, u32)> {
        let undo = game.play(mv);
        let plies = self.win(game, left - 1);
        game.undo(undo);
        plies.map(|plies| (mv, plies + 1))
    }

    /// The moves the table promises a win by, the shortest first.
    fn promises(&self, game: &mut G, list: &[G::Move], left: u32) -> Vec<(u32, G::Move)> {
        let mut promises = Vec::new();
        for &mv in list {
            let undo = game.play(mv);
            let promise = self.tree.promise(game, left - 1);
            game.undo(undo);
            promises.extend(promise.map(|plies| (plies, mv)));
        }
        promises.sort_by_key(|&(plies, _)| plies);
        promises
    }
}

/// Walks the whole strategy by the rules of the game alone: every legal defence, no position twice, a win at
/// every end, and no verdict of the game's own (repetition before, a limit of moves) on the way. Gives the
/// line that lasts longest.
pub(super) fn replay<G: Game>(
    question: &Question<'_, G>,
    strategy: &Strategy<G::Move>,
) -> Option<Vec<G::Move>> {
    let walk = Walk { question, strategy, path: question.path.clone(), lengths: HashMap::new() };
    walk.line(&mut question.game.clone())
}

struct Walk<'a, G: Game> {
    question: &'a Question<'a, G>,
    strategy: &'a Strategy<G::Move>,
    path: Path<G>,
    /// How long the game lasts at most; `None` while the position stands on the path.
    lengths: HashMap<u64, Option<u32>>,
}

impl<G: Game> Walk<'_, G> {
    /// The moves that come into question under the strategy: the one move, or all. `None` where the game is
    /// over or the strategy says nothing that is legal.
    fn options(&self, game: &mut G) -> Option<Vec<G::Move>> {
        let mut legal = G::Moves::default();
        game.moves(&mut legal);
        if game.mover() != self.question.attacker {
            return Some(legal.each().collect());
        }
        let &mv = self.strategy.get(&name(game))?;
        legal.has(mv).then(|| vec![mv])
    }

    /// How long the game lasts at most from here; `None` if the attacker does not win for certain.
    fn length(&mut self, game: &mut G) -> Option<u32> {
        if let Some(&length) = self.lengths.get(&name(game)) {
            return length;
        }
        if let Some(outcome) = game.outcome() {
            return (outcome.winner(game.mover()) == Some(self.question.attacker)).then_some(0);
        }
        if game.ending(&self.path).is_some() {
            return None;
        }
        self.lengths.insert(name(game), None);
        let mut longest = 0;
        for mv in self.options(game)? {
            let undo = game.play(mv);
            self.path.push(game);
            let length = self.length(game);
            self.path.pop();
            game.undo(undo);
            longest = longest.max(length? + 1);
        }
        self.lengths.insert(name(game), Some(longest));
        Some(longest)
    }

    /// The longest line, played to its end on the path that led here.
    fn line(mut self, game: &mut G) -> Option<Vec<G::Move>> {
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
        (winner == Some(self.question.attacker)).then_some(line)
    }
}

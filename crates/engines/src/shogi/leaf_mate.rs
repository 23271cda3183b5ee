//! Mate searches at the leaves of a tree search: a network needs so long for a leaf that a few nodes of df-pn are cheap.

use std::sync::{Mutex, PoisonError};

use tesuji_game::Path;
use tesuji_search::dfpn::{Dfpn, ProofQuery, ProofResult};
use tesuji_search::{CancelToken, Limits};
use tesuji_shogi::{Rules, Shogi};

use super::ChecksOnly;

/// Solvers for leaves, one for each thread that is at work.
#[derive(Debug)]
pub(super) struct LeafMates {
    nodes: u64,
    idle: Mutex<Vec<Dfpn<ChecksOnly>>>,
}

impl LeafMates {
    /// Searches of so many nodes.
    pub(super) fn new(nodes: u64) -> LeafMates {
        LeafMates { nodes, idle: Mutex::default() }
    }

    /// The plies of a mate by checks, if one is found. The table is empty before every search: what is found depends on
    /// the position alone.
    pub(super) fn plies(&self, game: &Shogi, rules: &Rules) -> Option<u16> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let mut solver = waiting.unwrap_or_else(|| Dfpn::new(ChecksOnly, 0));
        solver.forget();
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let path = Path::new(game, rules.clone());
        let found = solver.solve(&ProofQuery::new(game, &path), &limits, &CancelToken::new());
        idle().push(solver);
        match found {
            ProofResult::Proven(win) => u16::try_from(win.plies).ok(),
            ProofResult::Disproven | ProofResult::Unknown => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use tesuji_game::{Game, Notation, Record};
    use tesuji_search::{Heuristics, NodeContext, Proven};

    use super::super::{Material, ShogiHeuristics};
    use super::*;
    use crate::{HasEngines, Spec};

    /// A mate in five plies.
    const MATE: &str = "5+R1B1/9/6k1G/9/9/9/9/9/9 b RPb3g4s4n4l17p 1";

    #[test]
    fn a_mate_is_found_within_the_nodes_whatever_was_searched_before() {
        let (mate, rules) = (Shogi::parse(MATE).expect("a position"), Rules::default());
        let mates = LeafMates::new(5000);
        let plies = mates.plies(&mate, &rules);
        assert!(plies.is_some_and(|plies| plies >= 5 && plies % 2 == 1), "{plies:?}");
        assert_eq!(mates.plies(&Shogi::start(), &rules), None);
        assert_eq!(mates.plies(&mate, &rules), plies);
        assert_eq!(LeafMates::new(1).plies(&mate, &rules), None);
    }

    #[test]
    fn heuristics_with_leaf_mates_know_longer_wins() {
        let leaf = NodeContext { ply: 64, depth: 3, is_pv: false, ..NodeContext::LEAF };
        let known = |nodes: u64| {
            let mut mate = Shogi::parse(MATE).expect("a position");
            let heuristics = ShogiHeuristics::in_tree(nodes);
            Heuristics::<Shogi, Material>::known_result(&heuristics, &mut mate, &leaf).and_then(|value| value.proven())
        };
        assert!(matches!(known(5000), Some(Proven::Win(5..))), "{:?}", known(5000));
        assert_eq!(known(0), None);
    }

    #[test]
    fn the_setting_belongs_to_puct_of_shogi() {
        let made = |text: &str| Spec::parse(text).and_then(|spec| Shogi::engine(&spec).map(|_| ()));
        assert!(made("puct:playouts=2,hash=1,leaf-mate=50").is_ok());
        assert!(made("alphabeta:depth=1,leaf-mate=50").is_err());
        let mut engine = Spec::parse("puct:playouts=8,hash=1,leaf-mate=50")
            .and_then(|spec| Shogi::engine(&spec))
            .expect("an engine");
        let record = Record::new(Shogi::start());
        engine.think(&record, &Limits::default(), &CancelToken::new(), &mut |_| {});
        assert!(!engine.root_visits().is_empty());
    }
}

//! Random graphs as games: small enough for retrograde analysis, and full of cycles.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use tesuji_game::{Game, Outcome, Path, Side};
use tesuji_search::dfpn::{Dfpn, ProofQuery, ProofResult};
use tesuji_search::{CancelToken, Limits, Rng};

use super::policy::Everything;

/// A toy game on a graph: a move follows an edge; without edges the side to move has lost or drawn.
#[derive(Clone, Debug)]
struct Graph {
    edges: Arc<Vec<Vec<u8>>>,
    drawn: Arc<Vec<bool>>,
    node: u8,
    mover: Side,
}

impl PartialEq for Graph {
    fn eq(&self, other: &Graph) -> bool {
        (self.node, self.mover) == (other.node, other.mover)
    }
}

impl Eq for Graph {}

impl Hash for Graph {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.node, self.mover).hash(state);
    }
}

impl Game for Graph {
    type Move = u8;
    type Moves = Vec<u8>;
    type Undo = u8;
    type Rules = ();
    const NAME: &'static str = "graph";

    fn start() -> Graph {
        Graph { edges: Arc::new(vec![Vec::new()]), drawn: Arc::new(vec![true]), node: 0, mover: Side::First }
    }
    fn mover(&self) -> Side {
        self.mover
    }
    fn moves(&mut self, out: &mut Vec<u8>) {
        out.clone_from(&self.edges[usize::from(self.node)]);
    }
    fn play(&mut self, to: u8) -> u8 {
        self.mover = !self.mover;
        std::mem::replace(&mut self.node, to)
    }
    fn undo(&mut self, from: u8) {
        self.mover = !self.mover;
        self.node = from;
    }
    fn outcome(&self) -> Option<Outcome> {
        let node = usize::from(self.node);
        let drawn = if self.drawn[node] { Outcome::Draw } else { Outcome::Loss };
        self.edges[node].is_empty().then_some(drawn)
    }
}

impl Graph {
    /// A graph with this number of nodes and about this degree; few nodes have no edges.
    fn random(rng: &mut Rng, nodes: usize, degree: usize) -> Graph {
        let mut edges = Vec::new();
        for _ in 0..nodes {
            let count = if rng.below(6) == 0 { 0 } else { 1 + rng.below(degree) };
            let mut targets: Vec<u8> = (0..count).map(|_| rng.below(nodes) as u8).collect();
            targets.sort_unstable();
            targets.dedup();
            edges.push(targets);
        }
        let drawn = (0..nodes).map(|_| rng.below(3) == 0).collect();
        Graph { edges: Arc::new(edges), drawn: Arc::new(drawn), node: 0, mover: Side::First }
    }

    /// The length of the first player's forced win, by retrograde analysis.
    fn truth(&self) -> Vec<[Option<u32>; 2]> {
        let mut won: Vec<[Option<u32>; 2]> = vec![[None; 2]; self.edges.len()];
        for plies in 0..=2 * self.edges.len() as u32 {
            let before = won.clone();
            for (node, targets) in self.edges.iter().enumerate() {
                let after = |side: usize| targets.iter().map(move |&to| (usize::from(to), side));
                let known = |(to, side): (usize, usize)| before[to][side].is_some();
                let wins =
                    [after(1).any(known), if targets.is_empty() { !self.drawn[node] } else { after(0).all(known) }];
                for side in 0..2 {
                    if won[node][side].is_none() && wins[side] {
                        won[node][side] = Some(plies);
                    }
                }
            }
        }
        won
    }
}

#[test]
fn proofs_and_disproofs_with_cycles_are_true() {
    let mut rng = Rng::new(5);
    let (mut wins, mut others) = (0, 0);
    for round in 0..6000 {
        let (nodes, degree) = (4 + rng.below(76), 2 + rng.below(4));
        let mut graph = Graph::random(&mut rng, nodes, degree);
        let truth = graph.truth();
        let mut solver = Dfpn::new(Everything, round / 2 % 2);
        for node in 0..nodes.min(8) {
            for mover in Side::BOTH {
                (graph.node, graph.mover) = (node as u8, mover);
                let path = Path::new(&graph, ());
                let query = ProofQuery::new(&graph, &path).attacker(Side::First);
                let query = if round % 2 == 0 { query.shortest() } else { query };
                let result = solver.solve(&query, &Limits::default(), &CancelToken::new());
                match (result, truth[node][mover.index()]) {
                    (ProofResult::Proven(proof), Some(plies)) => {
                        wins += 1;
                        assert_eq!(proof.shortest, round % 2 == 0 || plies == 0, "{graph:?}");
                        assert!(proof.plies as u32 >= plies, "{graph:?}: {proof:?}, not {plies}");
                        assert!(!proof.shortest || proof.plies as u32 == plies, "{graph:?} {proof:?}");
                    }
                    (ProofResult::Disproven, None) => others += 1,
                    (result, truth) => panic!("{graph:?}: {result:?}, and the truth is {truth:?}"),
                }
            }
        }
    }
    assert!(wins > 2000 && others > 2000, "{wins} wins, {others} others");
}

/// Graph-history interaction: results of one path do no harm on another, in any order of queries.
#[test]
fn results_of_other_paths_do_no_harm() {
    let mut rng = Rng::new(11);
    for _ in 0..1000 {
        let mut graph = Graph::random(&mut rng, 30, 3);
        let truth = graph.truth();
        let mut solver = Dfpn::new(Everything, 1);
        for _ in 0..60 {
            (graph.node, graph.mover) = (rng.below(30) as u8, Side::BOTH[rng.below(2)]);
            let path = Path::new(&graph, ());
            let query = ProofQuery::new(&graph, &path).attacker(Side::First);
            // About half of the searches are cut off by the node limit.
            let limits = super::nodes(1 + rng.below(40) as u64);
            let result = solver.solve(&query, &limits, &CancelToken::new());
            let won = truth[usize::from(graph.node)][graph.mover.index()].is_some();
            assert!(won || !matches!(result, ProofResult::Proven(_)), "{graph:?}");
            assert!(!won || result != ProofResult::Disproven, "{graph:?}");
        }
    }
}

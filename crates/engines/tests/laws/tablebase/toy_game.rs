//! A toy game with a perfect index: the players take turns to move one token on a fixed random graph. Some edges win or
//! lose at once. Some can be used both ways, but not straight back.

use std::hash::{Hash, Hasher};
use std::sync::LazyLock;

use tesuji_game::{BoardRank, Game, HasPerfectIndex, NO_MOVE, Outcome, PerfectIndex, Predecessor, Side, Successor};
use tesuji_search::Rng;

/// The number of nodes of the lower class, and of both classes.
const LOWER: usize = 200;
const ALL: usize = 600;
/// A seed with wins, losses and draws of all lengths.
const SEED: u64 = 4;

type TokenEdge = Result<usize, Outcome>;

static EDGES: LazyLock<Vec<Vec<TokenEdge>>> = LazyLock::new(random_graph);

/// The lower class is a corridor: a move advances one to three nodes, and the side that reaches the end wins, so that
/// wins are long. Some edges lead back to the upper class. Edges of the upper class lead to near nodes, and some down.
fn random_graph() -> Vec<Vec<TokenEdge>> {
    let mut rng = Rng::new(SEED);
    let mut edges: Vec<Vec<TokenEdge>> = vec![Vec::new(); ALL];
    for (at, here) in edges.iter_mut().enumerate().take(LOWER) {
        here.extend((1..=3).filter_map(|steps| Some(Ok(at.checked_sub(steps)?))));
        if at < 3 {
            here.extend(vec![Err(Outcome::Win); 1 + at]);
        }
        if rng.below(10) == 0 && at + 3 < LOWER {
            here.push(Ok(at + 1 + rng.below(3)));
        }
    }
    for at in LOWER..ALL {
        while edges[at].len() < 2 {
            let to = (at + rng.below(25)).saturating_sub(12).clamp(LOWER, ALL - 1);
            if to == at || edges[at].contains(&Ok(to)) {
                continue;
            }
            edges[at].push(Ok(to));
            if rng.below(3) == 0 && !edges[to].contains(&Ok(at)) {
                edges[to].push(Ok(at));
            }
        }
        match rng.below(10) {
            0..3 => edges[at].extend(vec![Err(Outcome::Win); 1 + rng.below(3)]),
            3 => edges[at].push(Err(Outcome::Loss)),
            _ => edges[at].push(Ok(rng.below(LOWER))),
        }
        let down = rng.below(LOWER);
        if !edges[at].contains(&Ok(down)) && rng.below(2) == 0 {
            edges[at].push(Ok(down));
        }
    }
    edges
}

/// The node of the token, and the forbidden edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    at: usize,
    forbidden: u8,
    ended: Option<Outcome>,
    mover: Side,
}

impl Token {
    pub(crate) fn at(at: usize, forbidden: u8) -> Token {
        Token { at, forbidden, ended: None, mover: Side::First }
    }

    fn edges(&self) -> &'static [TokenEdge] {
        &EDGES[self.at]
    }

    /// The edge that leads back.
    fn reply(from: usize, to: usize) -> u8 {
        EDGES[to].iter().position(|&edge| edge == Ok(from)).map_or(NO_MOVE, |found| found as u8)
    }

    /// Every node, without and with each possible forbidden edge.
    pub(crate) fn all() -> Vec<Token> {
        let mut all = Vec::new();
        for at in 0..ALL {
            all.push(Token::at(at, NO_MOVE));
            for (number, edge) in (0..).zip(&EDGES[at]) {
                let back = edge.is_ok_and(|to| Token::reply(at, to) != NO_MOVE);
                all.extend(back.then(|| Token::at(at, number)));
            }
        }
        all
    }
}

impl PartialEq for Token {
    fn eq(&self, other: &Token) -> bool {
        (self.at, self.forbidden, self.ended) == (other.at, other.forbidden, other.ended)
    }
}

impl Eq for Token {}

impl Hash for Token {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.at, self.forbidden).hash(state);
    }
}

impl Game for Token {
    type Move = u8;
    type Moves = Vec<u8>;
    type Undo = Token;
    type Rules = ();

    const NAME: &'static str = "toy-game";

    fn start() -> Token {
        Token::at(ALL - 1, NO_MOVE)
    }

    fn mover(&self) -> Side {
        self.mover
    }

    fn moves(&mut self, out: &mut Vec<u8>) {
        out.clear();
        if self.ended.is_none() {
            out.extend((0..self.edges().len() as u8).filter(|&number| number != self.forbidden));
        }
    }

    fn play(&mut self, mv: u8) -> Token {
        let before = *self;
        self.mover = !self.mover;
        match before.edges()[usize::from(mv)] {
            Ok(to) => (self.at, self.forbidden) = (to, Token::reply(before.at, to)),
            Err(Outcome::Win) => self.ended = Some(Outcome::Loss),
            Err(_) => self.ended = Some(Outcome::Win),
        }
        before
    }

    fn undo(&mut self, undo: Token) {
        *self = undo;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ended
    }
}

impl HasPerfectIndex for Token {
    type Index = TokenIndex;

    const RULES_VERSION: u32 = 1;
    const INDEX_VERSION: u32 = 1;
    const STAGES: &'static [&'static str] = &["lower", "all"];

    fn index() -> TokenIndex {
        TokenIndex
    }

    fn forbidden(&self) -> u8 {
        self.forbidden
    }

    fn forbidding(self, number: u8) -> Token {
        Token { forbidden: number, ..self }
    }

    fn move_number(mv: u8) -> u8 {
        mv
    }

    fn move_from_number(number: u8) -> u8 {
        number
    }
}

/// The perfect index: the node number.
pub(crate) struct TokenIndex;

impl TokenIndex {
    fn back(&self, class: u8, index: u32, within: bool, mut visit: impl FnMut(Predecessor)) {
        let to = index as usize + usize::from(class) * LOWER;
        for (from, edges) in EDGES.iter().enumerate() {
            let BoardRank { class: before, index, .. } = self.rank(Token::at(from, NO_MOVE));
            for (mv, _) in (0..).zip(edges).filter(|&(_, &edge)| edge == Ok(to)) {
                if (before == class) == within {
                    visit(Predecessor { class: before, index, mv, reply: Token::reply(from, to), symmetric: false });
                }
            }
        }
    }
}

impl PerfectIndex for TokenIndex {
    type Board = Token;

    fn stages(&self) -> &[&[u8]] {
        &[&[0], &[1]]
    }

    fn size(&self, class: u8) -> u32 {
        if class == 0 { LOWER as u32 } else { (ALL - LOWER) as u32 }
    }

    fn class_name(&self, class: u8) -> String {
        ["lower", "upper"][usize::from(class)].to_owned()
    }

    fn class(&self, board: Token) -> u8 {
        u8::from(board.at >= LOWER)
    }

    fn rank(&self, board: Token) -> BoardRank {
        let class = self.class(board);
        let index = (board.at - usize::from(class) * LOWER) as u32;
        BoardRank { class, index, symmetry: 0, symmetric: false }
    }

    fn unrank(&self, class: u8, index: u32) -> Option<Token> {
        (index < self.size(class)).then(|| Token::at(index as usize + usize::from(class) * LOWER, NO_MOVE))
    }

    fn image(&self, mv: u8, _: u8) -> u8 {
        mv
    }

    fn is_symmetric(&self, _: Token) -> bool {
        false
    }

    fn equivalent_moves(&self, _: Token, mv: u8, mut visit: impl FnMut(u8)) {
        visit(mv);
    }

    fn wins_in_one(&self, board: Token) -> bool {
        board.edges().contains(&Err(Outcome::Win))
    }

    fn successors(&self, board: Token, mut visit: impl FnMut(u8, Successor<Token>)) {
        for (mv, &edge) in (0..).zip(board.edges()) {
            let on = |to| Successor::Board(Token::at(to, NO_MOVE), Token::reply(board.at, to));
            visit(mv, edge.map_or_else(Successor::End, on));
        }
    }

    fn after(&self, board: Token, mv: u8) -> Option<(Token, u8)> {
        let to = board.edges().get(usize::from(mv))?.ok()?;
        Some((Token::at(to, NO_MOVE), Token::reply(board.at, to)))
    }

    fn predecessors(&self, class: u8, index: u32, visit: impl FnMut(Predecessor)) {
        self.back(class, index, true, visit);
    }

    fn conversions(&self, class: u8, index: u32, visit: impl FnMut(Predecessor)) {
        self.back(class, index, false, visit);
    }
}

//! A small game to solve whole: burrows joined by tunnels, drawn at random and always the same. The players take turns to
//! move one rabbit; some tunnels win or lose at once, some can be walked both ways, and then not straight back.

use std::hash::{Hash, Hasher};
use std::sync::LazyLock;

use tesuji_game::{
    BoardRank, Game, HasPerfectIndex, NO_MOVE, Outcome, PerfectIndex, Predecessor, Side, Successor,
};
use tesuji_search::Rng;

/// Burrows of the lower class, and of both.
const LOWER: usize = 200;
const ALL: usize = 600;
/// One that leaves wins, losses and draws of all lengths.
const SEED: u64 = 4;

type Tunnel = Result<usize, Outcome>;

static TUNNELS: LazyLock<Vec<Vec<Tunnel>>> = LazyLock::new(dig);

/// The lower class is a corridor: one, two or three burrows on and whoever comes to its end first wins, so that wins are
/// long; here and there a tunnel leads back up. From the upper class tunnels lead anywhere near, and some down.
fn dig() -> Vec<Vec<Tunnel>> {
    let mut rng = Rng::new(SEED);
    let mut tunnels: Vec<Vec<Tunnel>> = vec![Vec::new(); ALL];
    for (at, here) in tunnels.iter_mut().enumerate().take(LOWER) {
        here.extend((1..=3).filter_map(|steps| Some(Ok(at.checked_sub(steps)?))));
        if at < 3 {
            here.extend(vec![Err(Outcome::Win); 1 + at]);
        }
        if rng.below(10) == 0 && at + 3 < LOWER {
            here.push(Ok(at + 1 + rng.below(3)));
        }
    }
    for at in LOWER..ALL {
        while tunnels[at].len() < 2 {
            let to = (at + rng.below(25)).saturating_sub(12).clamp(LOWER, ALL - 1);
            if to == at || tunnels[at].contains(&Ok(to)) {
                continue;
            }
            tunnels[at].push(Ok(to));
            if rng.below(3) == 0 && !tunnels[to].contains(&Ok(at)) {
                tunnels[to].push(Ok(at));
            }
        }
        match rng.below(10) {
            0..3 => tunnels[at].extend(vec![Err(Outcome::Win); 1 + rng.below(3)]),
            3 => tunnels[at].push(Err(Outcome::Loss)),
            _ => tunnels[at].push(Ok(rng.below(LOWER))),
        }
        let down = rng.below(LOWER);
        if !tunnels[at].contains(&Ok(down)) && rng.below(2) == 0 {
            tunnels[at].push(Ok(down));
        }
    }
    tunnels
}

/// Where the rabbit sits, and the tunnel that must not be taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rabbit {
    at: usize,
    forbidden: u8,
    ended: Option<Outcome>,
    mover: Side,
}

impl Rabbit {
    pub(crate) fn at(at: usize, forbidden: u8) -> Rabbit {
        Rabbit { at, forbidden, ended: None, mover: Side::First }
    }

    fn tunnels(&self) -> &'static [Tunnel] {
        &TUNNELS[self.at]
    }

    /// The tunnel that leads back.
    fn reply(from: usize, to: usize) -> u8 {
        TUNNELS[to].iter().position(|&tunnel| tunnel == Ok(from)).map_or(NO_MOVE, |found| found as u8)
    }

    /// Every burrow, alone and with each tunnel forbidden that may be.
    pub(crate) fn all() -> Vec<Rabbit> {
        let mut all = Vec::new();
        for at in 0..ALL {
            all.push(Rabbit::at(at, NO_MOVE));
            for (number, tunnel) in (0..).zip(&TUNNELS[at]) {
                let back = tunnel.is_ok_and(|to| Rabbit::reply(at, to) != NO_MOVE);
                all.extend(back.then(|| Rabbit::at(at, number)));
            }
        }
        all
    }
}

impl PartialEq for Rabbit {
    fn eq(&self, other: &Rabbit) -> bool {
        (self.at, self.forbidden, self.ended) == (other.at, other.forbidden, other.ended)
    }
}

impl Eq for Rabbit {}

impl Hash for Rabbit {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.at, self.forbidden).hash(state);
    }
}

impl Game for Rabbit {
    type Move = u8;
    type Moves = Vec<u8>;
    type Undo = Rabbit;
    type Rules = ();

    const NAME: &'static str = "warren";

    fn start() -> Rabbit {
        Rabbit::at(ALL - 1, NO_MOVE)
    }

    fn mover(&self) -> Side {
        self.mover
    }

    fn moves(&mut self, out: &mut Vec<u8>) {
        out.clear();
        if self.ended.is_none() {
            out.extend((0..self.tunnels().len() as u8).filter(|&number| number != self.forbidden));
        }
    }

    fn play(&mut self, mv: u8) -> Rabbit {
        let before = *self;
        self.mover = !self.mover;
        match before.tunnels()[usize::from(mv)] {
            Ok(to) => (self.at, self.forbidden) = (to, Rabbit::reply(before.at, to)),
            Err(Outcome::Win) => self.ended = Some(Outcome::Loss),
            Err(_) => self.ended = Some(Outcome::Win),
        }
        before
    }

    fn undo(&mut self, undo: Rabbit) {
        *self = undo;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ended
    }
}

impl HasPerfectIndex for Rabbit {
    type Index = Warren;

    const RULES_VERSION: u32 = 1;
    const INDEX_VERSION: u32 = 1;
    const STAGES: &'static [&'static str] = &["lower", "all"];

    fn index() -> Warren {
        Warren
    }

    fn forbidden(&self) -> u8 {
        self.forbidden
    }

    fn forbidding(self, number: u8) -> Rabbit {
        Rabbit { forbidden: number, ..self }
    }

    fn move_number(mv: u8) -> u8 {
        mv
    }

    fn move_from_number(number: u8) -> u8 {
        number
    }
}

/// The numbering: burrows have numbers already.
pub(crate) struct Warren;

impl Warren {
    fn back(&self, class: u8, index: u32, within: bool, mut visit: impl FnMut(Predecessor)) {
        let to = index as usize + usize::from(class) * LOWER;
        for (from, tunnels) in TUNNELS.iter().enumerate() {
            let BoardRank { class: before, index, .. } = self.rank(Rabbit::at(from, NO_MOVE));
            for (mv, _) in (0..).zip(tunnels).filter(|&(_, &tunnel)| tunnel == Ok(to)) {
                if (before == class) == within {
                    visit(Predecessor {
                        class: before,
                        index,
                        mv,
                        reply: Rabbit::reply(from, to),
                        symmetric: false,
                    });
                }
            }
        }
    }
}

impl PerfectIndex for Warren {
    type Board = Rabbit;

    fn stages(&self) -> &[&[u8]] {
        &[&[0], &[1]]
    }

    fn size(&self, class: u8) -> u32 {
        if class == 0 { LOWER as u32 } else { (ALL - LOWER) as u32 }
    }

    fn class_name(&self, class: u8) -> String {
        ["lower", "upper"][usize::from(class)].to_owned()
    }

    fn class(&self, board: Rabbit) -> u8 {
        u8::from(board.at >= LOWER)
    }

    fn rank(&self, board: Rabbit) -> BoardRank {
        let class = self.class(board);
        let index = (board.at - usize::from(class) * LOWER) as u32;
        BoardRank { class, index, symmetry: 0, symmetric: false }
    }

    fn unrank(&self, class: u8, index: u32) -> Option<Rabbit> {
        (index < self.size(class)).then(|| Rabbit::at(index as usize + usize::from(class) * LOWER, NO_MOVE))
    }

    fn image(&self, mv: u8, _: u8) -> u8 {
        mv
    }

    fn is_symmetric(&self, _: Rabbit) -> bool {
        false
    }

    fn equivalent_moves(&self, _: Rabbit, mv: u8, mut visit: impl FnMut(u8)) {
        visit(mv);
    }

    fn wins_in_one(&self, board: Rabbit) -> bool {
        board.tunnels().contains(&Err(Outcome::Win))
    }

    fn successors(&self, board: Rabbit, mut visit: impl FnMut(u8, Successor<Rabbit>)) {
        for (mv, &tunnel) in (0..).zip(board.tunnels()) {
            let on = |to| Successor::Board(Rabbit::at(to, NO_MOVE), Rabbit::reply(board.at, to));
            visit(mv, tunnel.map_or_else(Successor::End, on));
        }
    }

    fn after(&self, board: Rabbit, mv: u8) -> Option<(Rabbit, u8)> {
        let to = board.tunnels().get(usize::from(mv))?.ok()?;
        Some((Rabbit::at(to, NO_MOVE), Rabbit::reply(board.at, to)))
    }

    fn predecessors(&self, class: u8, index: u32, visit: impl FnMut(Predecessor)) {
        self.back(class, index, true, visit);
    }

    fn conversions(&self, class: u8, index: u32, visit: impl FnMut(Predecessor)) {
        self.back(class, index, false, visit);
    }
}

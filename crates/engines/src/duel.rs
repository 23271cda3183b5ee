//! A small match between two engines of this room: random openings, each played twice with the sides
//! exchanged. Ratings, clocks, other programs and anything that must survive a crash belong to the arena.

use tesuji_game::{Game, MoveList, Record, Side};
use tesuji_search::{CancelToken, Choice, Engine, Limits, Rng};

/// What to play.
#[derive(Clone, Debug)]
pub struct Duel {
    /// How many openings; there are twice as many games.
    pub pairs: usize,
    /// Random plies before the engines begin.
    pub opening: usize,
    /// A game this long is a draw.
    pub longest: usize,
    /// What chance begins with.
    pub seed: u64,
}

/// Results, seen by the first of two engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// Games won.
    pub wins: u32,
    /// Games drawn, those that took too long among them.
    pub draws: u32,
    /// Games lost, those given up or ended by an illegal move among them.
    pub losses: u32,
}

impl Score {
    /// How many games.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share won, a draw being half a win; a half before any game.
    pub fn rate(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(games),
        }
    }

    /// The half-width of the 95 % interval round the rate.
    pub fn error(&self) -> f64 {
        let (games, rate) = (f64::from(self.games().max(1)), self.rate());
        let square = |result: f64, times: u32| (result - rate) * (result - rate) * f64::from(times) / games;
        let variance = square(1.0, self.wins) + square(0.5, self.draws) + square(0.0, self.losses);
        1.96 * (variance / games).sqrt()
    }

    fn add(&mut self, winner: Option<Side>, side: Side) {
        match winner {
            None => self.draws += 1,
            Some(winner) if winner == side => self.wins += 1,
            Some(_) => self.losses += 1,
        }
    }
}

impl Duel {
    /// Plays the match from openings that `fair` accepts, telling `watch` after each pair.
    pub fn play<G: Game>(
        &self,
        engines: [&mut dyn Engine<G>; 2],
        mut fair: impl FnMut(&Record<G>) -> bool,
        mut watch: impl FnMut(&Score),
    ) -> Score {
        let [one, two] = engines;
        let mut rng = Rng::new(self.seed);
        let mut score = Score::default();
        for _ in 0..self.pairs {
            let Some(opening) = (0..1000).find_map(|_| self.draw(&mut rng).filter(&mut fair)) else { break };
            for side in Side::BOTH {
                one.forget();
                two.forget();
                let winner = match side {
                    Side::First => self.game(opening.clone(), [&mut *one, &mut *two]),
                    Side::Second => self.game(opening.clone(), [&mut *two, &mut *one]),
                };
                score.add(winner, side);
            }
            watch(&score);
        }
        score
    }

    /// A random opening; none when the game was over before.
    fn draw<G: Game>(&self, rng: &mut Rng) -> Option<Record<G>> {
        let mut record = Record::new(G::start());
        let mut list = G::Moves::default();
        for _ in 0..self.opening {
            record.now().clone().moves(&mut list);
            let mv = list.each().nth(rng.below(list.len().max(1)))?;
            record.push(mv).ok()?;
        }
        record.ending().is_none().then_some(record)
    }

    fn game<G: Game>(&self, mut record: Record<G>, players: [&mut dyn Engine<G>; 2]) -> Option<Side> {
        let (limits, stop) = (Limits::default(), CancelToken::new());
        while record.ending().is_none() && record.plies().len() < self.longest {
            let side = record.now().mover();
            match players[side.index()].think(&record, &limits, &stop, &mut |_| {}) {
                Choice::Move { mv, .. } if record.push(mv).is_ok() => {}
                Choice::Claim => return Some(side),
                _ => return Some(!side),
            }
        }
        record.ending().and_then(|ending| ending.winner)
    }
}

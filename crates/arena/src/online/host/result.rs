//! What came of the games on a server: each of them, and the table.

use tesuji_game::{Game, Record, Side};
use tesuji_protocol::reversi::ServerStanding;

/// Who won a game on the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Winner {
    /// One side.
    Side(Side),
    /// The discs were even.
    Tie,
    /// Both were gone: both have lost.
    Nobody,
}

/// How a game ended.
#[derive(Clone, Debug)]
pub struct Outcome<G: Game> {
    /// Who won.
    pub winner: Winner,
    /// Why, in the words of the protocol.
    pub reason: &'static str,
    /// The discs of black and white at that moment.
    pub discs: [u32; 2],
    /// Milliseconds left to black and white.
    pub left: [i64; 2],
    /// The game; it has an ending.
    pub record: Record<G>,
}

/// A game that was played on the server, or lost before it began.
#[derive(Clone, Debug)]
pub struct Result<G: Game> {
    /// Its number, from 1.
    pub number: usize,
    /// Its round, from 1.
    pub round: usize,
    /// Who played black and white, as numbers of members.
    pub players: [usize; 2],
    /// Their names.
    pub names: [String; 2],
    /// How it ended.
    pub outcome: Outcome<G>,
}

/// One player in the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Who.
    pub name: String,
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub tied: u32,
    /// Games lost.
    pub lost: u32,
    /// Discs ahead in games that were played to their end.
    pub discs: i64,
}

/// All that was played.
#[derive(Clone, Debug)]
pub struct Meeting<G: Game> {
    /// The games, in their order.
    pub games: Vec<Result<G>>,
    /// The players, the best first; equals stand in the order they came.
    pub members: Vec<Member>,
    /// Whether somebody stopped it before everything was played.
    pub stopped: bool,
}

impl Member {
    /// Games won less games lost.
    pub fn score(&self) -> i64 {
        i64::from(self.won) - i64::from(self.lost)
    }

    /// The row of the farewell.
    pub fn standing(&self) -> ServerStanding {
        ServerStanding { name: self.name.clone(), score: self.score(), won: self.won, lost: self.lost }
    }
}

impl<G: Game> Meeting<G> {
    pub(super) fn of(names: Vec<String>, games: Vec<Result<G>>, stopped: bool) -> Meeting<G> {
        let member = |name| Member { name, won: 0, tied: 0, lost: 0, discs: 0 };
        let mut members: Vec<Member> = names.into_iter().map(member).collect();
        for game in &games {
            let [black, white] = game.outcome.discs.map(i64::from);
            for (side, ahead) in [(Side::First, black - white), (Side::Second, white - black)] {
                let member = &mut members[game.players[side.index()]];
                match game.outcome.winner {
                    Winner::Side(winner) if winner == side => member.won += 1,
                    Winner::Tie => member.tied += 1,
                    Winner::Side(_) | Winner::Nobody => member.lost += 1,
                }
                if game.outcome.reason == tesuji_protocol::reversi::reason::DOUBLE_PASS {
                    member.discs += ahead;
                }
            }
        }
        members.sort_by_key(|member| std::cmp::Reverse((member.score(), member.discs)));
        Meeting { games, members, stopped }
    }
}

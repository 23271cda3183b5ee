//! The results of a server: every game, and the table.

use tesuji_game::{Game, Record, Side};
use tesuji_protocol::reversi::ServerStanding;

/// The winner of a game on the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ServerWinner {
    /// One side.
    Side(Side),
    /// A draw.
    Tie,
    /// Both players were disconnected: both lose.
    Nobody,
}

/// How a game ended.
#[derive(Clone, Debug)]
pub struct ServerGameOutcome<G: Game> {
    /// The winner.
    pub winner: ServerWinner,
    /// The reason, as the protocol names it.
    pub reason: &'static str,
    /// The final discs of black and white.
    pub discs: [u32; 2],
    /// Milliseconds left to black and white.
    pub left: [i64; 2],
    /// The game; it has an ending.
    pub record: Record<G>,
}

/// A game of the server, possibly forfeited before its start.
#[derive(Clone, Debug)]
pub struct ServerGameResult<G: Game> {
    /// Its number, from 1.
    pub number: usize,
    /// Its round, from 1.
    pub round: usize,
    /// The numbers of the players of black and white.
    pub players: [usize; 2],
    /// Their names.
    pub names: [String; 2],
    /// How it ended.
    pub outcome: ServerGameOutcome<G>,
}

/// One row of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerTableRow {
    /// The player.
    pub name: String,
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
    /// The sum of disc differences in games that were played to the end.
    pub discs: i64,
}

/// The results of all games.
#[derive(Clone, Debug)]
pub struct ServerReport<G: Game> {
    /// The games by number.
    pub games: Vec<ServerGameResult<G>>,
    /// The players, the best first; ties in the order of login.
    pub standings: Vec<ServerTableRow>,
    /// Whether the server was cancelled before the last game.
    pub cancelled: bool,
}

impl ServerTableRow {
    /// Wins minus losses.
    pub fn score(&self) -> i64 {
        i64::from(self.won) - i64::from(self.lost)
    }

    /// The row of the table that the protocol sends.
    pub fn row(&self) -> ServerStanding {
        ServerStanding { name: self.name.clone(), score: self.score(), won: self.won, lost: self.lost }
    }
}

impl<G: Game> ServerReport<G> {
    pub(super) fn of(names: Vec<String>, games: Vec<ServerGameResult<G>>, cancelled: bool) -> ServerReport<G> {
        let standing = |name| ServerTableRow { name, won: 0, drawn: 0, lost: 0, discs: 0 };
        let mut standings: Vec<ServerTableRow> = names.into_iter().map(standing).collect();
        for game in &games {
            let [black, white] = game.outcome.discs.map(i64::from);
            for (side, ahead) in [(Side::First, black - white), (Side::Second, white - black)] {
                let standing = &mut standings[game.players[side.index()]];
                match game.outcome.winner {
                    ServerWinner::Side(winner) if winner == side => standing.won += 1,
                    ServerWinner::Tie => standing.drawn += 1,
                    ServerWinner::Side(_) | ServerWinner::Nobody => standing.lost += 1,
                }
                if game.outcome.reason == tesuji_protocol::reversi::reason::DOUBLE_PASS {
                    standing.discs += ahead;
                }
            }
        }
        standings.sort_by_key(|standing| std::cmp::Reverse((standing.score(), standing.discs)));
        ServerReport { games, standings, cancelled }
    }
}

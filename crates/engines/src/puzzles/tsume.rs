//! Mates in shogi (tsume): every move of the attacker gives check, the key move is unique and the mate the shortest,
//! proven by df-pn.

use tesuji_game::{Game, Record};
use tesuji_search::dfpn::{AttackPolicy, Dfpn, ProofQuery, ProofResult};
use tesuji_search::{CancelToken, Limits};
use tesuji_shogi::Shogi;
use tesuji_solve::forced_win::Stopped;

use super::{PuzzleGoal, PuzzleSolution, PuzzleSolver, before_the_end};
use crate::shogi::ChecksOnly;

/// Nodes per proof.
const NODES: u64 = 400_000;
/// The shortest mate that is a puzzle.
const LEAST: u32 = 3;
/// Plies before the end of a game to try.
const WINDOW: usize = 14;

/// Finds mates.
pub struct TsumePuzzles {
    solver: Dfpn<ChecksOnly>,
}

impl Default for TsumePuzzles {
    fn default() -> TsumePuzzles {
        TsumePuzzles { solver: Dfpn::new(ChecksOnly, 16) }
    }
}

impl PuzzleSolver<Shogi> for TsumePuzzles {
    fn goal(&self) -> PuzzleGoal {
        PuzzleGoal::Mate
    }

    fn solve(
        &mut self,
        record: &Record<Shogi>,
        plies: u32,
        cancel: &CancelToken,
    ) -> Result<Option<PuzzleSolution<<Shogi as Game>::Move>>, Stopped> {
        if record.ending().is_some() {
            return Ok(None);
        }
        self.solver.forget();
        // The depth bounds the stack as well.
        let limits = |plies| Limits { nodes: Some(NODES), depth: Some(plies), ..Limits::default() };
        let win = match self.solver.solve(&ProofQuery::of(record).shortest(), &limits(plies), cancel) {
            ProofResult::Proven(win) if win.shortest => win,
            ProofResult::Disproven => return Ok(None),
            ProofResult::Proven(_) | ProofResult::Unknown => return Err(Stopped),
        };
        let mut nodes = self.solver.nodes();
        let mut checks = Vec::new();
        ChecksOnly.attacks(&mut record.now().clone(), &mut checks);
        let attacker = record.now().mover();
        let mut solving = Vec::new();
        for mv in checks {
            let mut after = record.up_to(record.plies().len());
            if win.line.first() == Some(&mv) {
                solving.push(mv);
                continue;
            }
            if after.push(mv).is_err() {
                continue;
            }
            let query = ProofQuery::of(&after).attacker(attacker);
            let limits = limits(win.plies as u32 - 1);
            let result = match after.ending() {
                Some(ending) if ending.winner == Some(attacker) => true,
                Some(_) => false,
                None => match self.solver.solve(&query, &limits, cancel) {
                    ProofResult::Proven(_) => true,
                    ProofResult::Disproven => false,
                    ProofResult::Unknown => return Err(Stopped),
                },
            };
            nodes += self.solver.nodes();
            if result {
                solving.push(mv);
            }
        }
        let plies = win.plies as u32;
        Ok(Some(PuzzleSolution { solving, line: win.line, plies, score: None, margin: None, nodes }))
    }

    fn is_puzzle(
        &mut self,
        _: &Record<Shogi>,
        solution: &PuzzleSolution<<Shogi as Game>::Move>,
        _: &CancelToken,
    ) -> Result<bool, Stopped> {
        Ok(solution.plies >= LEAST)
    }

    fn candidates(&self, record: &Record<Shogi>) -> Vec<usize> {
        before_the_end(record, LEAST as usize, WINDOW)
    }
}

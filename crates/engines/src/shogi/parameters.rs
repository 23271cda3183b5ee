//! The margins, depths and factors of the search heuristics.

/// Found by matches against the engine itself; docs/shogi.md has the ladder. Values are in centipawns, depths in plies.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Parameters {
    /// Late move reduction in 1024ths of a ply: the factor of the product of the logarithms of depth and move count.
    pub(crate) lmr_factor: i32,
    /// What is added to every reduction.
    pub(crate) lmr_base: i32,
    /// More where a beta cutoff is expected.
    pub(crate) lmr_cut: i32,
    /// More where the static evaluation is no better than at the last turn.
    pub(crate) lmr_not_improving: i32,
    /// More where the move of the transposition table is a capture.
    pub(crate) lmr_tt_tactical: i32,
    /// More where the replies to other moves have been cut off often.
    pub(crate) lmr_cutoffs: i32,
    /// The history score that is worth a ply.
    pub(crate) lmr_history: i32,
    /// Less for a check.
    pub(crate) lmr_check: i32,
    /// Less for a capture or promotion.
    pub(crate) lmr_tactical: i32,
    /// Less in PV nodes.
    pub(crate) lmr_pv: i32,
    /// Late move pruning: quiet moves that are searched at depth 0.
    pub(crate) late_moves: i32,
    /// SEE pruning: the loss per ply that a capture or check may have.
    pub(crate) see_capture: i32,
    /// History pruning: how bad a history score must be per ply.
    pub(crate) history_pruning: i32,
    /// The history score that is worth a ply of futility and SEE pruning.
    pub(crate) history_depth: i32,
    /// The margin of futility pruning of quiet moves.
    pub(crate) futility_base: i32,
    /// Its part per reduced ply.
    pub(crate) futility_depth: i32,
    /// SEE pruning: the loss per squared reduced ply that a quiet move may have.
    pub(crate) see_quiet: i32,
    /// The greatest depth of reverse futility pruning.
    pub(crate) reverse_futility_plies: i32,
    /// Its margin per ply.
    pub(crate) reverse_futility: i32,
    /// The margin of razoring.
    pub(crate) razoring_base: i32,
    /// Its part per squared ply.
    pub(crate) razoring_depth: i32,
    /// The reduction of a null move.
    pub(crate) null_base: i32,
    /// Plies of depth for each further ply of it.
    pub(crate) null_depth: i32,
    /// Centipawns above beta for each further ply of it.
    pub(crate) null_eval: i32,
    /// The margin of ProbCut.
    pub(crate) probcut: i32,
    /// The least depth of singular extension.
    pub(crate) singular_plies: i32,
    /// Its margin per ply.
    pub(crate) singular: i32,
    /// Move ordering: a quiet check.
    pub(crate) check_bonus: i32,
    /// Move ordering: a drop near the other king.
    pub(crate) near_king_bonus: i32,
    /// Move ordering: any other drop.
    pub(crate) idle_drop_bonus: i32,
    /// The margin of futility pruning in the quiescence search.
    pub(crate) qsearch_margin: i32,
    /// The least depth of internal iterative reduction.
    pub(crate) iir_plies: i32,
    /// The margin of futility pruning of captures.
    pub(crate) futility_capture_base: i32,
    /// Its part per reduced ply.
    pub(crate) futility_capture_depth: i32,
    /// The plies of the quiescence search in which mates in one are looked for.
    pub(crate) qsearch_mate_plies: i32,
    /// Centipawns above alpha at which a search that repeats a reduced one is a ply deeper.
    pub(crate) deeper: i32,
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters {
            lmr_factor: 170,
            lmr_base: 1178,
            lmr_cut: 1024,
            lmr_not_improving: 1024,
            lmr_tt_tactical: 700,
            lmr_cutoffs: 1024,
            lmr_history: 12000,
            lmr_check: 1024,
            lmr_tactical: 1024,
            lmr_pv: 1024,
            late_moves: 3,
            see_capture: 200,
            history_pruning: 3500,
            history_depth: 8000,
            futility_base: 120,
            futility_depth: 110,
            see_quiet: 25,
            reverse_futility_plies: 8,
            reverse_futility: 120,
            razoring_base: 300,
            razoring_depth: 250,
            null_base: 3,
            null_depth: 3,
            null_eval: 200,
            probcut: 250,
            singular_plies: 6,
            singular: 2,
            check_bonus: 3000,
            near_king_bonus: 800,
            idle_drop_bonus: -1500,
            qsearch_margin: 250,
            iir_plies: 4,
            futility_capture_base: 250,
            futility_capture_depth: 220,
            qsearch_mate_plies: 1,
            deeper: 60,
        }
    }
}

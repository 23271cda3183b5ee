//! The driver of retrograde analysis: stage by stage, with progress reports and checkpoints.

use tesuji_game::PerfectIndex;
use tesuji_task::{CancelToken, Control};

use super::checkpoint::CheckpointDir;
use super::error::RetrogradeError;
use super::initialize;
use super::memory::{MemoryBudget, Plane};
use super::messages::MessageBuffers;
use super::propagate;
use super::stage::{EarlierValues, Phase, Stage};
use super::values::Solution;

/// Settings of a solution.
#[derive(Clone, Debug)]
pub struct SolveSettings {
    /// Threads; the result does not depend on it.
    pub threads: usize,
    /// Stages to solve.
    pub stages: usize,
    /// Memory limit in bytes.
    pub memory: u64,
    /// Stops the work in the middle of a round, which is then dropped.
    pub cancel: CancelToken,
}

/// Progress of the solver.
#[derive(Clone, PartialEq, Debug)]
pub struct SolveProgress {
    /// The stage, from 0.
    pub stage: usize,
    /// Indices in the stage, including gaps.
    pub boards: u64,
    /// The layer (DTW); 0 during initialisation.
    pub layer: u8,
    /// The completed fraction of the layer.
    pub part: f64,
    /// Whether this is the first report of a layer.
    pub new_layer: bool,
    /// Moves followed in this stage.
    pub edges: u64,
    /// Values decided in this stage; a board with two values counts twice.
    pub decided: u64,
}

/// The result of a solution.
#[derive(Debug)]
pub enum SolveResult {
    /// All stages are solved. With checkpoints the values are stored there, and the solution is empty.
    Solved(Solution),
    /// Stopped on request; with checkpoints, the next call resumes here. After a cancellation there may be no time to
    /// write a checkpoint: then it resumes at the one before.
    Stopped,
}

/// Solves a game and calls `watch` several times a second.
///
/// With checkpoints, solved classes are not solved again, and an interrupted or killed run resumes from the
/// last checkpoint.
pub fn solve<G: PerfectIndex>(
    game: &G,
    plan: &SolveSettings,
    mut checkpoints: Option<&mut CheckpointDir>,
    watch: &mut dyn FnMut(&SolveProgress) -> Control,
) -> Result<SolveResult, RetrogradeError> {
    let budget = MemoryBudget::new(game, plan.stages, plan.threads, checkpoints.is_some());
    if budget.peak() > plan.memory {
        return Err(RetrogradeError::Memory { needed: budget.peak(), allowed: plan.memory });
    }
    let mut solution = Solution::default();
    let mut kept: Vec<Option<Plane>> = (0..256).map(|_| None).collect();
    for (number, classes) in game.stages().iter().take(plan.stages).enumerate() {
        let mut solved = false;
        if let Some(checkpoints) = &mut checkpoints {
            solved = checkpoints.has(game, classes)?;
        }
        if !solved {
            let mut stage = match &mut checkpoints {
                Some(checkpoints) => checkpoints.resume(game, number, classes)?,
                None => Stage::new(game, classes).map_err(RetrogradeError::Allocation)?,
            };
            let earlier: EarlierValues<'_> = (0..=u8::MAX)
                .map(|class| match (&kept[usize::from(class)], solution.class(class)) {
                    (Some(plane), _) => Some(&**plane),
                    (None, Some(values)) => Some(&*values.first),
                    (None, None) => None,
                })
                .collect();
            if !run(&mut stage, number, &earlier, plan, checkpoints.as_deref_mut(), watch)? {
                return Ok(SolveResult::Stopped);
            }
            for (class, values) in stage.into_values(&plan.cancel)? {
                match &mut checkpoints {
                    Some(checkpoints) => checkpoints.put(game, class, &values)?,
                    None => solution.insert(class, values),
                }
            }
            if let Some(checkpoints) = &mut checkpoints {
                checkpoints.clear_states("work")?;
            }
        }
        if let Some(checkpoints) = &mut checkpoints
            && number + 1 < plan.stages.min(game.stages().len())
        {
            for &class in *classes {
                kept[usize::from(class)] = Some(checkpoints.first(game, class)?);
            }
        }
    }
    Ok(SolveResult::Solved(solution))
}

/// Nothing is done yet that could be saved.
const BEGIN: Phase = Phase::Initialize { block: 0 };

/// Solves one stage; `false` when stopped.
fn run<G: PerfectIndex>(
    stage: &mut Stage<'_, G>,
    number: usize,
    earlier: &EarlierValues<'_>,
    plan: &SolveSettings,
    mut checkpoints: Option<&mut CheckpointDir>,
    watch: &mut dyn FnMut(&SolveProgress) -> Control,
) -> Result<bool, RetrogradeError> {
    let SolveSettings { threads, ref cancel, .. } = *plan;
    let mut buffers = MessageBuffers::new(stage.size, threads);
    let mut reported = None;
    while stage.phase != Phase::Done {
        let report = report(stage, number, &mut reported);
        let order = if cancel.is_cancelled() { Control::Stop } else { watch(&report) };
        if order != Control::Continue
            && stage.phase != BEGIN
            && let Some(checkpoints) = &mut checkpoints
        {
            checkpoints.save(number, stage)?;
        }
        if order == Control::Stop {
            return Ok(false);
        }
        match stage.phase {
            Phase::Initialize { .. } => initialize::round(stage, earlier, threads, cancel).map_err(|at| {
                let (class, index) = stage.layout.place(at);
                RetrogradeError::TooManyMoves { class: stage.game.class_name(class), index }
            })?,
            Phase::Propagate { .. } => {
                if !propagate::round(stage, &mut buffers, cancel) {
                    propagate::end_layer(stage, earlier, threads, cancel);
                }
            }
            Phase::Done => {}
        }
    }
    Ok(true)
}

fn report<G: PerfectIndex>(stage: &Stage<'_, G>, number: usize, reported: &mut Option<u8>) -> SolveProgress {
    let (layer, block) = match stage.phase {
        Phase::Initialize { block } => (0, block),
        Phase::Propagate { layer, block } => (layer, block),
        Phase::Done => (u8::MAX, stage.blocks()),
    };
    let new_layer = reported.replace(layer) != Some(layer);
    SolveProgress {
        stage: number,
        boards: stage.size as u64,
        layer,
        part: block as f64 / stage.blocks().max(1) as f64,
        new_layer,
        edges: stage.progress.edges,
        decided: stage.progress.decided,
    }
}

//! What the trainer learns from.

/// What a network sees: numbered inputs, of which few are active in a position.
#[derive(Clone, PartialEq, Debug)]
pub struct FeatureSet {
    /// Name and version.
    pub name: String,
    /// The number of inputs: `factors` for each bucket, bucket by bucket.
    pub inputs: usize,
    /// Inputs of one bucket. Input `i` shares the factor `i % factors` with those of the other buckets.
    pub factors: usize,
    /// The number of output buckets.
    pub outputs: usize,
    /// What each factor adds to the output directly at the start, in logits for the side that sees it; such as the value
    /// of a piece. All zeros if empty.
    pub direct: Vec<f32>,
}

/// A position as the trainer sees it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Example {
    /// The active inputs, seen by the side to move and by the other side.
    pub active: [Vec<u32>; 2],
    /// The output bucket.
    pub output: usize,
    /// The win rate of the side to move to be learned.
    pub target: f32,
    /// The points that the side to move has scored in the game, if it is known.
    pub result: Option<f32>,
}

/// Numbered examples. Any number of threads may read them.
pub trait Examples: Sync {
    /// The number of examples.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads an example into `example`, whose memory is used again.
    ///
    /// # Errors
    /// The data are damaged.
    fn read(&self, index: usize, example: &mut Example) -> Result<(), crate::DataSetError>;
}

/// Examples in memory, the unit of work of a thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    active: Vec<u32>,
    /// Where the inputs of each position end: those of the side to move, then those of the other side.
    ends: Vec<[u32; 2]>,
    pub(super) outputs: Vec<usize>,
    pub(super) targets: Vec<f32>,
    pub(super) results: Vec<Option<f32>>,
}

impl Chunk {
    pub(super) fn clear(&mut self) {
        self.active.clear();
        self.ends.clear();
        self.outputs.clear();
        self.targets.clear();
        self.results.clear();
    }

    pub(super) fn push(&mut self, example: &Example) {
        self.active.extend_from_slice(&example.active[0]);
        let first = self.active.len() as u32;
        self.active.extend_from_slice(&example.active[1]);
        self.ends.push([first, self.active.len() as u32]);
        self.outputs.push(example.output);
        self.targets.push(example.target);
        self.results.push(example.result);
    }

    pub(super) fn len(&self) -> usize {
        self.targets.len()
    }

    /// The active inputs of a position, seen by both sides.
    #[inline(always)]
    pub(super) fn active(&self, position: usize) -> [&[u32]; 2] {
        let begin = position.checked_sub(1).map_or(0, |before| self.ends[before][1]) as usize;
        let [middle, end] = self.ends[position].map(|end| end as usize);
        [&self.active[begin..middle], &self.active[middle..end]]
    }
}

//! What is learned from: positions as lists of features, and features as sums of trained weights.

/// Positions as lists of active features, with win rates to learn.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SparseData {
    /// Where the features of each position begin; one more entry at the end.
    starts: Vec<usize>,
    features: Vec<u32>,
    targets: Vec<f32>,
    results: Vec<Option<f32>>,
}

impl SparseData {
    /// Adds a position: its features, the win rate to learn, and the result of its game, if it is known.
    pub fn push(&mut self, features: &[u32], target: f32, result: Option<f32>) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.features.extend_from_slice(features);
        self.starts.push(self.features.len());
        self.targets.push(target);
        self.results.push(result);
    }

    /// Adds the positions of other data behind its own.
    pub fn append(&mut self, other: &SparseData) {
        for index in 0..other.len() {
            self.push(other.features(index), other.target(index), other.result(index));
        }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// The active features of a position.
    pub fn features(&self, index: usize) -> &[u32] {
        &self.features[self.starts[index]..self.starts[index + 1]]
    }

    /// The win rate to learn.
    pub fn target(&self, index: usize) -> f32 {
        self.targets[index]
    }

    /// The result of the game.
    pub fn result(&self, index: usize) -> Option<f32> {
        self.results[index]
    }
}

/// The trained weights of every feature: the weight of a feature is their sum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Factors {
    /// Where the factors of a feature begin; one more entry at the end.
    starts: Vec<u32>,
    numbers: Vec<u32>,
    count: usize,
}

impl Factors {
    /// The factors of so many features; `each` calls its second argument with the numbers of all trained weights of a
    /// feature.
    pub fn new(features: usize, mut each: impl FnMut(usize, &mut dyn FnMut(usize))) -> Factors {
        let mut factors = Factors { starts: vec![0], numbers: Vec::new(), count: 0 };
        for feature in 0..features {
            each(feature, &mut |number| {
                factors.count = factors.count.max(number + 1);
                factors.numbers.push(number as u32);
            });
            factors.starts.push(factors.numbers.len() as u32);
        }
        factors
    }

    /// The number of features.
    pub fn features(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of trained weights.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The trained weights of a feature.
    #[inline]
    pub fn of(&self, feature: usize) -> &[u32] {
        &self.numbers[self.starts[feature] as usize..self.starts[feature + 1] as usize]
    }

    /// The weights of all features in units: `base` and the trained ones, each times `scale` and rounded, summed and
    /// saturated. Every part is rounded by itself, so that features that share their parts, as those of a position and
    /// its mirror image do, have the same sum.
    pub fn fold(&self, base: &[f32], trained: &[f32], scale: f32) -> Vec<i16> {
        let units = |weight: f32| (weight * scale).round() as i32;
        let trained: Vec<i32> = trained.iter().map(|&weight| units(weight)).collect();
        let sum = |feature: usize| {
            let parts = self.of(feature).iter().map(|&part| trained[part as usize]);
            parts.fold(units(base[feature]), i32::saturating_add)
        };
        (0..self.features()).map(|feature| sum(feature).clamp(i16::MIN.into(), i16::MAX.into()) as i16).collect()
    }
}

//! Gradients against finite differences of the definition in double precision; learning by heart; repeatability.

use super::*;
use crate::arch::Encoding;
use crate::kernel::reference::{available, numbers};
use crate::network::{Role, part};
use crate::random::Random;

const ENCODING: Encoding = Encoding { height: 4, width: 5, planes: 3, policy_planes: 2 };

/// The definition of the loss of a batch with batch statistics, in double precision.
fn reference_loss(network: &Network, tensors: &[Vec<f64>], planes: &[f32], labels: &[u32], values: &[f32]) -> f64 {
    let (encoding, architecture) = (network.encoding(), network.architecture());
    let (height, width, squares) = (encoding.height, encoding.width, encoding.squares());
    let batch = planes.len() / encoding.inputs();
    // Activations are batch × channels × squares.
    let norm = |y: &mut [f64], channels: usize, first: usize| {
        for (c, (scale, shift)) in tensors[first + part::SCALE].iter().zip(&tensors[first + part::SHIFT]).enumerate() {
            let indices = || (0..batch).flat_map(|b| (0..squares).map(move |s| (b * channels + c) * squares + s));
            let n = (batch * squares) as f64;
            let mean = indices().map(|i| y[i]).sum::<f64>() / n;
            let variance = indices().map(|i| (y[i] - mean).powi(2)).sum::<f64>() / n;
            for i in indices() {
                y[i] = (y[i] - mean) / (variance + 1e-5).sqrt() * scale + shift;
            }
        }
    };
    let convolution = |x: &[f64], weights: &[f64], inputs: usize, outputs: usize, size: usize| -> Vec<f64> {
        let mut y = vec![0.0; batch * outputs * squares];
        let reach = size / 2;
        for (i, y) in y.iter_mut().enumerate() {
            let (b, o, s) = (i / squares / outputs, i / squares % outputs, i % squares);
            for (dy, dx) in (0..size * size).map(|tap| (tap / size, tap % size)) {
                let (sy, sx) = ((s / width + dy).wrapping_sub(reach), (s % width + dx).wrapping_sub(reach));
                if sy < height && sx < width {
                    for c in 0..inputs {
                        *y += x[(b * inputs + c) * squares + sy * width + sx]
                            * weights[((o * inputs + c) * size + dy) * size + dx];
                    }
                }
            }
        }
        y
    };
    let mut x: Vec<f64> = planes.iter().copied().map(f64::from).collect();
    let (mut inputs, mut skip) = (encoding.planes, Vec::new());
    let channels = architecture.channels;
    for layer in 0..architecture.convolutions() {
        let mut y = convolution(&x, &tensors[network.layer(layer)], inputs, channels, 3);
        norm(&mut y, channels, network.layer(layer));
        if network.ends_block(layer) {
            y.iter_mut().zip(&skip).for_each(|(y, skip)| *y += skip);
        }
        x = y.into_iter().map(|y| y.max(0.0)).collect();
        if layer % 2 == 0 {
            skip = x.clone();
        }
        inputs = channels;
    }
    let mut loss = 0.0;
    if architecture.policy {
        let first = network.policy();
        let logits = convolution(&x, &tensors[first], channels, encoding.policy_planes, 1);
        for (board, label) in logits.chunks(encoding.labels()).zip(labels) {
            let logits: Vec<f64> = board.iter().zip(&tensors[first + 1]).map(|(x, b)| x + b).collect();
            loss += logits.iter().map(|x| x.exp()).sum::<f64>().ln() - logits[*label as usize];
        }
    }
    if let Some(shape) = architecture.value {
        let first = network.value();
        let mut y = convolution(&x, &tensors[first], channels, shape.channels, 1);
        norm(&mut y, shape.channels, first);
        let fc = first + part::COUNT;
        let flat = shape.channels * squares;
        for (board, target) in y.chunks(flat).zip(values) {
            let mut logit = tensors[fc + 3][0];
            for unit in 0..shape.hidden {
                let products = board.iter().zip(&tensors[fc][unit * flat..]).map(|(x, w)| x.max(0.0) * w);
                let sum = products.sum::<f64>() + tensors[fc + 1][unit];
                logit += sum.max(0.0) * tensors[fc + 2][unit];
            }
            loss += (1.0 + logit.exp()).ln() - f64::from(*target) * logit;
        }
    }
    loss / batch as f64
}

struct Data {
    planes: Vec<f32>,
    labels: Vec<u32>,
    values: Vec<f32>,
}

impl Data {
    fn new(random: &mut Random, size: usize) -> Data {
        Data {
            planes: numbers(random, size * ENCODING.inputs()),
            labels: (0..size).map(|_| random.below(ENCODING.labels()) as u32).collect(),
            values: (0..size).map(|_| random.uniform()).collect(),
        }
    }

    fn batch(&self) -> Batch<'_> {
        Batch {
            planes: Planes::Dense(&self.planes),
            size: self.labels.len(),
            policy: Some(PolicyTargets::Labels(&self.labels)),
            value: Some(&self.values),
        }
    }
}

fn network(random: &mut Random, spec: &str) -> Network {
    let mut network = Network::new(ENCODING, spec.parse().unwrap(), random.bits());
    for tensor in network.tensors_mut().iter_mut().filter(|tensor| tensor.role == Role::Bias) {
        tensor.data.iter_mut().for_each(|x| *x += random.uniform() * 0.4 - 0.2);
    }
    network
}

#[test]
fn gradients_agree_with_finite_differences_on_every_instruction_set() {
    let mut random = Random::new(21);
    for spec in [
        "policy-value:blocks=1,channels=5,value-channels=2,value-hidden=6",
        "policy:layers=2,channels=18",
        "value:blocks=2,channels=4,value-channels=1,value-hidden=3",
    ] {
        let network = network(&mut random, spec);
        let data = Data::new(&mut random, 5);
        let tensors: Vec<Vec<f64>> =
            network.tensors().iter().map(|tensor| tensor.data.iter().copied().map(f64::from).collect()).collect();
        let loss = |tensors: &[Vec<f64>]| reference_loss(&network, tensors, &data.planes, &data.labels, &data.values);
        let mut expected = Vec::new();
        for (n, tensor) in network.tensors().iter().enumerate().filter(|(_, tensor)| tensor.role != Role::Statistic) {
            // A sample of every tensor.
            for _ in 0..12 {
                let i = random.below(tensor.data.len());
                let slope = |step: f64| {
                    let mut changed = tensors.clone();
                    changed[n][i] += step;
                    loss(&changed)
                };
                expected.push((n, i, (slope(1e-5) - slope(-1e-5)) / 2e-5));
            }
        }
        for isa in available() {
            let moments = Moments::zeros(Optimizer::ADAMW, network.tensors());
            let state = Checkpoint { step: 0, network: network.clone(), moments };
            let options = TrainingOptions { groups: 3, ..TrainingOptions::default() };
            let mut trainer = Trainer::with(isa, state, options, 2).unwrap();
            let step = trainer.step(&data.batch()).unwrap();
            let found = (step.metrics.policy_loss + step.metrics.value_loss) / 5.0;
            assert!((found - loss(&tensors)).abs() < 1e-5, "{spec}: the loss is {found}");
            for (n, i, expected) in &expected {
                let (name, found) = (&network.tensors()[*n].name, f64::from(trainer.gradients()[*n][*i]));
                let error = (found - expected).abs();
                assert!(error < 1e-4 + 1e-3 * expected.abs(), "{spec}, {isa}: {name}[{i}]: {found}, not {expected}");
            }
        }
    }
}

fn train(data: &Data, steps: u64, threads: usize, options: TrainingOptions) -> Trainer {
    let network = network(&mut Random::new(31), "policy-value:blocks=1,channels=17");
    let mut trainer = Trainer::new(network, options, threads).unwrap();
    for _ in 0..steps {
        trainer.step(&data.batch()).unwrap();
    }
    trainer
}

#[test]
fn neither_threads_nor_an_interruption_change_a_bit() {
    let data = Data::new(&mut Random::new(32), 37);
    for optimizer in [Optimizer::ADAMW, Optimizer::SGD, Optimizer::MUON] {
        let schedule = Schedule::OneCycle { peak: 0.01, steps: 6, warm_up: 0.3 };
        let options = TrainingOptions { optimizer, schedule, max_norm: Some(0.5), ..TrainingOptions::default() };
        let expected = train(&data, 6, 1, options);
        for threads in [2, 3, 16] {
            assert_eq!(train(&data, 6, threads, options).checkpoint(), expected.checkpoint());
        }
        let half = train(&data, 3, 2, options).checkpoint().clone();
        let mut resumed = Trainer::resume(half, options, 1).unwrap();
        for _ in 0..3 {
            resumed.step(&data.batch()).unwrap();
        }
        assert_eq!(resumed.checkpoint(), expected.checkpoint());
    }
}

#[test]
fn a_tiny_set_is_learned_by_heart() {
    let mut data = Data::new(&mut Random::new(33), 24);
    data.values.iter_mut().for_each(|value| *value = value.round());
    for (optimizer, rate) in [(Optimizer::ADAMW, 0.01), (Optimizer::SGD, 0.1), (Optimizer::MUON, 0.01)] {
        let options =
            TrainingOptions { optimizer, schedule: Schedule::Constant { rate }, ..TrainingOptions::default() };
        let mut trainer = train(&data, 150, 2, options);
        let metrics = trainer.step(&data.batch()).unwrap().metrics;
        assert_eq!((metrics.policy_hits, metrics.value_hits, metrics.decided), (24, 24, 24), "{optimizer:?}");
        assert!(metrics.policy_loss < 24.0 * 0.1 && metrics.value_loss < 24.0 * 0.1, "{optimizer:?}: {metrics:?}");
        // The running averages have followed, so that inference says the same.
        let evaluation = crate::Evaluator::new(trainer.network(), 1).evaluate(Planes::Dense(&data.planes), 24);
        let measured = Metrics::of(&evaluation, Some(PolicyTargets::Labels(&data.labels)), Some(&data.values));
        assert!(measured.policy_hits >= 23 && measured.value_hits >= 23, "{optimizer:?}: {measured:?}");
    }
}

#[test]
fn a_distribution_with_one_label_is_that_label() {
    let data = Data::new(&mut Random::new(34), 9);
    let distributions: Vec<Vec<(u32, f32)>> = data.labels.iter().map(|label| vec![(*label, 1.0)]).collect();
    let expected = train(&data, 2, 1, TrainingOptions::default());
    let mut trainer = train(&data, 0, 1, TrainingOptions::default());
    for _ in 0..2 {
        let policy = Some(PolicyTargets::Distributions(&distributions));
        trainer.step(&Batch { policy, ..data.batch() }).unwrap();
    }
    assert_eq!(trainer.checkpoint(), expected.checkpoint());
}

#[test]
fn batches_that_do_not_fit_are_refused() {
    let data = Data::new(&mut Random::new(35), 4);
    let mut trainer = train(&data, 0, 1, TrainingOptions::default());
    let before = trainer.checkpoint().clone();
    let mut error = |batch: Batch<'_>| trainer.step(&batch).unwrap_err().to_string();
    let batch = data.batch();
    assert_eq!(error(Batch { size: 0, ..batch }), "the batch is empty");
    assert_eq!(error(Batch { size: 3, ..batch }), "the planes of the batch are not those of 3 positions");
    assert!(error(Batch { policy: None, ..batch }).contains("has a policy head"));
    assert!(error(Batch { value: None, ..batch }).contains("has a value head"));
    assert!(error(Batch { value: Some(&[0.0]), ..batch }).contains("win rates"));
    let labels = [0, 1, 2, 40];
    let wrong = Batch { policy: Some(PolicyTargets::Labels(&labels)), ..batch };
    assert_eq!(error(wrong), "there is no label 40: the encoding has 40");
    assert_eq!(trainer.checkpoint(), &before);
    let options = TrainingOptions { optimizer: Optimizer::SGD, ..TrainingOptions::default() };
    assert_eq!(Trainer::resume(before, options, 1).unwrap_err(), TrainingError::Moments);
}

//! `tesuji improve`: self-play, training and a gate by match, generation after generation.

use std::time::{Duration, Instant};

use indicatif::HumanDuration;
use tesuji_registry::{
    CandidateSettings, DEFAULT_NET, Figures, FilePrecision, GateRule, GateSprt, GenerationReport, ImproveEvent,
    ImproveJob, ImproveRequest, ImproveStart, NetworkImprovement, NetworkSelfPlayJob, NetworkTrainingJob,
    NnueImprovement, NnueJob, NnueSettings, OptimizerKind, Registry, SparseImprovement, SparseJob, SparseSettings,
    TrainingLength, TruthJob, ValueSelfPlayJob,
};
use tesuji_report::grouped;

use super::counted;
use super::selfplay::{VALUE_ENGINE, as_typed, is_alphabeta};
use crate::args;
use crate::failure::{Done, Failure};
use crate::out::Out;

/// The errors of the sequential test.
const ERROR: f64 = 0.05;

pub(crate) fn run(registry: &Registry, args: &args::Improve, out: &mut Out) -> Done {
    let request = request(registry, args)?;
    let (json, quiet, mut table) = (args.json.json, out.quiet(), GenerationTable::new(args.generations));
    let response = out.events(
        |context, events| registry.improve(&request, context, events),
        |out, event| match event {
            event if json => out.json("improve", event),
            ImproveEvent::Start(start) => table.start(&start, out),
            ImproveEvent::Measured { figures } => table.measured(&figures, out),
            ImproveEvent::Step { .. } => Ok(()),
            ImproveEvent::Generation(report) => {
                table.row(&report, out)?;
                if !quiet {
                    table.tell_time_left(&report);
                }
                Ok(())
            }
        },
    )?;
    if json {
        return out.json("improve", &response);
    }
    let best = match response.best {
        0 => "no generation was accepted; the start".to_owned(),
        number => format!("generation {number}"),
    };
    out.line(format_args!("the best network: {best}, in {}", response.file))?;
    out.line(format_args!("curves in {}", response.files.join(" and ")))
}

/// A network for every game; where an evaluation learns from positions, its weights unless --net asks for a network; the
/// evaluation `nnue` where alpha-beta plays the games.
fn candidate(registry: &Registry, args: &args::Improve) -> Result<CandidateSettings, Failure> {
    let game = registry.game(&args.game)?;
    let is_puct = args.self_play.engine.as_deref().is_some_and(NetworkSelfPlayJob::is_usual_engine);
    if game.has_sparse_evaluation() && args.net.is_none() && !is_puct {
        return weights(args).map(|weights| CandidateSettings::Weights(Box::new(weights)));
    }
    if game.has_nnue() && args.net.is_none() && args.self_play.engine.as_deref().is_some_and(is_alphabeta) {
        return nnue(args).map(|nnue| CandidateSettings::Nnue(Box::new(nnue)));
    }
    if args.self_play.random_moves.is_some() || !args.training.test.is_empty() || !args.training.data.is_empty() {
        return Err(Failure::usage("--random-moves, --data and --test: only for weights of trax and nnue of shogi"));
    }
    Ok(CandidateSettings::Network(Box::new(network(args))))
}

/// Self-play with search values.
fn value_self_play(args: &args::Improve) -> ValueSelfPlayJob {
    let play = &args.self_play;
    ValueSelfPlayJob {
        games: play.games,
        out: Default::default(),
        engine: play.engine.clone().unwrap_or_else(|| VALUE_ENGINE.to_owned()),
        openings: play.openings.clone(),
        random_plies: play.random.clone().unwrap_or(1..=8),
        random_moves: play.random_moves.map_or(ValueSelfPlayJob::RANDOM_MOVES, as_typed),
        longest: play.longest,
        seed: args.seed,
        threads: None,
    }
}

fn weights(args: &args::Improve) -> Result<SparseImprovement, Failure> {
    let (training, default) = (&args.training, SparseSettings::default());
    if args.self_play.openings.is_some() {
        return Err(Failure::usage("--openings: only for networks; weights have random openings, --random A..B"));
    }
    Ok(SparseImprovement {
        init: args.init.clone(),
        gate_engine: args.gate.gate_engine.clone(),
        self_play: value_self_play(args),
        training: SparseJob {
            data: training.data.clone(),
            test: training.test.clone(),
            out: Default::default(),
            continue_from: None,
            lambda: training.lambda.unwrap_or(SparseJob::LAMBDA),
            value_scale: SparseJob::VALUE_SCALE,
            settings: SparseSettings {
                batch: training.batch.map_or(default.batch, |batch| batch as usize),
                rate: training.lr.unwrap_or(default.rate),
                decay: training.weight_decay.unwrap_or(default.decay),
                epochs: training.epochs.unwrap_or(default.epochs),
                seed: args.seed,
                checkpoint: args.checkpoint,
                ..default
            },
            threads: None,
        },
    })
}

fn nnue(args: &args::Improve) -> Result<NnueImprovement, Failure> {
    let (training, default) = (&args.training, NnueSettings::default());
    if training.test.is_empty() {
        return Err(Failure::usage("--test: give a data set of games that are not in --data"));
    }
    Ok(NnueImprovement {
        init: args.init.clone(),
        gate_engine: args.gate.gate_engine.clone(),
        self_play: value_self_play(args),
        training: NnueJob {
            data: training.data.clone(),
            test: training.test.clone(),
            out: Default::default(),
            lambda: training.lambda.unwrap_or(NnueJob::LAMBDA),
            value_scale: NnueJob::VALUE_SCALE,
            settings: NnueSettings {
                batch: training.batch.map_or(default.batch, |batch| batch as usize),
                rate: training.lr.unwrap_or(default.rate),
                decay: training.weight_decay.unwrap_or(default.decay),
                epochs: training.epochs.unwrap_or(default.epochs),
                seed: args.seed,
                checkpoint: args.checkpoint,
                ..default
            },
        },
    })
}

fn network(args: &args::Improve) -> NetworkImprovement {
    let (play, training) = (&args.self_play, &args.training);
    let net = args.net.clone().unwrap_or_else(|| DEFAULT_NET.to_owned());
    let job = NetworkTrainingJob::new(net, Vec::new(), "");
    NetworkImprovement {
        init: args.init.clone(),
        gate_engine: args.gate.gate_engine.clone(),
        self_play: NetworkSelfPlayJob {
            games: play.games,
            out: Default::default(),
            engine: play.engine.clone().unwrap_or_else(|| "puct:playouts=200".to_owned()),
            position: None,
            openings: play.openings.clone(),
            random_plies: play.random.clone().unwrap_or(0..=0),
            noise: play.noise,
            temperature: f64::from(play.temperature),
            sampled_plies: play.sample,
            longest: play.longest,
            seed: args.seed,
            threads: None,
        },
        training: NetworkTrainingJob {
            batch: training.batch.unwrap_or(256),
            optimizer: OptimizerKind::AdamW,
            rate: training.lr.unwrap_or(OptimizerKind::AdamW.rate()),
            length: TrainingLength::Epochs(training.epochs.unwrap_or(1)),
            weight_decay: training.weight_decay.unwrap_or(0.01),
            lambda: training.lambda.unwrap_or(1.0),
            precision: FilePrecision::F32,
            checkpoint: args.checkpoint,
            seed: args.seed,
            ..job
        },
    }
}

fn request(registry: &Registry, args: &args::Improve) -> Result<ImproveRequest, Failure> {
    let (play, training, gate) = (&args.self_play, &args.training, &args.gate);
    let candidate = candidate(registry, args)?;
    let rule = match gate.sprt {
        _ if gate.no_gate => GateRule::Open,
        Some((elo0, elo1)) => {
            GateRule::Sprt(GateSprt { games: gate.gate_games, elo0, elo1, alpha: ERROR, beta: ERROR })
        }
        None => GateRule::Score { games: gate.gate_games, least: as_typed(gate.gate_score) },
    };
    Ok(ImproveRequest {
        game: args.game.clone(),
        job: ImproveJob {
            out: args.out.clone(),
            generations: args.generations,
            games: play.games,
            window: training.window,
            gate: rule,
            seed: args.seed,
            threads: args.threads.get(),
        },
        candidate,
        gate_openings: play.openings.clone(),
        gate_plies: gate.gate_plies.map(usize::from),
        truth: args.tablebase.as_ref().map(|folder| TruthJob {
            tablebase: folder.clone(),
            positions: args.tablebase_positions,
            seed: args.seed,
            threads: args.threads.get(),
        }),
    })
}

/// A line per generation.
struct GenerationTable {
    generations: u32,
    has_truth: bool,
    /// When this run began, and how many generations it has finished.
    begun: Instant,
    finished: u32,
}

impl GenerationTable {
    fn new(generations: u32) -> GenerationTable {
        GenerationTable { generations, has_truth: false, begun: Instant::now(), finished: 0 }
    }

    fn start(&mut self, start: &ImproveStart, out: &mut Out) -> Done {
        if start.resumed > 0 {
            let before = counted(start.resumed as usize, "generation");
            out.line(format_args!("continues after {before} of {}", start.generations))?;
        }
        if let Some(figures) = &start.start {
            self.measured(figures, out)?;
        }
        if start.reports.is_empty() {
            return Ok(());
        }
        start.reports.iter().enumerate().try_for_each(|(at, report)| self.line(report, at == 0, out))
    }

    fn measured(&mut self, figures: &Figures, out: &mut Out) -> Done {
        self.has_truth = true;
        let [optimal, error] = truth(Some(figures));
        out.line(format_args!("at the start: {optimal} optimal moves, value error {error}"))
    }

    fn row(&mut self, report: &GenerationReport, out: &mut Out) -> Done {
        let is_first = report.generation == 1;
        self.finished += 1;
        self.line(report, is_first, out)
    }

    fn line(&self, report: &GenerationReport, headed: bool, out: &mut Out) -> Done {
        let truth_head = if self.has_truth { format!(" {:>8} {:>7}", "optimal", "error") } else { String::new() };
        if headed {
            out.line(format_args!(
                "{:>10} {:>7} {:>10} {:>10} {:>7} {:>7}{truth_head} {:>12} {:>7}",
                "generation", "games", "positions", "learned", "policy", "value", "gate", "score"
            ))?;
        }
        let loss = |name: &str| report.losses.get(name).map_or("-".to_owned(), |loss| format!("{loss:.4}"));
        let truth = match self.has_truth {
            true => {
                let [optimal, error] = truth(report.measured.as_ref());
                format!(" {optimal:>8} {error:>7}")
            }
            false => String::new(),
        };
        let (gate, score) = match &report.gate {
            None => ("-".to_owned(), "-".to_owned()),
            Some(gate) => {
                (format!("{}–{}–{}", gate.wins, gate.draws, gate.losses), format!("{:.1} %", 100.0 * gate.share()))
            }
        };
        out.line(format_args!(
            "{:>10} {:>7} {:>10} {:>10} {:>7} {:>7}{truth} {gate:>12} {score:>7} {}",
            report.generation,
            grouped(u64::from(report.games)),
            grouped(report.positions),
            grouped(report.learned),
            loss("policy_loss"),
            loss("value_loss"),
            if report.accepted { "accepted" } else { "rejected" }
        ))
    }

    /// By the mean time of the generations of this run.
    fn tell_time_left(&self, report: &GenerationReport) {
        let left = self.generations.saturating_sub(report.generation);
        if left > 0 && self.finished > 0 {
            let each = self.begun.elapsed().as_secs_f64() / f64::from(self.finished);
            let time = Duration::from_secs_f64(each * f64::from(left));
            eprintln!("about {} left", HumanDuration(time));
        }
    }
}

/// The share of optimal moves and the error of the value.
fn truth(figures: Option<&Figures>) -> [String; 2] {
    let figure = |name: &str| figures.and_then(|figures| figures.get(name).copied());
    let optimal = figure("optimal_moves").map_or("-".to_owned(), |share| format!("{:.2} %", 100.0 * share));
    [optimal, figure("value_error").map_or("-".to_owned(), |error| format!("{error:.4}"))]
}

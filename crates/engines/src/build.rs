//! Building engines from specs: what is the same for every game.

use std::time::Duration;

use tesuji_game::{Game, Record};
use tesuji_search::alphabeta::{AlphaBeta, Means};
use tesuji_search::{Choice, Craft, Engine, Eval, Limits, Report, Stop, Time};

use crate::{Spec, SpecError};

/// An engine whose spec sets limits of its own; the tighter of its own and the caller's holds.
struct Limited<G: Game> {
    engine: Box<dyn Engine<G>>,
    limits: Limits,
}

impl<G: Game> Engine<G> for Limited<G> {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        stop: &Stop,
        watch: &mut dyn FnMut(&Report<G::Move>),
    ) -> Choice<G::Move> {
        let least = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        let depth = least(limits.depth.map(u64::from), self.limits.depth.map(u64::from));
        let both = Limits {
            depth: depth.map(|depth| depth as u32),
            nodes: least(limits.nodes, self.limits.nodes),
            time: self.limits.time.or(limits.time),
            lines: limits.lines.max(1),
            begun: limits.begun,
        };
        self.engine.think(record, &both, stop, watch)
    }

    fn forget(&mut self) {
        self.engine.forget();
    }
}

/// Gives an engine the limits its spec names: `depth`, `nodes` or `playouts`, `time`.
pub(crate) fn limited<G: Game>(
    spec: &Spec,
    engine: Box<dyn Engine<G>>,
) -> Result<Box<dyn Engine<G>>, SpecError> {
    let limits = Limits {
        depth: number(spec, "depth", 1, 200)?.map(|depth| depth as u32),
        nodes: number(spec, "nodes", 1, u64::MAX)?.or(number(spec, "playouts", 1, u64::MAX)?),
        time: spec.get("time").map(|text| duration("time", text)).transpose()?.map(Time::Move),
        lines: 1,
        begun: None,
    };
    Ok(Box::new(Limited { engine, limits }))
}

/// An alpha-beta engine of this evaluation and craft, with the means its spec names: `hash`, `threads`.
pub(crate) fn alphabeta<G: Game, E: Eval<G> + 'static, C: Craft<G, E> + 'static>(
    spec: &Spec,
    eval: E,
    craft: C,
) -> Result<Box<dyn Engine<G>>, SpecError> {
    let usual = Means::default();
    let means = Means {
        hash_mib: number(spec, "hash", 1, 1 << 20)?.map_or(usual.hash_mib, |mib| mib as usize),
        threads: number(spec, "threads", 1, 1024)?.map_or(usual.threads, |threads| threads as usize),
    };
    limited(spec, Box::new(AlphaBeta::new(eval, craft, means)))
}

/// A whole number in a range.
pub(crate) fn number(spec: &Spec, key: &str, least: u64, most: u64) -> Result<Option<u64>, SpecError> {
    let Some(text) = spec.get(key) else { return Ok(None) };
    match text.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(Some(number)),
        _ => Err(SpecError::Value {
            key: key.to_owned(),
            value: text.to_owned(),
            message: format!("a whole number from {least} to {most}"),
        }),
    }
}

/// `250ms`, `1s`, `1.5s`, `2m`.
pub(crate) fn duration(key: &str, text: &str) -> Result<Duration, SpecError> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(split);
    let scale = match unit {
        "ms" => Some(0.001),
        "s" => Some(1.0),
        "m" => Some(60.0),
        "h" => Some(3600.0),
        _ => None,
    };
    let seconds = digits.parse::<f64>().ok().zip(scale).map(|(number, scale)| number * scale);
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).ok_or_else(|| SpecError::Value {
        key: key.to_owned(),
        value: text.to_owned(),
        message: "a duration such as 250ms, 1s or 2m".to_owned(),
    })
}

/// No engine of this name; the nearest one, or all.
pub(crate) fn unknown(what: &'static str, text: &str, known: &[&str]) -> SpecError {
    let nearest =
        known.iter().min_by_key(|name| distance(name, text)).filter(|name| distance(name, text) <= 2);
    let hint = nearest
        .map_or_else(|| format!("there are: {}", known.join(", ")), |name| format!("did you mean {name:?}?"));
    SpecError::Unknown { what, text: text.to_owned(), hint }
}

/// Letters to insert, remove or change to get from one word to the other.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, to) in b.chars().enumerate() {
            let changed = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.chars().count()]
}

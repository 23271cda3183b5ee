//! From `position` and `go` to a search: the game, its limits, and the thread that searches.

use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use tesuji_engines::shogi::ChecksOnly;
use tesuji_engines::{SearchEvent, spawn};
use tesuji_game::{Game, Notation, PushError, Record};
use tesuji_protocol::usi::{ClockTimes, Go, MateLimit, UsiPosition};
use tesuji_search::clock::TimeBudget;
use tesuji_search::dfpn::{Dfpn, ProofQuery, ProofResult};
use tesuji_search::{Limits, Time};
use tesuji_shogi::{Move, Shogi};
use tesuji_task::CancelToken;

use super::options::UsiOptions;
use super::session::Event;

/// An event of either kind of search.
pub(super) enum UsiSearchEvent {
    /// From the engine.
    Engine(SearchEvent<Shogi>),
    /// From the mate solver, which comes back unless it panicked.
    Mate(Option<MateSolver>, ProofResult<Move>),
}

pub(super) type MateSolver = Box<Dfpn<ChecksOnly>>;

/// When a search with a clock is given up, beside its own limits. Its thread may not run at that moment: on a busy
/// machine a thread that has searched for long waits, while one that has slept runs at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Deadline {
    /// When the search is cancelled.
    pub(super) cancel: Instant,
    /// When the best move so far is played.
    pub(super) answer: Instant,
}

impl Deadline {
    /// For a search whose limits count from `received`, with this safety margin; `None` without a clock.
    pub(super) fn new(time: Option<Time>, received: Instant, margin: Duration) -> Option<Deadline> {
        let TimeBudget { hard, available, .. } = TimeBudget::new(time?, margin);
        let rest = available.saturating_sub(hard);
        // Times beyond what an instant can hold are no limit.
        let after = |time: Duration| received.checked_add(time);
        Some(Deadline { cancel: after(hard + rest / 8)?, answer: after(hard + rest / 4)? })
    }
}

/// A `go`, and the game it is about.
pub(super) struct GoRequest {
    pub(super) go: Go,
    pub(super) record: Record<Shogi>,
    /// When the command was read; from then on the clock runs.
    pub(super) received: Instant,
    /// `stop` came before the search could begin.
    pub(super) stopped: bool,
    /// When it is answered at the latest, while it waits for the engine.
    pub(super) deadline: Option<Deadline>,
}

impl GoRequest {
    /// The opponent has played the move that was pondered on: from now on the clock runs.
    pub(super) fn ponder_hit(&mut self, clock: ClockTimes, received: Instant) {
        self.go.ponder = false;
        self.received = received;
        if !clock.is_empty() {
            self.go.clock = clock;
        }
    }

    /// What an engine may spend.
    pub(super) fn limits(&self, options: &UsiOptions) -> Limits {
        let go = &self.go;
        let least = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        let depth = least(options.depth().map(u64::from), go.depth.map(u64::from));
        let untimed = go.infinite || go.ponder;
        let time = go.movetime.map(Time::Move).or_else(|| {
            let clock = time(options, &go.clock, self.record.now())?;
            Some(options.pace().map_or(clock, |pace| Time::Planned(TimeBudget::paced(clock, &pace))))
        });
        Limits {
            depth: depth.map(|depth| depth.clamp(1, 200) as u32),
            nodes: least(options.nodes(), go.nodes).map(|nodes| nodes.max(1)),
            time: time.filter(|_| !untimed),
            lines: options.lines(),
            // Who asks for a search wants to see one.
            ignore_book: go.infinite || go.depth.is_some() || go.nodes.is_some(),
            started: Some(self.received),
        }
    }

    /// The game that is searched. A stochastic ponder search looks at all replies of the opponent, not only at the
    /// expected one: at the position before it.
    pub(super) fn searched(&self, options: &UsiOptions) -> Record<Shogi> {
        match self.record.plies().len().checked_sub(1) {
            Some(before) if self.go.ponder && options.stochastic_ponder() => self.record.up_to(before),
            _ => self.record.clone(),
        }
    }

    /// What `go mate` may spend.
    pub(super) fn mate_limits(&self, mate: MateLimit, options: &UsiOptions) -> Limits {
        let time = match mate {
            MateLimit::Within(time) => Some(Time::Move(time.saturating_sub(options.delay()))),
            MateLimit::Infinite => None,
        };
        Limits { time, nodes: options.nodes(), lines: 1, started: Some(self.received), ..Limits::default() }
    }
}

fn time(options: &UsiOptions, clock: &ClockTimes, now: &Shogi) -> Option<Time> {
    if clock.is_empty() {
        return None;
    }
    let (side, delay) = (now.mover().index(), options.delay());
    let of = |time: Option<Duration>| time.unwrap_or_default();
    let (left, increment, byoyomi) = (of(clock.left[side]), of(clock.increment[side]), of(clock.byoyomi));
    // The network delay is taken from the part of the clock that runs last.
    Some(match byoyomi.is_zero() {
        true => Time::Clock { left: left.saturating_sub(delay), increment, byoyomi },
        false => Time::Clock { left, increment, byoyomi: byoyomi.saturating_sub(delay) },
    })
}

/// The game of a `position` command, or what is wrong with it.
///
/// A board program may send moves beyond a fourth repetition or a move limit. The game then starts anew from there.
pub(super) fn place(placement: &UsiPosition, options: &UsiOptions) -> Result<Record<Shogi>, String> {
    let start = match &placement.sfen {
        None => Shogi::start(),
        Some(sfen) => Shogi::parse(sfen).map_err(|error| error.to_string())?,
    };
    let mut record = Record::with_rules(start.clone(), options.rules(&start));
    for (index, word) in placement.moves.iter().enumerate() {
        let mut pushed = record.push_text(word);
        if let Err(PushError::Over(_)) = pushed {
            record = reopened(record);
            pushed = record.push_text(word);
        }
        pushed.map_err(|error| error.at_move(index + 1, word).to_string())?;
    }
    Ok(record)
}

/// The same game if it is not over; else one without a move limit that starts at its last position.
pub(super) fn reopened(record: Record<Shogi>) -> Record<Shogi> {
    if record.ending().is_none() {
        return record;
    }
    let mut rules = record.path().rules.clone();
    rules.move_limit = None;
    Record::with_rules(record.now().clone(), rules)
}

/// Searches for mate on a new thread.
pub(super) fn spawn_mate_search(
    mut solver: MateSolver,
    record: Record<Shogi>,
    limits: Limits,
    cancel: CancelToken,
    events: SyncSender<Event>,
) {
    let search = move || {
        let answer = find_mate(&mut solver, &record, &limits, &cancel);
        UsiSearchEvent::Mate(Some(solver), answer)
    };
    let fallback = || UsiSearchEvent::Mate(None, ProofResult::Unknown);
    // Sending fails once the session is over.
    spawn(search, fallback, move |event| drop(events.send(Event::Search(event))));
}

/// Any mate, then the shortest one, if that takes no more than a few times as long.
fn find_mate(
    solver: &mut Dfpn<ChecksOnly>,
    record: &Record<Shogi>,
    limits: &Limits,
    cancel: &CancelToken,
) -> ProofResult<Move> {
    let query = ProofQuery::of(record);
    let first = solver.solve(&query, limits, cancel);
    let ProofResult::Proven(first) = first else { return first };
    let spent = solver.nodes();
    let nodes = limits.nodes.map_or(u64::MAX, |nodes| nodes - spent).min(SHORTEST_NODES + 8 * spent);
    let shorter = solver.solve(&query.shortest(), &Limits { nodes: Some(nodes), ..*limits }, cancel);
    match shorter {
        ProofResult::Proven(shorter) if shorter.plies <= first.plies => ProofResult::Proven(shorter),
        _ => ProofResult::Proven(first),
    }
}

/// The nodes that the search for a shorter mate may take in any case: about a second.
const SHORTEST_NODES: u64 = 500_000;

//! A match, as a tournament of two that flags describe.

use std::time::Duration;

use tesuji_arena::{TournamentConfig, TimeControl, Entrant, EventConfig, SprtModel, Schedule, Sprt};
use tesuji_engines::Spec;
use tesuji_search::Time;

use crate::args::{self, Pace};
use crate::failure::Failure;

/// What engines without any limit get for a move.
const USUAL: Duration = Duration::from_secs(1);

pub(super) fn match_of(args: &args::Match) -> Result<TournamentConfig, Failure> {
    let wrong = |error: &dyn std::fmt::Display| Failure::usage(error.to_string());
    let [one, two] = [&args.one, &args.two];
    // The same engine twice is a test of the arena; the table still needs two names.
    let second = if one == two { format!("{two} (2)") } else { two.clone() };
    let players = vec![
        Entrant { name: one.clone(), engine: one.clone() },
        Entrant { name: second, engine: two.clone() },
    ];
    let mut event = EventConfig::new(&args.game, players);
    event.schedule = Schedule::Match;
    event.pairs = args.games.div_ceil(2) as usize;
    event.control = control(&args.pace, [one, two]);
    event.margin = args.pace.margin;
    event.depth = args.pace.depth;
    event.nodes = args.pace.nodes;
    event.openings.file.clone_from(&args.openings);
    event.openings.plies = args.plies.map(usize::from);
    event.sprt = args.sprt.map(|(elo0, elo1)| Sprt {
        model: match args.model {
            args::SprtModel::Normalised => SprtModel::Normalised,
            args::SprtModel::Logistic => SprtModel::Logistic,
        },
        elo0,
        elo1,
        alpha: 0.05,
        beta: 0.05,
    });
    let config = TournamentConfig {
        name: format!("{one} against {two}"),
        seed: args.seed,
        concurrency: args.concurrency.map(usize::from),
        events: vec![event],
    };
    config.checked().map_err(|error| wrong(&error))
}

/// The clock of the flags; one second a move where nothing else ends the thinking of both.
fn control(pace: &Pace, specs: [&String; 2]) -> TimeControl {
    let limited =
        |text: &String| Spec::parse(text).is_ok_and(|spec| spec.is_limited() || spec.name == "random");
    match (pace.time, pace.clock) {
        (Some(each), _) => TimeControl::Move(each),
        (None, Some(Time::Move(each))) => TimeControl::Move(each),
        (None, Some(Time::Clock { left, increment, byoyomi })) => match byoyomi.is_zero() {
            true => TimeControl::Increment { main: left, increment },
            false => TimeControl::Byoyomi { main: left, byoyomi },
        },
        (None, None) if pace.depth.is_some() || pace.nodes.is_some() || specs.into_iter().all(limited) => {
            TimeControl::None
        }
        (None, None) => TimeControl::Move(USUAL),
    }
}

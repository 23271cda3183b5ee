//! A match, as a tournament of two that flags describe.

use std::time::Duration;

use tesuji_arena::{Config, Control, Entrant, Event, Model, Schedule, Sprt};
use tesuji_engines::Spec;
use tesuji_search::Time;

use crate::args::{self, Pace};
use crate::failure::Failure;

/// What engines without any limit get for a move.
const USUAL: Duration = Duration::from_secs(1);

pub(super) fn match_of(args: &args::Match) -> Result<Config, Failure> {
    let wrong = |error: &dyn std::fmt::Display| Failure::usage(error.to_string());
    let [one, two] = [&args.one, &args.two];
    // The same engine twice is a test of the arena; the table still needs two names.
    let second = if one == two { format!("{two} (2)") } else { two.clone() };
    let players = vec![
        Entrant { name: one.clone(), engine: one.clone() },
        Entrant { name: second, engine: two.clone() },
    ];
    let mut event = Event::new(&args.game, players);
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
            args::Model::Normalised => Model::Normalised,
            args::Model::Logistic => Model::Logistic,
        },
        elo0,
        elo1,
        alpha: 0.05,
        beta: 0.05,
    });
    let config = Config {
        name: format!("{one} against {two}"),
        seed: args.seed,
        concurrency: args.concurrency.map(usize::from),
        events: vec![event],
    };
    config.checked().map_err(|error| wrong(&error))
}

/// The clock of the flags; one second a move where nothing else ends the thinking of both.
fn control(pace: &Pace, specs: [&String; 2]) -> Control {
    let limited =
        |text: &String| Spec::parse(text).is_ok_and(|spec| spec.is_limited() || spec.name == "random");
    match (pace.time, pace.clock) {
        (Some(each), _) => Control::Move(each),
        (None, Some(Time::Move(each))) => Control::Move(each),
        (None, Some(Time::Clock { left, increment, byoyomi })) => match byoyomi.is_zero() {
            true => Control::Increment { main: left, increment },
            false => Control::Byoyomi { main: left, byoyomi },
        },
        (None, None) if pace.depth.is_some() || pace.nodes.is_some() || specs.into_iter().all(limited) => {
            Control::None
        }
        (None, None) => Control::Move(USUAL),
    }
}

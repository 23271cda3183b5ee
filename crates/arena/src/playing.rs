//! An event of one game: players are seated, openings laid out, games turned into lines and back.

use std::collections::HashMap;
use std::time::Duration;

use tesuji_engines::{Spec, SpecError};
use tesuji_game::{BoardView, Ending, Formats, Record, Side, tags};
use tesuji_search::{CancelToken, Rng};

use crate::clock::Clocks;
use crate::config::Config;
use crate::event::{Event, Order};
use crate::facts;
use crate::film::Film;
use crate::line::GameLine;
use crate::opening::{Fair, Openings};
use crate::play::{Encounter, Played, Terms, play};
use crate::player::Player;
use crate::schedule::Fixture;
use crate::stage::{Board, EventError, EventRunner, GameRun, GameSettings};

/// An event of a game.
pub struct Playing<G: Formats> {
    index: usize,
    event: Event,
    seed: u64,
    house: GameSettings<G>,
    specs: Vec<Spec>,
    openings: Openings<G>,
    terms: Terms<G>,
    facts: Vec<(String, String)>,
}

impl<G: Formats + BoardView> Playing<G> {
    /// Sets up the event of this number in `config`; every spec is tried before the first game.
    pub fn new(config: &Config, index: usize, house: GameSettings<G>) -> Result<Playing<G>, EventError> {
        let other = || EventError::Other(format!("there is no event {}", index + 1));
        let event = config.events.get(index).cloned().ok_or_else(other)?;
        let mut facts = vec![("rules".to_owned(), format!("{:?}", G::Rules::default()))];
        let mut specs = Vec::new();
        for entrant in &event.players {
            let wrong = |error| EventError::Player { name: entrant.name.clone(), error };
            let spec = Spec::parse(&entrant.engine).map_err(wrong)?;
            (house.seat)(&spec).map_err(wrong)?;
            let sums = facts::files(&spec).into_iter();
            facts.extend(sums.map(|(key, sum)| (format!("player {}, {key}", entrant.name), sum)));
            specs.push(spec);
        }
        let longest = event.longest.or(house.longest).filter(|&longest| longest > 0);
        facts.push(("longest".to_owned(), longest.map_or("none".to_owned(), |longest| longest.to_string())));
        let seed = mix(config.seed, index as u64);
        let openings = openings(&event, seed, &house, &mut facts)?;
        let clocks = Clocks::new(event.control, event.margin, event.patience);
        let terms = Terms {
            clocks: clocks.with_limits(event.depth, event.nodes),
            longest,
            adjudication: event.adjudication(),
            claim: house.claim,
            solver: house.solver,
        };
        Ok(Playing { index, event, seed, house, specs, openings, terms, facts })
    }

    /// The spec of a player for one game: where chance plays and nobody has said how, by the seed of the
    /// tournament, so that a game does not depend on those before it.
    fn spec(&self, player: usize, fixture: &Fixture) -> Option<Spec> {
        let mut spec = self.specs.get(player)?.clone();
        let kind = self.house.engines.kinds.iter().find(|kind| kind.name == spec.name);
        let seeded = kind.is_some_and(|kind| kind.settings.iter().any(|setting| setting.key == "seed"));
        if seeded && spec.get("seed").is_none() {
            let seed = mix(mix(self.seed, fixture.number as u64), player as u64);
            spec.settings.push(("seed".to_owned(), seed.to_string()));
        }
        Some(spec)
    }

    fn name(&self, player: usize) -> String {
        self.event.players.get(player).map(|entrant| entrant.name.clone()).unwrap_or_default()
    }

    fn line(&self, fixture: &Fixture, played: &Played<G>) -> GameLine {
        let Played { record, ending, booked, notes, fault, oddities } = played;
        let [first, second] = fixture.players.map(|player| self.name(player));
        let mut now = record.start().clone();
        let mut moves = Vec::new();
        let mut begins = now.mover();
        for (ply, mv) in record.moves().enumerate() {
            moves.push(now.print_move(mv));
            now.play(mv);
            begins = if ply < *booked { now.mover() } else { begins };
        }
        let start = (*record.start() != G::start()).then(|| record.start().print());
        let millis = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
        let margin = self.house.margin.and_then(|margin| margin(record.now()));
        GameLine {
            event: self.index,
            number: fixture.number,
            round: fixture.round,
            first,
            second,
            opening: fixture.opening,
            start,
            booked: *booked,
            second_begins: begins == Side::Second,
            moves: moves.join(" "),
            result: ending.winner.into(),
            reason: ending.reason.to_owned(),
            fault: fault.clone(),
            margin: margin.map(|own| if record.now().mover() == Side::First { own } else { -own }),
            oddities: oddities.iter().map(|(side, words)| format!("{side}: {words}")).collect(),
            // JSON has no infinities.
            values: notes.iter().map(|note| note.thought.value.filter(|value| value.is_finite())).collect(),
            proven: notes.iter().map(|note| note.thought.proven).collect(),
            depths: notes.iter().map(|note| note.thought.depth).collect(),
            nodes: notes.iter().map(|note| note.thought.nodes).collect(),
            times: notes.iter().map(|note| millis(note.used)).collect(),
            cpu: notes.iter().map(|note| note.thought.cpu.map(millis)).collect(),
            lags: notes.iter().map(|note| millis(note.lag)).collect(),
        }
    }

    /// The game of a line, checked move by move.
    fn replay(&self, game: &GameLine) -> Result<Record<G>, String> {
        let start =
            game.start.as_deref().map_or(Ok(G::start()), G::parse).map_err(|error| error.to_string())?;
        let mut record = Record::new(start);
        for (index, word) in game.moves.split_whitespace().enumerate() {
            record.push_text(word).map_err(|refusal| refusal.at_move(index + 1, word).to_string())?;
            let Some(ply) = index.checked_sub(game.booked) else { continue };
            let Some(mut note) = record.note() else { continue };
            if let Some(&millis) = game.times.get(ply)
                && let Ok(time) = Duration::try_from_secs_f64(millis / 1e3)
            {
                note = note.time(time);
            }
            if let Some(Some(value)) = game.values.get(ply) {
                note = note.value(*value);
            }
            if let Some(Some(depth)) = game.depths.get(ply) {
                note.comment(&format!("depth {depth}"));
            }
        }
        Ok(record)
    }
}

fn openings<G: Formats>(
    event: &Event,
    seed: u64,
    house: &GameSettings<G>,
    facts: &mut Vec<(String, String)>,
) -> Result<Openings<G>, EventError> {
    let asked = &event.openings;
    if let Some(path) = &asked.file {
        let wrong = |message: String| EventError::File { path: path.clone(), message };
        let bytes = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
        facts.push(("openings, sum".to_owned(), format!("{:016x}", facts::sum(&bytes))));
        let shuffle = (asked.order == Order::Random).then_some(seed);
        return Openings::read(&bytes, asked.plies, shuffle).map_err(|error| wrong(error.to_string()));
    }
    let plies = asked.plies.unwrap_or(house.plies);
    let judge = asked.judge.as_deref().or(house.judge).filter(|&judge| judge != "none");
    let bound = asked.bound.or(house.bound);
    let word = |number: Option<i16>| number.map_or("none".to_owned(), |number| number.to_string());
    facts.push((
        "openings".to_owned(),
        format!("{plies} plies, judge {}, bound {}", judge.unwrap_or("none"), word(bound)),
    ));
    let fair = match judge {
        None => None,
        Some(judge) => {
            let engine = Spec::parse(judge).and_then(|spec| (house.engines.make)(&spec));
            Some(Fair { engine: engine.map_err(EventError::Judge)?, bound })
        }
    };
    Ok(Openings::random(plies, seed, fair))
}

/// Another seed for another purpose.
fn mix(seed: u64, purpose: u64) -> u64 {
    // Seeds are written into TOML and shown to people: 63 bits are enough.
    Rng::new(seed ^ purpose.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17)).draw() >> 1
}

impl<G: Formats + BoardView> EventRunner for Playing<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn sides(&self) -> [&'static str; 2] {
        G::players()
    }

    fn unit(&self) -> &'static str {
        self.house.unit
    }

    fn facts(&self) -> Vec<(String, String)> {
        self.facts.clone()
    }

    fn table(&self) -> Box<dyn Board + '_> {
        Box::new(Seats { playing: self, kept: HashMap::new() })
    }

    fn film(&self, game: &GameLine) -> Result<Film, String> {
        Ok(Film::of(&self.replay(game)?))
    }

    fn record(&self, game: &GameLine, format: Option<&str>) -> Result<Vec<u8>, String> {
        let names: Vec<&str> = G::FORMATS.iter().map(|format| format.name).collect();
        let chosen = match format {
            None => G::FORMATS.first(),
            Some(name) => G::FORMATS.iter().find(|format| format.name == name),
        };
        let chosen = chosen
            .ok_or_else(|| SpecError::unknown("format", format.unwrap_or_default(), &names).to_string())?;
        let mut record = self.replay(game)?;
        record.set_tag(tags::FIRST, game.first.as_str());
        record.set_tag(tags::SECOND, game.second.as_str());
        record.set_tag(tags::CLOCK, self.event.control.to_string());
        if record.ending().is_none() {
            let reason = WORDS.iter().copied().find(|&word| word == game.reason).unwrap_or("adjudicated");
            let _ = record.end(Ending { winner: game.result.winner(), reason });
        }
        G::write(*chosen, &record)
    }
}

/// The endings that the arena brings about, as a record keeps them.
const WORDS: &[&str] = {
    use crate::referee::reason::{
        AGREED_DRAW, AGREED_WIN, CRASH, DECLARATION, FALSE_CLAIM, ILLEGAL, MOVE_LIMIT, PROTOCOL, RESIGNATION,
        SOLVED, TIME,
    };
    &[
        TIME,
        ILLEGAL,
        CRASH,
        PROTOCOL,
        FALSE_CLAIM,
        DECLARATION,
        RESIGNATION,
        MOVE_LIMIT,
        AGREED_WIN,
        AGREED_DRAW,
        SOLVED,
    ]
};

/// A table of one worker.
struct Seats<'a, G: Formats> {
    playing: &'a Playing<G>,
    /// Other programs, which are slow to start. Our own engines are made anew for every game, so that a game
    /// does not depend on those before it.
    kept: HashMap<usize, Box<dyn Player<G>>>,
}

impl<G: Formats + BoardView> Seats<'_, G> {
    fn seat(&mut self, number: usize, fixture: &Fixture) -> Result<Box<dyn Player<G>>, String> {
        if let Some(player) = self.kept.remove(&number) {
            return Ok(player);
        }
        let spec =
            self.playing.spec(number, fixture).ok_or_else(|| format!("there is no player {number}"))?;
        (self.playing.house.seat)(&spec).map_err(|error| error.to_string())
    }

    fn rise(&mut self, number: usize, player: Box<dyn Player<G>>) {
        if self.playing.specs.get(number).is_some_and(|spec| spec.name == "process") {
            self.kept.insert(number, player);
        }
    }
}

impl<G: Formats + BoardView> Board for Seats<'_, G> {
    fn play(&mut self, fixture: &Fixture, stop: &CancelToken) -> GameRun {
        let opening = match self.playing.openings.get(fixture.opening) {
            Ok(opening) => opening,
            Err(error) => return GameRun::NoOpening(error),
        };
        let [one, two] = fixture.players;
        let mut first = match self.seat(one, fixture) {
            Ok(player) => player,
            Err(message) => return GameRun::Unplayed { player: one, message },
        };
        let mut second = match self.seat(two, fixture) {
            Ok(player) => player,
            Err(message) => return GameRun::Unplayed { player: two, message },
        };
        let encounter = play(opening, [first.as_mut(), second.as_mut()], &self.playing.terms, stop);
        self.rise(one, first);
        self.rise(two, second);
        match encounter {
            Encounter::Played(played) => GameRun::Played(Box::new(self.playing.line(fixture, &played))),
            Encounter::Unplayed { side, message } => {
                GameRun::Unplayed { player: fixture.players[side.index()], message }
            }
            Encounter::Abandoned => GameRun::Abandoned,
        }
    }
}

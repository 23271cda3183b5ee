//! The event runner of one game: makes players and openings, plays games, and converts them to journal entries and
//! records.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use tesuji_engines::{Spec, SpecError};
use tesuji_game::{BoardView, Ending, Formats, Record, Side, reason, tags};
use tesuji_search::{CancelToken, Rng, ValueUnit};

use crate::clock::{GameClocks, TimeControl};
use crate::config::TournamentConfig;
use crate::event_config::{EventConfig, OpeningOrder};
use crate::journal::checksum;
use crate::journal_entry::GameEntry;
use crate::opening::{FairnessFilter, Openings};
use crate::play::{PlayConditions, PlayResult, PlayedGame, play};
use crate::player::{ExternalProgram, Player};
use crate::replay::GameReplay;
use crate::runner::{EventError, EventRunner, GameRun, GameSettings, GameWorker};
use crate::schedule::ScheduledGame;

/// Runs an event of the game `G`.
pub struct GameRunner<G: Formats> {
    index: usize,
    /// The name of the tournament.
    name: String,
    event: EventConfig,
    seed: u64,
    settings: GameSettings<G>,
    specs: Vec<Spec>,
    openings: Openings<G>,
    conditions: PlayConditions<G>,
    facts: Vec<(String, String)>,
}

impl<G: Formats + BoardView> GameRunner<G> {
    /// Sets up the event of this number in `config`. Every spec is checked before the first game.
    pub fn new(
        config: &TournamentConfig,
        index: usize,
        settings: GameSettings<G>,
    ) -> Result<GameRunner<G>, EventError> {
        let other = || EventError::Other(format!("there is no event {}", index + 1));
        let event = config.events.get(index).cloned().ok_or_else(other)?;
        check_thresholds(&event, settings.engines.unit())?;
        let mut facts = vec![("rules".to_owned(), format!("{:?}", G::Rules::default()))];
        let mut specs = Vec::new();
        for entrant in &event.players {
            let wrong = |error| EventError::Player { name: entrant.name.clone(), error };
            let spec = Spec::parse(&entrant.engine).map_err(wrong)?;
            (settings.make_player)(&spec).map_err(wrong)?;
            let sums = files(&spec).into_iter();
            facts.extend(sums.map(|(key, sum)| (format!("player {}, {key}", entrant.name), sum)));
            specs.push(spec);
        }
        let longest = event.longest.or(settings.longest).filter(|&longest| longest > 0);
        facts.push(("longest".to_owned(), longest.map_or("none".to_owned(), |longest| longest.to_string())));
        let seed = mix(config.seed, index as u64);
        let openings = openings(&event, seed, &settings, &mut facts)?;
        let clocks = GameClocks::new(event.control, event.margin, event.patience);
        let conditions = PlayConditions {
            clocks: clocks.with_limits(event.depth, event.nodes),
            longest,
            adjudication: event.adjudicate,
            claim: settings.claim,
            oracle: settings.oracle,
        };
        let name = config.name.clone();
        Ok(GameRunner { index, name, event, seed, settings, specs, openings, conditions, facts })
    }

    /// The spec of a player for one game. A seedable engine without a seed gets one derived from that of the
    /// tournament, so a game does not depend on those before it.
    fn spec(&self, player: usize, scheduled: &ScheduledGame) -> Option<Spec> {
        let mut spec = self.specs.get(player)?.clone();
        let kind = self.settings.engines.kinds.iter().find(|kind| kind.name == spec.name);
        let seeded = kind.is_some_and(|kind| kind.settings.iter().any(|setting| setting.key == "seed"));
        if seeded && spec.get("seed").is_none() {
            let seed = mix(mix(self.seed, scheduled.number as u64), player as u64);
            spec.settings.push(("seed".to_owned(), seed.to_string()));
        }
        Some(spec)
    }

    fn name(&self, player: usize) -> String {
        self.event.players.get(player).map(|entrant| entrant.name.clone()).unwrap_or_default()
    }

    fn entry(&self, scheduled: &ScheduledGame, played: &PlayedGame<G>) -> GameEntry {
        let PlayedGame { record, ending, booked, notes, fault, oddities } = played;
        let [first, second] = scheduled.players.map(|player| self.name(player));
        let mut now = record.start().clone();
        let mut moves = Vec::new();
        let mut begins = now.mover();
        for (ply, mv) in record.moves().enumerate() {
            moves.push(now.print_move(mv));
            now.play(mv);
            begins = if ply < *booked { now.mover() } else { begins };
        }
        // Equal positions may have different sides to move.
        let usual = *record.start() == G::start() && record.start().mover() == G::start().mover();
        let start = (!usual).then(|| record.start().print());
        let millis = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
        let score = self.settings.final_score.and_then(|score| score(record.now()));
        let rates: Vec<Option<f64>> = notes.iter().map(|note| note.info.rate).collect();
        GameEntry {
            event: self.index,
            number: scheduled.number,
            round: scheduled.round,
            first,
            second,
            opening: scheduled.opening,
            start,
            booked: *booked,
            second_begins: begins == Side::Second,
            moves: moves.join(" "),
            result: ending.winner.into(),
            reason: ending.reason.to_owned(),
            fault: fault.clone(),
            margin: score.map(|[first, second]| first.cast_signed() - second.cast_signed()),
            score,
            oddities: oddities.iter().map(|(side, words)| format!("{side}: {words}")).collect(),
            // JSON has no infinities.
            values: notes.iter().map(|note| note.info.value.filter(|value| value.is_finite())).collect(),
            rates: if rates.iter().any(Option::is_some) { rates } else { Vec::new() },
            proven: notes.iter().map(|note| note.info.proven).collect(),
            depths: notes.iter().map(|note| note.info.depth).collect(),
            nodes: notes.iter().map(|note| note.info.nodes).collect(),
            times: notes.iter().map(|note| millis(note.used)).collect(),
            cpu: notes.iter().map(|note| note.info.cpu.map(millis)).collect(),
            lags: notes.iter().map(|note| millis(note.lag)).collect(),
        }
    }

    /// The record of a journal entry, checked move by move.
    fn record_of(&self, game: &GameEntry) -> Result<Record<G>, String> {
        let start = game.start.as_deref().map_or(Ok(G::start()), G::parse).map_err(|error| error.to_string())?;
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
    event: &EventConfig,
    seed: u64,
    settings: &GameSettings<G>,
    facts: &mut Vec<(String, String)>,
) -> Result<Openings<G>, EventError> {
    let wanted = &event.openings;
    if let Some(path) = &wanted.file {
        let wrong = |message: String| EventError::File { path: path.clone(), message };
        let bytes = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
        facts.push(("openings, sum".to_owned(), format!("{:016x}", checksum(&bytes))));
        let shuffle = (wanted.order == OpeningOrder::Random).then_some(seed);
        return Openings::read(&bytes, wanted.plies, shuffle).map_err(|error| wrong(error.to_string()));
    }
    let plies = wanted.plies.unwrap_or(settings.plies);
    let judge = wanted.judge.as_deref().or(settings.judge).filter(|&judge| judge != "none");
    let bound = wanted.bound.or(settings.bound);
    let unit = settings.engines.unit().name;
    let word = |number: Option<f64>| number.map_or("none".to_owned(), |number| format!("{number} {unit}"));
    facts.push((
        "openings".to_owned(),
        format!("{plies} plies, judge {}, bound {}", judge.unwrap_or("none"), word(bound)),
    ));
    let fair = match judge {
        None => None,
        Some(judge) => {
            let spec = Spec::parse(judge).map_err(EventError::Judge)?;
            let bound = bound.map(|bound| settings.engines.unit_of(&spec).steps(bound));
            let engine = (settings.engines.make)(&spec).map_err(EventError::Judge)?;
            Some(FairnessFilter { engine, bound })
        }
    };
    Ok(Openings::random(plies, seed, fair))
}

/// Refuses values that have no meaning in the unit of the game. A draw or a fair opening is within a quarter of what the
/// unit can express, so that numbers in fractions of the unit cannot pass for numbers of it.
fn check_thresholds(event: &EventConfig, unit: ValueUnit) -> Result<(), EventError> {
    let (all, even) = (f64::from(unit.limit), f64::from(unit.limit) / 4.0);
    let thresholds = [
        ("adjudicate.win.value", event.adjudicate.win.map(|win| win.value), all),
        ("adjudicate.draw.value", event.adjudicate.draw.map(|draw| draw.value), even),
        ("openings.bound", event.openings.bound, even),
    ];
    for (setting, number, most) in thresholds {
        if let Some(number) = number.filter(|number| !(0.0..=most).contains(number)) {
            return Err(EventError::Threshold { setting, number, unit, most });
        }
    }
    Ok(())
}

/// Checksums of the files that an engine spec names: weights, and the program of a process.
fn files(spec: &Spec) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for (key, value) in &spec.settings {
        let path = if key == "cmd" { value.split_whitespace().next().unwrap_or_default() } else { value };
        // A bare word is a name, even if a file of that name exists.
        if path.contains(['/', '\\', '.'])
            && Path::new(path).is_file()
            && let Ok(bytes) = std::fs::read(path)
        {
            files.push((key.clone(), format!("{:016x}", checksum(&bytes))));
        }
    }
    files
}

/// Derives another seed.
fn mix(seed: u64, purpose: u64) -> u64 {
    // TOML integers are signed, so seeds have 63 bits.
    Rng::new(seed ^ purpose.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17)).draw() >> 1
}

impl<G: Formats + BoardView> EventRunner for GameRunner<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn sides(&self) -> [&'static str; 2] {
        G::players()
    }

    fn unit(&self) -> ValueUnit {
        self.settings.engines.unit()
    }

    fn facts(&self) -> Vec<(String, String)> {
        self.facts.clone()
    }

    fn worker(&self) -> Box<dyn GameWorker + '_> {
        Box::new(EventWorker { runner: self, kept: HashMap::new() })
    }

    fn replay(&self, game: &GameEntry) -> Result<GameReplay, String> {
        Ok(GameReplay::of(&self.record_of(game)?))
    }

    fn record(&self, game: &GameEntry, format: Option<&str>) -> Result<Vec<u8>, String> {
        let names: Vec<&str> = G::FORMATS.iter().map(|format| format.name).collect();
        let chosen = match format {
            None => G::FORMATS.first(),
            Some(name) => G::FORMATS.iter().find(|format| format.name == name),
        };
        let chosen =
            chosen.ok_or_else(|| SpecError::unknown("format", format.unwrap_or_default(), &names).to_string())?;
        let mut record = self.record_of(game)?;
        record.set_tag(tags::EVENT, self.name.as_str());
        record.set_tag(tags::FIRST, game.first.as_str());
        record.set_tag(tags::SECOND, game.second.as_str());
        if self.event.control != TimeControl::None {
            record.set_tag(tags::CLOCK, self.event.control.to_string());
        }
        if let (Some(fault), Some(winner)) = (&game.fault, game.result.winner()) {
            record.comment = format!("{} lost: {fault}", game.player(!winner));
        }
        if record.ending().is_none() {
            let reason = reason::named(&game.reason).unwrap_or(reason::STATED);
            let _ = record.end(Ending { winner: game.result.winner(), reason });
        }
        G::write(*chosen, &record)
    }
}

/// The engine kind of a program that connects to us; only the arena's own server makes such players.
pub const SEAT: &str = "seat";

/// Plays games on one thread.
struct EventWorker<'a, G: Formats> {
    runner: &'a GameRunner<G>,
    /// Running external programs, which are slow to start. Engines in this process are made anew for every game, so a
    /// game does not depend on those before it.
    kept: HashMap<usize, Box<dyn Player<G>>>,
}

impl<G: Formats + BoardView> EventWorker<'_, G> {
    fn make_player(&mut self, number: usize, scheduled: &ScheduledGame) -> Result<Box<dyn Player<G>>, String> {
        if let Some(player) = self.kept.remove(&number) {
            return Ok(player);
        }
        let spec = self.runner.spec(number, scheduled).ok_or_else(|| format!("there is no player {number}"))?;
        (self.runner.settings.make_player)(&spec).map_err(|error| error.to_string())
    }

    fn keep(&mut self, number: usize, player: Box<dyn Player<G>>) {
        if self
            .runner
            .specs
            .get(number)
            .is_some_and(|spec| [ExternalProgram::KIND.name, SEAT].contains(&spec.name.as_str()))
        {
            self.kept.insert(number, player);
        }
    }
}

impl<G: Formats + BoardView> GameWorker for EventWorker<'_, G> {
    fn play(&mut self, scheduled: &ScheduledGame, cancel: &CancelToken) -> GameRun {
        let opening = match self.runner.openings.get(scheduled.opening) {
            Ok(opening) => opening,
            Err(error) => return GameRun::NoOpening(error),
        };
        let [one, two] = scheduled.players;
        let mut first = match self.make_player(one, scheduled) {
            Ok(player) => player,
            Err(message) => return GameRun::Unplayed { player: one, message },
        };
        let mut second = match self.make_player(two, scheduled) {
            Ok(player) => player,
            Err(message) => return GameRun::Unplayed { player: two, message },
        };
        let result = play(opening, [first.as_mut(), second.as_mut()], &self.runner.conditions, cancel);
        self.keep(one, first);
        self.keep(two, second);
        match result {
            PlayResult::Played(played) => GameRun::Played(Box::new(self.runner.entry(scheduled, &played))),
            PlayResult::Unplayed { side, message } => {
                GameRun::Unplayed { player: scheduled.players[side.index()], message }
            }
            PlayResult::Abandoned => GameRun::Abandoned,
        }
    }
}

//! Progress of a match or tournament: a bar on a terminal, a JSON object per event.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tesuji_registry::{CompetitionEvent, MatchScore, RecordedResult};

use crate::failure::Done;
use crate::out::Out;

/// Shows events.
pub(super) struct Live {
    /// The JSON schema, when JSON is printed.
    schema: Option<&'static str>,
    bar: ProgressBar,
    /// In a match: wins, draws and losses of the first engine.
    score: [u64; 3],
    /// The first error of the output.
    done: Done,
}

impl Live {
    pub(super) fn new(schema: Option<&'static str>, out: &Out) -> Live {
        let visible = std::io::stderr().is_terminal() && !out.quiet();
        let shape = "{bar:30} {pos}/{len} games  {msg}  {elapsed} gone, about {eta} left";
        let style = ProgressStyle::with_template(shape).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::hidden()).with_style(style);
        if visible {
            out.log().bars().add(bar.clone());
            bar.enable_steady_tick(Duration::from_millis(500));
        }
        Live { schema, bar, score: [0; 3], done: Ok(()) }
    }

    /// Shows one event.
    pub(super) fn event(&mut self, event: CompetitionEvent, out: &mut Out) {
        match &event {
            CompetitionEvent::Began { done, total, .. } => {
                self.advance(*done, *total);
                self.bar.reset_eta();
                if *done > 0 {
                    self.message(&format!("{done} of {total} games are there; going on"));
                }
            }
            CompetitionEvent::Game(game) => {
                self.advance(game.done, game.total);
                let place = match (game.result, game.first_engine_won) {
                    (RecordedResult::Draw, _) => Some(1),
                    (_, won) => won.map(|won| if won { 0 } else { 2 }),
                };
                if let Some(place) = place.filter(|_| game.is_match) {
                    self.score[place] += 1;
                    let [wins, draws, losses] = self.score;
                    self.bar.set_message(MatchScore::new(wins, draws, losses).to_string());
                }
                if let Some(fault) = &game.fault {
                    let (name, number) = (&game.game, game.number);
                    let (first, second) = (&game.first, &game.second);
                    self.message(&format!("{name} game {number}, {first} against {second}: {fault}"));
                }
            }
            CompetitionEvent::Failure { player, message } => self.message(&format!("{player}: {message}")),
            CompetitionEvent::Barred { player, message } => {
                self.message(&format!("{player} is not paired any more: {message}"));
            }
            CompetitionEvent::Warning { message } => self.message(message),
            CompetitionEvent::Decided { .. } | CompetitionEvent::Final(_) | CompetitionEvent::End { .. } => {}
        }
        if let (Some(schema), true) = (self.schema, self.done.is_ok()) {
            self.done = out.json(schema, event);
        }
    }

    /// Removes the bar; returns the first error of the output.
    pub(super) fn finish(self) -> Done {
        self.bar.finish_and_clear();
        self.done
    }

    fn advance(&self, done: usize, total: usize) {
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
    }

    /// A line on standard error, above the bar.
    fn message(&self, text: &str) {
        self.bar.suspend(|| eprintln!("tesuji: {text}"));
    }
}

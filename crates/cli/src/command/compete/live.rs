//! What is seen while games are played: a bar with the time left on a terminal, a line per game in JSON.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use tesuji_arena::{TournamentConfig, GameEntry, GameResult, TournamentEvent};

use crate::failure::Done;
use crate::out::Out;

/// Tells what happens.
pub(super) struct Live<'a> {
    config: &'a TournamentConfig,
    /// The JSON schema, when objects are wanted.
    schema: Option<&'static str>,
    bar: ProgressBar,
    /// Wins of the first player of a match, draws, losses.
    score: [u32; 3],
    /// The first thing that went wrong with the output.
    done: Done,
}

impl<'a> Live<'a> {
    pub(super) fn new(config: &'a TournamentConfig, schema: Option<&'static str>, out: &Out) -> Live<'a> {
        let watched = std::io::stderr().is_terminal() && !out.quiet();
        let target = if watched { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let shape = "{bar:30} {pos}/{len} games  {msg}  {elapsed} gone, about {eta} left";
        let style = ProgressStyle::with_template(shape).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(1), target).with_style(style);
        if watched {
            bar.enable_steady_tick(Duration::from_millis(500));
        }
        Live { config, schema, bar, score: [0; 3], done: Ok(()) }
    }

    /// Hears one piece of news.
    pub(super) fn hear(&mut self, news: &TournamentEvent<'_>, out: &mut Out) {
        match news {
            TournamentEvent::Began { done, total, workers } => {
                self.bar.set_length(*total as u64);
                self.bar.set_position(*done as u64);
                self.bar.reset_eta();
                if *done > 0 {
                    self.say(&format!("{done} of {total} games are there; going on"));
                }
                self.tell(
                    json!({ "event": "began", "done": done, "total": total, "concurrency": workers }),
                    out,
                );
            }
            TournamentEvent::Game { game, done, total } => {
                self.count(game);
                self.bar.set_length(*total as u64);
                self.bar.set_position(*done as u64);
                let fields = json!({
                    "event": "game",
                    "game": self.game(game.event),
                    "number": game.number + 1,
                    "first": game.first,
                    "second": game.second,
                    "result": game.result,
                    "reason": game.reason,
                    "fault": game.fault,
                    "plies": game.moves.split_whitespace().count(),
                    "margin": game.margin,
                    "done": done,
                    "total": total,
                });
                self.tell(fields, out);
                if let Some(fault) = &game.fault {
                    self.say(&format!(
                        "{} game {}, {} against {}: {fault}",
                        self.game(game.event),
                        game.number + 1,
                        game.first,
                        game.second
                    ));
                }
            }
            TournamentEvent::Failure(failure) => {
                self.say(&format!("{}: {}", failure.player, failure.message));
                let fields =
                    json!({ "event": "failure", "player": failure.player, "message": failure.message });
                self.tell(fields, out);
            }
            TournamentEvent::Barred { player, message, .. } => {
                self.say(&format!("{player} is not paired any more: {message}"));
                self.tell(json!({ "event": "barred", "player": player, "message": message }), out);
            }
            TournamentEvent::Decided { test, .. } => {
                self.tell(json!({ "event": "decided", "sprt": test.sprt.json(test.pairs) }), out);
            }
            TournamentEvent::Warning(words) => {
                self.say(words);
                self.tell(json!({ "event": "warning", "message": words }), out);
            }
        }
    }

    /// The bar goes; says whether everything could be told.
    pub(super) fn finish(self) -> Done {
        self.bar.finish_and_clear();
        self.done
    }

    /// The score so far belongs on the bar where two play.
    fn count(&mut self, game: &GameEntry) {
        let event = &self.config.events[game.event.min(self.config.events.len() - 1)];
        let [one, _] = &event.players[..] else { return };
        if self.config.events.len() > 1 {
            return;
        }
        let place = match (game.result, game.first == one.name) {
            (GameResult::Draw, _) => 1,
            (GameResult::First, true) | (GameResult::Second, false) => 0,
            _ => 2,
        };
        self.score[place] += 1;
        let [wins, draws, losses] = self.score;
        self.bar.set_message(format!("+{wins} ={draws} -{losses}"));
    }

    fn game(&self, event: usize) -> &str {
        self.config.events.get(event).map_or("", |event| event.game.as_str())
    }

    /// A line for people, above the bar.
    fn say(&self, words: &str) {
        self.bar.suspend(|| eprintln!("tesuji: {words}"));
    }

    fn tell(&mut self, fields: serde_json::Value, out: &mut Out) {
        if let (Some(schema), true) = (self.schema, self.done.is_ok()) {
            self.done = out.json(schema, fields);
        }
    }
}

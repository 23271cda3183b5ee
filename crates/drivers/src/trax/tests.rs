//! Conversations from memory.

use std::io::{BufReader, Read};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use tesuji_engines::{RandomMover, Spec, SpecError};
use tesuji_game::{Game, Record};
use tesuji_search::{CancelToken, Choice, Engine, Limits, SearchReport};
use tesuji_trax::{Trax, Unlimited};

use super::*;

type Board = Trax<Unlimited>;

/// What is answered to these lines, and what is told besides.
fn talk(player: &TraxPlayer, lines: &str) -> (String, Vec<String>) {
    let (mut output, mut told) = (Vec::new(), Vec::new());
    let input = BufReader::new(std::io::Cursor::new(lines.as_bytes().to_vec()));
    run(&EngineFactory::<Board>::of_game(), player, input, &mut output, &mut |event| match event {
        TraxEvent::Warning(message) => told.push(message),
        TraxEvent::Started(side) => told.push(format!("{side:?} starts")),
        TraxEvent::Ended(side, record) => {
            told.push(format!("{side:?} ends after {} with {:?}", record.plies().len(), record.ending()));
        }
        TraxEvent::Received(_) | TraxEvent::Sent(_) => {}
    })
    .expect("a conversation");
    (String::from_utf8(output).expect("text"), told)
}

fn random() -> TraxPlayer {
    TraxPlayer { engine: Some("random:seed=5".to_owned()), ..TraxPlayer::default() }
}

#[test]
fn the_team_code_and_both_colours() {
    let (answers, told) = talk(&random(), "-T\r\n\r\n\n-W\r\n");
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!(lines[0], "TS");
    assert!(["@0/", "@0+"].contains(&lines[1]) && lines.len() == 2, "{answers}");
    assert_eq!(told, ["First starts", "First ends after 1 with None"]);
    let (answers, told) = talk(&random(), "-B\n");
    assert_eq!((answers.as_str(), told.len()), ("", 2), "red waits");
    let (answers, _) = talk(&random(), "-R\n@0/\n");
    assert_eq!(answers.lines().count(), 1, "{answers}");
    let mut record = Record::new(Board::start());
    record.push_text("@0/").expect("the first move");
    record.push_text(answers.trim_end()).expect("a legal answer");
}

#[test]
fn whatever_is_wrong_is_told_and_changes_nothing() {
    let (answers, told) = talk(&random(), "hello\n-B\nA1/\n@0\\\n\u{1}\u{2}\nZ99999999999999999999+\n@0+\n");
    assert_eq!(answers.lines().count(), 1);
    assert_eq!(told.len(), 7, "{told:?}");
    assert_eq!(told[0], "\"hello\" is no command");
    assert!(told[2].starts_with("A1/ cannot be played: "), "{}", told[2]);
    assert!(told[3].starts_with("@0\\ cannot be played: "), "{}", told[3]);
}

#[test]
fn games_can_be_loaded_undone_and_judged() {
    let (answers, _) = talk(&random(), "-N\n-R @0/ B1+ -F\n-J\n-W\n");
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!(lines[..2], ["tesuji", "none"]);
    assert_eq!(lines.len(), 3, "white is to move: {answers}");
    // Red waits for the move of white, whose colour was named after loading.
    let (answers, _) = talk(&random(), "-R @0/ B1+ -F\n-B\n");
    assert_eq!(answers, "");
    // The third turn closes a red loop.
    let loop_game = "-I\n-M @0/\n-M A2\\\n-J\n-M B1\\\n-J\n-U\n-J\n";
    let (answers, told) = talk(&random(), loop_game);
    assert_eq!(answers, "none\nred\nnone\n", "{told:?}");
    let (answers, told) = talk(&random(), "-R @0/ A7+ -F\n-W\n");
    assert_eq!(answers.lines().count(), 1, "a game that cannot be loaded starts anew");
    assert!(told[0].starts_with("A7+ cannot be played"), "{told:?}");
}

#[test]
fn a_game_ends_by_the_rules_or_after_the_last_turn() {
    let player = TraxPlayer { longest: 2, ..random() };
    let (answers, told) = talk(&player, "-B\n@0/\n");
    assert_eq!(answers.lines().count(), 1, "{answers} {told:?}");
    assert_eq!(told, ["Second starts", "Second ends after 2 with None"], "the limit is told once");
    let (answers, _) = talk(&TraxPlayer { longest: 1, ..random() }, "-B\n@0/\n");
    assert_eq!(answers, "", "a drawn game has no answer");
    assert_eq!(talk(&random(), "-E\n-W\n").0, "");
    // A move in our turn is told and ignored.
    let (_, told) = talk(&random(), "-B\n@0/\nA0+\n");
    assert!(told.contains(&"A0+ came in our turn and is ignored".to_owned()), "{told:?}");
}

/// Plays only when it is cancelled, and then only when it is told to.
struct Sleeper {
    wakes: Receiver<()>,
    asleep: Sender<()>,
}

impl Engine<Board> for Sleeper {
    fn think(
        &mut self,
        record: &Record<Board>,
        limits: &Limits,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&SearchReport<<Board as Game>::Move>),
    ) -> Choice<<Board as Game>::Move> {
        // The search before the game only loads the engine.
        if limits.started.is_some() {
            let _ = self.asleep.send(());
            let _ = self.wakes.recv();
        }
        RandomMover::new(1).think(record, limits, stop, watch)
    }
}

thread_local! {
    static SLEEPER: std::cell::RefCell<Option<Sleeper>> = const { std::cell::RefCell::new(None) };
}

fn sleeper(_: &Spec) -> Result<Box<dyn Engine<Board>>, SpecError> {
    let sleeper = SLEEPER.with(|sleeper| sleeper.borrow_mut().take());
    Ok(match sleeper {
        Some(sleeper) => Box::new(sleeper),
        None => Box::new(RandomMover::new(2)),
    })
}

/// An engine that does not return in time costs no game: another move is played, and the next search waits for it.
#[test]
fn an_engine_that_hangs_is_not_waited_for() {
    let (wake, wakes) = channel();
    let (asleep, slept) = channel();
    SLEEPER.with(|slot| *slot.borrow_mut() = Some(Sleeper { wakes, asleep }));
    let engines = EngineFactory::<Board> { make: sleeper, ..EngineFactory::of_game() };
    let player = TraxPlayer { time: Duration::from_millis(20), ..random() };
    let (mut output, mut warnings) = (Vec::new(), 0);
    let (lines, input) = channel::<Vec<u8>>();
    lines.send(b"-B\n@0/\n".to_vec()).expect("open");
    run(&engines, &player, BufReader::new(Lines(input, Vec::new())), &mut output, &mut |event| match event {
        TraxEvent::Warning(_) => warnings += 1,
        TraxEvent::Sent(_) if warnings == 1 => {
            // The answer came while the engine slept. It wakes for the next game.
            slept.recv().expect("asleep");
            lines.send(b"-W\n-E\n".to_vec()).expect("open");
            wake.send(()).expect("asleep");
        }
        _ => {}
    })
    .expect("a conversation");
    let answers = String::from_utf8(output).expect("text");
    assert!(warnings >= 1 && answers.lines().count() >= 1, "{answers}");
}

/// Input that arrives piece by piece.
struct Lines(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let count = self.1.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

#[test]
fn team_codes_have_two_characters() {
    for (code, right) in [("TS", true), ("k9", true), ("", false), ("T", false), ("TSU", false), ("é", false)] {
        assert_eq!(TraxPlayer::is_team_code(code), right, "{code}");
    }
}

//! The mock as an Othello engine with NBoard.

use tesuji_game::{Formats, Game, Notation, Record};
use tesuji_othello::Othello;
use tesuji_protocol::nboard::{Command, Response, SearchLine};

use crate::any_move;
use crate::misbehaviour::{AnswerFormat, Misbehaviour, send};

struct NBoard;

impl AnswerFormat for NBoard {
    fn plays(&self, mv: &str) -> String {
        format!("=== {mv}/1.5/0.01")
    }

    fn illegal(&self) -> &'static str {
        "A1"
    }

    fn foreign(&self) -> &'static str {
        "7g7f"
    }
}

pub(crate) fn serve(lines: impl Iterator<Item = Vec<u8>>, mut misbehaviour: Misbehaviour) {
    let mut record = Record::new(Othello::start());
    for line in lines {
        match Command::parse(line) {
            Some(Command::NBoard(_)) => send(&Response::MyName("mock".to_owned()).to_string()),
            Some(Command::Ping(number)) => send(&Response::Pong(number).to_string()),
            Some(Command::SetGame(game)) => {
                let format = Othello::detect(game.as_bytes());
                match Othello::read(format, game.as_bytes()).next() {
                    Some(reading) if reading.fault.is_none() => record = reading.record,
                    _ => send("status no such game"),
                }
            }
            Some(Command::Go) => {
                let mv = any_move(&record).map_or("PA".to_owned(), |mv| record.now().print_move(mv));
                let line = SearchLine { moves: mv.clone(), eval: 1.0, depth: "6".to_owned(), text: String::new() };
                send(&Response::Search(line).to_string());
                send(&Response::NodeStats(77, 0.01).to_string());
                misbehaviour.answer(&NBoard, &mv);
            }
            Some(Command::Quit) => break,
            _ => {}
        }
    }
    misbehaviour.quit();
}

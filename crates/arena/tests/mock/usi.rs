//! The mock as a shogi engine.

use tesuji_game::{Game, Notation, Record};
use tesuji_protocol::usi::{Command, Info, Response, Score, ScoreValue, UsiPosition};
use tesuji_shogi::Shogi;

use crate::any_move;
use crate::misbehaviour::{AnswerFormat, Misbehaviour, send};

struct Usi;

impl AnswerFormat for Usi {
    fn plays(&self, mv: &str) -> String {
        format!("bestmove {mv}")
    }

    fn illegal(&self) -> &'static str {
        "5e5d"
    }

    fn foreign(&self) -> &'static str {
        "f5"
    }
}

pub(crate) fn serve(lines: impl Iterator<Item = Vec<u8>>, mut misbehaviour: Misbehaviour) {
    let mut record = Record::new(Shogi::start());
    for line in lines {
        match Command::parse(line) {
            Some(Command::Usi) => {
                send(&Response::Name("mock".to_owned()).to_string());
                send(&Response::UsiOk.to_string());
            }
            Some(Command::IsReady) => send(&Response::ReadyOk.to_string()),
            Some(Command::Position(placement)) => match read(&placement) {
                Some(placed) => record = placed,
                None => send("info string no such position"),
            },
            Some(Command::Go(_)) => {
                let score = Score { value: ScoreValue::Centipawns(31), bound: tesuji_protocol::usi::Bound::Exact };
                let info = Info { depth: Some(3), nodes: Some(99), score: Some(score), ..Info::default() };
                send(&info.to_string());
                let mv = any_move(&record).map_or("resign".to_owned(), |mv| record.now().print_move(mv));
                misbehaviour.answer(&Usi, &mv);
            }
            Some(Command::Quit) => break,
            _ => {}
        }
    }
    misbehaviour.quit();
}

fn read(placement: &UsiPosition) -> Option<Record<Shogi>> {
    let start = placement.sfen.as_deref().map_or(Ok(Shogi::start()), Shogi::parse).ok()?;
    let mut record = Record::new(start);
    placement.moves.iter().try_for_each(|mv| record.push_text(mv).ok())?;
    Some(record)
}

//! The mock as an Othello program with GTP.

use tesuji_game::{Game, Notation, Record, Side};
use tesuji_othello::Othello;
use tesuji_protocol::gtp::{Colour, Command, CommandKind, Reply};

use crate::any_move;
use crate::misbehaviour::{AnswerFormat, Misbehaviour, send};

struct Gtp(Option<u32>);

impl Gtp {
    fn reply(&self, text: Result<String, String>) -> String {
        // What says it ends the last line itself.
        Reply { id: self.0, text }.to_string().trim_end_matches('\n').to_owned() + "\n"
    }
}

impl AnswerFormat for Gtp {
    fn plays(&self, mv: &str) -> String {
        self.reply(Ok(mv.to_owned()))
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
        let Some(Command { id, kind }) = Command::parse(line) else { continue };
        let format = Gtp(id);
        let done = match kind {
            CommandKind::ProtocolVersion => Ok("2".to_owned()),
            CommandKind::Name => Ok("mock".to_owned()),
            CommandKind::BoardSize(8) => Ok(String::new()),
            CommandKind::ClearBoard => {
                record = Record::new(Othello::start());
                Ok(String::new())
            }
            CommandKind::Play(colour, mv) if side(colour) == record.now().mover() => {
                record.push_text(&mv).map(|()| String::new()).map_err(|refusal| refusal.to_string())
            }
            CommandKind::GenMove(colour) if side(colour) == record.now().mover() => {
                let mv = any_move(&record);
                let text = mv.map_or("resign".to_owned(), |mv| record.now().print_move(mv).to_uppercase());
                if let Some(mv) = mv {
                    let _ = record.push(mv);
                }
                misbehaviour.answer(&format, &text);
                continue;
            }
            CommandKind::Play(..) | CommandKind::GenMove(_) => Err("not the side to move".to_owned()),
            CommandKind::TimeSettings { .. } | CommandKind::TimeLeft { .. } => Ok(String::new()),
            CommandKind::Quit => break,
            _ => Err("unknown command".to_owned()),
        };
        send(&format.reply(done));
    }
    misbehaviour.quit();
}

fn side(colour: Colour) -> Side {
    match colour {
        Colour::Black => Side::First,
        Colour::White => Side::Second,
    }
}

//! The mock as an Othello program with GTP.

use tesuji_game::{Game, Notation, Record, Side};
use tesuji_othello::Othello;
use tesuji_protocol::gtp::{Colour, Command, Reply, Verb};

use crate::any_move;
use crate::misdeed::{Misdeed, Speech, say};

struct Gtp(Option<u32>);

impl Gtp {
    fn reply(&self, text: Result<String, String>) -> String {
        // What says it ends the last line itself.
        Reply { id: self.0, text }.to_string().trim_end_matches('\n').to_owned() + "\n"
    }
}

impl Speech for Gtp {
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

pub(crate) fn serve(lines: impl Iterator<Item = Vec<u8>>, mut misdeed: Misdeed) {
    let mut record = Record::new(Othello::start());
    for line in lines {
        let Some(Command { id, verb }) = Command::parse(line) else { continue };
        let speech = Gtp(id);
        let done = match verb {
            Verb::ProtocolVersion => Ok("2".to_owned()),
            Verb::Name => Ok("mock".to_owned()),
            Verb::BoardSize(8) => Ok(String::new()),
            Verb::ClearBoard => {
                record = Record::new(Othello::start());
                Ok(String::new())
            }
            Verb::Play(colour, mv) if side(colour) == record.now().mover() => {
                record.push_text(&mv).map(|()| String::new()).map_err(|refusal| refusal.to_string())
            }
            Verb::GenMove(colour) if side(colour) == record.now().mover() => {
                let mv = any_move(&record);
                let text = mv.map_or("resign".to_owned(), |mv| record.now().print_move(mv).to_uppercase());
                if let Some(mv) = mv {
                    let _ = record.push(mv);
                }
                misdeed.answer(&speech, &text);
                continue;
            }
            Verb::Play(..) | Verb::GenMove(_) => Err("not the side to move".to_owned()),
            Verb::TimeSettings { .. } | Verb::TimeLeft { .. } => Ok(String::new()),
            Verb::Quit => break,
            _ => Err("unknown command".to_owned()),
        };
        say(&speech.reply(done));
    }
    misdeed.quit();
}

fn side(colour: Colour) -> Side {
    match colour {
        Colour::Black => Side::First,
        Colour::White => Side::Second,
    }
}

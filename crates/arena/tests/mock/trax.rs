//! The mock as a Trax contest program.

use tesuji_game::{Game, Notation, Record, Side};
use tesuji_protocol::trax::Command;
use tesuji_trax::{Trax, Unlimited};

use crate::any_move;
use crate::misbehaviour::{AnswerFormat, Misbehaviour, send};

/// The game contests play.
type Contested = Trax<Unlimited>;

struct Contest;

impl AnswerFormat for Contest {
    fn plays(&self, mv: &str) -> String {
        mv.to_owned()
    }

    fn illegal(&self) -> &'static str {
        "Z9/"
    }

    fn foreign(&self) -> &'static str {
        "f5"
    }
}

pub(crate) fn serve(lines: impl Iterator<Item = Vec<u8>>, mut misbehaviour: Misbehaviour) {
    let mut record = Record::new(Contested::start());
    let mut loaded = false;
    for line in lines {
        match Command::parse(line) {
            Some(Command::Team) => send("MO"),
            Some(colour @ (Command::White | Command::Red)) => {
                if !std::mem::take(&mut loaded) {
                    if !record.plies().is_empty() {
                        misbehaviour.game_over();
                    }
                    record = Record::new(Contested::start());
                }
                let own = if colour == Command::White { Side::First } else { Side::Second };
                if record.now().mover() == own {
                    choose(&mut record, &mut misbehaviour);
                }
            }
            Some(Command::Load(moves)) => {
                record = Record::new(Contested::start());
                moves.iter().for_each(|mv| drop(record.push_text(mv)));
                loaded = true;
            }
            // As KizuNa does: a loaded game waits for the colour.
            Some(Command::Move(_)) if loaded => {}
            Some(Command::Move(mv)) => {
                if let Err(refusal) = record.push_text(&mv) {
                    eprintln!("{mv}: {refusal}");
                    std::process::exit(1);
                }
                choose(&mut record, &mut misbehaviour);
            }
            Some(Command::Exit) => break,
            // Extensions that this program does not have.
            Some(Command::Name | Command::Make(_) | Command::Undo | Command::Init | Command::Judge) | None => {}
        }
    }
    misbehaviour.quit();
}

fn choose(record: &mut Record<Contested>, misbehaviour: &mut Misbehaviour) {
    if record.ending().is_some() {
        return;
    }
    if let Some(mv) = any_move(record) {
        let text = record.now().print_move(mv);
        let _ = record.push(mv);
        misbehaviour.answer(&Contest, &text);
        if record.ending().is_some() {
            misbehaviour.game_over();
        }
    }
}

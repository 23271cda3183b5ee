//! Screens as people see them, without a terminal.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use tesuji_game::{Notation, Record};
use tesuji_othello::Othello;
use tesuji_registry::SearchLimits;
use tesuji_shogi::Shogi;
use tesuji_trax::{Trax, Unlimited};

use super::desk::Desk;
use super::render::draw;
use crate::entry::Playable;
use crate::entry::{CliGame, Registration};
use crate::play::seat::Seat;
use crate::play::sitting::Sitting;

fn desk<G: Playable>(moves: &str, colored: bool) -> Desk<G> {
    let shelf = CliGame::<G>::new(Registration::new(""));
    let spend = SearchLimits { hash: Some(1), ..SearchLimits::default() };
    let mut record = Record::new(G::start());
    G::read_moves(&mut record, moves).unwrap();
    let seat = || Seat::new(&shelf, "human", &spend).unwrap();
    let helper = Seat::new(&shelf, "random", &spend).unwrap();
    Desk::new(Sitting::new(record, [seat(), seat()], helper, None, None), colored)
}

fn screen<G: Playable>(desk: &Desk<G>, width: u16, height: u16) -> Vec<String> {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(desk, frame)).unwrap();
    let buffer = terminal.backend().buffer();
    let line = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..height).map(line).collect()
}

#[test]
fn othello_fits_an_old_terminal() {
    let mut desk = desk::<Othello>("f5", false);
    desk.type_text('f');
    let lines = screen(&desk, 80, 24);
    assert_eq!(lines[0], "tesuji · othello · move 1");
    assert_eq!(lines[1], "   a  b  c  d  e  f  g  h     black  you");
    assert_eq!(lines[2], "1  ·  ·  ·  ·  ·  ·  ·  ·   ▶ white  you");
    assert_eq!(lines[6], "5  ·  ·  ·  X  X  X  ·  ·   2 of 3 moves");
    assert_eq!(lines[7], "6  ·  ·  ·  +  ·  +  ·  ·   f4 f6");
    assert_eq!(lines[22], "white to move > f");
    assert!(lines[23].contains("q quit"));
}

/// Whatever the terminal, something is drawn and nothing breaks.
#[test]
fn every_size() {
    for colored in [true, false] {
        for (width, height) in [(200, 60), (80, 24), (40, 12), (10, 5), (3, 2), (1, 1)] {
            for help in [false, true] {
                let mut shogi = desk::<Shogi>("7g7f 3c3d 8h2b+ 3a2b", colored);
                shogi.help = help;
                screen(&shogi, width, height);
                let mut trax = desk::<Trax<Unlimited>>("@0/ B1+ C1+ D1+ E1+ F1+", colored);
                trax.help = help;
                trax.shift = (1000, -1000);
                screen(&trax, width, height);
            }
        }
    }
}

/// A board larger than its window follows the last move.
#[test]
fn large_boards_keep_the_last_move_in_sight() {
    let line = "@0+ B1+ C1+ D1+ E1+ F1+ G1+";
    let desk = desk::<Trax<Unlimited>>(line, false);
    let columns = &screen(&desk, 80, 24)[1];
    assert!(columns.contains('G') && !columns.contains('@'), "{columns}");
    let wide = &screen(&desk, 120, 24)[1];
    assert!(wide.contains('G') && wide.contains('@'), "{wide}");
}

#[test]
fn a_game_is_saved_and_loaded() {
    let file = std::env::temp_dir().join(format!("tesuji-load-{}.ggf", std::process::id()));
    let path = file.display().to_string();
    let mut first = desk::<Othello>("f5d6c3", false);
    first.command(&format!("save {path}"));
    assert!(first.message.starts_with("the game is kept in"), "{}", first.message);
    let mut second = desk::<Othello>("d3", false);
    second.command(&format!("load {path}.not"));
    assert!(second.ply() == 1 && second.message.contains(".not"), "{}", second.message);
    second.command("load");
    assert_eq!((second.ply(), second.message.as_str()), (1, "name a file: :load FILE"));
    second.command(&format!("load {path}"));
    assert_eq!((second.ply(), second.shown.now()), (3, first.shown.now()));
    std::fs::remove_file(file).unwrap();
}

#[test]
fn keys_go_through_the_moves_and_the_game() {
    let mut desk = desk::<Othello>("f5d6c3", false);
    desk.type_text('f');
    desk.cycle(true);
    assert!(desk.input.starts_with('f') && desk.picked().is_some(), "{}", desk.input);
    desk.cycle(false);
    assert!(desk.input.starts_with('f'), "{}", desk.input);
    desk.look(1);
    assert_eq!((desk.ply(), desk.input.as_str(), desk.looks_back()), (1, "", true));
    assert!(screen(&desk, 80, 24)[0].ends_with("move 1 of 3"));
    desk.undo();
    assert_eq!((desk.ply(), desk.looks_back()), (1, false));
    desk.redo();
    desk.redo();
    assert_eq!(desk.ply(), 3);
    desk.redo();
    assert_eq!(desk.message, "there is nothing to play again");
    assert!(desk.shown.now().print().ends_with('O'));
}

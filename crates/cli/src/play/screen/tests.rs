//! Screens as users see them, without a terminal.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use tesuji_registry::{HUMAN, PositionSpec, SearchLimits, SessionRequest, shipped};

use super::app::App;
use super::render::draw;

fn app(game: &str, moves: &str, colored: bool) -> App {
    let registry = shipped();
    let game = registry.game(game).unwrap();
    let request = SessionRequest {
        at: PositionSpec { moves: Some(moves.to_owned()), ..PositionSpec::default() },
        first: Some(HUMAN.to_owned()),
        second: Some(HUMAN.to_owned()),
        limits: SearchLimits { hash: Some(1), ..SearchLimits::default() },
        ..SessionRequest::default()
    };
    App::new(game, game.session(&request).unwrap(), colored)
}

fn screen(app: &App, width: u16, height: u16) -> Vec<String> {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(app, frame)).unwrap();
    let buffer = terminal.backend().buffer();
    let line = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..height).map(line).collect()
}

#[test]
fn othello_fits_an_old_terminal() {
    let mut app = app("othello", "f5", false);
    app.type_char('f');
    let lines = screen(&app, 80, 24);
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
                let mut shogi = app("shogi", "7g7f 3c3d 8h2b+ 3a2b", colored);
                shogi.help = help;
                screen(&shogi, width, height);
                let mut trax = app("trax", "@0/ B1+ C1+ D1+ E1+ F1+", colored);
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
    let app = app("trax", line, false);
    let columns = &screen(&app, 80, 24)[1];
    assert!(columns.contains('G') && !columns.contains('@'), "{columns}");
    let wide = &screen(&app, 120, 24)[1];
    assert!(wide.contains('G') && wide.contains('@'), "{wide}");
}

#[test]
fn a_game_is_saved_and_loaded() {
    let file = std::env::temp_dir().join(format!("tesuji-load-{}.ggf", std::process::id()));
    let path = file.display().to_string();
    let mut first = app("othello", "f5d6c3", false);
    first.command(&format!("save {path}"));
    assert!(first.message.starts_with("the game is saved in"), "{}", first.message);
    let mut second = app("othello", "d3", false);
    second.command(&format!("load {path}.not"));
    assert!(second.view().ply == 1 && second.message.contains(".not"), "{}", second.message);
    second.command("load");
    assert_eq!((second.view().ply, second.message.as_str()), (1, "name a file: :load FILE"));
    second.command(&format!("load {path}"));
    assert_eq!((second.view().ply, &second.view().position), (3, &first.view().position));
    std::fs::remove_file(file).unwrap();
}

#[test]
fn keys_go_through_the_moves_and_the_game() {
    let mut app = app("othello", "f5d6c3", false);
    app.type_char('f');
    app.complete(true);
    assert!(app.input.starts_with('f') && !app.marks().picked.is_empty(), "{}", app.input);
    app.complete(false);
    assert!(app.input.starts_with('f'), "{}", app.input);
    app.show_ply(1);
    assert_eq!((app.view().ply, app.input.as_str(), app.view().is_latest), (1, "", false));
    assert!(screen(&app, 80, 24)[0].ends_with("move 1 of 3"));
    app.undo();
    assert_eq!((app.view().ply, app.view().is_latest), (1, true));
    app.redo();
    app.redo();
    assert_eq!(app.view().ply, 3);
    app.redo();
    assert_eq!(app.message, "there is nothing to play again");
    assert!(app.view().position.ends_with('O'));
}

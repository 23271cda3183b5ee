//! Screens as users see them, without a terminal.

use std::path::PathBuf;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use tesuji_registry::{HUMAN, PositionSpec, SearchLimits, SessionRequest, shipped};
use unicode_width::UnicodeWidthStr;

use super::app::App;
use super::keys::KEYS;
use super::render::draw;
use crate::draw::Target;

fn app(game: &str, moves: &str, colored: bool) -> App {
    at(game, None, moves, colored)
}

fn at(game: &str, position: Option<&str>, moves: &str, colored: bool) -> App {
    let registry = shipped();
    let game = registry.game(game).unwrap();
    let request = SessionRequest {
        at: PositionSpec {
            position: position.map(str::to_owned),
            moves: Some(moves.to_owned()),
            ..PositionSpec::default()
        },
        first: Some(HUMAN.to_owned()),
        second: Some(HUMAN.to_owned()),
        limits: SearchLimits { hash: Some(1), ..SearchLimits::default() },
        ..SessionRequest::default()
    };
    App::new(game, game.session(&request).unwrap(), colored)
}

fn buffer(app: &mut App, width: u16, height: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    let mut hits = None;
    terminal.draw(|frame| hits = Some(draw(app, frame))).unwrap();
    app.hits = hits.unwrap();
    terminal.backend().buffer().clone()
}

fn screen(app: &mut App, width: u16, height: u16) -> Vec<String> {
    let buffer = buffer(app, width, height);
    let line = |y| {
        let (mut text, mut x) = (String::new(), 0);
        while x < width {
            let symbol = buffer[(x, y)].symbol();
            text.push_str(symbol);
            // The second half of a wide glyph has a cell of its own.
            x += symbol.width().max(1) as u16;
        }
        text.trim_end().to_owned()
    };
    (0..height).map(line).collect()
}

fn press(app: &mut App, keys: &str) {
    for key in keys.chars() {
        let code = if key == '\n' { KeyCode::Enter } else { KeyCode::Char(key) };
        app.press(KeyEvent::new(code, KeyModifiers::NONE));
    }
}

/// Clicks on something that the last screen shows.
fn click(app: &mut App, target: &Target) {
    let place =
        (0..200).flat_map(|x| (0..60).map(move |y| (x, y))).find(|&(x, y)| app.hits.at(x, y).as_ref() == Some(target));
    let (column, row) = place.unwrap_or_else(|| panic!("{target:?} is not on the screen"));
    let kind = MouseEventKind::Down(MouseButton::Left);
    app.mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE });
}

fn click_cell(app: &mut App, cell: usize) {
    screen(app, 140, 40);
    click(app, &Target::Cell(cell));
}

/// Games to show: name, game, moves.
const GAMES: [(&str, &str, &str); 6] = [
    ("othello", "othello", "f5 d6 c3 d3 c4"),
    ("trax", "trax", r"@0/ B1+ C1/ C2\"),
    ("trax-won", "trax", r"@0/ A2\ B1\"),
    ("ostle", "ostle", "b5u b1d c3l"),
    ("shogi", "shogi", "7g7f 3c3d 8h2b+ 3a2b B*5e"),
    ("shogi-japanese", "shogi", "7g7f 3c3d 8h2b+ 3a2b B*5e"),
];

/// All games at three sizes, as text. `TESUJI_BLESS=1` writes the files anew.
#[test]
fn screens_look_as_they_did() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata/screens");
    let bless = std::env::var_os("TESUJI_BLESS").is_some();
    for (name, game, moves) in GAMES {
        for (width, height) in [(40, 12), (80, 24), (140, 40)] {
            for colored in [false, true] {
                let mut app = app(game, moves, colored);
                app.native = name.ends_with("japanese");
                let seen = screen(&mut app, width, height).join("\n") + "\n";
                let style = if colored { "color" } else { "plain" };
                let file = folder.join(format!("{name}-{width}x{height}-{style}.txt"));
                if bless {
                    std::fs::create_dir_all(&folder).unwrap();
                    std::fs::write(&file, &seen).unwrap();
                }
                let kept = std::fs::read_to_string(&file).unwrap_or_default();
                assert!(seen == kept, "{} is now\n{seen}", file.display());
            }
        }
    }
}

#[test]
fn othello_fits_an_old_terminal() {
    let mut app = app("othello", "f5", false);
    app.type_char('f');
    let lines = screen(&mut app, 80, 24);
    assert_eq!(lines[0], "tesuji · othello · ply 1");
    assert_eq!(lines[1], "   a  b  c  d  e  f  g  h     black  4 discs  you");
    assert_eq!(lines[2], "1  ·  ·  ·  ·  ·  ·  ·  ·   ▶ white  1 disc   you");
    assert_eq!(lines[6], "5  ·  ·  ·  X  X  X  ·  ·   2 of 3 moves");
    assert_eq!(lines[7], "6  ·  ·  ·  +  ·  +  ·  ·   f4 f6");
    assert_eq!(lines[22], "white to move > f");
    assert!(lines[23].contains("q quit"));
}

/// Whatever the terminal, something is drawn and nothing breaks.
#[test]
fn every_size() {
    for colored in [true, false] {
        for (width, height) in [(250, 80), (200, 60), (80, 24), (66, 16), (40, 12), (20, 9), (10, 5), (3, 2), (1, 1)] {
            for help in [None, Some(0), Some(7), Some(99)] {
                for (_, game, moves) in GAMES {
                    let mut app = app(game, moves, colored);
                    app.help = help;
                    app.shift = (1000, -1000);
                    app.native = height % 2 == 0;
                    screen(&mut app, width, height);
                }
                let mut trax = app("trax", "@0/ B1+ C1+ D1+ E1+ F1+", colored);
                trax.help = help;
                screen(&mut trax, width, height);
            }
        }
    }
}

/// A larger terminal has a larger board: at 140x40 at least three lines for each square.
#[test]
fn boards_grow_with_the_terminal() {
    for (_, game, moves) in GAMES {
        for colored in [true, false] {
            let mut app = app(game, moves, colored);
            let mut lines_of_a_cell = |width, height| {
                screen(&mut app, width, height);
                (0..height).filter(|&y| (0..width).any(|x| app.hits.at(x, y) == Some(Target::Cell(0)))).count()
            };
            assert!(lines_of_a_cell(140, 40) >= 3, "{game} {colored}");
            assert!(lines_of_a_cell(140, 40) >= lines_of_a_cell(80, 24), "{game} {colored}");
        }
    }
}

/// On the smallest terminal the whole board and the side to move are there.
#[test]
fn small_terminals_show_the_whole_board() {
    for (game, cells) in [("othello", 64), ("ostle", 25), ("shogi", 81)] {
        let mut app = app(game, "", true);
        let lines = screen(&mut app, 40, 12);
        let all =
            (0..cells).all(|cell| (0..40).any(|x| (0..12).any(|y| app.hits.at(x, y) == Some(Target::Cell(cell)))));
        assert!(all, "{game}: {lines:#?}");
        assert!(lines.iter().any(|line| line.starts_with("black to move >")), "{game}: {lines:#?}");
    }
}

/// A board larger than its window follows the last move.
#[test]
fn large_boards_keep_the_last_move_in_sight() {
    let line = "@0+ B1+ C1+ D1+ E1+ F1+ G1+";
    let mut app = app("trax", line, false);
    let columns = screen(&mut app, 80, 24)[1].clone();
    assert!(columns.contains('G') && !columns.contains('@'), "{columns}");
    let wide = screen(&mut app, 120, 24)[1].clone();
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
    let unknown = std::env::temp_dir().join(format!("tesuji-save-{}.foo", std::process::id()));
    second.command(&format!("save {}", unknown.display()));
    assert!(second.message.contains("\".foo\"") && second.message.contains(".ggf"), "{}", second.message);
    assert!(!unknown.exists());
    second.command("save /nowhere/out.ggf");
    assert!(second.message.contains("there is no folder /nowhere"), "{}", second.message);
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
    let lines = screen(&mut app, 80, 24);
    assert!(lines[0].ends_with("ply 1 of 3"), "{}", lines[0]);
    // The panel and the prompt name the same mover.
    assert!(lines[2].contains("▶ white") && lines[22].starts_with("white to move"), "{lines:#?}");
    app.undo();
    assert_eq!((app.view().ply, app.view().is_latest), (1, true));
    app.redo();
    app.redo();
    assert_eq!(app.view().ply, 3);
    app.redo();
    assert_eq!(app.message, "there is nothing to play again");
    assert!(app.view().position.ends_with('O'));
}

/// After a hint the input holds a move; the keys of the footer still act.
#[test]
fn no_text_disables_a_key() {
    for text in ["f4", "f", "resign", "７六"] {
        let mut app = app("othello", "f5", false);
        app.suggest(text.to_owned());
        press(&mut app, "v");
        assert!(app.view().values && app.input == text, "{text}: {}", app.input);
        press(&mut app, "?");
        assert_eq!(app.help, Some(0), "{text}");
        app.help = None;
        press(&mut app, "u");
        assert_eq!((app.view().ply, app.input.as_str()), (0, ""), "{text}");
        app.suggest(text.to_owned());
        press(&mut app, "q");
        assert!(app.quit, "{text}");
    }
}

#[test]
fn letters_of_moves_are_typed_and_others_refused() {
    let mut app = app("othello", "f5", false);
    // A hint is replaced by the move that is typed instead.
    app.suggest("f4".to_owned());
    press(&mut app, "D6");
    assert_eq!(app.input, "D6");
    press(&mut app, "h");
    assert_eq!(app.input, "D6");
    assert!(app.message.contains("\"D6h\""), "{}", app.message);
    press(&mut app, "\n");
    assert_eq!(app.view().moves, ["f5", "d6"]);
    // What was rejected does not stay.
    app.paste("z9");
    press(&mut app, "\n");
    assert!(app.input.is_empty() && app.message.contains("z9"), "{} {}", app.input, app.message);
    press(&mut app, ":nonsense\n");
    assert!(app.input.is_empty() && app.message.contains("nonsense"), "{}", app.message);
    press(&mut app, "resign\n");
    assert_eq!(app.view().ending.as_ref().unwrap().reason, "resignation");
}

/// An empty Enter moves for an engine, never for a person.
#[test]
fn an_empty_enter_does_not_move_for_a_person() {
    let mut app = app("othello", "f5", false);
    press(&mut app, "\n");
    assert!(app.message.contains(":go") && app.message.contains("Tab"), "{}", app.message);
    assert_eq!(app.view().moves, ["f5"]);
    press(&mut app, ":resign\n:go\n");
    assert!(app.message.contains("u takes back"), "{}", app.message);
}

/// `h` is a file of the board and no key.
#[test]
fn the_hint_has_a_key_of_its_own() {
    let mut app = app("othello", "", false);
    press(&mut app, "h");
    assert!(app.input.is_empty() && app.message.contains("\"h\""), "{}", app.message);
    press(&mut app, "i");
    assert_eq!(app.message, "searching for a hint …");
}

#[test]
fn a_finished_game_asks_for_no_move() {
    let mut app = app("shogi", "7g7f", false);
    press(&mut app, ":resign\n");
    for (width, height) in [(80, 24), (40, 12)] {
        let lines = screen(&mut app, width, height);
        assert!(!lines.iter().any(|line| line.contains("to move") || line.contains(" > ")), "{lines:#?}");
        assert!(lines.iter().any(|line| line.starts_with("the game is over; u takes back")), "{lines:#?}");
    }
    press(&mut app, "\n");
    assert!(app.message.contains("u takes back"), "{}", app.message);
    press(&mut app, "u");
    assert!(app.view().ending.is_none());
}

/// What is cut off a list is marked.
#[test]
fn long_lists_of_moves_tell_that_they_continue() {
    let mut app = app("shogi", "7g7f 3c3d 8h2b+ 3a2b", false);
    let all = app.view().legal.len();
    let lines = screen(&mut app, 80, 24);
    let at = lines.iter().position(|line| line.contains(&format!("{all} moves, here 1–"))).unwrap();
    assert!(lines[at + 3].ends_with('…'), "{lines:#?}");
    app.complete(false);
    let lines = screen(&mut app, 80, 24);
    assert!(lines.iter().any(|line| line.contains(&format!("–{all}"))), "{lines:#?}");
}

#[test]
fn clicks_play_in_othello() {
    let mut app = app("othello", "", true);
    click_cell(&mut app, 0);
    assert_eq!((app.view().ply, app.message.as_str()), (0, "no legal move goes there"));
    click_cell(&mut app, 37);
    assert_eq!(app.view().moves, ["f5"]);
}

/// Clicks on an earlier position and in a finished game change nothing.
#[test]
fn clicks_out_of_turn_are_explained() {
    let mut app = app("othello", "f5", true);
    app.show_ply(0);
    click_cell(&mut app, 37);
    assert!(app.view().moves.len() == 1 && app.message.contains("earlier position"), "{}", app.message);
    app.show_ply(1);
    press(&mut app, "resign\n");
    click_cell(&mut app, 19);
    assert!(app.view().moves.len() == 1 && app.message.contains("u takes back"), "{}", app.message);
}

#[test]
fn clicks_move_promote_and_drop_in_shogi() {
    let mut app = app("shogi", "7g7f 3c3d", true);
    // 8h, then 2b, with the choice of promotion.
    click_cell(&mut app, 7 * 9 + 1);
    assert!(app.marks().targets.contains(&(9 + 7)), "{:?}", app.marks());
    click_cell(&mut app, 9 + 7);
    let first = app.input.clone();
    click_cell(&mut app, 9 + 7);
    let mut both = [first, app.input.clone()];
    both.sort();
    assert_eq!(both, ["8h2b", "8h2b+"]);
    while app.input != "8h2b+" {
        click_cell(&mut app, 9 + 7);
    }
    press(&mut app, "\n");
    assert_eq!(app.view().moves.last().unwrap(), "8h2b+");
    click_cell(&mut app, 6);
    click_cell(&mut app, 9 + 7);
    assert_eq!(app.view().moves.last().unwrap(), "3a2b");
    screen(&mut app, 140, 40);
    click(&mut app, &Target::Hand(tesuji_registry::SideName::First, "B".to_owned()));
    assert!(app.marks().hand.is_some() && app.marks().targets.contains(&40));
    click_cell(&mut app, 40);
    assert_eq!(app.view().moves.last().unwrap(), "B*5e");
    // The opponent's pieces are not ours to move.
    click_cell(&mut app, 40);
    assert!(app.source.is_none(), "{}", app.message);
}

#[test]
fn clicks_step_through_tiles_in_trax() {
    let mut app = app("trax", "@0/", true);
    let mut seen = Vec::new();
    for _ in 0..4 {
        click_cell(&mut app, 5);
        seen.push(app.input.clone());
    }
    assert!(seen.iter().all(|text| text.starts_with("B1")) && seen[0] == seen[3], "{seen:?}");
    assert_ne!(seen[0], seen[1]);
    // The board shows the tile before it is laid.
    assert_ne!(app.board().cells, app.view().board.cells);
    press(&mut app, "\n");
    assert_eq!(app.view().moves.last(), Some(&seen[3]));
}

#[test]
fn clicks_push_in_ostle() {
    let mut app = app("ostle", "", true);
    click_cell(&mut app, 22);
    click_cell(&mut app, 17);
    assert_eq!(app.view().moves, ["c5u"]);
    // Leaving the board is shown before it is played, and Esc takes it back.
    let mut app = self::app("ostle", "", true);
    click_cell(&mut app, 22);
    click_cell(&mut app, 22);
    assert_eq!((app.input.as_str(), app.view().ply), ("c5d", 0));
    app.escape();
    assert!(app.input.is_empty() && app.source.is_none());
}

/// The help hides what is under it, wide glyphs too.
#[test]
fn the_help_covers_wide_glyphs() {
    for width in 60..=100 {
        let mut app = app("shogi", "7g7f 3c3d 8h2b+ 3a2b", false);
        app.help = Some(0);
        let buffer = buffer(&mut app, width, 24);
        let top = (0..24).find(|&y| (0..width).any(|x| buffer[(x, y)].symbol() == "┌")).unwrap();
        let left = (0..width).find(|&x| buffer[(x, top)].symbol() == "┌").unwrap();
        for y in top + 1..top + 1 + KEYS.len() as u16 {
            assert_eq!(buffer[(left, y)].symbol(), "│", "{width}");
            assert!(left == 0 || buffer[(left - 1, y)].symbol().width() < 2, "{width} {y}");
        }
    }
}

/// On a low terminal the help has pages.
#[test]
fn the_help_fits_small_terminals() {
    let mut app = app("othello", "", false);
    screen(&mut app, 40, 12);
    press(&mut app, "?");
    let mut seen = String::new();
    while app.help.is_some() {
        seen += &screen(&mut app, 40, 12).join("\n");
        press(&mut app, " ");
    }
    for (key, about) in KEYS {
        assert!(seen.contains(key) && seen.contains(about), "{key} {about}: {seen}");
    }
    assert!(!app.view().values, "the keys that turn the pages do nothing else");
}

#[test]
fn the_winning_track_is_marked() {
    let mut app = app("trax", r"@0/ A2\ B1\", false);
    let lines = screen(&mut app, 80, 24);
    // Red's loop runs over the inner edges of all four tiles; the outer ones are white's.
    assert_eq!(lines.iter().map(|line| line.matches('R').count()).sum::<usize>(), 8, "{lines:#?}");
    assert!(!lines.iter().any(|line| line.contains(" W ")), "{lines:#?}");
}

#[test]
fn lost_pieces_and_the_ko_are_shown() {
    let mut app = app("ostle", "c3u", false);
    let lines = screen(&mut app, 80, 24);
    assert!(lines.iter().any(|line| line.ends_with("forbidden: c2d (ko)")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains('x')), "{lines:#?}");
    let mut app = at("ostle", Some("11110-00000-00300-00000-22222"), "", false);
    let lines = screen(&mut app, 80, 24);
    assert!(lines.iter().any(|line| line.contains("4 pieces, 1 lost")), "{lines:#?}");
}

#[test]
fn japanese_names() {
    let mut app = app("shogi", "7g7f 3c3d", false);
    press(&mut app, ":japanese\n");
    press(&mut app, "8h2b");
    let lines = screen(&mut app, 80, 24);
    assert!(lines.iter().any(|line| line.contains("▲７六歩") && line.contains("△３四歩")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("sente to move > 8h2b") && line.contains("▲２二角不成")));
    assert!(lines.iter().any(|line| line.starts_with("六")), "{lines:#?}");
    press(&mut app, "+\n:resign\n");
    assert_eq!(app.message, "sente won (resignation)");
    let mut othello = self::app("othello", "", false);
    press(&mut othello, ":japanese\n");
    assert!(!othello.native && othello.message.contains("shogi"), "{}", othello.message);
}

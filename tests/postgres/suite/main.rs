//! `tesuji cluster` with a real PostgreSQL.

mod faults;
mod jobs;
mod refusals;
mod workers;

use std::path::Path;
use std::sync::{OnceLock, mpsc};

use tesuji_postgres_tests::{Server, run};

/// The server that most tests share, each with a database of its own. The thread that started it must stay, since the
/// server ends with it.
fn shared() -> &'static Server {
    static SHARED: OnceLock<&'static Server> = OnceLock::new();
    SHARED.get_or_init(|| {
        let (send, receive) = mpsc::channel();
        std::thread::spawn(move || {
            let server: &'static Server = Box::leak(Box::new(Server::start()));
            send.send(server).expect("somebody waits");
            loop {
                std::thread::park();
            }
        });
        receive.recv().expect("the server has started")
    })
}

/// The lines of the journal of a tournament without what was measured by the clock. The checksums of the lines depend on
/// that, too.
fn journal(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("journal.txt")).expect("a journal");
    let game = |line: &str| {
        let mut game: serde_json::Value = serde_json::from_str(&line[line.find('{')?..]).ok()?;
        for measured in ["times", "cpu", "lags"] {
            game.as_object_mut()?.remove(measured);
        }
        Some(game.to_string())
    };
    let lines: Vec<String> = text.lines().filter_map(game).collect();
    assert!(lines.len() > 1, "{text}");
    lines
}

/// What a command makes on this machine, with games one at a time.
fn locally(command: &[&str], out: &Path) {
    let out = out.display().to_string();
    let words: Vec<&str> = command.iter().copied().chain(["--out", &out]).collect();
    run(&words);
}

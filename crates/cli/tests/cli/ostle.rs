//! Ostle's own commands as a user meets them.

use crate::folder::Folder;
use crate::run::tesuji;

/// An option of one game is not taken, and no work begins.
#[test]
fn options_of_another_game_are_refused() {
    let folder = Folder::new("solve-options");
    for (game, option) in [
        ("ostle", "--best"),
        ("ostle", "--wld"),
        ("ostle", "--hash=64"),
        ("othello", "--wdl"),
        ("othello", "--pieces=8"),
        ("othello", "--reach-only"),
        ("othello", "--checkpoint=1m"),
    ] {
        let run = tesuji(&["solve", game, option]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{game} {option}: {}", run.err);
        let name = option.split('=').next().unwrap();
        assert!(run.err.contains(name) && !run.err.contains("solving"), "{game} {option}: {}", run.err);
    }
    assert!(folder.0.read_dir().unwrap().next().is_none());
    let help = |game: &str| tesuji(&["solve", game, "--help"]).out;
    assert!(help("ostle").contains("--pieces") && !help("ostle").contains("--best"));
    assert!(help("othello").contains("--best") && !help("othello").contains("--pieces"));
}

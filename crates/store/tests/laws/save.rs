//! Files that are whole or absent.

use std::fs;

use tesuji_store::{StoreError, save};

use crate::scratch::Scratch;

#[test]
fn what_is_saved_is_there_and_alone() {
    let scratch = Scratch::new();
    let path = scratch.path("a.bin");
    for content in [&b"first"[..], b"", b"a longer second \0 content"] {
        save(&path, content).unwrap();
        assert_eq!(fs::read(&path).unwrap(), content);
        assert_eq!(scratch.names(), ["a.bin"]);
    }
}

#[test]
fn left_overs_of_killed_runs_are_swept_away_and_neighbours_stay() {
    let scratch = Scratch::new();
    for name in [".a.bin.4194304-0.tmp", ".b.bin.4194304-0.tmp", ".a.bin.tmp", "a.bin.tmp"] {
        fs::write(scratch.path(name), "half a fi").unwrap();
    }
    let held = fs::File::create(scratch.path(".a.bin.4194304-1.tmp")).unwrap();
    held.try_lock().unwrap();
    save(scratch.path("a.bin"), b"x").unwrap();
    assert_eq!(
        scratch.names(),
        [".a.bin.4194304-1.tmp", ".a.bin.tmp", ".b.bin.4194304-0.tmp", "a.bin", "a.bin.tmp"],
        "only the temporary that nobody holds is a left-over"
    );
}

#[test]
fn an_error_names_the_file_that_was_asked_for() {
    let scratch = Scratch::new();
    let path = scratch.dir().join("missing").join("a.bin");
    let error = save(&path, b"x").unwrap_err();
    assert_eq!(error.path(), path);
    assert!(error.to_string().starts_with(&format!("cannot write {}: ", path.display())), "{error}");
    assert!(matches!(save("/", b"x"), Err(StoreError::Io { .. })));
    assert!(matches!(save("..", b"x"), Err(StoreError::Io { .. })));
}

#[test]
fn many_savers_of_one_file_leave_one_of_their_contents() {
    let scratch = Scratch::new();
    let path = scratch.path("a.bin");
    std::thread::scope(|scope| {
        for saver in 0..4u8 {
            let path = &path;
            scope.spawn(move || {
                for _ in 0..25 {
                    save(path, &[saver; 3000]).unwrap();
                }
            });
        }
    });
    let content = fs::read(&path).unwrap();
    assert_eq!(content.len(), 3000);
    assert!(content.iter().all(|&byte| byte == content[0]));
    assert_eq!(scratch.names(), ["a.bin"]);
}

//! `tesuji verify` over files that are whole, cut short, spoilt, of another version, or not ours.

use std::fs;
use std::path::Path;

use tesuji_store::Journal;
use tesuji_store::blocks::write_on;
use tesuji_store::disk::Os;

use crate::folder::Folder;
use crate::run::{Run, tesuji};

fn verify(path: &Path, more: &[&str]) -> Run {
    tesuji(&[&["verify", path.to_str().unwrap()], more].concat())
}

/// Three blocks under a head.
fn write(path: &Path, head: &str) {
    let mut file = write_on(&Os, path, head.as_bytes()).unwrap();
    ["one", "two", "three"].iter().for_each(|block| file.append(block.as_bytes()).unwrap());
    file.finish().unwrap();
}

fn spoil(path: &Path, from: &str, to: &str) {
    let bytes = fs::read(path).unwrap();
    let at = bytes.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
    fs::write(path, [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat()).unwrap();
}

#[test]
fn bad_input_is_refused() {
    let folder = Folder::new("verify-input");
    let text = folder.file("notes.txt");
    fs::write(&text, "tesuji is a move that is best where it is played").unwrap();
    for (path, message) in
        [(folder.file("absent"), "absent"), (text, "nothing of ours"), (folder.0.clone(), "tesuji solve")]
    {
        let run = verify(&path, &[]);
        assert_eq!(run.code, 2, "{}", run.err);
        assert!(run.err.contains(message) && run.err.lines().count() == 1, "{}", run.err);
    }
    for words in [&["--step", "0"][..], &["--sums", "--step", "2"], &["--sums", "--census"]] {
        assert_eq!(verify(&folder.0, words).code, 2, "{words:?}");
    }
}

#[test]
fn sums_of_blocks_are_checked() {
    let folder = Folder::new("verify-blocks");
    let path = folder.file("other-1-1.table");
    write(&path, "about nothing");
    let whole = verify(&folder.0, &[]);
    assert_eq!(whole.code, 0, "{}", whole.err);
    assert!(whole.out.starts_with("1 file, 3 blocks, "), "{}", whole.out);
    // The same file under a name that tells nothing.
    let renamed = folder.file("anything");
    fs::copy(&path, &renamed).unwrap();
    assert_eq!(verify(&renamed, &[]).code, 0);
    spoil(&path, "two", "tvo");
    let damaged = verify(&path, &[]);
    assert_eq!(damaged.code, 1);
    assert!(damaged.out.contains("1 part damaged") && damaged.out.contains("block 1 of 3"), "{}", damaged.out);
    let json = verify(&path, &["--json"]);
    let verdict = &json.json()[0];
    assert_eq!((json.code, &verdict["schema"]), (1, &"tesuji/verify/1".into()));
    assert_eq!((&verdict["right"], &verdict["damaged"]), (&false.into(), &1.into()), "{verdict}");
}

#[test]
fn a_table_of_another_version_is_wrong() {
    let folder = Folder::new("verify-version");
    let path = folder.file("ostle-4-4.table");
    for (head, message) in [
        ("about nothing", "cannot be parsed"),
        ("coding 1\ngame ostle\nrules 999\nindex 1\n\n", "rules is \"999\"; \"1\" is needed"),
        ("coding 1\ngame chess\nrules 1\nindex 1\n\n", "game is \"chess\""),
    ] {
        write(&path, head);
        for words in [&[][..], &["--sums"]] {
            let run = verify(&folder.0, words);
            assert_eq!(run.code, 1, "{}", run.out);
            assert!(run.err.contains(message) && run.err.contains("ostle-4-4.table"), "{}", run.err);
        }
        let json = verify(&path, &["--json"]).json();
        assert_eq!(json.last().unwrap()["right"], false);
    }
    fs::write(&path, "not at all").unwrap();
    let run = verify(&path, &[]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("not a block file"), "{}", run.out);
    let findings = folder.file("ostle.findings");
    fs::write(&findings, "findings 1\n").unwrap();
    let run = verify(&findings, &[]);
    assert!(run.code == 1 && run.err.contains("ostle.findings"), "{}", run.err);
}

#[test]
fn unfinished_work_is_called_so() {
    let folder = Folder::new("verify-work");
    fs::create_dir(folder.file("work")).unwrap();
    let mut log = Journal::create(folder.file("work/log"), "retrograde").unwrap();
    log.append("game ostle 1 1").unwrap();
    for path in [folder.0.clone(), folder.file("work")] {
        let run = verify(&path, &[]);
        assert_eq!(run.code, 1, "{}", run.err);
        assert!(run.err.contains("unfinished") && run.err.contains("tesuji solve ostle"), "{}", run.err);
    }
}

#[test]
fn journals_are_read_and_left_as_they_are() {
    let folder = Folder::new("verify-journal");
    let out = folder.file("match");
    let name = out.to_str().unwrap();
    let run = tesuji(&["match", "ostle", "random", "random:seed=2", "--games", "2", "--out", name]);
    assert_eq!(run.code, 0, "{}", run.err);
    let whole = verify(&out, &[]);
    assert_eq!(whole.code, 0, "{}", whole.err);
    assert!(whole.out.contains("3 lines, 2 games"), "{}", whole.out);

    let path = out.join("journal.txt");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
    let torn = verify(&path, &[]);
    assert_eq!(torn.code, 0, "{}", torn.err);
    assert!(torn.out.contains("cut short") && torn.out.contains("1 game"), "{}", torn.out);
    assert_eq!(fs::read(&path).unwrap(), &bytes[..bytes.len() - 5], "it is only read");
    assert_eq!(verify(&out, &["--json"]).json()[0]["torn"], true);

    fs::write(&path, &bytes).unwrap();
    spoil(&path, "\"kind\":\"game\"", "\"kind\":\"gone\"");
    let spoilt = verify(&out, &[]);
    assert_eq!(spoilt.code, 1);
    assert!(spoilt.err.contains("line 3"), "{}", spoilt.err);
    assert_eq!(verify(&out, &["--json"]).json()[0]["right"], false);

    fs::write(&path, &bytes).unwrap();
    spoil(&out.join("tournament.toml"), "random:seed=2", "random:seed=3");
    let changed = verify(&out, &[]);
    assert!(changed.code == 1 && changed.err.contains("settings"), "{}", changed.err);

    let other = folder.file("other");
    Journal::create(&other, "diary").unwrap().append("a fine day").unwrap();
    assert!(verify(&other, &[]).out.contains("kind diary, 1 line"));
    spoil(&other, "tesuji-journal 1", "tesuji-journal 7");
    assert_eq!(verify(&other, &[]).code, 1);
}

//! What is collected is what one machine makes.

use std::path::Path;

use tesuji_postgres_tests::{Cluster, run};

use crate::{journal, locally, shared};

const MATCH: &[&str] = &[
    "match",
    "othello",
    "alphabeta:depth=2,hash=1",
    "alphabeta:depth=1,hash=1,eval=classic",
    "--games",
    "40",
    "--seed",
    "3",
    "--concurrency",
    "1",
];

#[test]
fn a_match_has_the_journal_and_the_table_of_one_machine() {
    let (cluster, folder) = (Cluster::new(shared()), tempfile::tempdir().unwrap());
    let job = cluster.submit(&[], MATCH);
    let workers: Vec<_> = (0..2).map(|_| cluster.start(&["--until-idle", "--threads", "1"])).collect();
    for worker in workers {
        let (code, said) = worker.end();
        assert_eq!(code, Some(0), "{said}");
    }
    let (here, there) = (folder.path().join("here"), folder.path().join("there"));
    let told = cluster.collect(job, &there);
    locally(MATCH, &here);
    assert_eq!(journal(&there), journal(&here));
    assert!(told.contains("40 games"), "{told}");
    // The folder is one of a tournament like any other.
    run(&["tournament", "resume", &there.display().to_string()]);
    run(&["verify", &there.display().to_string()]);
}

#[test]
fn a_test_that_is_decided_cancels_what_is_left() {
    let (cluster, folder) = (Cluster::new(shared()), tempfile::tempdir().unwrap());
    let command: &[&str] = &[
        "match",
        "othello",
        "alphabeta:depth=2,hash=1",
        "random",
        "--games",
        "4000",
        "--sprt",
        "0,50",
        "--seed",
        "5",
        "--concurrency",
        "1",
    ];
    let job = cluster.submit(&[], command);
    let said = cluster.work(&["--threads", "2", "--batch", "20"]);
    assert!(said.contains("is decided"), "{said}");
    assert!(cluster.units("cancelled") > 1500 && cluster.units("queued") + cluster.units("leased") == 0);
    let (here, there) = (folder.path().join("here"), folder.path().join("there"));
    cluster.collect(job, &there);
    locally(command, &here);
    // Games beyond the end of the test, which several workers cannot avoid, are left out.
    assert_eq!(journal(&there), journal(&here));
}

#[test]
fn swiss_rounds_are_paired_as_results_arrive() {
    let (cluster, folder) = (Cluster::new(shared()), tempfile::tempdir().unwrap());
    let config = folder.path().join("swiss.toml");
    let player = |number: u32| format!("[[event.player]]\nname = \"{number}\"\nengine = \"random:seed={number}\"\n");
    let players: String = (1..=5).map(player).collect();
    let text = format!(
        "name = \"swiss\"\nseed = 4\nconcurrency = 1\n[[event]]\ngame = \"othello\"\nschedule = \"swiss\"\nrounds = 4\n\
         pairs = 2\n{players}"
    );
    std::fs::write(&config, text).unwrap();
    let config = config.display().to_string();
    let job = cluster.submit(&[], &["tournament", &config]);
    assert!(cluster.units("waiting") > 0);
    cluster.work(&["--threads", "2"]);
    let (here, there) = (folder.path().join("here"), folder.path().join("there"));
    cluster.collect(job, &there);
    locally(&["tournament", "run", &config], &here);
    assert_eq!(journal(&there), journal(&here));
}

/// The same bytes from the queue, from two workers with units of several games, as from one machine.
fn same_bytes(submitted: &[&str], local: &[&str], group: &str) {
    let (cluster, folder) = (Cluster::new(shared()), tempfile::tempdir().unwrap());
    let (here, there) = (folder.path().join("here.set"), folder.path().join("there.set"));
    locally(local, &here);
    let unused = folder.path().join("unused").display().to_string();
    let job = cluster.submit(&["--group", group], &[submitted, &["--out", &unused]].concat());
    let workers: Vec<_> = (0..2).map(|_| cluster.start(&["--until-idle", "--threads", "2", "--batch", "2"])).collect();
    for worker in workers {
        let (code, said) = worker.end();
        assert_eq!(code, Some(0), "{said}");
    }
    cluster.collect(job, &there);
    assert_eq!(std::fs::read(&there).unwrap(), std::fs::read(&here).unwrap());
    assert!(!Path::new(&unused).exists());
}

#[test]
fn self_play_for_weights_has_the_same_bytes() {
    let command = &[
        "selfplay",
        "othello",
        "--games",
        "37",
        "--engine",
        "alphabeta:depth=1,hash=1",
        "--solve",
        "8",
        "--seed",
        "2",
    ];
    same_bytes(command, command, "4");
}

#[test]
fn self_play_for_an_evaluation_of_trax_has_the_same_bytes() {
    let command = &["selfplay", "trax", "--games", "21", "--engine", "alphabeta:nodes=50,hash=1", "--seed", "2"];
    same_bytes(command, command, "5");
}

#[test]
fn self_play_for_a_network_has_the_same_bytes() {
    let command = &[
        "selfplay",
        "ostle",
        "--games",
        "9",
        "--engine",
        "puct:playouts=8,net=none",
        "--longest",
        "30",
        "--seed",
        "2",
    ];
    same_bytes(command, command, "2");
}

#[test]
fn labels_have_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.set");
    locally(&["selfplay", "othello", "--games", "6", "--engine", "random", "--solve", "6"], &games);
    let games = games.display().to_string();
    let rest = ["othello", "--data", &games, "--positions", "3", "--depth", "2"];
    same_bytes(&[&["label"], &rest[..]].concat(), &[&["train", "label"], &rest[..]].concat(), "8");
}

/// The same book from the queue, whose rounds two workers share, as from one machine.
fn same_book(game: &str, rest: &[&str]) -> usize {
    let (cluster, folder) = (Cluster::new(shared()), tempfile::tempdir().unwrap());
    let [here, there] = ["here.book", "there.book"].map(|name| folder.path().join(name).display().to_string());
    let build = |out: &str, more: &[&str]| {
        let words = [&["book", "build", game, "--out", out, "--threads", "1"], rest, more].concat();
        run(&words);
    };
    let submit = |out: &str, more: &[&str]| {
        let words = [&["book", game, "--out", out], rest, more].concat();
        let job = cluster.submit(&[], &words);
        let workers: Vec<_> = (0..2).map(|_| cluster.start(&["--until-idle", "--threads", "2"])).collect();
        for worker in workers {
            let (code, said) = worker.end();
            assert_eq!(code, Some(0), "{said}");
        }
        assert_eq!(cluster.units("queued") + cluster.units("waiting") + cluster.units("failed"), 0);
        cluster.collect(job, Path::new(out));
    };
    let compare = || {
        let bytes = [&here, &there].map(|path| std::fs::read(path).unwrap());
        assert_eq!(bytes[0], bytes[1]);
        bytes[0].len()
    };
    build(&here, &["--level", "2"]);
    submit(&there, &["--level", "2"]);
    let before = compare();
    // A book that is there is extended, and becomes the same again.
    build(&here, &["--positions", "60", "--level", "3"]);
    submit(&there, &["--positions", "60", "--level", "3"]);
    assert!(compare() > before);
    before
}

#[test]
fn a_book_from_games_and_from_deviations_has_the_same_bytes() {
    let rest = ["--games", "9", "--seed", "3", "--plies", "6", "--hash", "1"];
    let bytes = same_book("othello", &[&rest[..], &["--min-games", "2"]].concat());
    assert!(bytes > 100, "{bytes}");
}

#[test]
fn a_book_of_trax_from_nothing_has_the_same_bytes() {
    same_book("trax", &["--plies", "5", "--hash", "1", "--min-games", "1", "--games", "3"]);
}

#[test]
fn a_book_without_a_position_in_enough_games_is_refused_when_it_is_collected() {
    let (cluster, folder) = (Cluster::new(shared()), tempfile::tempdir().unwrap());
    let out = folder.path().join("no.book").display().to_string();
    let words = ["book", "othello", "--out", &out, "--games", "2", "--min-games", "3", "--level", "1", "--plies", "3"];
    let job = cluster.submit(&[], &words).to_string();
    cluster.work(&["--threads", "1"]);
    let url = cluster.url("tesuji_submitter");
    let told = tesuji_postgres_tests::refused(&["cluster", "collect", &job, "--db", &url], 2);
    assert!(told.contains("no position occurs in this many of 2 games"), "{told}");
    assert!(!Path::new(&out).exists());
}

#[test]
fn only_tablebases_are_verified_in_units() {
    let (cluster, folder) = (Cluster::new(shared()), tempfile::tempdir().unwrap());
    let (url, path) = (cluster.url("tesuji_submitter"), folder.path().display().to_string());
    let told = tesuji_postgres_tests::refused(&["cluster", "submit", "--db", &url, "verify", &path], 2);
    assert!(told.contains("no tablebase"), "{told}");
}

#[test]
fn jobs_of_a_higher_priority_are_done_first() {
    let cluster = Cluster::new(shared());
    let games = |seed| ["match", "othello", "random", "random:seed=1", "--games", "20", "--seed", seed];
    let usual = cluster.submit(&[], &games("1"));
    let urgent = cluster.submit(&["--priority", "5"], &games("2"));
    cluster.work(&["--threads", "1", "--batch", "1"]);
    let first = format!("select max(number) from tesuji.result where job = {urgent}");
    assert_eq!(cluster.number(&first), 9);
    let overtaken = format!(
        "select count(*) from tesuji.result a, tesuji.result b
         where a.job = {usual} and b.job = {urgent} and a.finished < b.finished"
    );
    assert_eq!(cluster.number(&overtaken), 0);
}

#[test]
fn a_job_that_is_not_complete_is_not_collected() {
    let (cluster, folder) = (Cluster::new(shared()), tempfile::tempdir().unwrap());
    let job = cluster.submit(&[], MATCH).to_string();
    let (url, out) = (cluster.url("tesuji_submitter"), folder.path().join("out").display().to_string());
    let words = ["cluster", "collect", &job, "--db", &url, "--out", &out];
    let told = tesuji_postgres_tests::refused(&words, 1);
    assert!(told.contains("0 of 20 units are done, 20 queued") && told.contains("--partial"), "{told}");
    run(&["cluster", "cancel", &job, "--db", &url]);
    // Nobody works on a cancelled job.
    cluster.work(&[]);
    assert_eq!(cluster.units("queued"), 20);
    run(&["cluster", "cancel", &job, "--remove", "--db", &url]);
    assert_eq!(cluster.number("select count(*) from tesuji.unit"), 0);
}

//! Faults of units, of connections and of the disk.

use std::path::Path;
use std::process::{Command, Stdio};

use tesuji_postgres_tests::{Cluster, Server, Worker, run, wait_until};

use crate::shared;

fn many(games: &str) -> [&str; 6] {
    ["match", "othello", "alphabeta:depth=2,hash=1", "random", "--games", games]
}

#[test]
fn a_unit_that_fails_three_times_is_set_aside_with_its_error() {
    let (cluster, folder) = (Cluster::new(shared()), tempfile::tempdir().unwrap());
    let program = folder.path().join("engine");
    std::fs::write(&program, "#!/bin/sh\nexit 3\n").unwrap();
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let engine = format!("process:cmd={},protocol=gtp", program.display());
    let job = cluster.submit(&[], &["match", "othello", &engine, "random", "--games", "2", "--time", "1s"]).to_string();
    let worker = cluster.start(&["--threads", "1"]);
    for errors in 1..=3 {
        wait_until("it fails again", || cluster.number("select errors from tesuji.unit") == errors);
        let delay = "select extract(epoch from ready - claimed)::int from tesuji.unit";
        if errors < 3 {
            // Ten seconds after the error, then forty, with some chance; nobody waits for them here.
            let (seconds, least) = (cluster.number(delay), if errors == 1 { 7 } else { 30 });
            assert!(seconds >= least, "after error {errors}: {seconds} s");
            cluster.server.query(&cluster.database, "update tesuji.unit set ready = '-infinity'");
        }
    }
    assert_eq!(cluster.units("failed"), 1);
    worker.signal("TERM");
    let (code, said) = worker.end();
    assert_eq!((code, said.matches("unit 0:").count()), (Some(0), 3), "{said}");
    let status = cluster.status();
    let (state, fault) = (&status["jobs"][0]["state"], &status["jobs"][0]["faults"][0]);
    assert!(*state == "incomplete" && fault["is_set_aside"] == true, "{status}");
    assert!(!fault["message"].as_str().unwrap().is_empty());
    // Once it is mended, the unit is queued again.
    let url = cluster.url("tesuji_submitter");
    assert_eq!(run(&["cluster", "retry", &job, "--db", &url]), "1 unit queued again\n");
    assert_eq!(cluster.units("queued"), 1);
}

#[test]
fn a_unit_that_ends_its_workers_is_set_aside_in_the_end() {
    let cluster = Cluster::new(shared());
    cluster.submit(&[], &many("2"));
    // Ten workers claim the unit and are never heard of again.
    for _ in 0..10 {
        cluster.server.query(
            &cluster.database,
            "select tesuji.claim(tesuji.hello('short', 'here', '0', 1, 60), array(select id from tesuji.job), 1);
             update tesuji.worker set until = '-infinity';
             update tesuji.reaper set last = '-infinity';
             select tesuji.reap();",
        );
    }
    assert_eq!((cluster.units("failed"), cluster.number("select losses from tesuji.unit")), (1, 10));
}

#[test]
fn lost_connections_lose_nothing() {
    let cluster = Cluster::new(shared());
    cluster.submit(&[], &many("200"));
    let workers: Vec<Worker> =
        (0..2).map(|_| cluster.start(&["--threads", "1", "--until-idle", "--batch", "3"])).collect();
    wait_until("both are known", || cluster.number("select count(*) from tesuji.worker") == 2);
    let mut cuts = 0;
    while cluster.units("done") < 60 {
        cuts += cluster.number(&format!(
            "select count(pg_terminate_backend(pid)) from pg_stat_activity
             where application_name = 'tesuji' and datname = '{}'",
            cluster.database
        ));
    }
    for worker in workers {
        let (code, said) = worker.end();
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("the database is back"), "{said}");
    }
    assert!(cuts > 4, "{cuts}");
    assert_eq!((cluster.units("done"), cluster.number("select count(*) from tesuji.result")), (100, 100));
    // Nobody was taken for dead, and what was claimed in the moment of a cut has been given back.
    assert_eq!(cluster.number("select sum(losses) from tesuji.unit"), 0);
}

#[test]
fn a_full_disk_stops_nothing_for_good() {
    let mut server = Server::make(&[]);
    let folder = server.folder().display().to_string();
    std::fs::create_dir(Path::new(&folder).join("small")).unwrap();
    // A file system of 16 MB for the tables, which only the server sees.
    let script = "mount -t tmpfs -o size=16m,mode=777 tmpfs \"$0/small\" && mkdir -m 700 \"$0/small/space\" && \
                  chown \"$(stat -c %u:%g \"$0\")\" \"$0/small/space\" && exec \"$@\"";
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let as_user: &[&str] = if is_root { &[] } else { &["--user", "--map-current-user", "--keep-caps"] };
    let words = [&["unshare", "--mount"], as_user, &["sh", "-c", script, &folder]].concat();
    server.wrapper = words.iter().map(ToString::to_string).collect();
    server.resume();
    server.query("postgres", &format!("create tablespace small location '{folder}/small/space'"));
    server.query("postgres", "create database games tablespace small");
    let cluster = Cluster { server: &server, database: "games".to_owned() };
    assert!(server.initialise("games").status.success());
    cluster.submit(&[], &many("800"));
    let log = Path::new(&folder).join("worker.log");
    let mut command = cluster.worker(&["--threads", "1", "--until-idle"]);
    let mut worker =
        command.stdout(Stdio::null()).stderr(std::fs::File::create(&log).unwrap()).spawn().expect("it starts");
    wait_until("some units are done", || cluster.units("done") > 5);
    server.query(
        "games",
        // What was inserted is rolled back; the pages stay.
        "create table filler (text text) with (autovacuum_enabled = false);
         do $$ begin loop insert into filler select repeat(md5(random()::text), 40) from generate_series(1, 50); end loop;
         exception when disk_full then null; end $$",
    );
    let said = || std::fs::read_to_string(&log).unwrap();
    wait_until("the worker says that the disk is full", || said().contains("No space left on device"));
    assert!(said().contains("results wait, and the work goes on") || said().contains("result wait"), "{}", said());
    server.query("games", "drop table filler");
    assert!(worker.wait().unwrap().success(), "{}", said());
    assert!(said().contains("the database is back"), "{}", said());
    assert_eq!((cluster.units("done"), cluster.number("select count(*) from tesuji.result")), (400, 400));
    assert_eq!(cluster.number("select sum(losses) + sum(errors) from tesuji.unit"), 0);
}

//! Whom the database and the workers turn away, and what they say.

use std::process::Command;

use tesuji_postgres_tests::{Cluster, Server, refused, run};

use crate::shared;

const RANDOM: &[&str] = &["match", "othello", "random", "random:seed=1", "--games", "4"];

#[test]
fn a_wrong_password_is_told() {
    let cluster = Cluster::new(shared());
    let url = cluster.url("tesuji_worker").replace(":works@", ":guessed@");
    let told = refused(&["cluster", "work", "--db", &url], 2);
    assert!(told.contains("password authentication failed") && told.contains("PGPASSWORD"), "{told}");
    assert!(!told.contains("guessed"), "{told}");
}

#[test]
fn each_role_has_its_own_rights_and_no_more() {
    let cluster = Cluster::new(shared());
    let job = cluster.submit(&[], RANDOM).to_string();
    let (worker, submitter) = (cluster.url("tesuji_worker"), cluster.url("tesuji_submitter"));
    for words in [
        &["cluster", "work", "--until-idle", "--db", &submitter][..],
        &["cluster", "submit", "--db", &worker, "match", "othello", "random", "random:seed=1"],
        &["cluster", "cancel", &job, "--db", &worker],
        &["cluster", "status", "--db", &worker],
        &["cluster", "init", "--db", &submitter],
    ] {
        let told = refused(words, 2);
        assert!(told.contains("rights") && told.contains("tesuji_worker"), "{words:?}: {told}");
    }
    // Neither role can write to a table.
    for role in ["tesuji_worker", "tesuji_submitter"] {
        for table in ["job", "unit", "result", "worker"] {
            for right in ["insert", "update", "delete", "truncate"] {
                let has = format!("select has_table_privilege('{role}', 'tesuji.{table}', '{right}')::int");
                assert_eq!(cluster.number(&has), 0, "{role} may {right} {table}");
            }
        }
    }
    // A user of the server who has no role.
    cluster.server.query(&cluster.database, "create role nobody_special login password 'x'");
    let url = format!("postgres://nobody_special:x@127.0.0.1:{}/{}", cluster.server.port(), cluster.database);
    let told = refused(&["cluster", "work", "--db", &url], 2);
    assert!(told.contains("GRANT tesuji_worker TO name"), "{told}");
}

#[test]
fn a_missing_database_and_a_missing_schema_are_told() {
    let server = shared();
    let told = refused(&["cluster", "status", "--db", &server.url("owner", "nowhere")], 2);
    assert!(told.contains("\"nowhere\" does not exist") && told.contains("createdb"), "{told}");
    let empty = server.empty_database();
    let told = refused(&["cluster", "status", "--db", &server.url("owner", &empty)], 2);
    assert!(told.contains("tesuji cluster init"), "{told}");
    let told = refused(&["cluster", "status", "--db", "postgres://me@127.0.0.1:1/x"], 1);
    assert!(told.contains("cannot be reached"), "{told}");
    assert!(refused(&["cluster", "status"], 2).contains("TESUJI_DB"));
}

#[test]
fn an_old_schema_is_refused_and_upgraded_with_what_is_queued() {
    let cluster = Cluster::new(shared());
    cluster.submit(&[], RANDOM);
    // The schema as an earlier program left it: the last migrations have not been applied.
    cluster.server.query(
        &cluster.database,
        "drop function tesuji.submit, tesuji.cancel, tesuji.retry, tesuji.remove, tesuji.set_priority;
         delete from tesuji.migration where number >= 3",
    );
    let (worker, submitter) = (cluster.url("tesuji_worker"), cluster.url("tesuji_submitter"));
    for words in [["cluster", "work", "--db", &worker], ["cluster", "status", "--db", &submitter]] {
        let told = refused(&words, 2);
        assert!(told.contains("version 2, this program needs 4") && told.contains("tesuji cluster init"), "{told}");
    }
    let made = cluster.server.initialise(&cluster.database);
    let told = String::from_utf8_lossy(&made.stdout).into_owned();
    assert!(
        made.status.success() && told.contains("from version 2 to 4"),
        "{told}{}",
        String::from_utf8_lossy(&made.stderr)
    );
    cluster.work(&[]);
    assert_eq!(cluster.units("done"), 2);
    // A later schema is not touched.
    cluster.server.query(&cluster.database, "insert into tesuji.migration (number, name) values (99, 'to come')");
    let told = refused(&["cluster", "work", "--db", &worker], 2);
    assert!(told.contains("version 99") && told.contains("later"), "{told}");
    assert!(!cluster.server.initialise(&cluster.database).status.success());
}

#[test]
fn workers_refuse_jobs_of_other_engines_and_say_so() {
    let cluster = Cluster::new(shared());
    let job = cluster.submit(&[], RANDOM);
    cluster.server.query(&cluster.database, "update tesuji.job set signature = replace(signature, 'nodes', '1 nodes')");
    let said = cluster.work(&[]);
    assert!(said.contains("is refused") && said.contains("their games would differ"), "{said}");
    assert_eq!(cluster.units("queued"), 2);
    let status = cluster.status();
    let refusal = &status["jobs"][0]["refusals"][0];
    assert!(refusal["workers"] == 1 && refusal["reason"].as_str().unwrap().contains("their games would differ"));
    // The same for files that have changed: they are part of the identity of a job.
    cluster.server.query(
        &cluster.database,
        "update tesuji.job set signature = replace(signature, '1 nodes', 'nodes'), identity = replace(identity, 'seed = 0', 'seed = 9')",
    );
    let said = cluster.work(&[]);
    assert!(said.contains("where it was submitted: \"seed = 9\"; here: \"seed = 0\""), "{said}");
    // A kind of job that this version does not know.
    cluster.server.query(
        &cluster.database,
        &format!("update tesuji.job set request = '{{\"kind\": \"sudoku\"}}' where id = {job}"),
    );
    let said = cluster.work(&[]);
    assert!(said.contains("does not know such a job"), "{said}");
}

#[test]
fn certificates_are_verified() {
    let mut server = Server::make(&["ssl=on", "ssl_cert_file=server.crt", "ssl_key_file=server.key"]);
    let data = server.folder().join("data");
    let made = Command::new("openssl")
        .args(["req", "-new", "-x509", "-days", "2", "-nodes", "-subj", "/CN=127.0.0.1", "-addext"])
        .args(["subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE"])
        .arg("-keyout")
        .arg(data.join("server.key"))
        .arg("-out")
        .arg(data.join("server.crt"))
        .output()
        .expect("openssl runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let owner = std::fs::metadata(&data).unwrap();
    for file in ["server.key", "server.crt"] {
        use std::os::unix::fs::MetadataExt;
        std::os::unix::fs::chown(data.join(file), Some(owner.uid()), Some(owner.gid())).unwrap();
    }
    server.resume();
    let cluster = Cluster::new(&server);
    let plain = cluster.url("tesuji_submitter");
    let told = refused(&["cluster", "status", "--db", &format!("{plain}?sslmode=require")], 2);
    assert!(told.contains("no trusted TLS connection") && told.contains("sslrootcert"), "{told}");
    let certificate = data.join("server.crt");
    std::fs::copy(&certificate, server.folder().join("authority.pem")).unwrap();
    let authority = server.folder().join("authority.pem").display().to_string();
    run(&["cluster", "status", "--db", &format!("{plain}?sslmode=verify-full&sslrootcert={authority}")]);
    // The certificate is of another name.
    let other = plain.replace("127.0.0.1", "localhost");
    let told = refused(&["cluster", "status", "--db", &format!("{other}?sslrootcert={authority}")], 2);
    assert!(told.contains("no trusted TLS connection"), "{told}");
}

//! A private PostgreSQL server, and the processes of the tests.

use std::io::Read;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// Nothing in a test takes as long, even on a machine with thirty other jobs.
const PATIENCE: Duration = Duration::from_secs(600);

/// The owner of the databases, and the two roles.
pub const PASSWORDS: [(&str, &str); 3] =
    [("owner", "of everything"), ("tesuji_submitter", "submits"), ("tesuji_worker", "works")];

/// Waits until something is so.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The folder with the programs of PostgreSQL.
fn programs() -> PathBuf {
    let mut folders: Vec<PathBuf> = Vec::new();
    for parent in ["/usr/lib/postgresql", "/usr/local/pgsql", "/opt/homebrew/opt", "/usr"] {
        let versions = std::fs::read_dir(parent).into_iter().flatten().flatten();
        folders.extend(versions.map(|version| version.path().join("bin")));
    }
    folders.extend(std::env::var_os("PATH").iter().flat_map(std::env::split_paths));
    // Some distributions have only a part of them on the path.
    let needed = ["initdb", "postgres", "pg_isready", "psql"];
    folders.retain(|folder| needed.iter().all(|program| folder.join(program).is_file()));
    folders.sort();
    folders.pop().expect("PostgreSQL is not installed: apt-get install postgresql")
}

/// A command that ends with the tests, as the user `postgres` where we are root, whom PostgreSQL refuses.
fn as_user(program: &Path) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL"]);
    if let Some(user) = user() {
        command.args([format!("--reuid={user}"), format!("--regid={user}"), "--clear-groups".to_owned()]);
    }
    command.arg("--").arg(program);
    command
}

/// The number of the user `postgres` where we are root.
fn user() -> Option<u32> {
    let text = |command: &mut Command| String::from_utf8(command.output().expect("id").stdout).expect("a number");
    let me = text(Command::new("id").arg("-u"));
    (me.trim() == "0")
        .then(|| text(Command::new("id").args(["-u", "postgres"])).trim().parse().expect("a user postgres"))
}

/// A PostgreSQL server of its own folder and port.
pub struct Server {
    folder: TempDir,
    port: u16,
    process: Option<Child>,
    programs: PathBuf,
    settings: Vec<String>,
    databases: AtomicUsize,
    /// Words before the server, such as `unshare`.
    pub wrapper: Vec<String>,
}

impl Server {
    /// Makes and starts a server.
    pub fn start() -> Server {
        let mut server = Server::make(&[]);
        server.resume();
        server
    }

    /// Makes a server with these settings, without starting it.
    pub fn make(settings: &[&str]) -> Server {
        let programs = programs();
        let folder = tempfile::Builder::new().prefix("tesuji-pg-").tempdir().expect("a folder");
        let password = folder.path().join("password");
        std::fs::write(&password, PASSWORDS[0].1).expect("written");
        if let Some(user) = user() {
            std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).expect("permissions");
            chown(folder.path(), Some(user), Some(user)).expect("chown");
            chown(&password, Some(user), Some(user)).expect("chown");
        }
        let made = as_user(&programs.join("initdb"))
            .args(["--username=owner", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"])
            .arg(format!("--pwfile={}", password.display()))
            .arg("--pgdata")
            .arg(folder.path().join("data"))
            .output()
            .expect("initdb runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let port = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port();
        Server {
            folder,
            port,
            process: None,
            programs,
            settings: settings.iter().map(ToString::to_string).collect(),
            databases: AtomicUsize::new(0),
            wrapper: Vec::new(),
        }
    }

    /// The folder of the server.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The process of the server.
    pub fn pid(&self) -> u32 {
        self.process.as_ref().expect("it runs").id()
    }

    /// Starts the server, and waits until it takes connections.
    pub fn resume(&mut self) {
        let mut server = as_user(&self.programs.join("postgres"));
        server.arg("-D").arg(self.folder.path().join("data"));
        server.arg("-k").arg(self.folder.path()).args(["-h", "127.0.0.1", "-p", &self.port.to_string()]);
        let usual = ["max_connections=200", "log_min_messages=fatal"].map(str::to_owned);
        for setting in usual.iter().chain(&self.settings) {
            server.args(["-c", setting]);
        }
        let mut command = server;
        if let Some((first, rest)) = self.wrapper.split_first() {
            let inner = command;
            command = Command::new(first);
            command.args(rest).arg(inner.get_program()).args(inner.get_args());
        }
        let log =
            std::fs::OpenOptions::new().create(true).append(true).open(self.folder.path().join("log")).expect("log");
        let log = Stdio::from(log);
        self.process = Some(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().expect("it starts"));
        wait_until("PostgreSQL takes connections", || {
            let mut ready = Command::new(self.programs.join("pg_isready"));
            let ready = ready.args(["-q", "-h", "127.0.0.1", "-p", &self.port.to_string()]).status();
            ready.is_ok_and(|status| status.success())
        });
    }

    /// Ends the server at once, as a crash does.
    pub fn crash(&mut self) {
        self.end("QUIT");
    }

    fn end(&mut self, signal: &str) {
        let Some(mut process) = self.process.take() else { return };
        signal_to(process.id(), signal);
        process.wait().expect("it ends");
    }

    /// A new, empty database. Returns its name.
    pub fn empty_database(&self) -> String {
        let name = format!("games{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.query("postgres", &format!("create database {name}"));
        name
    }

    /// A new database with the queue. Returns its name.
    pub fn database(&self) -> String {
        let name = self.empty_database();
        let made = self.initialise(&name);
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        name
    }

    /// Runs `tesuji cluster init`.
    pub fn initialise(&self, database: &str) -> Output {
        // The roles belong to all databases of the server: one at a time.
        static ONE: Mutex<()> = Mutex::new(());
        let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let mut command = tesuji(&["cluster", "init", "--db", &self.url("owner", database)]);
        for (name, password) in &PASSWORDS[1..] {
            let role = name.trim_start_matches("tesuji_").to_uppercase();
            command.env(format!("TESUJI_{role}_PASSWORD"), password);
        }
        command.output().expect("it runs")
    }

    /// The address of a database for one of the users.
    pub fn url(&self, user: &str, database: &str) -> String {
        let password = PASSWORDS.iter().find(|(name, _)| *name == user).map_or("", |(_, password)| password);
        format!("postgres://{user}:{}@127.0.0.1:{}/{database}", password.replace(' ', "%20"), self.port)
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Asks the database something as its owner; the lines of the answer.
    pub fn query(&self, database: &str, statement: &str) -> Vec<String> {
        let output = Command::new(self.programs.join("psql"))
            .args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", statement, &self.url("owner", database)])
            .output()
            .expect("psql runs");
        assert!(output.status.success(), "{statement}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
    }

    /// A number that the database tells.
    pub fn number(&self, database: &str, statement: &str) -> i64 {
        self.query(database, statement)[0].parse().expect("a number")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end("QUIT");
    }
}

/// Sends a signal to a process.
pub fn signal_to(pid: u32, signal: &str) {
    let sent = Command::new("kill").args([format!("-{signal}"), pid.to_string()]).status().expect("kill runs");
    assert!(sent.success(), "kill -{signal} {pid}");
}

/// A command of tesuji.
pub fn tesuji(words: &[&str]) -> Command {
    let mut command = Command::new(std::env::var("TESUJI").expect("TESUJI is the binary to test"));
    command.args(words).env_remove("PGPASSWORD").env_remove("TESUJI_DB").stdin(Stdio::null());
    command
}

/// Runs tesuji, which must succeed; what it prints.
pub fn run(words: &[&str]) -> String {
    let output = tesuji(words).output().expect("it runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {error}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs tesuji, which must refuse with this exit code; what it says.
pub fn refused(words: &[&str], code: i32) -> String {
    let output = tesuji(words).output().expect("it runs");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{words:?}: {error}{}", String::from_utf8_lossy(&output.stdout));
    assert!(!error.contains("panicked"), "{error}");
    error
}

/// A queue, and the commands around it.
pub struct Cluster<'a> {
    pub server: &'a Server,
    pub database: String,
}

impl<'a> Cluster<'a> {
    /// A queue in a new database.
    pub fn new(server: &'a Server) -> Cluster<'a> {
        Cluster { server, database: server.database() }
    }

    /// The address for a user.
    pub fn url(&self, user: &str) -> String {
        self.server.url(user, &self.database)
    }

    /// Submits what a command would do; the number of the job.
    pub fn submit(&self, options: &[&str], command: &[&str]) -> i64 {
        let url = self.url("tesuji_submitter");
        let words: Vec<&str> = ["cluster", "submit", "--db", &url]
            .iter()
            .chain(options)
            .chain(command)
            .chain(&["--json"])
            .copied()
            .collect();
        let told: Value = serde_json::from_str(&run(&words)).expect("JSON");
        told["job"].as_i64().expect("a job")
    }

    /// The command of a worker.
    pub fn worker(&self, options: &[&str]) -> Command {
        let url = self.url("tesuji_worker");
        let words: Vec<&str> = ["cluster", "work", "--db", &url].iter().chain(options).copied().collect();
        tesuji(&words)
    }

    /// Works until nothing is left, and returns what the worker said on standard error.
    pub fn work(&self, options: &[&str]) -> String {
        let mut command = self.worker(options);
        let output = command.arg("--until-idle").output().expect("it runs");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{error}");
        error
    }

    /// Starts a worker.
    pub fn start(&self, options: &[&str]) -> Worker {
        Worker::spawn(&mut self.worker(options))
    }

    /// Collects a job.
    pub fn collect(&self, job: i64, out: &Path) -> String {
        let (url, job) = (self.url("tesuji_submitter"), job.to_string());
        run(&["cluster", "collect", &job, "--db", &url, "--out", &out.display().to_string()])
    }

    /// The status.
    pub fn status(&self) -> Value {
        let url = self.url("tesuji_submitter");
        serde_json::from_str(&run(&["cluster", "status", "--json", "--db", &url])).expect("JSON")
    }

    /// A number that the database tells.
    pub fn number(&self, statement: &str) -> i64 {
        self.server.number(&self.database, statement)
    }

    /// Units of a state.
    pub fn units(&self, state: &str) -> i64 {
        self.number(&format!("select count(*) from tesuji.unit where state = '{state}'"))
    }
}

/// A worker that runs.
pub struct Worker(pub Child);

impl Worker {
    /// Starts it.
    pub fn spawn(command: &mut Command) -> Worker {
        Worker(command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts"))
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: &str) {
        signal_to(self.0.id(), signal);
    }

    /// Waits for its end; its exit code, and what it said.
    pub fn end(mut self) -> (Option<i32>, String) {
        let mut said = String::new();
        self.0.stderr.take().expect("piped").read_to_string(&mut said).expect("text");
        let status = self.0.wait().expect("it ends");
        (status.code(), said)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

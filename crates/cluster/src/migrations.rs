//! The schema and its versions. A migration is applied once, in order, all of them in one transaction.

use postgres::{Client, GenericClient};

use crate::{ClusterError, Database};

/// The migrations, in order. One that was shipped never changes; a change is another migration.
const MIGRATIONS: &[(&str, &str)] = &[
    ("queue", include_str!("../migrations/0001_queue.sql")),
    ("referee", include_str!("../migrations/0002_referee.sql")),
    ("submitter", include_str!("../migrations/0003_submitter.sql")),
    ("claims", include_str!("../migrations/0004_claims.sql")),
];

/// The version of the schema that this program needs.
pub const LATEST: i32 = MIGRATIONS.len() as i32;

/// The lock under which the schema is changed.
const LOCK: i64 = 0x7465_7375_6a69;

/// What [`initialise`] did.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Initialised {
    /// The version before; 0 for none.
    pub from: i32,
    /// The version now.
    pub to: i32,
    /// Roles that were created.
    pub roles: Vec<String>,
}

/// Makes the schema, or brings it up to date, and creates the roles `tesuji_submitter` and `tesuji_worker`. A role with a
/// password here may log in; one without is granted to users. What is in the queue stays.
///
/// # Errors
/// The rights do not suffice, or the schema is of a later program.
pub fn initialise(database: &Database, passwords: [Option<&str>; 2]) -> Result<Initialised, ClusterError> {
    initialise_up_to(database, passwords, LATEST)
}

/// The same up to a version, as an earlier program would have made it.
///
/// # Errors
/// The rights do not suffice, or the schema is of a later version.
pub fn initialise_up_to(
    database: &Database,
    passwords: [Option<&str>; 2],
    version: i32,
) -> Result<Initialised, ClusterError> {
    let mut client = database.connect_to_any()?;
    let mut transaction = client.transaction()?;
    transaction.execute("select pg_advisory_xact_lock($1)", &[&LOCK])?;
    let mut roles = Vec::new();
    for (role, password) in ["tesuji_submitter", "tesuji_worker"].into_iter().zip(passwords) {
        if transaction.query_opt("select from pg_roles where rolname = $1", &[&role])?.is_none() {
            // Roles belong to all databases of a server; another one may be made ready at the same time.
            transaction.batch_execute(&format!(
                "do $$ begin create role {role} nologin; exception when duplicate_object or unique_violation then null; \
                 end $$"
            ))?;
            roles.push(role.to_owned());
        }
        if let Some(password) = password {
            let quoted: String = transaction.query_one("select quote_literal($1)", &[&password])?.get(0);
            transaction.batch_execute(&format!("alter role {role} login password {quoted}"))?;
        }
    }
    transaction.batch_execute(
        "create schema if not exists tesuji;
         create table if not exists tesuji.migration (
             number  integer     primary key,
             name    text        not null,
             applied timestamptz not null default clock_timestamp()
         );
         grant usage on schema tesuji to tesuji_worker, tesuji_submitter;
         grant select on tesuji.migration to tesuji_worker, tesuji_submitter;
         set local search_path = tesuji, pg_temp;",
    )?;
    let from = version_of(&mut transaction)?;
    if from > version {
        return Err(later(from));
    }
    for (&(name, text), number) in
        MIGRATIONS.iter().zip(1..).filter(|(_, number)| (from + 1..=version).contains(number))
    {
        transaction.batch_execute(text)?;
        transaction.execute("insert into tesuji.migration (number, name) values ($1, $2)", &[&number, &name])?;
    }
    transaction.commit()?;
    Ok(Initialised { from, to: version, roles })
}

fn version_of(client: &mut impl GenericClient) -> Result<i32, ClusterError> {
    Ok(client.query_one("select coalesce(max(number), 0) from tesuji.migration", &[])?.get(0))
}

fn later(found: i32) -> ClusterError {
    ClusterError::Invalid(format!(
        "the schema of the database is version {found}, that of this program {LATEST}: use the program that made it, or a \
         later one"
    ))
}

/// Refuses a schema that this program does not know.
pub(crate) fn check_version(client: &mut Client) -> Result<(), ClusterError> {
    let exists: bool = client.query_one("select to_regnamespace('tesuji') is not null", &[])?.get(0);
    if !exists {
        return Err(ClusterError::Invalid(
            "the database has no schema tesuji; run `tesuji cluster init --db URL` once, as its owner".to_owned(),
        ));
    }
    let allowed: bool = client.query_one("select has_schema_privilege('tesuji', 'usage')", &[])?.get(0);
    if !allowed {
        return Err(ClusterError::Invalid(
            "the rights of this user do not suffice: workers need the role tesuji_worker, submitters tesuji_submitter: \
             GRANT tesuji_worker TO name"
                .to_owned(),
        ));
    }
    match version_of(client)? {
        LATEST => Ok(()),
        found if found > LATEST => Err(later(found)),
        found => Err(ClusterError::Invalid(format!(
            "the schema of the database is version {found}, this program needs {LATEST}: run `tesuji cluster init --db \
             URL` as its owner; what is queued stays"
        ))),
    }
}

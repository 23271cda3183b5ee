//! Where the database is, and how to get there.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use postgres::config::{Host, SslMode};
use postgres::{Client, Config};

use crate::migrations::check_version;
use crate::{ClusterError, tls};

/// A wait for a connection ends after this long, unless the address says otherwise.
const CONNECT: Duration = Duration::from_secs(10);
/// A connection without an answer to our packets for this long is dead.
const DEAD: Duration = Duration::from_secs(30);

/// The address of a database: `postgres://user@host/name`, with the settings of libpq behind a question mark.
///
/// Connections to other machines use TLS, and certificates are always verified: `sslrootcert=FILE` names an authority,
/// `sslmode=disable` does without.
#[derive(Clone, Debug)]
pub struct Database {
    config: Config,
    authorities: Option<PathBuf>,
}

impl FromStr for Database {
    type Err = ClusterError;

    fn from_str(url: &str) -> Result<Database, ClusterError> {
        let wrong = |what: String| ClusterError::Invalid(format!("the address of the database: {what}"));
        if !["postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme)) {
            return Err(wrong(format!("{:?} should be postgres://user@host/name", without_password(url))));
        }
        // Two settings of libpq that the client does not know.
        let (mut authorities, mut mode) = (None, None);
        let mut kept = Vec::new();
        let (base, settings) = url.split_once('?').unwrap_or((url, ""));
        for setting in settings.split('&').filter(|setting| !setting.is_empty()) {
            match setting.split_once('=') {
                Some(("sslrootcert", path)) => authorities = Some(PathBuf::from(decoded(path))),
                Some(("sslmode", value)) => mode = Some(value.to_owned()),
                _ => kept.push(setting),
            }
        }
        let url = if kept.is_empty() { base.to_owned() } else { format!("{base}?{}", kept.join("&")) };
        let mut config: Config = url.parse().map_err(|error: postgres::Error| {
            let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}")).unwrap_or_default();
            wrong(format!("{error}{cause}"))
        })?;
        let is_here = config.get_hosts().iter().all(|host| match host {
            Host::Tcp(name) => ["localhost", "127.0.0.1", "::1"].contains(&name.as_str()),
            #[cfg(unix)]
            Host::Unix(_) => true,
        });
        config.ssl_mode(match mode.as_deref() {
            Some("disable") => SslMode::Disable,
            Some("require" | "verify-ca" | "verify-full") => SslMode::Require,
            None if is_here && authorities.is_none() => SslMode::Disable,
            None => SslMode::Require,
            Some(other) => return Err(wrong(format!("sslmode={other}: disable, require or verify-full"))),
        });
        if config.get_password().is_none()
            && let Ok(password) = std::env::var("PGPASSWORD")
        {
            config.password(password);
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT);
        }
        config.application_name("tesuji").keepalives_idle(DEAD).tcp_user_timeout(DEAD);
        Ok(Database { config, authorities })
    }
}

impl Database {
    /// Connects and checks that the schema is one that this program knows.
    ///
    /// # Errors
    /// The database cannot be reached, does not let us in, or has another schema.
    pub fn connect(&self) -> Result<Client, ClusterError> {
        let mut client = self.connect_to_any()?;
        check_version(&mut client)?;
        Ok(client)
    }

    /// Connects, whatever the schema.
    pub(crate) fn connect_to_any(&self) -> Result<Client, ClusterError> {
        let tls = tls::connector(self.authorities.as_deref())?;
        Ok(self.config.connect(tls)?)
    }
}

/// Percent-encoded text as it was meant.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let digits = tail.get(..2).filter(|_| first == b'%').and_then(|two| std::str::from_utf8(two).ok());
        match digits.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// An address that may be shown.
fn without_password(url: &str) -> String {
    let Some((before, after)) = url.split_once('@') else { return url.to_owned() };
    let user = before.rsplit_once(':').filter(|(user, _)| user.contains("//") && !user.ends_with(':'));
    user.map_or_else(|| url.to_owned(), |(user, _)| format!("{user}:***@{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(url: &str) -> SslMode {
        Database::from_str(url).expect(url).config.get_ssl_mode()
    }

    #[test]
    fn other_machines_are_reached_by_tls_unless_the_address_says_otherwise() {
        assert_eq!(mode("postgres://me@localhost/games"), SslMode::Disable);
        assert_eq!(mode("postgres://me@127.0.0.1:5433/games"), SslMode::Disable);
        assert_eq!(mode("postgres://me@%2Frun%2Fpostgresql/games"), SslMode::Disable);
        assert_eq!(mode("postgres://me@db.example/games"), SslMode::Require);
        assert_eq!(mode("postgres://me@db.example/games?sslmode=disable"), SslMode::Disable);
        assert_eq!(mode("postgres://me@localhost/games?sslmode=verify-full"), SslMode::Require);
        assert_eq!(mode("postgres://me@localhost/games?sslrootcert=/ca.pem"), SslMode::Require);
    }

    #[test]
    fn wrong_addresses_are_named_without_their_password() {
        let refused = |url: &str| Database::from_str(url).expect_err(url).to_string();
        assert!(refused("mysql://me:secret@host/x").contains("postgres://user@host/name"));
        assert!(!refused("mysql://me:secret@host/x").contains("secret"));
        assert!(refused("postgres://me@host/x?sslmode=maybe").contains("sslmode=maybe"));
        assert!(refused("postgres://me@host/x?nonsense=1").contains("nonsense"));
    }

    #[test]
    fn percent_signs_are_decoded() {
        assert_eq!(decoded("%2Fca%20one.pem"), "/ca one.pem");
        assert_eq!(decoded("100%"), "100%");
    }
}

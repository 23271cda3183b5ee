//! How many connections are open, in all and by client.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::Limits;
use crate::state::Client;

/// The open connections; clones are the same.
#[derive(Clone)]
pub(crate) struct Connections {
    free: Arc<Semaphore>,
    clients: Arc<Mutex<HashMap<Client, usize>>>,
    most_per_client: usize,
}

/// An open connection; dropping it makes room for another.
pub(crate) struct OpenConnection {
    connections: Connections,
    client: Client,
    _permit: OwnedSemaphorePermit,
}

impl Connections {
    pub(crate) fn new(limits: &Limits) -> Connections {
        Connections {
            free: Arc::new(Semaphore::new(limits.connections)),
            clients: Arc::default(),
            most_per_client: limits.connections_per_client,
        }
    }

    /// Waits until there is room for one more.
    pub(crate) async fn room(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.free).acquire_owned().await.ok()
    }

    /// Counts a connection; none when its client has enough. Everybody on this machine comes from one address.
    pub(crate) fn open(&self, client: Client, permit: OwnedSemaphorePermit) -> Option<OpenConnection> {
        let mut clients = self.clients();
        let own = clients.entry(client).or_default();
        if *own >= self.most_per_client && !client.is_local() {
            return None;
        }
        *own += 1;
        drop(clients);
        Some(OpenConnection { connections: self.clone(), client, _permit: permit })
    }

    fn clients(&self) -> MutexGuard<'_, HashMap<Client, usize>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        let mut clients = self.connections.clients();
        if let Some(own) = clients.get_mut(&self.client) {
            *own -= 1;
            if *own == 0 {
                clients.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(text: &str) -> Client {
        Client::new(text.parse().unwrap())
    }

    #[tokio::test]
    async fn one_client_does_not_take_all() {
        let connections = Connections::new(&Limits { connections: 8, connections_per_client: 2, ..Limits::default() });
        let open = async |from: &str| connections.open(client(from), connections.room().await.unwrap());
        let first = open("192.0.2.1").await.unwrap();
        let _second = open("192.0.2.1").await.unwrap();
        assert!(open("192.0.2.1").await.is_none());
        assert!(open("::ffff:192.0.2.1").await.is_none(), "the same address in another spelling");
        let _other = open("192.0.2.2").await.unwrap();
        drop(first);
        let _again = open("192.0.2.1").await.unwrap();
        let local: Vec<_> = [open("127.0.0.1").await, open("127.0.0.1").await, open("127.0.0.1").await].into();
        assert!(local.iter().all(Option::is_some), "this machine has the total only");
        drop(local);
        assert_eq!(connections.free.available_permits(), 8 - 3);
        assert_eq!(connections.clients().len(), 2, "who has gone is forgotten");
    }

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        assert_eq!(client("2001:db8:1:2::7"), client("2001:db8:1:2:ffff::1"));
        assert_ne!(client("2001:db8:1:2::7"), client("2001:db8:1:3::7"));
        assert!(client("::1").is_local() && !client("2001:db8::1").is_local());
    }
}

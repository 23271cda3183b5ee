//! The processes of a run and their addresses.

use std::collections::HashMap;
use std::time::Duration;

use tesuji_solve::retrograde::MOST_SHARES;
use thiserror::Error;

/// The processes of a run, seen by one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cluster {
    /// This process, from 0.
    pub(crate) process: usize,
    /// The address of each process; none when there is only one.
    pub(crate) hosts: Vec<String>,
    /// Workers of each process.
    pub(crate) workers: usize,
    /// How long a process waits for the others.
    pub(crate) wait: Duration,
}

/// Why processes cannot form a run.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ClusterError {
    /// The number of this process is too high.
    #[error("there is no process {process} of {processes}: they are numbered from 0 to {}", processes - 1)]
    Process {
        /// The number.
        process: usize,
        /// The number of processes.
        processes: usize,
    },
    /// Too few addresses.
    #[error("{processes} processes need {processes} addresses, one `host:port` per line; there are {found}")]
    TooFew {
        /// The number of processes.
        processes: usize,
        /// The number of addresses.
        found: usize,
    },
    /// A line that is no address.
    #[error("line {line}: {text:?} is no address: write `host:port`, such as node1:2101")]
    Address {
        /// The line, from 1.
        line: usize,
        /// What it says.
        text: String,
    },
    /// Two processes with one address.
    #[error("line {line}: {text} is the address of two processes: give each its own port")]
    Twice {
        /// The line of the second, from 1.
        line: usize,
        /// The address.
        text: String,
    },
    /// Too many workers, or none.
    #[error("{workers} workers cannot be: use between 1 and {MOST_SHARES} in all")]
    Workers {
        /// The number of workers of all processes.
        workers: usize,
    },
}

impl Cluster {
    /// The run of one process.
    ///
    /// # Errors
    /// The number of workers is out of range.
    pub fn single(workers: usize) -> Result<Cluster, ClusterError> {
        Cluster::new(0, 1, "", workers, Duration::ZERO)
    }

    /// Process `process` of `processes`, with a list of addresses, one `host:port` per line. Empty lines and what
    /// follows a `#` are ignored, and so are addresses beyond the number of processes.
    ///
    /// # Errors
    /// The numbers do not fit, or the list is wrong.
    pub fn new(
        process: usize,
        processes: usize,
        hosts: &str,
        workers: usize,
        wait: Duration,
    ) -> Result<Cluster, ClusterError> {
        if process >= processes {
            return Err(ClusterError::Process { process, processes });
        }
        let all = workers.saturating_mul(processes);
        if workers == 0 || all > MOST_SHARES {
            return Err(ClusterError::Workers { workers: all });
        }
        let mut seen = HashMap::new();
        let mut addresses = Vec::new();
        for (line, text) in (1..).zip(hosts.lines()) {
            let text = text.split('#').next().unwrap_or_default().trim();
            if text.is_empty() || addresses.len() == processes {
                continue;
            }
            let port =
                text.rsplit_once(':').filter(|(host, _)| !host.is_empty() && !host.contains(char::is_whitespace));
            if port.is_none_or(|(_, port)| port.parse::<u16>().is_err()) {
                return Err(ClusterError::Address { line, text: text.to_owned() });
            }
            if seen.insert(text.to_owned(), line).is_some() {
                return Err(ClusterError::Twice { line, text: text.to_owned() });
            }
            addresses.push(text.to_owned());
        }
        if processes > 1 && addresses.len() < processes {
            return Err(ClusterError::TooFew { processes, found: addresses.len() });
        }
        addresses.truncate(if processes > 1 { processes } else { 0 });
        Ok(Cluster { process, hosts: addresses, workers, wait })
    }

    /// The number of processes.
    pub fn processes(&self) -> usize {
        self.hosts.len().max(1)
    }

    /// The number of this process, from 0.
    pub fn process(&self) -> usize {
        self.process
    }

    /// The number of workers of all processes.
    pub fn workers(&self) -> usize {
        self.workers * self.processes()
    }

    /// The address of a process, for messages.
    pub(crate) fn address(&self, process: usize) -> String {
        self.hosts.get(process).cloned().unwrap_or_else(|| "this machine".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_hosts_is_read_with_its_comments() {
        let text = "# the cluster\nnode1:2101\n\n [::1]:2102   # a second process there\nnode2:2101\n";
        let wait = Duration::from_secs(1);
        let cluster = Cluster::new(1, 2, text, 3, wait).expect("two addresses");
        assert_eq!((cluster.processes(), cluster.workers(), cluster.process()), (2, 6, 1));
        assert_eq!((cluster.address(0), cluster.address(1)), ("node1:2101".to_owned(), "[::1]:2102".to_owned()));
        let told = |process, processes, text: &str, workers| {
            Cluster::new(process, processes, text, workers, wait).expect_err("wrong").to_string()
        };
        assert!(told(2, 2, text, 1).contains("numbered from 0 to 1"));
        assert!(told(0, 4, text, 1).contains("there are 3"));
        assert!(told(0, 2, "a:1\nb\n", 1).starts_with("line 2: \"b\" is no address"));
        assert!(told(0, 2, "a:1\nb c:1\n", 1).starts_with("line 2"));
        assert!(told(0, 2, "a:1\na:1\n", 1).starts_with("line 2: a:1 is the address of two"));
        assert!(told(0, 2, text, 0).contains("between 1 and"));
        assert_eq!(Cluster::single(2).map(|cluster| cluster.workers()), Ok(2));
    }
}

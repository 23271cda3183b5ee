//! A cluster that is watched.

use tesuji_registry::{ClusterJob, ClusterObserver, ClusterStatus, ClusterWorker, Error, UnitCounts, UnitFault};
use tesuji_web::{Config, WatchedCluster};

use crate::client::Server;

/// A queue that is always the same.
struct Queue;

impl ClusterObserver for Queue {
    fn status(&self) -> Result<ClusterStatus, Error> {
        let units = UnitCounts { done: 30, queued: 10, ..UnitCounts::default() };
        let fault = UnitFault { unit: 3, message: "<script>alert(1)</script>".to_owned(), ..UnitFault::default() };
        let job = ClusterJob {
            job: 7,
            name: "a & b".to_owned(),
            units,
            rate: 2.0,
            faults: vec![fault],
            ..ClusterJob::default()
        };
        let worker = ClusterWorker { name: "here".to_owned(), state: "alive".to_owned(), ..ClusterWorker::default() };
        Ok(ClusterStatus { jobs: vec![job], workers: vec![worker] })
    }
}

#[test]
fn jobs_and_workers_are_data_metrics_and_a_page() {
    let server = Server::start();
    assert!(server.get("/api/v1/cluster").error(404).contains("--cluster"));
    let config = Config { cluster: Some(WatchedCluster::new(Box::new(Queue))), ..Config::default() };
    let server = Server::with(config);
    let status = server.get("/api/v1/cluster").json();
    assert_eq!((&status["jobs"][0]["units"]["done"], &status["workers"][0]["name"]), (&30.into(), &"here".into()));
    let metrics = server.get("/metrics").text();
    assert!(metrics.contains("tesuji_cluster_units{job=\"7\",name=\"a & b\",state=\"done\"} 30\n"), "{metrics}");
    let page = server.get("/cluster").text();
    assert!(page.contains("30 of 40 units are done, 10 queued") && page.contains("a &amp; b"), "{page}");
    assert!(!page.contains("<script") && page.contains("&lt;script&gt;"), "{page}");
}

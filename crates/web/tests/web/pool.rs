//! Many clients at once.

use std::thread;
use std::time::Duration;

use serde_json::json;
use tesuji_web::Limits;

use crate::client::Server;

/// Positions are answered while the only slot searches and hundreds wait, and a move to play waits for one search only.
#[test]
fn positions_are_answered_beside_many_streams() {
    let slice = Duration::from_secs(3600);
    let server = Server::limited(Limits { searches: 1, hash: 1, slice, ..Limits::default() });
    let path = "/api/v1/othello/analysis?engine=alphabeta&time=60s";
    let mut streams: Vec<_> = (0..300).map(|_| server.events(path)).collect();
    assert_eq!(server.metric("tesuji_streams"), 300);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let answer = server.post("/api/v1/shogi/position", json!({ "moves": ["7g7f"] }));
                    assert_eq!(answer.json()["moves"].as_array().unwrap().len(), 30);
                }
            });
        }
    });
    thread::scope(|scope| {
        let asked = scope.spawn(|| {
            let body = json!({ "engine": "alphabeta", "limits": { "depth": 1 } });
            server.post("/api/v1/othello/best-move", body).json()
        });
        assert!((0..10_000).any(|_| server.metric("tesuji_searches_waiting") == 300));
        drop(streams.remove(0));
        assert!(asked.join().unwrap()["move"].is_string());
    });
    drop(streams);
    assert!((0..10_000).any(|_| server.metric("tesuji_streams") == 0 && server.metric("tesuji_searches_waiting") == 0));
}

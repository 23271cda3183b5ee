//! Streams of events: analyses, waiting, closing, ending.

use std::collections::HashSet;

use serde_json::{Value, json};
use tesuji_web::Limits;

use crate::client::Server;

fn small() -> Limits {
    Limits { searches: 1, hash: 1, ..Limits::default() }
}

#[test]
fn an_analysis_tells_every_iteration_of_its_position() {
    let server = Server::start();
    for (game, moves) in [("othello", "f5%20d6"), ("trax", "@0%2B%20A0%5C"), ("ostle", ""), ("shogi", "7g7f%203c3d")] {
        let path = format!("/api/v1/{game}/analysis?moves={moves}&engine=alphabeta&depth=3&lines=2");
        let events = server.events(&path).all();
        let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).filter(|name| *name != "waiting").collect();
        assert_eq!((names[0], names[names.len() - 1]), ("start", "done"), "{game}");
        let listed: Vec<String> = moves.split("%20").filter(|mv| !mv.is_empty()).map(decoded).collect();
        let shown = server.post(&format!("/api/v1/{game}/position"), json!({ "moves": listed })).json();
        let updates: Vec<&Value> = events.iter().filter(|(name, _)| name == "update").map(|(_, event)| event).collect();
        assert!(!updates.is_empty());
        for update in &updates {
            assert_eq!(update["position"], shown["position"], "{game}");
            for line in update["lines"].as_array().unwrap() {
                assert!(shown["moves"].as_array().unwrap().contains(&line["move"]), "{game}: {line}");
                assert_eq!(line["pv"][0], line["move"]);
                assert!(line["unit"].is_string() && line["exact"].is_boolean());
            }
        }
        assert_eq!(updates[updates.len() - 1]["lines"].as_array().unwrap().len(), 2, "{game}");
    }
}

#[test]
fn lines_come_in_native_notation_where_that_is_asked_for() {
    let server = Server::start();
    let updates = |path: &str| -> Vec<Value> {
        let events = server.events(path).all();
        events.into_iter().filter(|(name, _)| name == "update" || name == "move").map(|(_, event)| event).collect()
    };
    let query = "moves=7g7f%203c3d&engine=alphabeta&depth=3";
    let shown = server.post("/api/v1/shogi/position", json!({"moves": ["7g7f", "3c3d"]})).json();
    let name = |mv: &Value| {
        let moves = shown["view"]["moves"].as_array().unwrap();
        moves.iter().find(|known| known["move"] == *mv).map(|known| known["native"].clone()).expect("a legal move")
    };
    for update in updates(&format!("/api/v1/shogi/analysis?{query}&lines=2&native=true")) {
        for line in update["lines"].as_array().unwrap() {
            let native = line["native"].as_array().expect("native notation");
            assert_eq!(
                (&native[0], native.len()),
                (&name(&line["move"]), line["pv"].as_array().unwrap().len()),
                "{line}"
            );
        }
    }
    let plain = updates(&format!("/api/v1/shogi/analysis?{query}"));
    assert!(plain.iter().all(|update| update["lines"][0].get("native").is_none()));
    // Of a whole game the best moves; the opponent answers the first of them with △.
    let moves = updates(&format!("/api/v1/shogi/game-analysis?{query}&native=true"));
    let best: Vec<&str> = moves.iter().map(|event| event["best_native"].as_str().expect("a best move")).collect();
    assert!(best[0].starts_with('▲') && best[1].starts_with('△'), "{best:?}");
    // Othello has no such notation.
    let othello = updates("/api/v1/othello/analysis?engine=alphabeta&depth=2&native=true");
    assert!(!othello.is_empty() && othello.iter().all(|update| update["lines"][0].get("native").is_none()));
}

fn decoded(text: &str) -> String {
    text.replace("%2B", "+").replace("%5C", "\\")
}

#[test]
fn every_legal_move_has_a_value() {
    let server = Server::start();
    for (game, engine) in [("othello", "expert"), ("ostle", "alphabeta")] {
        let mut stream = server.events(&format!("/api/v1/{game}/analysis?engine={engine}&depth=4&lines=all"));
        let legal = server.post(&format!("/api/v1/{game}/position"), json!({})).json()["moves"].clone();
        let mut told = HashSet::new();
        while let Some((name, event)) = stream.next() {
            if name == "update" {
                let lines = event["lines"].as_array().unwrap();
                told = lines.iter().map(|line| line["move"].as_str().unwrap().to_owned()).collect();
            }
        }
        let legal: HashSet<String> =
            legal.as_array().unwrap().iter().map(|mv| mv.as_str().unwrap().to_owned()).collect();
        assert_eq!(told, legal, "{game}");
    }
}

#[test]
fn closing_a_stream_stops_its_search() {
    let server = Server::limited(small());
    let mut stream = server.events("/api/v1/shogi/analysis?time=60s");
    stream.until("update");
    assert_eq!(server.metric("tesuji_searches_running"), 1);
    drop(stream);
    // Each question takes a moment; the search must have seen its token long before they run out.
    assert!((0..10_000).any(|_| server.metric("tesuji_searches_running") == 0));
    assert_eq!(server.metric("tesuji_streams"), 0);
}

#[test]
fn who_waits_is_told_the_place_and_served_in_turn() {
    let slice = std::time::Duration::from_secs(3600);
    let server = Server::limited(Limits { slice, ..small() });
    let mut first = server.events("/api/v1/othello/analysis?engine=alphabeta&time=60s");
    first.until("update");
    let mut waiting: Vec<_> =
        (0..3).map(|_| server.events("/api/v1/othello/analysis?engine=alphabeta&depth=2")).collect();
    for (index, stream) in waiting.iter_mut().enumerate() {
        assert_eq!(stream.until("waiting")["place"], index + 1);
    }
    drop(first);
    for stream in &mut waiting {
        assert_eq!(stream.until("done")["ended"], "complete");
    }
}

#[test]
fn a_long_search_makes_room() {
    let slice = std::time::Duration::from_millis(100);
    let server = Server::limited(Limits { slice, ..small() });
    let mut first = server.events("/api/v1/shogi/analysis?time=60s");
    first.until("update");
    let mut second = server.events("/api/v1/othello/analysis?engine=alphabeta&depth=2");
    assert_eq!(first.until("done")["ended"], "shared");
    assert_eq!(second.until("done")["ended"], "complete");
}

#[test]
fn more_than_the_pool_holds_is_refused() {
    let server = Server::limited(Limits { jobs: 2, ..small() });
    let mut running = server.events("/api/v1/shogi/analysis?time=60s");
    running.until("update");
    let waiting = server.events("/api/v1/shogi/analysis?time=60s");
    let answer = server.get("/api/v1/shogi/analysis?time=60s");
    assert!(answer.error(429).contains("later"));
    assert!(answer.header("retry-after").is_some_and(|seconds| seconds.parse::<u32>().is_ok()));
    drop(waiting);
}

#[test]
fn a_game_is_analysed_move_by_move() {
    let server = Server::start();
    // White's second move gives a corner away in no time.
    let moves = "f5%20d6%20c3%20d3%20c4";
    let events = server.events(&format!("/api/v1/othello/game-analysis?moves={moves}&engine=alphabeta&depth=3")).all();
    let told: Vec<&Value> = events.iter().filter(|(name, _)| name == "move").map(|(_, event)| event).collect();
    assert_eq!(told.len(), 5);
    for (index, event) in told.iter().enumerate() {
        assert_eq!(event["ply"], index + 1);
        assert!(event["loss"].as_f64().unwrap() >= 0.0 && event["best"].is_string());
    }
    let (name, summary) = &events[events.len() - 1];
    assert_eq!((name.as_str(), &summary["summary"]["sides"][0]["moves"]), ("done", &json!(3)));
}

#[test]
fn game_analyses_share_one_slot() {
    let slice = std::time::Duration::ZERO;
    let server = Server::limited(Limits { slice, game_analyses: 2, ..small() });
    let path = "/api/v1/othello/game-analysis?moves=f5%20d6%20c3%20d3&engine=alphabeta&depth=4";
    let mut streams: Vec<_> = (0..2).map(|_| server.events(path)).collect();
    let refused = server.get(path);
    for stream in &mut streams {
        assert_eq!(stream.until("done")["summary"]["sides"][1]["moves"], 2);
    }
    // The third came while two were there, unless one was done already.
    assert!(matches!(refused.status, 200 | 429), "{}", refused.status);
}

#[test]
fn faults_come_before_the_stream() {
    let server = Server::start();
    assert!(server.get("/api/v1/othello/analysis?moves=a1").error(400).contains("move 1"));
    assert!(server.get("/api/v1/othello/analysis?lines=many").error(400).contains("all"));
    assert!(server.get("/api/v1/othello/analysis?depth=x").error(400).contains("query"));
    let full = "X".repeat(64);
    let over = server.events(&format!("/api/v1/othello/analysis?position={full}%20O")).all();
    assert_eq!(over[over.len() - 1].0, "done", "a finished game has an answer too");
}

#[test]
fn a_server_ends_its_streams_and_itself() {
    let server = Server::limited(Limits { searches: 2, ..small() });
    let mut streams: Vec<_> = (0..8).map(|_| server.events("/api/v1/shogi/analysis?time=60s")).collect();
    streams[0].until("update");
    let begun = std::time::Instant::now();
    server.stop();
    let took = begun.elapsed();
    assert!(took < std::time::Duration::from_secs(5), "{took:?}");
    for mut stream in streams {
        while stream.next().is_some() {}
    }
}

/// The value shown last belongs to the position shown last, however fast positions change.
#[test]
fn fifty_fast_changes_leave_no_stale_value() {
    let server = Server::limited(small());
    let opening = ["f5", "d6", "c3", "d3", "c4"];
    let mut last = None;
    for change in 0..50 {
        let moves = opening[..change % 6].join("%20");
        let stream = server.events(&format!("/api/v1/othello/analysis?moves={moves}&engine=alphabeta&depth=4"));
        last = Some((stream, opening[..change % 6].to_vec()));
    }
    let (stream, moves) = last.unwrap();
    let shown = server.post("/api/v1/othello/position", json!({ "moves": moves })).json();
    for (name, event) in stream.all() {
        if name == "update" {
            assert_eq!(event["position"], shown["position"]);
        }
    }
    assert!((0..10_000).any(|_| server.metric("tesuji_streams") == 0));
}

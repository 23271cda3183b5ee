//! A tournament that is watched.

use std::path::Path;

use serde_json::json;

use tesuji_registry::{Competition, MatchRequest, shipped};
use tesuji_task::{CancelToken, Context};
use tesuji_web::Config;

use crate::client::Server;

#[test]
fn games_are_listed_and_replayed_with_values() {
    let server = Server::start();
    assert!(server.get("/api/v1/tournament").error(404).contains("--tournament"));
    let folder = std::env::temp_dir().join(format!("tesuji-web-tournament-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    play(&folder);
    let server = Server::with(Config { tournament: Some(folder.clone()), ..Config::default() });
    let overview = server.get("/api/v1/tournament").json();
    assert_eq!((&overview["played"], overview["games"].as_array().unwrap().len()), (&json!(2), 2));
    assert_eq!(overview["events"][0]["players"].as_array().unwrap().len(), 2);
    let game = server.get("/api/v1/tournament/games/0/0").json();
    let plies = game["moves"].as_array().unwrap().len();
    assert_eq!((game["values"].as_array().unwrap().len(), &game["game"]), (plies, &json!("othello")));
    assert!(game["values"][plies - 1].is_number() || game["proven"][plies - 1].is_number());
    let replay = server.post("/api/v1/othello/position", json!({ "position": game["start"], "moves": game["moves"] }));
    assert_eq!(replay.json()["outcome"], game["outcome"]);
    assert_eq!(server.get("/api/v1/tournament/games/0/9").status, 404);
    assert_eq!(server.get("/api/v1/tournament/games/7/0").status, 404);
    assert_eq!(server.get("/api/v1/tournament/games/x/..").status, 404);
    assert_eq!(server.events("/api/v1/tournament/live").until("tournament")["played"], 2);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Two quick games.
fn play(folder: &Path) {
    let request = json!({
        "game": "othello",
        "engines": ["alphabeta:depth=1,hash=1", "alphabeta:depth=2,hash=1"],
        "games": 2,
        "plies": 4,
    });
    let request: MatchRequest = serde_json::from_value(request).unwrap();
    let mut competition = Competition::create(&shipped(), request.config().unwrap(), Some(folder)).unwrap();
    competition.run(Context::silent(&CancelToken::new()), &mut |_| {}).unwrap();
}

//! Games, positions, moves: what the page asks for most.

use serde_json::{Value, json};
use tesuji_registry::shipped;

use crate::client::Server;

fn names() -> Vec<&'static str> {
    shipped().games().iter().map(|game| game.name()).collect()
}

#[test]
fn games_are_listed_with_what_they_offer() {
    let server = Server::start();
    let answer = server.get("/api/v1/games").json();
    let listed: Vec<&str> =
        answer["games"].as_array().unwrap().iter().map(|game| game["game"].as_str().unwrap()).collect();
    assert_eq!(listed, names());
    for game in answer["games"].as_array().unwrap() {
        for field in ["title", "about", "unit", "default_engine"] {
            assert!(game[field].as_str().is_some_and(|text| !text.is_empty()), "{field} of {game}");
        }
        assert!(game["engines"].as_array().unwrap().iter().all(|engine| engine["about"].is_string()));
        assert!(!game["formats"].as_array().unwrap().is_empty());
        let levels = game["levels"].as_array().unwrap();
        assert_eq!(levels.len(), 10, "{game}");
        assert!(levels.iter().all(|level| level["about"].as_str().is_some_and(|text| text.len() > 10)));
    }
    let of = |name: &str| answer["games"].as_array().unwrap().iter().find(|game| game["game"] == name).unwrap();
    assert_eq!(of("shogi")["capabilities"]["mates"], true);
    assert_eq!(of("ostle")["capabilities"]["tablebase"], true);
    assert_eq!(
        (&of("trax")["capabilities"]["editor"], &of("othello")["capabilities"]["editor"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(of("trax-8x8")["variant_of"], "trax");
}

#[test]
fn a_position_has_all_that_a_board_needs() {
    let server = Server::start();
    let position = |game: &str, body: Value| server.post(&format!("/api/v1/{game}/position"), body).json();
    let othello = position("othello", json!({ "moves": ["f5"] }));
    assert_eq!((&othello["mover"], &othello["moves"]), (&json!("second"), &json!(["f4", "d6", "f6"])));
    let view = &othello["view"];
    assert_eq!((&view["names"][0], &view["names"][63]), (&json!("a1"), &json!("h8")));
    assert_eq!(view["last"], json!([37]));
    assert_eq!(
        view["moves"][0],
        json!({ "move": "f4", "to": 29, "fills": [[29, { "disc": "second" }], [28, { "disc": "second" }]] })
    );
    let shogi = position("shogi", json!({ "moves": "7g7f 3c3d" }));
    let bishop = shogi["view"]["moves"].as_array().unwrap().iter().filter(|mv| mv["from"] == 64 && mv["to"] == 16);
    let mut bishop: Vec<&str> = bishop.map(|mv| mv["move"].as_str().unwrap()).collect();
    bishop.sort_unstable();
    assert_eq!(bishop, ["8h2b", "8h2b+"], "the promotion is a choice");
    assert_eq!(shogi["view"]["names"][64], "8h");
    assert_eq!(shogi["history"][0], json!({ "move": "7g7f", "mover": "first", "native": "▲７六歩" }));
    let hands = position("shogi", json!({ "moves": "7g7f 3c3d 8h2b+ 3a2b" }));
    assert_eq!(hands["view"]["hands"][0][0], json!({ "sign": "角", "letters": "B", "count": 1 }));
    assert!(hands["view"]["moves"].as_array().unwrap().iter().any(|mv| mv["drop"] == "B" && mv["move"] == "B*5e"));
    let check = position("shogi", json!({ "position": "4k4/9/9/9/9/9/9/9/4K3R b - 1", "moves": ["1i1a"] }));
    assert_eq!(check["view"]["check"], 4);
    let trax = position("trax", json!({ "moves": ["@0/"] }));
    assert_eq!(trax["view"]["origin"], json!([-1, -1]));
    assert!(trax["view"]["moves"].as_array().unwrap().iter().all(|mv| !mv["fills"].as_array().unwrap().is_empty()));
    let grown = position("trax", json!({ "moves": ["@0/", "@1/"] }));
    assert_eq!(grown["view"]["origin"], json!([-2, -1]), "the first tile stays where it was");
    let ostle = position("ostle", json!({}));
    assert!(ostle["view"]["moves"].as_array().unwrap().iter().all(|mv| mv["from"].is_u64()));
}

#[test]
fn repetition_is_counted() {
    let server = Server::start();
    let cycle = "2h3h 8b7b 3h2h 7b8b ";
    let times = |cycles: usize| server.post("/api/v1/shogi/position", json!({ "moves": cycle.repeat(cycles) })).json();
    assert_eq!(times(1)["view"]["repetition"], json!({ "times": 2, "since": 4 }));
    assert_eq!(times(3)["outcome"], "draw");
}

#[test]
fn faults_say_where_and_what() {
    let server = Server::start();
    let fault = |game: &str, body: Value| {
        let answer = server.post(&format!("/api/v1/{game}/position"), body);
        let at: Value = serde_json::from_slice(&answer.body).unwrap();
        (answer.error(400), at["error"]["where"].as_str().unwrap_or_default().to_owned())
    };
    let (message, at) = fault("othello", json!({ "moves": ["f5", "a1"] }));
    assert!(message.contains("move 2") && at == "moves", "{message}");
    assert_eq!(fault("shogi", json!({ "position": "9/9 b - 1" })).1, "position");
    assert!(fault("othello", json!({ "moves": 5 })).0.contains("JSON"));
    assert_eq!(server.post("/api/v1/chess/position", json!({})).status, 404);
    assert_eq!(server.get("/chess").status, 404);
    assert_eq!(server.get("/api/v1/othello/position").status, 405);
    let best = |body: Value| server.post("/api/v1/othello/best-move", body);
    assert!(best(json!({ "engine": "alphabta" })).error(400).contains("did you mean"));
    assert!(best(json!({ "limits": { "time": "soon" } })).error(400).contains("250ms"));
    assert!(best(json!({ "engine": "expert", "limits": { "level": 3 } })).error(400).contains("leave one"));
}

#[test]
fn every_game_is_played_to_its_end() {
    let server = Server::start();
    for game in names() {
        let mut moves: Vec<Value> = Vec::new();
        let longest = if game.starts_with("trax") { 40 } else { 120 };
        while moves.len() < longest {
            let body = json!({ "moves": moves, "engine": "alphabeta:depth=1,hash=1", "limits": { "nodes": 2000 } });
            let best = server.post(&format!("/api/v1/{game}/best-move"), body).json();
            match best["choice"].as_str().unwrap() {
                "move" => moves.push(best["move"].clone()),
                "over" => break,
                other => panic!("{game}: {other}"),
            }
        }
        let end = server.post(&format!("/api/v1/{game}/position"), json!({ "moves": moves })).json();
        let legal = end["moves"].as_array().unwrap().len();
        assert_eq!(end["outcome"].is_null(), legal > 0, "{game}");
        if game == "othello" {
            assert!(end["result"].as_str().is_some() && end["score"].is_array(), "{end}");
        }
    }
}

#[test]
fn clamps_are_told() {
    let server = Server::start();
    let body =
        json!({ "engine": "alphabeta:hash=4096,threads=64", "limits": { "time": "1h", "depth": 1, "hash": 9999 } });
    let best = server.post("/api/v1/othello/best-move", body).json();
    let clamped: Vec<&str> =
        best["clamped"].as_array().unwrap().iter().map(|clamp| clamp["field"].as_str().unwrap()).collect();
    assert_eq!(clamped, ["hash", "threads", "time", "hash"]);
    assert!(best["engine"].as_str().unwrap().contains("hash=64"), "{}", best["engine"]);
    for field in ["move", "value", "unit", "exact", "pv", "depth", "nodes"] {
        assert!(!best[field].is_null(), "{field}");
    }
}

#[test]
fn positions_are_set_up_and_checked() {
    let server = Server::start();
    for game in ["othello", "ostle", "shogi"] {
        let start = server.post(&format!("/api/v1/{game}/position"), json!({})).json();
        let board = json!({ "cells": start["view"]["cells"], "hands": start["view"]["hands"], "mover": "first" });
        let edited = server.post(&format!("/api/v1/{game}/edit"), board).json();
        assert_eq!(edited["position"], start["position"], "{game}");
    }
    let shogi = server.post("/api/v1/shogi/position", json!({})).json();
    let mut cells = shogi["view"]["cells"].clone();
    cells[9] = cells[6 * 9].clone();
    cells[18] = cells[6 * 9].clone();
    let message = server.post("/api/v1/shogi/edit", json!({ "cells": cells, "mover": "first" })).error(400);
    assert!(message.contains("nifu") || message.contains("pawn"), "{message}");
    let trax = server.post("/api/v1/trax/edit", json!({ "cells": [], "mover": "first" }));
    assert!(trax.error(400).contains("its moves"));
}

#[test]
fn levels_play_and_puzzles_are_judged() {
    let server = Server::start();
    for game in names() {
        for level in [1, 3] {
            let body = json!({ "limits": { "level": level, "seed": 7 } });
            let best = server.post(&format!("/api/v1/{game}/best-move"), body).json();
            assert_eq!(best["choice"], "move", "{game} {level}");
        }
        assert!(
            server
                .post(&format!("/api/v1/{game}/best-move"), json!({ "limits": { "level": 11 } }))
                .error(400)
                .contains("10")
        );
        let puzzles = server.get(&format!("/api/v1/{game}/puzzles"));
        if puzzles.status == 404 {
            continue;
        }
        for puzzle in puzzles.json()["puzzles"].as_array().unwrap().iter().take(2) {
            assert!(puzzle["solution"].is_null(), "the list does not give it away");
            let whole = server.get(&format!("/api/v1/{game}/puzzles/{}", puzzle["id"].as_str().unwrap())).json();
            let answer = json!({ "id": puzzle["id"], "moves": [whole["solution"][0]] });
            let verdict = server.post(&format!("/api/v1/{game}/puzzles/answer"), answer).json()["verdict"].clone();
            assert!(verdict == "right" || verdict == "solved", "{game}: {verdict}");
        }
        assert_eq!(server.get(&format!("/api/v1/{game}/puzzles/none")).status, 404);
    }
}

#[test]
fn mates_are_found_and_played_out() {
    let server = Server::start();
    let problem = json!({ "position": "9/6B1k/9/9/9/9/9/9/9 b RGPrb3g4s4n4l17p 1", "limits": { "time": "20s" } });
    let mate = server.post("/api/v1/shogi/mate", problem).json();
    assert_eq!((&mate["mate"], &mate["shortest"]), (&json!(3), &json!(true)));
    assert_eq!(mate["moves"].as_array().unwrap().len(), 3);
    assert_eq!(server.post("/api/v1/othello/mate", json!({})).status, 404);
}

#[test]
fn the_interface_describes_itself() {
    let server = Server::start();
    let document = server.get("/api/v1/openapi.json").json();
    assert_eq!(document["openapi"], "3.1.0");
    let paths = document["paths"].as_object().unwrap();
    for path in ["games", "{game}/position", "{game}/best-move", "{game}/analysis", "{game}/import", "{game}/export"] {
        assert!(paths.contains_key(&format!("/api/v1/{path}")), "{path}");
    }
    // Every reference leads somewhere.
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1) {
        let pointer = &reference[..reference.find('"').unwrap()];
        assert!(document.pointer(pointer).is_some(), "{pointer}");
    }
    // Every operation is there: no path of the document is unknown to the server.
    for (path, methods) in paths {
        let path = path
            .replace("{game}", "othello")
            .replace("{event}", "0")
            .replace("{number}", "0")
            .replace("{id}", "othello-1");
        for method in methods.as_object().unwrap().keys() {
            let answer =
                server.request(&method.to_uppercase(), &format!("{path}?nodes=1"), &[("Connection", "close")], "{}");
            assert_ne!(answer.status, 405, "{method} {path}");
            assert!(answer.status != 404 || !answer.text().contains("lists what there is"), "{method} {path}");
        }
    }
}

#[test]
fn the_tablebase_is_told_and_offered() {
    let folder = std::env::temp_dir().join(format!("tesuji-web-table-{}", std::process::id()));
    let server = Server::with(tesuji_web::Config { table: Some(folder), ..tesuji_web::Config::default() });
    let table = server.get("/api/v1/ostle/table").json();
    assert_eq!((&table["present"], &table["build"]), (&json!(false), &json!(null)));
    assert_eq!(table["offers"][0]["pieces"], 8);
    assert!(server.post("/api/v1/ostle/table/query", json!({})).error(404).contains("build it"));
    assert_eq!(server.get("/api/v1/ostle/table/build").status, 404);
    assert_eq!(server.get("/api/v1/shogi/table").status, 404);
    assert!(server.post("/api/v1/ostle/table/build", json!({ "pieces": 3 })).error(400).contains("8, 9 or 10"));
    assert!(!server.post("/api/v1/ostle/table/query", json!({})).text().contains("/tmp"), "folders are not told");
    let message = server.post("/api/v1/ostle/best-move", json!({ "engine": "table" })).error(400);
    assert!(message.contains("no tablebase of ostle") && !message.contains('/'), "{message}");
    let message = server.get("/api/v1/ostle/analysis?engine=table").error(400);
    assert!(message.contains("no tablebase of ostle") && !message.contains('/'), "{message}");
}

/// The block of a page that has what it needs first.
fn start(page: &str) -> serde_json::Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"start\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_page_brings_its_first_position() {
    let server = Server::start();
    let home = start(&server.get("/").text());
    assert_eq!(home["games"], server.get("/api/v1/games").json());
    assert!(home["position"].is_null());
    for (address, asked) in [
        ("/othello", json!({ "moves": [] })),
        ("/trax?moves=%400%2F%20A2%2B&play=first", json!({ "moves": ["@0/", "A2+"] })),
        ("/shogi?position=4k4%2F9%2F9%2F9%2F9%2F9%2F9%2F9%2F4K4%20b%20G%201&moves=G*5b", {
            json!({ "position": "4k4/9/9/9/9/9/9/9/4K4 b G 1", "moves": ["G*5b"] })
        }),
    ] {
        let given = start(&server.get(address).text());
        let game = given["position"]["game"].as_str().unwrap();
        assert!(address.starts_with(&format!("/{game}")));
        assert_eq!(given["position"]["asked"]["moves"], asked["moves"], "{address}");
        assert_eq!(given["position"]["asked"]["position"], asked["position"], "{address}");
        let answer = server.post(&format!("/api/v1/{game}/position"), asked).json();
        assert_eq!(given["position"]["answer"], answer, "{address}");
    }
    // What is wrong is told by the page; nothing of an address gets into the page as it is.
    for address in ["/othello?moves=a1", "/othello?position=%3C%2Fscript%3E%3Cscript%3Ex", "/othello?moves=%ff"] {
        let page = server.get(address);
        assert_eq!(page.status, 200);
        assert!(!page.text().contains("<script>"), "{address}");
        let given = start(&page.text());
        assert!(given["position"].is_null() || given["position"]["asked"]["moves"] == json!([]), "{address}");
    }
    let record = "/shogi?position=%E3%83%BC%3C%2Fscript%3E";
    assert_eq!(server.get(record).text().matches("</script>").count(), 2);
}

//! Records in and out, in every format of every game.

use serde_json::{Value, json};

use crate::client::Server;

const GAMES: [(&str, &[&str]); 4] = [
    ("othello", &["f5", "d6", "c3", "d3", "c4"]),
    ("trax", &["@0/", "@1/", "C1/"]),
    ("ostle", &["a5u", "a1d"]),
    ("shogi", &["7g7f", "3c3d", "8h2b+", "3a2b"]),
];

#[test]
fn every_format_is_written_and_read_again() {
    let server = Server::start();
    let games = server.get("/api/v1/games").json();
    let mut formats = 0;
    for (game, moves) in GAMES {
        let listed = games["games"].as_array().unwrap().iter().find(|listed| listed["game"] == game).unwrap();
        for format in listed["formats"].as_array().unwrap() {
            let name = format["name"].as_str().unwrap();
            let tags = json!({ "first": "Ada", "second": "Grace" });
            let body = json!({ "record": { "moves": moves, "tags": tags }, "format": name });
            let answer = server.post(&format!("/api/v1/{game}/export"), body);
            if answer.status == 400 {
                // Positions and complete games only, as their formats say.
                assert!(["obf", "wthor"].contains(&name), "{game} {name}: {}", answer.text());
                continue;
            }
            let exported = answer.json();
            let mut import = exported.clone();
            // Text is recognised; of a file that is none its name tells the format.
            import.as_object_mut().unwrap().retain(|key, _| key == "text" || key == "bytes");
            if exported["text"].is_null() {
                import["format"] = json!(name);
            }
            let read = server.post(&format!("/api/v1/{game}/import"), import.clone()).json();
            assert_eq!(read["records"][0]["moves"], json!(moves), "{game} {name}: {exported}");
            if let Some(text) = exported["text"].as_str() {
                let dos = text.replace('\n', "\r\n");
                let read = server.post(&format!("/api/v1/{game}/import"), json!({ "text": dos })).json();
                assert_eq!(read["records"][0]["moves"], json!(moves), "{game} {name} with CRLF");
            }
            formats += 1;
        }
    }
    assert!(formats >= 10, "{formats}");
}

#[test]
fn pasted_texts_are_recognised() {
    let server = Server::start();
    for (game, text, format, moves) in [
        ("othello", "F5D6C3", "transcript", json!(["f5", "d6", "c3"])),
        ("othello", " f5 d6 c3 ", "transcript", json!(["f5", "d6", "c3"])),
        ("othello", "---------------------------OX------XO--------------------------- X", "", json!([])),
        ("ostle", "2222200000003000000011111", "", json!([])),
        ("ostle", "22222-00000-00300-00000-11111", "", json!([])),
        ("shogi", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "", json!([])),
        ("shogi", "position startpos moves 7g7f 3c3d", "usi", json!(["7g7f", "3c3d"])),
        ("shogi", "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n", "kif", json!(["7g7f", "3c3d"])),
        ("shogi", "V2.2\nPI\n+\n+7776FU\n-3334FU\n", "csa", json!(["7g7f", "3c3d"])),
        ("shogi", "▲７六歩 △３四歩", "ki2", json!(["7g7f", "3c3d"])),
        ("trax", "@0/ @1/ C1/", "lines", json!(["@0/", "@1/", "C1/"])),
    ] {
        let read = server.post(&format!("/api/v1/{game}/import"), json!({ "text": text })).json();
        assert_eq!(read["records"][0]["moves"], moves, "{game} {text:?}: {read}");
        assert!(read["records"][0]["fault"].is_null(), "{game} {text:?}: {read}");
        if !format.is_empty() {
            assert_eq!(read["format"], format, "{text:?}");
        }
    }
}

#[test]
fn faults_name_line_and_token() {
    let server = Server::start();
    let text = "V2.2\nPI\n+\n+7776FU\n-3335FU\n";
    let read = server.post("/api/v1/shogi/import", json!({ "text": text })).json();
    let fault = &read["faults"][0];
    assert_eq!((&fault["line"], &fault["move"]), (&json!(5), &json!(2)), "{fault}");
    assert!(fault["token"].as_str().unwrap().contains("3335FU") && fault["message"].is_string());
    assert_eq!(read["records"][0]["moves"], json!(["7g7f"]), "what was legal is there");
    for (game, text) in [
        ("othello", "f5 f5"),
        ("othello", "(;GM[Othello"),
        ("othello", "hello"),
        ("othello", "f5d6z9"),
        ("othello", "-----"),
        ("trax", "@0x"),
        ("trax", "@0/ Z9/"),
        ("trax", "@0/ @0/ @0/ @0/ A9+"),
        ("ostle", "222220000000300000001111"),
        ("ostle", "a5z"),
        ("ostle", "99999"),
        ("shogi", "7g7f 7g7f"),
        ("shogi", "position startpos moves 9z9z"),
        ("shogi", "   1 ７七歩(77)"),
        ("shogi", "+7777FU"),
        ("shogi", "lnsgkgsnl/1r5b1 b - 1"),
        ("shogi", "▲５五飛"),
        ("shogi", "<script>alert(1)</script>"),
        ("othello", "\u{0}\u{1}\u{2}"),
        ("ostle", "🦀"),
    ] {
        let answer = server.post(&format!("/api/v1/{game}/import"), json!({ "text": text }));
        let body: Value = serde_json::from_slice(&answer.body).unwrap();
        let message = match answer.status {
            200 => body["faults"][0]["message"].as_str(),
            _ => body["error"]["message"].as_str(),
        };
        assert!(message.is_some_and(|message| message.len() > 5), "{game} {text:?}: {body}");
    }
    for text in ["", "   \r\n "] {
        assert!(server.post("/api/v1/othello/import", json!({ "text": text })).error(400).contains("formats"));
    }
    assert_eq!(server.post("/api/v1/othello/import", json!({})).status, 400);
}

#[test]
fn notes_and_variations_survive() {
    let server = Server::start();
    let record = json!({
        "moves": ["7g7f", "3c3d", "2g2f"],
        "plies": [{ "comment": "the usual" }, {}, { "comment": "<b>bold</b>", "seconds": 3.0 }],
        "variations": [{ "parent": 0, "after": 2, "moves": ["8h2b+", "3a2b"] }],
        "tags": { "first": "Ada", "second": "Grace" },
        "outcome": "first", "reason": "resignation",
    });
    let body = json!({ "record": record, "format": "kif" });
    let exported = server.post("/api/v1/shogi/export", body).json();
    assert_eq!(exported["lost"], json!([]));
    let read = server.post("/api/v1/shogi/import", json!({ "text": exported["text"] })).json();
    let back = &read["records"][0];
    assert_eq!(back["moves"], record["moves"]);
    assert_eq!(back["plies"][0]["comment"], "the usual");
    assert_eq!(back["plies"][2]["comment"], "<b>bold</b>");
    assert_eq!(back["variations"][0]["moves"], json!(["8h2b+", "3a2b"]));
    assert_eq!((&back["outcome"], &back["reason"]), (&json!("first"), &json!("resignation")));
    assert_eq!(back["tags"]["first"], "Ada");
    // What an import told may be sent back as it is.
    let again = server.post("/api/v1/shogi/export", json!({ "record": back, "format": "kif" })).json();
    assert_eq!(again["text"], exported["text"]);
    let usi = server.post("/api/v1/shogi/export", json!({ "record": back, "format": "usi" })).json();
    assert!(!usi["lost"].as_array().unwrap().is_empty(), "what is lost is told");
}

//! `GET /api/v1/openapi.json`: the interface for programs, from the types that are sent and received.

use std::sync::LazyLock;

use axum::response::Response;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};
use tesuji_registry::{
    ClusterStatus, EditedBoard, ImportResponse, LongestResponse, PositionResponse, Puzzle, PuzzleAnswerRequest,
    PuzzleFeedback, RecordExportRequest, TournamentOverview, WatchedReplay,
};

use crate::analysis::{AnalysisQuery, DoneEvent, StartEvent, UpdateEvent};
use crate::best_move::BestMoveBody;
use crate::body::ok;
use crate::error::ErrorBody;
use crate::exchange::{ExportAnswer, ImportBody};
use crate::game_analysis::{GameDoneEvent, GameStartEvent, MoveEvent};
use crate::games::GamesAnswer;
use crate::job::WaitingEvent;
use crate::mate::{MateAnswer, MateBody};
use crate::puzzles::{PuzzleQuery, PuzzlesAnswer};
use crate::table::{BuildBody, BuildStatus, TableAnswer, TableQuery, TableValue};
use crate::wire::{BestMoveAnswer, PositionBody};

static DOCUMENT: LazyLock<Value> = LazyLock::new(document);

/// `GET /api/v1/openapi.json`.
pub(crate) async fn openapi() -> Response {
    ok(&*DOCUMENT)
}

/// The document under construction.
struct Document {
    types: SchemaGenerator,
    paths: Map<String, Value>,
}

/// An operation of a path.
struct Operation {
    summary: &'static str,
    body: Option<Value>,
    query: Vec<Value>,
    answer: Value,
}

impl Document {
    fn schema<T: JsonSchema>(&mut self) -> Value {
        self.types.subschema_for::<T>().to_value()
    }

    fn json<T: JsonSchema>(&mut self) -> Value {
        let schema = self.schema::<T>();
        json!({ "application/json": { "schema": schema } })
    }

    fn get<A: JsonSchema>(&mut self, path: &str, summary: &'static str) {
        let answer = self.json::<A>();
        self.add(path, "get", Operation { summary, body: None, query: Vec::new(), answer });
    }

    fn post<B: JsonSchema, A: JsonSchema>(&mut self, path: &str, summary: &'static str) {
        let (body, answer) = (Some(self.json::<B>()), self.json::<A>());
        self.add(path, "post", Operation { summary, body, query: Vec::new(), answer });
    }

    /// A stream of events with these names and contents.
    fn stream(&mut self, path: &str, summary: &'static str, query: Vec<Value>, events: Vec<(&str, Value)>) {
        let events: Map<String, Value> = events.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
        let answer = json!({ "text/event-stream": { "schema": { "type": "string" }, "x-events": events } });
        self.add(path, "get", Operation { summary, body: None, query, answer });
    }

    fn add(&mut self, path: &str, method: &str, operation: Operation) {
        let Operation { summary, body, mut query, answer } = operation;
        if path.contains("{game}") {
            let about = "The name of a game, as GET /api/v1/games tells it.";
            query.insert(0, parameter("game", "path", about, json!({ "type": "string" })));
        }
        if path.contains("{id}") {
            query.push(parameter("id", "path", "The name of a puzzle.", json!({ "type": "string" })));
        }
        for name in ["event", "number"].into_iter().filter(|name| path.contains(&format!("{{{name}}}"))) {
            query.push(parameter(name, "path", "A number from 0 on.", json!({ "type": "integer" })));
        }
        let error = json!({ "description": "What is wrong, and what would be right.",
            "content": { "application/json": { "schema": self.schema::<ErrorBody>() } } });
        let mut entry = json!({
            "summary": summary,
            "parameters": query,
            "responses": { "200": { "description": summary, "content": answer }, "default": error },
        });
        if let (Some(body), Some(entry)) = (body, entry.as_object_mut()) {
            entry.insert("requestBody".to_owned(), json!({ "content": body }));
        }
        let methods = self.paths.entry(path).or_insert_with(|| json!({}));
        if let Some(methods) = methods.as_object_mut() {
            methods.insert(method.to_owned(), entry);
        }
    }
}

fn parameter(name: &str, place: &str, about: &str, schema: Value) -> Value {
    json!({ "name": name, "in": place, "required": place == "path", "description": about, "schema": schema })
}

/// The fields of a type as parameters of a query.
fn parameters<T: JsonSchema>(types: &mut SchemaGenerator) -> Vec<Value> {
    let schema = types.root_schema_for::<T>().to_value();
    let fields = schema["properties"].as_object().cloned().unwrap_or_default();
    let parameter = |(name, field): (String, Value)| {
        parameter(&name, "query", field["description"].as_str().unwrap_or_default(), field.clone())
    };
    fields.into_iter().map(parameter).collect()
}

fn document() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
    });
    let mut query_types =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true).into_generator();
    let query = parameters::<AnalysisQuery>(&mut query_types);
    let mut document = Document { types: settings.into_generator(), paths: Map::new() };
    document.get::<GamesAnswer>("/api/v1/games", "The games, with their formats, engines and levels.");
    document.post::<PositionBody, PositionResponse>(
        "/api/v1/{game}/position",
        "A position: its legal moves, its outcome, and the board to draw.",
    );
    document.post::<EditedBoard, PositionResponse>("/api/v1/{game}/edit", "The position that was set up on a board.");
    document.post::<BestMoveBody, BestMoveAnswer>("/api/v1/{game}/best-move", "The move to play.");
    let events = vec![
        ("waiting", document.schema::<WaitingEvent>()),
        ("start", document.schema::<StartEvent>()),
        ("update", document.schema::<UpdateEvent>()),
        ("done", document.schema::<DoneEvent>()),
        ("failed", document.schema::<ErrorBody>()),
    ];
    document.stream("/api/v1/{game}/analysis", "The best moves, iteration by iteration.", query.clone(), events);
    let events = vec![
        ("waiting", document.schema::<WaitingEvent>()),
        ("start", document.schema::<GameStartEvent>()),
        ("move", document.schema::<MoveEvent>()),
        ("done", document.schema::<GameDoneEvent>()),
        ("failed", document.schema::<ErrorBody>()),
    ];
    document.stream("/api/v1/{game}/game-analysis", "Every move of a game with its value.", query, events);
    document.post::<ImportBody, ImportResponse>("/api/v1/{game}/import", "The records in a text or file.");
    document.post::<RecordExportRequest, ExportAnswer>("/api/v1/{game}/export", "A record in a format.");
    document.post::<MateBody, MateAnswer>("/api/v1/{game}/mate", "A forced mate.");
    document.get::<TableAnswer>("/api/v1/{game}/table", "What there is of the tablebase.");
    document.post::<TableQuery, TableValue>("/api/v1/{game}/table/query", "The exact value of a position.");
    document.get::<LongestResponse>("/api/v1/{game}/table/longest", "The positions farthest from the end.");
    document.post::<BuildBody, BuildStatus>("/api/v1/{game}/table/build", "Starts to build the tablebase.");
    let events = ["progress", "done", "failed"].map(|name| (name, document.schema::<BuildStatus>())).to_vec();
    document.stream("/api/v1/{game}/table/build", "How far the build is.", Vec::new(), events);
    document.post::<PositionBody, BuildStatus>(
        "/api/v1/{game}/table/cancel",
        "Ends the build; another goes on from there.",
    );
    let query = parameters::<PuzzleQuery>(&mut query_types);
    let answer = document.json::<PuzzlesAnswer>();
    let summary = "The puzzles of a game, without their solutions.";
    document.add("/api/v1/{game}/puzzles", "get", Operation { summary, body: None, query, answer });
    document.get::<Puzzle>("/api/v1/{game}/puzzles/{id}", "A puzzle with its solution.");
    document.post::<PuzzleAnswerRequest, PuzzleFeedback>("/api/v1/{game}/puzzles/answer", "What an answer is worth.");
    document.get::<TournamentOverview>("/api/v1/tournament", "The tournament of --tournament: standings and games.");
    document.get::<ClusterStatus>("/api/v1/cluster", "The cluster of --cluster: jobs, workers and faults.");
    document.get::<WatchedReplay>("/api/v1/tournament/games/{event}/{number}", "A game with both engines' values.");
    let events = vec![("tournament", document.schema::<TournamentOverview>())];
    document.stream("/api/v1/tournament/live", "The tournament, whenever a game has ended.", Vec::new(), events);
    let schemas = document.types.take_definitions(true);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "tesuji",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Play, analyse and solve board games. Every request carries its whole position or record.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "paths": document.paths,
        "components": { "schemas": schemas },
    })
}

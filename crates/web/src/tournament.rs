//! `/api/v1/tournament`: the games of a tournament, also while it is played.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::Response;
use tesuji_registry::{Error, TournamentOverview, TournamentWatch};

use crate::body::ok;
use crate::error::ApiError;
use crate::events::Events;
use crate::state::App;

/// As many of the latest games are told.
const GAMES: usize = 500;
/// How often the journal is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// The tournament that this server watches.
pub(crate) struct WatchedTournament(Mutex<TournamentWatch>);

impl WatchedTournament {
    pub(crate) fn new(watch: TournamentWatch) -> WatchedTournament {
        WatchedTournament(Mutex::new(watch))
    }

    /// Asks the tournament as it is now.
    fn ask<T>(&self, question: impl FnOnce(&TournamentWatch) -> Result<T, Error>) -> Result<T, Error> {
        let mut watch = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        watch.refresh()?;
        question(&watch)
    }
}

/// Reads the journal beside the other requests.
async fn ask<T: Send + 'static>(
    app: &App,
    question: impl FnOnce(&App, &TournamentWatch) -> Result<T, Error> + Send + 'static,
) -> Result<T, ApiError> {
    let app = app.clone();
    if app.tournament.is_none() {
        return Err(ApiError::not_found("no tournament is watched; start the server with --tournament DIR"));
    }
    let asked = tokio::task::spawn_blocking(move || match &app.tournament {
        Some(tournament) => tournament.ask(|watch| question(&app, watch)),
        None => Err(Error::Cancelled),
    });
    Ok(asked.await.map_err(|_| ApiError::broken())??)
}

/// `GET /api/v1/tournament`.
pub(crate) async fn overview(State(app): State<App>) -> Result<Response, ApiError> {
    Ok(ok(&ask(&app, |_, watch| Ok(watch.overview(GAMES))).await?))
}

/// `GET /api/v1/tournament/games/{event}/{number}`.
pub(crate) async fn game(
    State(app): State<App>,
    Path((event, number)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let wrong = |_| ApiError::not_found("an event and a game are numbers from 0 on");
    let (event, number) = (event.parse().map_err(wrong)?, number.parse().map_err(wrong)?);
    let found = ask(&app, move |app, watch| Ok(watch.game(&app.registry, event, number))).await?;
    Ok(ok(&found.map_err(|error| ApiError::not_found(error.to_string()))?))
}

/// `GET /api/v1/tournament/live`: the overview whenever a game has ended.
pub(crate) async fn live(State(app): State<App>) -> Result<Response, ApiError> {
    let mut told: TournamentOverview = ask(&app, |_, watch| Ok(watch.overview(GAMES))).await?;
    let events = Events::default();
    let response = events.response(&app);
    tokio::spawn(async move {
        events.push("tournament", &told);
        let mut stopping = app.stopping.clone();
        loop {
            let stop = async { drop(stopping.wait_for(|stop| *stop).await) };
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                () = events.gone() => break,
                () = stop => break,
            }
            match ask(&app, |_, watch| Ok(watch.overview(GAMES))).await {
                Ok(now) if now != told => {
                    events.push("tournament", &now);
                    told = now;
                }
                Ok(_) => events.keep_alive(),
                Err(error) => {
                    events.push("failed", &error.body());
                    break;
                }
            }
        }
        events.finish();
    });
    Ok(response)
}

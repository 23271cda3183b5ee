//! The server: listens, serves each connection in a task of its own, and ends them all.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tesuji_registry::{Registry, TournamentWatch};
use tesuji_task::{CancelToken, cores};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::config::Config;
use crate::connections::{Connections, OpenConnection};
use crate::patient::Patient;
use crate::routes::router;
use crate::state::{App, Client};
use crate::tournament::WatchedTournament;

/// Why a server did not start.
#[derive(Debug)]
pub enum ServeError {
    /// The address cannot be listened on.
    Listen(io::Error),
    /// There is no tournament in the folder.
    Tournament(String),
}

/// A server that listens.
#[derive(Clone, Copy, Debug)]
pub struct Listening {
    /// Its address.
    pub address: SocketAddr,
}

/// How often the server looks whether it is to stop, and whether searches are to make room.
const TICK: Duration = Duration::from_millis(50);

/// Serves these games until the token is cancelled. `listening` is told once clients may come.
///
/// # Errors
/// The address cannot be listened on, or there is no tournament to watch.
pub fn serve(
    registry: &Registry,
    config: Config,
    cancel: &CancelToken,
    listening: impl FnOnce(Listening),
) -> Result<(), ServeError> {
    let watched = config.tournament.as_deref().map(TournamentWatch::open).transpose();
    let watched = watched.map_err(|error| ServeError::Tournament(error.to_string()))?;
    let watched = watched.map(WatchedTournament::new);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(cores().max(2)).enable_all().build();
    let runtime = runtime.map_err(ServeError::Listen)?;
    let done = runtime.block_on(async {
        let (stop, stopping) = watch::channel(false);
        let listener = TcpListener::bind(config.listen).await?;
        let address = listener.local_addr()?;
        listening(Listening { address });
        run(
            listener,
            App::new(registry.clone(), Config { listen: address, ..config }, watched, stopping),
            stop,
            cancel,
        )
        .await;
        Ok(())
    });
    // Searches see their tokens soon; nobody waits for what they find.
    runtime.shutdown_timeout(Duration::from_millis(200));
    done.map_err(ServeError::Listen)
}

async fn run(listener: TcpListener, app: App, stop: watch::Sender<bool>, cancel: &CancelToken) {
    let farewell = app.limits().farewell;
    let open = Connections::new(app.limits());
    let service = router(app.clone());
    let mut connections = JoinSet::new();
    let mut tick = tokio::time::interval(TICK);
    tracing::info!(address = %app.config.listen, "listening");
    while !cancel.is_cancelled() {
        tokio::select! {
            _ = tick.tick() => app.pool.share(),
            Some(_) = connections.join_next() => {}
            accepted = accept(&listener, &open) => {
                if let Some((stream, peer, own)) = accepted {
                    let (app, service) = (app.clone(), service.clone());
                    connections.spawn(async move {
                        app.metrics.connections.fetch_add(1, Ordering::Relaxed);
                        connection(&app, service, stream, peer).await;
                        app.metrics.connections.fetch_sub(1, Ordering::Relaxed);
                        drop(own);
                    });
                }
            }
        }
    }
    drop(listener);
    tracing::info!("stopping");
    let _ = stop.send(true);
    app.builds.cancel();
    let _ = tokio::time::timeout(farewell, async { while connections.join_next().await.is_some() {} }).await;
}

/// The next connection, once there is room for one.
async fn accept(listener: &TcpListener, open: &Connections) -> Option<(TcpStream, SocketAddr, OpenConnection)> {
    let permit = open.room().await?;
    match listener.accept().await {
        // One too many is closed without a word: an answer would cost what the limit is to save.
        Ok((stream, peer)) => open.open(Client::new(peer.ip()), permit).map(|own| (stream, peer, own)),
        Err(error) => {
            // Out of file descriptors, mostly: nothing is gained by trying again at once.
            tracing::warn!(%error, "a connection cannot be accepted");
            tokio::time::sleep(TICK).await;
            None
        }
    }
}

async fn connection(app: &App, service: Router, stream: TcpStream, peer: SocketAddr) {
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(service);
    let answer = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(Client::new(peer.ip()));
        service.call(request)
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(app.limits().patience).max_buf_size(64 << 10);
    let connection = builder.serve_connection(TokioIo::new(Patient::new(stream, app.limits().patience)), answer);
    tokio::pin!(connection);
    let mut stopping = app.stopping.clone();
    let stop = async { drop(stopping.wait_for(|stop| *stop).await) };
    let result = tokio::select! {
        result = connection.as_mut() => result,
        () = stop => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = result {
        tracing::debug!(%peer, %error, "connection ended");
    }
}

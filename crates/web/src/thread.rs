//! Threads for searches, which leave the processor to the answers of requests.

use std::thread::Builder;

use tokio::sync::oneshot;

use crate::error::ApiError;

/// How far a search steps back behind threads that answer requests, as by the command `nice`.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Runs a search on a thread of its own.
///
/// # Errors
/// There are no more threads, or the search panicked.
pub(crate) async fn search<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
    let (send, receive) = oneshot::channel();
    let run = move || {
        // Of this thread only, which ends with its search. A search without it is no worse off.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::nice(NICENESS);
        // Nobody waits any more if the client has gone.
        let _ = send.send(work());
    };
    Builder::new()
        .name("search".to_owned())
        .spawn(run)
        .map_err(|_| ApiError::too_many("no more threads; try again later"))?;
    receive.await.map_err(|_| ApiError::broken())
}

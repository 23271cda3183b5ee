//! What every long computation needs: a cancellation token, progress, parallel maps whose results do not depend on
//! the number of threads, and a schedule for checkpoints. Knows no game and prints nothing.

mod cancel;
mod checkpoint;
mod parallel;
mod progress;
mod team;

pub use cancel::CancelToken;
pub use checkpoint::{CheckpointSchedule, Control};
pub use parallel::{cores, fold, for_each, on_threads, ordered_map, ordered_stream};
pub use progress::{Context, Counter, Progress};
pub use team::Team;

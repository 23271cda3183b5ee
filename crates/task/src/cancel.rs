//! Cancellation of one operation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cancels one operation from outside. Clones share one flag; a [child](CancelToken::child) has its own beside it.
///
/// ```
/// use tesuji_task::CancelToken;
/// let token = CancelToken::new();
/// let clone = token.clone();
/// clone.cancel();
/// assert!(token.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken {
    cancelled: Arc<AtomicBool>,
    parent: Option<Arc<CancelToken>>,
}

impl CancelToken {
    /// A token that is not cancelled.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// A token for a part of the operation: it is cancelled with this one, and can be cancelled alone.
    ///
    /// ```
    /// use tesuji_task::CancelToken;
    /// let token = CancelToken::new();
    /// let (one, other) = (token.child(), token.child());
    /// one.cancel();
    /// assert!(one.is_cancelled() && !other.is_cancelled() && !token.is_cancelled());
    /// token.cancel();
    /// assert!(other.is_cancelled());
    /// ```
    #[must_use]
    pub fn child(&self) -> CancelToken {
        CancelToken { cancelled: Arc::default(), parent: Some(Arc::new(self.clone())) }
    }

    /// Cancels the operation.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Makes the token usable for another operation.
    pub fn reset(&self) {
        self.cancelled.store(false, Ordering::Relaxed);
    }

    /// Whether the operation is to end.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.parent.as_ref().is_some_and(|parent| parent.is_cancelled())
    }
}

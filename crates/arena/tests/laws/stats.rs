//! Figures known to many digits, and what must hold for all results.

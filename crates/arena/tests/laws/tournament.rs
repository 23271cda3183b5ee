//! Schedules, the referee, and runs that are killed.

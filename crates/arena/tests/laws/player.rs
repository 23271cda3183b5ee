//! Players that behave and players that do not.

//! Shogi: board, moves, notation and record formats. No search, no files.

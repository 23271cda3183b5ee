//! Ostle: board, moves, notation, symmetry and record formats. No search, no files.

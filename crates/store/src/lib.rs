//! The only room that writes data files: whole or absent, checksummed, and journals that lose nothing. What the
//! bytes mean is not known here.

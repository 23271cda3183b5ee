//! What results say about strength: pure arithmetic on counts.

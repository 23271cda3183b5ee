//! The laws of learning.

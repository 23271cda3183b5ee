//! A real server on a loopback port, asked over TCP.

#![allow(clippy::unwrap_used)]

mod api;
mod client;
mod cluster;
mod docs;
mod exchange;
mod nim;
mod pool;
mod security;
mod streams;
mod tournament;

//! Games over a network by the match protocol of Othello servers: [`Client`] plays on a server, [`MatchServer`] is one.
//! The peer may send anything, stay silent or disconnect; the worst consequence is a lost game.

mod client;
mod connection;
mod server;

pub use client::{Client, ClientEvent, ClientSettings, Disconnect, OnlineGame, ReconnectDelays};
pub(crate) use connection::Connection;
pub use connection::open_stream;
pub use server::{
    LoginError, MatchServer, MatchServerEvent, ServerGameOutcome, ServerGameResult, ServerReport, ServerSettings,
    ServerTableRow, ServerWinner,
};

//! Games over a network: [`Client`] plays on servers of the Othello match protocol, [`MatchServer`] is one, and
//! [`CsaClient`] plays on shogi servers.
//! The peer may send anything, stay silent or disconnect; the worst consequence is a lost game.

mod client;
mod connection;
mod csa;
mod server;

pub use client::{Client, ClientEvent, ClientSettings, Disconnect, OnlineGame, ReconnectDelays};
pub(crate) use connection::Connection;
pub use connection::open_stream;
pub use csa::{CsaClient, CsaDisconnect, CsaEvent, CsaNotation, CsaOnlineGame, CsaSettings, PlayerMaker};
pub use server::{
    LoginError, MatchServer, MatchServerEvent, ServerGameOutcome, ServerGameResult, ServerReport, ServerSettings,
    ServerTableRow, ServerWinner,
};

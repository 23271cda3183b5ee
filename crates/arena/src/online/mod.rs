//! Games over a network, by the match protocol of Othello servers: [`Client`] plays on somebody's server,
//! [`Host`] is one. Whoever is at the other end may say anything, say nothing, or be gone; the worst that
//! comes of it is a lost game.

mod guest;
mod host;
mod wire;

pub use guest::{Client, ClientEvent, Leaving, OnlineGame, Want};
pub use host::{Gathering, Host, Meeting, Member, News, Outcome, Result, Terms, Winner};

//! Arguments of `serve`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The address to listen on; 0.0.0.0:PORT accepts connections from other machines, port 0 takes any free one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7878")]
    pub(crate) listen: SocketAddr,
    /// Opens the page in a browser.
    #[arg(long)]
    pub(crate) open: bool,
    /// A name under which other machines reach this one; may be repeated.
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,
    /// The folder of a tournament, whose games can be watched and replayed.
    #[arg(long, value_name = "DIR")]
    pub(crate) tournament: Option<PathBuf>,
    /// The database of a cluster, whose jobs and workers are shown at /cluster: postgres://tesuji_submitter@host/name.
    #[arg(long, value_name = "URL")]
    pub(crate) cluster: Option<String>,
    /// The folder of tablebases [default: tables in the data folder].
    #[arg(long, value_name = "DIR")]
    pub(crate) table: Option<PathBuf>,
    /// Reads the page from this folder instead, at every request: for those who write it.
    #[arg(long, value_name = "DIR", hide = true)]
    pub(crate) assets: Option<PathBuf>,
}

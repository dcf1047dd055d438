//! The configuration of a server.

use palestra_arena::Catalog;
use palestra_tune::methods::MethodInfo;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// The configuration of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// The games that can be shown and played.
    pub catalog: &'static Catalog,
    /// Further tuning methods, which start programs; they are offered only with [`Config::allow_programs`].
    pub methods: &'static [MethodInfo],
    /// The file of the store; it need not exist.
    pub store: PathBuf,
    /// The folder of study results; it need not exist.
    pub studies: PathBuf,
    /// The `palestra` program, which is started for runs and events; with `None` the page starts none.
    pub program: Option<PathBuf>,
    /// The address to listen on.
    pub address: SocketAddr,
    /// The secret that visitors must know; `None` requires no secret.
    pub token: Option<String>,
    /// Whether runs and events started from the page may use external programs.
    pub allow_programs: bool,
    /// Whether to serve `/metrics` in the format of Prometheus.
    pub metrics: bool,
    /// Limits per visitor and in total.
    pub limits: ServerLimits,
}

/// Limits on connections, requests and searches, so that no visitor can block the others.
#[derive(Clone, Copy, Debug)]
pub struct ServerLimits {
    /// Open connections at the same time.
    pub connections: usize,
    /// Bytes of a request's body.
    pub body_bytes: usize,
    /// Average requests per second of one address.
    pub requests_per_second: u32,
    /// Requests that one address may send at once.
    pub burst: u32,
    /// Time for a client to send the headers of a request.
    pub header_time: Duration,
    /// Time that a write may wait for a client that does not read.
    pub write_time: Duration,
    /// Time for a whole request; event streams are exempt.
    pub request_time: Duration,
    /// Searches that run at the same time.
    pub concurrent_searches: usize,
    /// Searches that may wait for one of these.
    pub queued_searches: usize,
}

impl Default for ServerLimits {
    fn default() -> ServerLimits {
        ServerLimits {
            connections: 1024,
            body_bytes: 256 * 1024,
            requests_per_second: 500,
            burst: 2000,
            header_time: Duration::from_secs(10),
            write_time: Duration::from_secs(30),
            request_time: Duration::from_secs(30),
            concurrent_searches: std::thread::available_parallelism().map_or(1, usize::from),
            queued_searches: 64,
        }
    }
}

/// An address that other machines can reach, without a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{address} can be reached from other machines: add --token SECRET, which visitors must know, or listen on 127.0.0.1"
)]
pub struct NeedsToken {
    /// The address to listen on.
    pub address: SocketAddr,
}

impl Config {
    /// A server for this machine only, on port 8007, that starts no processes.
    pub fn new(catalog: &'static Catalog, store: PathBuf) -> Config {
        Config {
            catalog,
            methods: &[],
            store,
            studies: PathBuf::from("palestra-studies"),
            program: None,
            address: SocketAddr::from(([127, 0, 0, 1], 8007)),
            token: None,
            allow_programs: false,
            metrics: false,
            limits: ServerLimits::default(),
        }
    }

    /// Requires a token where the address can be reached from other machines.
    pub fn check(&self) -> Result<(), NeedsToken> {
        match self.address.ip().is_loopback() || self.token.as_ref().is_some_and(|token| !token.is_empty()) {
            true => Ok(()),
            false => Err(NeedsToken { address: self.address }),
        }
    }
}

//! What a server is told when it is started.

use palestra_arena::Catalog;
use palestra_tune::methods::MethodInfo;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Everything a server is told.
#[derive(Clone, Debug)]
pub struct Config {
    /// The games.
    pub catalog: &'static Catalog,
    /// Methods of tuning beside the usual ones: programs, which are offered only where [`Config::allow_programs`] is.
    pub methods: &'static [MethodInfo],
    /// The store; it need not exist.
    pub store: PathBuf,
    /// Where studies are done; it need not exist.
    pub studies: PathBuf,
    /// This very program, which is started for runs and events; without it the page starts none.
    pub program: Option<PathBuf>,
    /// Where to listen.
    pub address: SocketAddr,
    /// What visitors must know, where there is a secret.
    pub token: Option<String>,
    /// Whether the page may start outside programs.
    pub allow_programs: bool,
    /// Whether to answer `/metrics`.
    pub metrics: bool,
    /// What a visitor may take.
    pub limits: ServerLimits,
}

/// What visitors may take, so that none takes it from the others.
#[derive(Clone, Copy, Debug)]
pub struct ServerLimits {
    /// Connections at a time.
    pub connections: usize,
    /// The longest body of a request.
    pub body_bytes: usize,
    /// Requests of one address in a second, on the average.
    pub requests_per_second: u32,
    /// Requests of one address that may come at once.
    pub burst: u32,
    /// How long a client may take to say what it wants.
    pub header_time: Duration,
    /// How long an answer may wait for a client that does not read it.
    pub write_time: Duration,
    /// How long a request may take in all; streams are no requests.
    pub request_time: Duration,
    /// Searches at a time.
    pub concurrent_searches: usize,
    /// Searches that may wait for their turn.
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

/// A server that others can reach has a secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{address} can be reached from other machines: add --token SECRET, which visitors must know, or listen on 127.0.0.1"
)]
pub struct NeedsToken {
    /// Where it was to listen.
    pub address: SocketAddr,
}

impl Config {
    /// The usual server: this machine only, no programs.
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

    /// Refuses to open the door to everybody.
    pub fn check(&self) -> Result<(), NeedsToken> {
        match self.address.ip().is_loopback() || self.token.as_ref().is_some_and(|token| !token.is_empty()) {
            true => Ok(()),
            false => Err(NeedsToken { address: self.address }),
        }
    }
}

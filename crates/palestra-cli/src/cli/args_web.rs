//! Arguments of `palestra serve`.

use std::net::SocketAddr;

/// Serve the web page: watch runs and events, play games
///
/// One server for everything in the store, which need not exist yet. Ctrl-C stops it: runs and events that were started
/// from the page stop too, keep their results and can be continued later.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  palestra serve                                    http://127.0.0.1:8007, for this machine only
  palestra serve --listen 127.0.0.1:0 --no-browser  any free port, no browser
  palestra serve --listen 0.0.0.0:8007 --token $(openssl rand -hex 16)
                                                    for a classroom: visitors need the token

Without --allow-programs the page never starts an external program. What the page shows, and how to
run it for a classroom: docs/page.md.
Exit codes: 0 stopped by Ctrl-C or SIGTERM; 1 the address is in use, or a system error; 2 invalid
input, nothing was served; 130 stopped by a second signal, without waiting for runs and events.")]
pub(in crate::cli) struct ServeArgs {
    /// Address to listen on; any but a loopback address needs --token
    #[arg(long, default_value = "127.0.0.1:8007", value_name = "ADDRESS:PORT")]
    pub(in crate::cli) listen: SocketAddr,
    /// Secret that visitors need: at least 8 letters, digits, - and _
    #[arg(long, value_name = "SECRET", env = "PALESTRA_TOKEN", hide_env_values = true)]
    pub(in crate::cli) token: Option<String>,
    /// Let the page start external programs: engines of events and tuning methods
    #[arg(long)]
    pub(in crate::cli) allow_programs: bool,
    /// Folder of the studies whose reports are shown
    #[arg(long, default_value = "palestra-studies", value_name = "DIR")]
    pub(in crate::cli) studies: std::path::PathBuf,
    /// Serve Prometheus metrics at /metrics
    #[arg(long)]
    pub(in crate::cli) metrics: bool,
    /// Do not open a browser
    #[arg(long)]
    pub(in crate::cli) no_browser: bool,
}

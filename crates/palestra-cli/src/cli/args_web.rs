//! The raw arguments of the page.

use std::net::SocketAddr;

/// Open Palestra in a browser: watch runs and events live, look inside games, play
///
/// One server for everything in the store, which need not exist yet. Ctrl-C ends it; whatever was started from the page
/// is stopped, keeps what it has, and can go on later.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  palestra serve                                    http://127.0.0.1:8007, for this machine only
  palestra serve --listen 127.0.0.1:0 --no-browser  any free port, and nothing is opened
  palestra serve --listen 0.0.0.0:8007 --token $(openssl rand -hex 16)
                                                    for a classroom: visitors need the token

Without --allow-programs no outside program is ever started from the page. What the page shows, and how to run it for a
classroom: docs/page.md.
Exit codes: 0 it was asked to end (Ctrl-C, SIGTERM) and did; 1 the address is taken or the machine failed; 2 bad input,
nothing was served; 130 it was asked twice, and did not wait for its runs and events.")]
pub(in crate::cli) struct ServeArgs {
    /// Where to listen; any other address than this machine's own needs --token
    #[arg(long, default_value = "127.0.0.1:8007", value_name = "ADDRESS:PORT")]
    pub(in crate::cli) listen: SocketAddr,
    /// What visitors must know: letters, digits, - and _, at least 8 of them
    #[arg(long, value_name = "SECRET", env = "PALESTRA_TOKEN", hide_env_values = true)]
    pub(in crate::cli) token: Option<String>,
    /// Let the page start outside programs, as players of events and as methods of tuning
    #[arg(long)]
    pub(in crate::cli) allow_programs: bool,
    /// Where studies are done, whose reports are shown
    #[arg(long, default_value = "palestra-studies", value_name = "DIR")]
    pub(in crate::cli) studies: std::path::PathBuf,
    /// Answer /metrics, for those who watch servers
    #[arg(long)]
    pub(in crate::cli) metrics: bool,
    /// Open no browser
    #[arg(long)]
    pub(in crate::cli) no_browser: bool,
}

//! `palestra serve`.

use super::args::CommonArgs;
use super::args_web::ServeArgs;
use super::output::{Output, note};
use super::{CommandStatus, external};
use crate::games;
use anyhow::{Context, Result};
use palestra_core::InputError;
use palestra_store::{Store, StoreError};
use palestra_web::Config;
use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Limit on the threads that read the store and search. Without it there would be one per request, each with its own
/// memory.
const BLOCKING_THREADS: usize = 32;

/// Minimum length of the token.
const MIN_TOKEN_LENGTH: usize = 8;

pub(super) fn run(args: &ServeArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let config = config(args, common)?;
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.enable_all().max_blocking_threads(BLOCKING_THREADS).build()?;
    let served = runtime.block_on(serve(config, args, output));
    // Searches of closed connections are not waited for.
    runtime.shutdown_timeout(Duration::from_millis(200));
    served
}

fn config(args: &ServeArgs, common: &CommonArgs) -> Result<Config> {
    if let Some(token) = &args.token {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if token.len() < MIN_TOKEN_LENGTH || !token.chars().all(is_plain) {
            // The secret itself is not repeated in the message.
            let reason = format!(
                "a token has at least {MIN_TOKEN_LENGTH} letters, digits, - and _, because it is part of an address"
            );
            return Err(InputError::not_allowed("--token", reason).into());
        }
    }
    // A store that cannot be read would make every page an error; one that does not exist yet, or is older, is fine.
    match Store::open_read_only(&common.store) {
        Ok(_) | Err(StoreError::Missing { .. } | StoreError::Older { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    let config = Config {
        methods: external::METHODS,
        studies: std::path::absolute(&args.studies)?,
        program: Some(std::env::current_exe().context("cannot find this program")?),
        address: args.listen,
        token: args.token.clone(),
        allow_programs: args.allow_programs,
        metrics: args.metrics,
        ..Config::new(games(), std::path::absolute(&common.store)?)
    };
    config.check().map_err(|needs| {
        let expected = "a loopback address, such as 127.0.0.1:8007, or --token SECRET as well: other addresses can be \
                        reached from the network";
        InputError::new("--listen", needs.address.to_string(), expected)
    })?;
    Ok(config)
}

async fn serve(config: Config, args: &ServeArgs, output: &mut Output) -> Result<CommandStatus> {
    // Before the address is printed: its reader may send a signal at once.
    let mut signals = Signals::new()?;
    let token = config.token.clone();
    let bound =
        palestra_web::bind(config).await.with_context(|| format!("cannot listen on {}", args.listen))?;
    let address = bound.address()?;
    let page = format!("http://{address}/");
    let entrance = token.map_or_else(|| page.clone(), |token| format!("{page}?token={token}"));
    if output.json {
        output.json(&serde_json::json!({ "address": page }))?;
    } else {
        output.line(format_args!("Palestra is at {page}"))?;
    }
    output.flush()?;
    note("Ctrl-C stops it");
    if !args.no_browser && std::io::stdout().is_terminal() {
        open_browser(&entrance);
    }
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving = bound.serve(async {
        // The sender lives as long as the server, so that this is never an error.
        let _ = stopped.await;
    });
    let second_signal = async {
        signals.next().await;
        let _ = writeln!(std::io::stderr(), "stopping; runs and events keep their results");
        let _ = stop.send(());
        signals.next().await;
    };
    tokio::select! {
        () = serving => Ok(CommandStatus::Completed),
        () = second_signal => Ok(CommandStatus::Interrupted),
    }
}

/// Opens a browser, if there is a display.
fn open_browser(address: &str) {
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    if has_screen {
        let mut browser = Command::new("xdg-open");
        // Without xdg-open the user can open the printed address.
        let _ = browser.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    }
}

/// SIGINT (Ctrl-C) and SIGTERM.
#[cfg(unix)]
struct Signals([tokio::signal::unix::Signal; 2]);

#[cfg(unix)]
impl Signals {
    fn new() -> Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals([signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?]))
    }

    /// Waits for one of the two.
    async fn next(&mut self) {
        let [interrupt, terminate] = &mut self.0;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    }
}

/// Ctrl-C, the only stop request outside Unix.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> Result<Signals> {
        Ok(Signals)
    }

    /// Waits for it.
    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            // Without a handler no stop request can arrive: wait forever.
            std::future::pending::<()>().await;
        }
    }
}

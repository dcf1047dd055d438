//! Ctrl-C: stop cleanly, or say how to go on.

use super::args::CommonArgs;
use super::output::quoted;
use anyhow::Result;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Raised at the first Ctrl-C; a second one ends the process at once.
pub(super) fn flag() -> Result<Arc<AtomicBool>> {
    let raised = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&raised);
    ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::SeqCst) {
            std::process::exit(i32::from(super::INTERRUPTED));
        }
    })?;
    Ok(raised)
}

/// The same flag; where it is tied, it is raised as well when standard input ends: whoever held the other end is gone.
pub(super) fn flag_tied(is_tied: bool) -> Result<Arc<AtomicBool>> {
    let raised = flag()?;
    if is_tied {
        let seen = Arc::clone(&raised);
        std::thread::spawn(move || {
            // Whatever is said there, only its end counts; and one that cannot be read has ended.
            let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
            seen.store(true, Ordering::SeqCst);
        });
    }
    Ok(raised)
}

/// The command that was typed, ready to be typed again.
pub(super) fn same_command() -> String {
    std::env::args().map(|word| quoted(&word)).collect::<Vec<_>>().join(" ")
}

/// The command that goes on with a run of the store.
pub(super) fn resume_command(run: &str, common: &CommonArgs) -> String {
    let program = std::env::args().next().unwrap_or_else(|| "palestra".to_owned());
    let store = common.store.display().to_string();
    ["run", "resume", run, "--store", &store]
        .iter()
        .fold(quoted(&program), |line, word| line + " " + &quoted(word))
}

/// A line to print when Ctrl-C ends the process; changes as the work goes on.
pub(super) fn exit_message() -> Result<Arc<Mutex<String>>> {
    let words = Arc::new(Mutex::new(String::new()));
    let said = Arc::clone(&words);
    ctrlc::set_handler(move || {
        let words = said.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("\n{words}\n").as_bytes());
        std::process::exit(i32::from(super::INTERRUPTED));
    })?;
    Ok(words)
}

//! Ctrl-C: a stop flag, or a message that says how to continue.

use super::args::CommonArgs;
use super::output::quoted;
use anyhow::Result;
use palestra_core::{CancelFlag, Progress};
use std::process::Child;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// The flag of this process, if it has one.
static FLAG: OnceLock<CancelFlag> = OnceLock::new();

/// A flag that the first Ctrl-C sets; a second one ends the process at once.
pub(super) fn flag() -> Result<CancelFlag> {
    let flag = CancelFlag::default();
    palestra_search::set_cancel_flag(&flag);
    let _ = FLAG.set(flag.clone());
    let canceled = flag.clone();
    ctrlc::set_handler(move || {
        if canceled.cancel() {
            end_children();
            std::process::exit(i32::from(super::INTERRUPTED));
        }
    })?;
    Ok(flag)
}

/// Whether the work of this process was canceled.
pub(super) fn is_canceled() -> bool {
    FLAG.get().is_some_and(CancelFlag::is_canceled)
}

/// A child process, shared with the handler of Ctrl-C.
type SharedChild = Arc<Mutex<Child>>;

/// The child processes that do not outlive this one.
static CHILDREN: Mutex<Vec<SharedChild>> = Mutex::new(Vec::new());

/// A second Ctrl-C ends this child as well.
pub(super) fn end_with_process(child: &SharedChild) {
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(child));
}

/// Ends a child process.
pub(super) fn end(child: &SharedChild) {
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner).retain(|other| !Arc::ptr_eq(other, child));
    let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
    // It may have ended already.
    let _ = child.kill();
    let _ = child.wait();
}

fn end_children() {
    for child in CHILDREN.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        let _ = child.lock().unwrap_or_else(PoisonError::into_inner).kill();
    }
}

/// Progress of work that Ctrl-C cancels.
pub(super) fn progress() -> Result<Progress> {
    Ok(Progress::new(flag()?))
}

/// Time that a process has to store its results after its parent has gone.
const LAST_WORK: Duration = Duration::from_secs(30);

/// Ends this process when standard input ends: the parent process is gone then. Work with a flag is stopped as by
/// Ctrl-C, other work at once.
pub(super) fn tie_to_parent() -> Result<()> {
    std::thread::Builder::new().spawn(|| {
        // Only the end counts, not the content; an error is an end.
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        if let Some(flag) = FLAG.get() {
            flag.cancel();
            std::thread::sleep(LAST_WORK);
        }
        std::process::exit(i32::from(super::INTERRUPTED));
    })?;
    Ok(())
}

/// The command line of this process, quoted for a shell.
pub(super) fn same_command() -> String {
    std::env::args().map(|argument| quoted(&argument)).collect::<Vec<_>>().join(" ")
}

/// The command that continues a run of the store.
pub(super) fn resume_command(run: &str, common: &CommonArgs) -> String {
    let program = std::env::args().next().unwrap_or_else(|| "palestra".to_owned());
    let store = common.store.display().to_string();
    ["run", "resume", run, "--store", &store]
        .iter()
        .fold(quoted(&program), |line, argument| line + " " + &quoted(argument))
}

/// A message that Ctrl-C prints before it ends the process; the caller updates it.
pub(super) fn exit_message() -> Result<Arc<Mutex<String>>> {
    let message = Arc::new(Mutex::new(String::new()));
    let shared = Arc::clone(&message);
    ctrlc::set_handler(move || {
        let message = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("\n{message}\n").as_bytes());
        std::process::exit(i32::from(super::INTERRUPTED));
    })?;
    Ok(message)
}

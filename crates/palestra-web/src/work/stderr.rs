//! The last line that a process wrote to standard error.

use std::io::{PipeReader, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// Bytes that are kept: the last ones.
const MAX_BYTES: usize = 4096;

/// Characters of a line that are shown.
const MAX_CHARS: usize = 300;

/// Time to wait for the end of the pipe, which children of the ended process may still hold open.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(500);

/// The end of a process's standard error.
pub(super) struct ProcessStderr {
    kept: Arc<Mutex<Vec<u8>>>,
    closed: oneshot::Receiver<()>,
}

impl ProcessStderr {
    /// Reads a pipe to its end on a new thread, so that the process never blocks on a full pipe.
    pub(super) fn of(mut pipe: PipeReader) -> ProcessStderr {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let (sender, closed) = oneshot::channel();
        let end = Arc::clone(&kept);
        std::thread::spawn(move || {
            let mut buffer = [0; 1024];
            while let Ok(n) = pipe.read(&mut buffer) {
                if n == 0 {
                    break;
                }
                let mut kept = end.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend_from_slice(&buffer[..n]);
                let surplus = kept.len().saturating_sub(MAX_BYTES);
                kept.drain(..surplus);
            }
            let _ = sender.send(());
        });
        ProcessStderr { kept, closed }
    }

    /// The last line that is not empty; to be called when the process has ended.
    pub(super) async fn last_line(self) -> Option<String> {
        let _ = tokio::time::timeout(CLOSE_TIMEOUT, self.closed).await;
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept);
        let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty())?;
        Some(line.chars().filter(|c| !c.is_control()).take(MAX_CHARS).collect())
    }
}

/// A line with `…` in place of the path of the store and of every other absolute path.
pub(super) fn without_paths(line: &str, store: &str) -> String {
    let line = if store.is_empty() { line.to_owned() } else { line.replace(store, "…") };
    let mut shown = String::new();
    let mut chars = line.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        // Player strings contain slashes as well, but never at the beginning of a word.
        let begins = !before.is_alphanumeric() && !")]_-.…".contains(before);
        if c == '/' && begins && chars.peek().is_some_and(|next| !next.is_whitespace()) {
            shown.push('…');
            while chars.next_if(|next| !next.is_whitespace() && !"\"'`(),;".contains(*next)).is_some() {}
            before = '…';
        } else {
            shown.push(c);
            before = c;
        }
    }
    shown
}

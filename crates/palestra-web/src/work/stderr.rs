//! What a process said last.

use std::io::{PipeReader, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// Bytes of the end that are kept.
const KEPT: usize = 4096;

/// Letters of a line that are told.
const LONGEST: usize = 300;

/// A process that ended has said everything, unless children of its own still hold the pipe.
const PATIENCE: Duration = Duration::from_millis(500);

/// The end of what a process says.
pub(super) struct ProcessStderr {
    kept: Arc<Mutex<Vec<u8>>>,
    over: oneshot::Receiver<()>,
}

impl ProcessStderr {
    /// Reads a pipe to its end, so that whoever writes never waits.
    pub(super) fn of(mut pipe: PipeReader) -> ProcessStderr {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let (tell, over) = oneshot::channel();
        let end = Arc::clone(&kept);
        std::thread::spawn(move || {
            let mut buffer = [0; 1024];
            while let Ok(n) = pipe.read(&mut buffer) {
                if n == 0 {
                    break;
                }
                let mut kept = end.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend_from_slice(&buffer[..n]);
                let surplus = kept.len().saturating_sub(KEPT);
                kept.drain(..surplus);
            }
            let _ = tell.send(());
        });
        ProcessStderr { kept, over }
    }

    /// The last line that is not empty, once the process is over.
    pub(super) async fn last_line(self) -> Option<String> {
        let _ = tokio::time::timeout(PATIENCE, self.over).await;
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept);
        let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty())?;
        Some(line.chars().filter(|c| !c.is_control()).take(LONGEST).collect())
    }
}

/// A line in which `…` stands for the store and for every other place of the machine.
pub(super) fn without_places(line: &str, store: &str) -> String {
    let line = if store.is_empty() { line.to_owned() } else { line.replace(store, "…") };
    let mut told = String::new();
    let mut letters = line.chars().peekable();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        // Player strings have slashes, too, but never at the beginning of a word.
        let begins = !before.is_alphanumeric() && !")]_-.…".contains(before);
        if letter == '/' && begins && letters.peek().is_some_and(|next| !next.is_whitespace()) {
            told.push('…');
            while letters.next_if(|next| !next.is_whitespace() && !"\"'`(),;".contains(*next)).is_some() {}
            before = '…';
        } else {
            told.push(letter);
            before = letter;
        }
    }
    told
}

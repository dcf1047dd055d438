//! Games of many pairs on several threads: matches, tuning batches and tournaments are played with these functions.

use crate::seat::VoidGame;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Does the jobs `0..n_jobs` on the threads of the current rayon pool. Jobs are started in order, and the results are in
/// order too; after a stop, those at the end may be missing. Each thread makes a worker first, from its number, and keeps it for all its jobs. After a job without a
/// result or with an error, no further job is started.
pub fn run_jobs<W, T: Send, E: Send>(
    n_jobs: usize,
    worker: impl Fn(usize) -> W + Sync,
    job: impl Fn(&mut W, usize) -> Result<Option<T>, E> + Sync,
) -> Result<Vec<Option<T>>, E> {
    let next = AtomicUsize::new(0);
    // Grows with the jobs that are done: most of a long match that is stopped was never begun.
    let done: Mutex<Vec<Option<T>>> = Mutex::new(Vec::new());
    let error: Mutex<Option<E>> = Mutex::new(None);
    let work = |number: usize| {
        let mut state = None;
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= n_jobs {
                return;
            }
            match job(state.get_or_insert_with(|| worker(number)), i) {
                Ok(Some(result)) => {
                    let mut done = lock(&done);
                    if done.len() <= i {
                        done.resize_with(i + 1, || None);
                    }
                    done[i] = Some(result);
                }
                Ok(None) => next.store(n_jobs, Ordering::Relaxed),
                Err(failure) => {
                    next.store(n_jobs, Ordering::Relaxed);
                    lock(&error).get_or_insert(failure);
                }
            }
        }
    };
    rayon::scope(|scope| {
        for number in 0..rayon::current_num_threads().min(n_jobs) {
            let work = &work;
            scope.spawn(move |_| work(number));
        }
    });
    match error.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(failure) => Err(failure),
        None => Ok(done.into_inner().unwrap_or_else(PoisonError::into_inner)),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Most attempts at a game that is void.
const MAX_TRIES: u32 = 5;

/// Plays a game with `play`, and plays it again while it is void and `voided` lets it continue. `Ok(None)` is a game that
/// was given up; after five void games the last reason is returned.
pub fn play_until_it_counts<T>(
    mut play: impl FnMut() -> Result<T, VoidGame>,
    mut voided: impl FnMut(&VoidGame) -> ControlFlow<()>,
) -> Result<Option<T>, VoidGame> {
    let mut tries = 1;
    loop {
        match play() {
            Ok(result) => return Ok(Some(result)),
            Err(void) if voided(&void).is_break() => return Ok(None),
            Err(void) if tries == MAX_TRIES => return Err(void),
            Err(_) => tries += 1,
        }
    }
}

use super::*;
use crate::records::NewRun;
use std::env;
use std::fs;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// A store with one run in a temporary folder, which is removed on drop.
struct TestStore {
    folder: PathBuf,
    store: Store,
    run: RunId,
}

impl TestStore {
    fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("palestra-ledger-{}-{number}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let mut store = Store::open(folder.join("palestra.db")).unwrap();
        let new = NewRun {
            stem: "toy".into(),
            kind: "tune".into(),
            plan: String::new(),
            old_plan: None,
            seed: 1,
            version: "1".into(),
            weights: vec!["one".into()],
        };
        let run = store.begin_run(&new).unwrap().id;
        Self { folder, store, run }
    }

    fn ledger(&self) -> RunLedger {
        self.store.ledger(self.run).unwrap()
    }

    /// Number of committed games.
    fn n_games(&self) -> u64 {
        self.store.run_by_id(self.run).unwrap().n_games
    }
}

impl Drop for TestStore {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.folder));
    }
}

const KEY: ContentKey = [0xFF; 32];
const OTHER: ContentKey = [0xFE; 32];

#[test]
fn a_thousand_games_are_committed_at_once() {
    let test = TestStore::new();
    let ledger = test.ledger();
    ledger.keep_unit(&KEY, 0, vec![], 999).unwrap();
    ledger.keep_unit(&KEY, 1, vec![], 1).unwrap();
    assert_eq!(test.n_games(), 1_000);
    ledger.keep_unit(&KEY, 2, vec![], 5_000).unwrap();
    assert_eq!(test.n_games(), 6_000);
}

#[test]
fn commits_are_few() {
    let test = TestStore::new();
    let sql = "CREATE TABLE commits (n);
               CREATE TRIGGER counted AFTER UPDATE OF n_games ON runs BEGIN INSERT INTO commits VALUES (1); END;";
    test.store.connection.execute_batch(sql).unwrap();
    let ledger = test.ledger();
    let start = Instant::now();
    for unit in 0..10_000 {
        ledger.keep_unit(&KEY, unit, vec![0; 8], 1).unwrap();
    }
    ledger.flush().unwrap();
    let max_commits = 11 + start.elapsed().as_secs();
    let count: u64 =
        test.store.list("SELECT count(*) FROM commits", [], |row| row.get::<_, u32>(0)).unwrap()[0].into();
    assert!((10..=max_commits).contains(&count), "{count} commits, expected 10 to {max_commits}");
}

#[test]
fn a_batch_counts_instead_of_its_units() {
    let test = TestStore::new();
    let ledger = test.ledger();
    let check = |expected: u64, units: &[(u32, Vec<u8>)], result: Option<&[u8]>| {
        // Before and after the commit.
        for _ in 0..2 {
            assert_eq!(ledger.units(&KEY).unwrap(), units);
            assert_eq!(ledger.finished(&KEY).unwrap().as_deref(), result);
            ledger.flush().unwrap();
        }
        assert_eq!(test.n_games(), expected);
    };
    ledger.keep_unit(&KEY, 3, vec![3], 30).unwrap();
    ledger.keep_unit(&OTHER, 0, vec![9], 5).unwrap();
    check(35, &[(3, vec![3])], None);
    ledger.keep_unit(&KEY, 1, vec![1], 10).unwrap();
    ledger.keep_unit(&KEY, 3, vec![99], 99).unwrap();
    check(45, &[(1, vec![1]), (3, vec![3])], None);
    ledger.keep_unit(&KEY, 2, vec![2], 20).unwrap();
    ledger.finish_batch(&KEY, vec![1, 2, 3], 60).unwrap();
    check(65, &[], Some(&[1, 2, 3]));
    // A unit of a finished batch is ignored.
    ledger.keep_unit(&KEY, 4, vec![4], 40).unwrap();
    ledger.flush().unwrap();
    check(65, &[], Some(&[1, 2, 3]));
}

#[test]
fn a_batch_has_one_result() {
    let test = TestStore::new();
    let ledger = test.ledger();
    ledger.finish_batch(&KEY, vec![1], 10).unwrap();
    for _ in 0..2 {
        ledger.finish_batch(&KEY, vec![1], 10).unwrap();
        let error = ledger.finish_batch(&KEY, vec![2], 10).unwrap_err();
        assert!(error.to_string().contains("a batch (ffffffff) of the run \"toy-1\""), "{error}");
        ledger.flush().unwrap();
    }
    assert_eq!(ledger.finished(&KEY).unwrap(), Some(vec![1]));
    assert_eq!(test.n_games(), 10);
}

#[test]
fn an_error_lasts_until_a_flush_succeeds() {
    let test = TestStore::new();
    let ledger = test.ledger();
    ledger.finish_batch(&OTHER, vec![1], 1_000).unwrap();
    let limit = |pages: u32| {
        let state = ledger.shared.lock();
        state.connection.pragma_update(None, "max_page_count", pages).unwrap();
    };
    // SQLite raises a limit below the present size to the present size.
    limit(1);
    let result = vec![5; 100_000];
    let is_full = |result: Result<()>| matches!(result, Err(StoreError::Full { .. }));
    assert!(is_full(ledger.keep_unit(&KEY, 0, result.clone(), 1_000)));
    assert!(is_full(ledger.keep_unit(&KEY, 1, vec![1], 1)));
    assert!(is_full(ledger.flush()));
    assert!(is_full(ledger.finish("1")));
    // Pending writes are still in memory, and committed ones are safe.
    assert_eq!(ledger.finished(&OTHER).unwrap(), Some(vec![1]));
    assert_eq!(ledger.units(&KEY).unwrap(), [(0, result.clone()), (1, vec![1])]);
    assert_eq!(test.n_games(), 1_000);
    assert_eq!(test.store.check().unwrap(), [""; 0]);
    limit(1_000_000);
    ledger.flush().unwrap();
    assert_eq!(test.n_games(), 2_001);
    ledger.keep_unit(&KEY, 2, vec![2], 1_000).unwrap();
    drop(ledger);
    let units = test.ledger().units(&KEY).unwrap();
    assert_eq!(units, [(0, result), (1, vec![1]), (2, vec![2])]);
}

#[test]
fn a_store_that_another_connection_holds_is_busy() {
    let test = TestStore::new();
    let ledger = test.ledger();
    ledger.shared.lock().connection.busy_timeout(Duration::ZERO).unwrap();
    test.store.connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = ledger.keep_unit(&KEY, 0, vec![1], 1_000).unwrap_err();
    assert!(matches!(error, StoreError::Busy { .. }) && !error.is_bad_input(), "{error}");
    test.store.connection.execute_batch("COMMIT").unwrap();
    ledger.flush().unwrap();
    assert_eq!(test.n_games(), 1_000);
}

#[test]
fn a_dropped_ledger_is_flushed() {
    let test = TestStore::new();
    test.ledger().keep_unit(&KEY, 0, vec![1], 1).unwrap();
    assert_eq!(test.n_games(), 1);
    let run = test.store.run_by_id(test.run).unwrap();
    assert_eq!(run.state, RunState::Interrupted);
    assert!(run.seconds > 0.0);
    let names = fs::read_dir(&test.folder).unwrap().map(|file| file.unwrap().file_name());
    assert!(!names.into_iter().any(|name| name.to_string_lossy().contains("lock")), "a lock is left");
}

#[test]
fn many_threads_share_a_ledger() {
    let test = TestStore::new();
    let ledger = test.ledger();
    thread::scope(|scope| {
        for thread in 0..4 {
            let ledger = &ledger;
            scope.spawn(move || {
                for i in 0..250 {
                    ledger.keep_unit(&KEY, 4 * i + thread, vec![thread as u8], 7).unwrap();
                    // All threads finish the same batches.
                    ledger.finish_batch(&[i as u8; 32], vec![i as u8], 1).unwrap();
                }
            });
        }
    });
    ledger.flush().unwrap();
    let units: Vec<u32> = ledger.units(&KEY).unwrap().into_iter().map(|(unit, _)| unit).collect();
    assert!(units.into_iter().eq(0..1_000));
    assert_eq!(test.n_games(), 7 * 1_000 + 250);
}

#[test]
#[should_panic(expected = "every candidate has 1 weights")]
fn candidates_have_as_many_weights_as_there_are_names() {
    let test = TestStore::new();
    let candidate = Candidate { weights: vec![1.0, 2.0], fitness: 0.0 };
    drop(test.ledger().keep_generation(generation("{}"), vec![candidate]));
}

#[test]
#[should_panic(expected = "not JSON")]
fn metrics_must_be_json() {
    drop(TestStore::new().ledger().keep_generation(generation("{"), vec![]));
}

fn generation(metrics: &str) -> StoredGeneration {
    StoredGeneration {
        number: 0,
        n_games: 0,
        best: 0.0,
        mean: 0.0,
        worst: 0.0,
        best_number: 0,
        spread: 0.0,
        angle: 0.0,
        metrics: metrics.into(),
    }
}

#[test]
fn live_status_is_committed_rarely_and_the_latest_stays() {
    let test = TestStore::new();
    let sql = "CREATE TABLE commits (n);
               CREATE TRIGGER status_written AFTER INSERT ON live BEGIN INSERT INTO commits VALUES (1); END;";
    test.store.connection.execute_batch(sql).unwrap();
    let ledger = test.ledger();
    let before = test.store.run_by_id(test.run).unwrap();
    let start = Instant::now();
    let mut last = 0;
    while start.elapsed() < Duration::from_millis(700) {
        last += 1;
        ledger.set_live_status(format!("{{\"ply\": {last}}}")).unwrap();
    }
    let what = format!("{{\"ply\": {last}}}");
    while test.store.live_status(test.run).unwrap().is_none_or(|live| live.what != what) {
        assert!(start.elapsed() < Duration::from_secs(10), "the last status was not committed");
        thread::yield_now();
    }
    let max_commits = 2 + start.elapsed().as_millis() / 250;
    let count = test.store.list("SELECT count(*) FROM commits", [], |row| row.get::<_, u32>(0)).unwrap()[0];
    assert!(count >= 2 && u128::from(count) <= max_commits, "{count} commits, expected 2 to {max_commits}");
    // A live status does not count as work on the run.
    assert_eq!(test.store.run_by_id(test.run).unwrap(), before);
}

#[test]
fn live_status_is_deleted_when_the_run_ends() {
    let test = TestStore::new();
    let n_rows = || test.store.list("SELECT count(*) FROM live", [], |row| row.get::<_, u32>(0)).unwrap()[0];
    let set_status = |ledger: &RunLedger| {
        ledger.set_live_status("{}".into()).unwrap();
        // The next commit includes the status.
        ledger.keep_unit(&KEY, 0, vec![], 1).unwrap();
        ledger.flush().unwrap();
        assert_eq!(test.store.live_status(test.run).unwrap().unwrap().what, "{}");
    };
    let ledger = test.ledger();
    set_status(&ledger);
    drop(ledger);
    assert_eq!((n_rows(), test.store.live_status(test.run).unwrap()), (0, None));
    let ledger = test.ledger();
    set_status(&ledger);
    ledger.set_live_status("[]".into()).unwrap();
    ledger.fail().unwrap();
    assert_eq!(n_rows(), 0);
    assert!(matches!(ledger.set_live_status("{}".into()), Err(StoreError::Finished { .. })));
    drop(ledger);
    let ledger = test.ledger();
    set_status(&ledger);
    ledger.finish("1").unwrap();
    drop(ledger);
    assert_eq!(n_rows(), 0);
}

#[test]
#[should_panic(expected = "not JSON")]
fn live_status_must_be_json() {
    drop(TestStore::new().ledger().set_live_status("{".into()));
}

//! Detects changes of what viewers look at: one task polls the store for all of them.
//!
//! A `TopicVersion` changes whenever the page of its topic would. The stream sends only the version; `live.js` then
//! reads the page again and replaces its `data-live` parts. The more a page costs, or the more viewers it has, the
//! less often its version is announced; the last version of a run is announced at once.

use crate::http_error::HttpError;
use crate::store_pool;
use palestra_store::{RunId, RunState, RunSummary, Store};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// Interval of the polls while there are viewers.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Interval after which versions are computed although nothing was written: a killed process cannot write its state.
const FORCED_INTERVAL: Duration = Duration::from_secs(2);

/// Bounds of the time between two announced versions of a topic.
const MIN_PACE: Duration = Duration::from_millis(400);
const MAX_PACE: Duration = Duration::from_secs(15);

/// Rendering the pages of one topic takes at most 1/40 of one core's time.
const COST_FACTOR: u32 = 40;

/// Every viewer loads the page again when its version changes, so the pace slows down by this much per viewer.
const PACE_PER_VIEWER: Duration = Duration::from_millis(10);

/// Limit on the runs and events that the home page lists.
pub(crate) const MAX_LISTED_RUNS: usize = 50;

/// What a page shows and a stream follows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Topic {
    /// The home page.
    Home,
    /// The pages of a run or an event.
    Run(RunId),
}

impl std::fmt::Display for Topic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Topic::Home => f.write_str("home"),
            Topic::Run(RunId(id)) => write!(f, "run-{id}"),
        }
    }
}

impl FromStr for Topic {
    type Err = HttpError;

    fn from_str(text: &str) -> Result<Topic, HttpError> {
        if text == "home" {
            return Ok(Topic::Home);
        }
        let id = text.strip_prefix("run-").and_then(|id| id.parse().ok());
        id.map(|id| Topic::Run(RunId(id))).ok_or_else(HttpError::not_found)
    }
}

/// The state of a topic as a number: it changes whenever the topic's page would.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct TopicVersion {
    /// Hash of the state.
    pub(crate) number: u64,
    /// Whether something of the topic is running, so that it may change without a request.
    pub(crate) may_change: bool,
}

impl TopicVersion {
    /// The version of a topic in the store.
    pub(crate) fn of(store: &Store, topic: Topic) -> Result<TopicVersion, HttpError> {
        let mut hasher = blake3::Hasher::new();
        let mut is_running = false;
        let mut put = |text: &str| {
            hasher.update(text.as_bytes()).update(&[0]);
        };
        match topic {
            Topic::Home => {
                for run in store.runs_page(None, MAX_LISTED_RUNS, None)? {
                    is_running |= run.state == RunState::Running;
                    put(&format!("{} {} {:?} {}", run.name, run.updated, run.state, run.n_games));
                }
                for champion in store.champions()? {
                    put(&format!("{} {}", champion.name, champion.created));
                }
                // The latest game that belongs to no run: one that a person played.
                for (id, _) in store.games_page(None, None, 1)? {
                    put(&id.to_string());
                }
            }
            Topic::Run(id) => {
                return TopicVersion::of_run(store, &store.run_summary(id)?);
            }
        }
        Ok(TopicVersion::from_hash(&hasher, is_running))
    }

    /// The version of a run that was already read.
    pub(crate) fn of_run(store: &Store, run: &RunSummary) -> Result<TopicVersion, HttpError> {
        let RunSummary { id, name, updated, state, n_games, seconds, .. } = run;
        let mut hasher = blake3::Hasher::new();
        hasher.update(format!("{name} {updated} {state:?} {n_games} {seconds}").as_bytes());
        if let Some(live) = store.live_status(*id)? {
            hasher.update(&[0]).update(live.what.as_bytes());
        }
        // A champion is saved after its run is done.
        for champion in store.champions()?.iter().filter(|champion| champion.run == Some(*id)) {
            hasher.update(&[0]).update(champion.name.as_bytes());
        }
        Ok(TopicVersion::from_hash(&hasher, *state == RunState::Running))
    }

    fn from_hash(hasher: &blake3::Hasher, may_change: bool) -> TopicVersion {
        let hash = hasher.finalize();
        let number = u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("eight bytes"));
        TopicVersion { number, may_change }
    }
}

/// Viewers by topic, and the task that polls for them.
#[derive(Clone)]
pub(crate) struct ChangePoller {
    shared: Arc<PollerInner>,
}

struct PollerInner {
    store: PathBuf,
    closing: CancellationToken,
    subscriptions: Mutex<Subscriptions>,
}

#[derive(Default)]
struct Subscriptions {
    topics: BTreeMap<Topic, WatchedTopic>,
    /// Whether the polling task runs.
    is_polling: bool,
}

struct WatchedTopic {
    sender: watch::Sender<TopicVersion>,
    /// Time to render its page.
    cost: Duration,
    /// When the last version was announced.
    changed: Instant,
}

impl WatchedTopic {
    /// Time between two announced versions.
    fn pace(&self) -> Duration {
        let n_viewers = u32::try_from(self.sender.receiver_count()).unwrap_or(u32::MAX);
        let pace = self.cost.saturating_mul(COST_FACTOR).max(PACE_PER_VIEWER.saturating_mul(n_viewers));
        pace.clamp(MIN_PACE, MAX_PACE)
    }
}

impl ChangePoller {
    pub(crate) fn new(store: PathBuf, closing: CancellationToken) -> ChangePoller {
        ChangePoller { shared: Arc::new(PollerInner { store, closing, subscriptions: Mutex::default() }) }
    }

    /// Receives the versions of a topic from now on; `now` is the present one.
    pub(crate) fn subscribe(&self, topic: Topic, now: TopicVersion) -> watch::Receiver<TopicVersion> {
        let mut table = self.shared.table();
        let watched = table.topics.entry(topic).or_insert_with(|| WatchedTopic {
            sender: watch::Sender::new(now),
            cost: Duration::ZERO,
            changed: Instant::now(),
        });
        let receiver = watched.sender.subscribe();
        if !std::mem::replace(&mut table.is_polling, true) {
            tokio::spawn(Arc::clone(&self.shared).poll());
        }
        receiver
    }

    /// The version that was announced last; `None` where the topic has no viewers.
    pub(crate) fn last_version(&self, topic: Topic) -> Option<TopicVersion> {
        let table = self.shared.table();
        table
            .topics
            .get(&topic)
            .filter(|watched| watched.sender.receiver_count() > 0)
            .map(|w| *w.sender.borrow())
    }

    /// Number of topics with viewers, and number of viewers.
    pub(crate) fn counts(&self) -> [usize; 2] {
        let table = self.shared.table();
        let viewers = table.topics.values().map(|watched| watched.sender.receiver_count());
        [table.topics.len(), viewers.sum()]
    }

    /// Sets the time that rendering a page of this topic takes: expensive pages are announced less often.
    pub(crate) fn record_cost(&self, topic: Topic, time: Duration) {
        if let Some(watched) = self.shared.table().topics.get_mut(&topic) {
            watched.cost = time;
        }
    }
}

impl PollerInner {
    fn table(&self) -> MutexGuard<'_, Subscriptions> {
        self.subscriptions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Polls the store until there are no viewers or the server stops.
    async fn poll(self: Arc<Self>) {
        let mut poller = StorePoller {
            path: self.store.clone(),
            store: None,
            seen: None,
            polled: None,
            topics: Vec::new(),
        };
        while !self.closing.is_cancelled() {
            let Some(topics) = self.topics() else { return };
            let polled = tokio::task::spawn_blocking(move || {
                let versions = poller.versions(&topics);
                (poller, versions)
            });
            let Ok((returned, versions)) = polled.await else { break };
            poller = returned;
            if self.announce(&versions) {
                poller.seen = None;
            }
            tokio::select! {
                () = tokio::time::sleep(POLL_INTERVAL) => {}
                () = self.closing.cancelled() => {}
            }
        }
        self.table().is_polling = false;
    }

    /// The topics that have viewers; `None` ends the polling.
    fn topics(&self) -> Option<Vec<Topic>> {
        let mut table = self.table();
        table.topics.retain(|_, watched| watched.sender.receiver_count() > 0);
        table.is_polling = !table.topics.is_empty();
        table.is_polling.then(|| table.topics.keys().copied().collect())
    }

    /// Announces the versions that are new; returns whether one was delayed to keep the pace.
    fn announce(&self, versions: &[(Topic, TopicVersion)]) -> bool {
        let mut table = self.table();
        let mut is_delayed = false;
        for (topic, version) in versions {
            let Some(watched) = table.topics.get_mut(topic) else { continue };
            let known = *watched.sender.borrow();
            // The last version of a run is not delayed.
            let is_time = !version.may_change || watched.changed.elapsed() >= watched.pace();
            if known != *version && is_time {
                watched.changed = Instant::now();
                watched.sender.send_replace(*version);
            }
            is_delayed |= known != *version && !is_time;
        }
        is_delayed
    }
}

/// The store connection of the polling task.
struct StorePoller {
    path: PathBuf,
    store: Option<Store>,
    /// SQLite's data version at the last poll.
    seen: Option<i64>,
    /// When versions were last computed.
    polled: Option<Instant>,
    /// The topics of the last poll.
    topics: Vec<Topic>,
}

impl StorePoller {
    /// The versions of topics; empty where nothing changed, and without topics that cannot be read.
    fn versions(&mut self, topics: &[Topic]) -> Vec<(Topic, TopicVersion)> {
        if self.store.is_none() {
            self.store = store_pool::open(&self.path).ok();
        }
        let Some(store) = &self.store else { return Vec::new() };
        let seen = store.data_version().ok();
        let is_due = self.polled.is_none_or(|polled| polled.elapsed() >= FORCED_INTERVAL);
        if seen == self.seen && self.topics == topics && !is_due {
            return Vec::new();
        }
        (self.seen, self.polled, self.topics) = (seen, Some(Instant::now()), topics.to_vec());
        topics.iter().filter_map(|&topic| Some((topic, TopicVersion::of(store, topic).ok()?))).collect()
    }
}

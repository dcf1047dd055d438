//! Whether what somebody looks at has changed: one thread asks the store for all who look.
//!
//! A `TopicVersion` changes whenever the page of its topic would. The stream sends only the version; `live.js` then
//! reads the page again and replaces its `data-live` parts. The more a page costs, or the more viewers it has, the
//! less often its version is announced; the last version of a run is announced at once.

use crate::http_error::HttpError;
use crate::store_pool;
use palestra_store::{RunId, RunState, Store};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// How often the store is asked whether anything changed, while somebody looks.
const BEAT: Duration = Duration::from_millis(200);

/// How often it is asked although nothing was written: whoever is killed cannot write that down.
const LOOK_ANYWAY: Duration = Duration::from_secs(2);

/// A page changes at most this often, and never less often than that.
const PACE: Duration = Duration::from_millis(400);
const SLOWEST: Duration = Duration::from_secs(15);

/// Of the time of one core, pages of a topic may take one part in so many.
const SHARE: u32 = 40;

/// Everybody who looks reads the page again when it changes: with many of them it changes less often.
const PER_VIEWER: Duration = Duration::from_millis(10);

/// Runs and events on the first page.
pub(crate) const MAX_LISTED_RUNS: usize = 50;

/// Something that people look at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Topic {
    /// The list of everything.
    Home,
    /// A run or an event.
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

/// What something looks like now: changes whenever its page would.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct TopicVersion {
    pub(crate) number: u64,
    /// Whether it may still change by itself.
    pub(crate) may_change: bool,
}

impl TopicVersion {
    /// The version of a topic in the store.
    pub(crate) fn of(store: &Store, topic: Topic) -> Result<TopicVersion, HttpError> {
        let mut hasher = blake3::Hasher::new();
        let mut is_moving = false;
        let mut put = |text: &str| {
            hasher.update(text.as_bytes()).update(&[0]);
        };
        match topic {
            Topic::Home => {
                for run in store.runs_page(None, MAX_LISTED_RUNS, None)? {
                    is_moving |= run.state == RunState::Running;
                    put(&format!("{} {} {:?} {}", run.name, run.updated, run.state, run.n_games));
                }
                for champion in store.champions()? {
                    put(&format!("{} {}", champion.name, champion.created));
                }
                // Games of people, which belong to no run.
                for (id, _) in store.games_page(None, None, 1)? {
                    put(&id.to_string());
                }
            }
            Topic::Run(id) => {
                let run = store.run_summary(id)?;
                is_moving = run.state == RunState::Running;
                put(&format!("{} {} {:?} {} {}", run.name, run.updated, run.state, run.n_games, run.seconds));
                if let Some(live) = store.live_status(id)? {
                    put(&live.what);
                }
                // A champion is saved when its run is done already.
                for champion in store.champions()?.iter().filter(|champion| champion.run == Some(id)) {
                    put(&champion.name);
                }
            }
        }
        let hash = hasher.finalize();
        let number = u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("eight bytes"));
        Ok(TopicVersion { number, may_change: is_moving })
    }
}

/// Who looks at what.
#[derive(Clone)]
pub(crate) struct ChangePoller {
    shared: Arc<PollerInner>,
}

struct PollerInner {
    store: PathBuf,
    closing: CancellationToken,
    table: Mutex<Subscriptions>,
}

#[derive(Default)]
struct Subscriptions {
    topics: BTreeMap<Topic, WatchedTopic>,
    is_beating: bool,
}

struct WatchedTopic {
    sender: watch::Sender<TopicVersion>,
    /// How long its page took to make.
    cost: Duration,
    changed: Instant,
}

impl WatchedTopic {
    /// How often it may change.
    fn pace(&self) -> Duration {
        let n_viewers = u32::try_from(self.sender.receiver_count()).unwrap_or(u32::MAX);
        let wanted = self.cost.saturating_mul(SHARE).max(PER_VIEWER.saturating_mul(n_viewers));
        wanted.clamp(PACE, SLOWEST)
    }
}

impl ChangePoller {
    pub(crate) fn new(store: PathBuf, closing: CancellationToken) -> ChangePoller {
        ChangePoller { shared: Arc::new(PollerInner { store, closing, table: Mutex::default() }) }
    }

    /// Hears of every version of a topic from now on; `now` is the present one.
    pub(crate) fn subscribe(&self, topic: Topic, now: TopicVersion) -> watch::Receiver<TopicVersion> {
        let mut table = self.shared.table();
        let watched = table.topics.entry(topic).or_insert_with(|| WatchedTopic {
            sender: watch::Sender::new(now),
            cost: Duration::ZERO,
            changed: Instant::now(),
        });
        let receiver = watched.sender.subscribe();
        if !std::mem::replace(&mut table.is_beating, true) {
            tokio::spawn(Arc::clone(&self.shared).beat());
        }
        receiver
    }

    /// The version that everybody who looks was told last; `None` where nobody looks.
    pub(crate) fn last_version(&self, topic: Topic) -> Option<TopicVersion> {
        let table = self.shared.table();
        table
            .topics
            .get(&topic)
            .filter(|watched| watched.sender.receiver_count() > 0)
            .map(|w| *w.sender.borrow())
    }

    /// Somebody looks at so many topics, and so many look in all.
    pub(crate) fn counts(&self) -> [usize; 2] {
        let table = self.shared.table();
        let viewers = table.topics.values().map(|watched| watched.sender.receiver_count());
        [table.topics.len(), viewers.sum()]
    }

    /// A page of this topic took so long to make: whatever takes long is done less often.
    pub(crate) fn record_cost(&self, topic: Topic, time: Duration) {
        if let Some(watched) = self.shared.table().topics.get_mut(&topic) {
            watched.cost = time;
        }
    }
}

impl PollerInner {
    fn table(&self) -> MutexGuard<'_, Subscriptions> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the store over and over, until nobody looks any more.
    async fn beat(self: Arc<Self>) {
        let mut asker = StorePoller {
            path: self.store.clone(),
            store: None,
            seen: None,
            looked: None,
            topics: Vec::new(),
        };
        while !self.closing.is_cancelled() {
            let Some(topics) = self.topics() else { return };
            let asked = tokio::task::spawn_blocking(move || {
                let versions = asker.ask(&topics);
                (asker, versions)
            });
            let Ok((back, versions)) = asked.await else { break };
            asker = back;
            if self.tell(&versions) {
                asker.seen = None;
            }
            tokio::select! {
                () = tokio::time::sleep(BEAT) => {}
                () = self.closing.cancelled() => {}
            }
        }
        self.table().is_beating = false;
    }

    /// What is looked at; where nothing is, the beating is over.
    fn topics(&self) -> Option<Vec<Topic>> {
        let mut table = self.table();
        table.topics.retain(|_, watched| watched.sender.receiver_count() > 0);
        table.is_beating = !table.topics.is_empty();
        table.is_beating.then(|| table.topics.keys().copied().collect())
    }

    /// Tells of versions that are new; says whether any was held back for later.
    fn tell(&self, versions: &[(Topic, TopicVersion)]) -> bool {
        let mut table = self.table();
        let mut is_held_back = false;
        for (topic, version) in versions {
            let Some(watched) = table.topics.get_mut(topic) else { continue };
            let known = *watched.sender.borrow();
            // The last word is said at once.
            let is_time = !version.may_change || watched.changed.elapsed() >= watched.pace();
            if known != *version && is_time {
                watched.changed = Instant::now();
                watched.sender.send_replace(*version);
            }
            is_held_back |= known != *version && !is_time;
        }
        is_held_back
    }
}

/// The one who asks.
struct StorePoller {
    path: PathBuf,
    store: Option<Store>,
    seen: Option<i64>,
    looked: Option<Instant>,
    topics: Vec<Topic>,
}

impl StorePoller {
    /// The versions of topics; those that cannot be told are left out.
    fn ask(&mut self, topics: &[Topic]) -> Vec<(Topic, TopicVersion)> {
        if self.store.is_none() {
            self.store = store_pool::open(&self.path).ok();
        }
        let Some(store) = &self.store else { return Vec::new() };
        let seen = store.data_version().ok();
        let is_due = self.looked.is_none_or(|looked| looked.elapsed() >= LOOK_ANYWAY);
        if seen == self.seen && self.topics == topics && !is_due {
            return Vec::new();
        }
        (self.seen, self.looked, self.topics) = (seen, Some(Instant::now()), topics.to_vec());
        topics.iter().filter_map(|&topic| Some((topic, TopicVersion::of(store, topic).ok()?))).collect()
    }
}

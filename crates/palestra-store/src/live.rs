//! The live status of runs of other processes.

use crate::claim;
use crate::error::{Result, WithPath};
use crate::records::{RunId, StoredStatus};
use crate::store::Store;
use rusqlite::OptionalExtension;

impl Store {
    /// The live status that [`RunLedger::set_live_status`](crate::RunLedger::set_live_status) set; `None` if no process
    /// works on the run.
    pub fn live_status(&self, run: RunId) -> Result<Option<StoredStatus>> {
        let find = || {
            let mut live = self.connection.prepare_cached("SELECT updated, what FROM live WHERE run = ?1")?;
            live.query_row([run.0], |row| Ok(StoredStatus { updated: row.get(0)?, what: row.get(1)? }))
                .optional()
        };
        // A process that was killed leaves its status behind.
        Ok(find().at(&self.path)?.filter(|_| claim::is_held(&self.path, run)))
    }

    /// A number that changes whenever another process or a ledger has written to the store. The query is cheap.
    pub fn data_version(&self) -> Result<i64> {
        let query = || self.connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0));
        query().at(&self.path)
    }
}

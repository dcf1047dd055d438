//! How much of its memory a search uses.

use crate::table::Table;
use std::sync::Arc;

/// A table starts with this, or with all it may have if that is less: while it fits the processor's cache, every
/// look at it is quicker, and a search that is soon over need not clear what it never uses.
const FIRST_BYTES: usize = 1 << 20;
/// How much larger it becomes when it is crowded. The next ply needs several times the room of the last.
const GROWTH: usize = 16;

/// The table of a search that begins.
pub(super) fn initial_table(most_bytes: usize) -> Table {
    Table::new(most_bytes.min(FIRST_BYTES))
}

/// The table of one thread.
pub(super) enum TableHandle<'a> {
    /// Others use it too.
    Shared(&'a Table),
    /// Nobody else uses it: it may become larger, up to so many bytes.
    Own(&'a mut Arc<Table>, usize),
}

impl TableHandle<'_> {
    pub(super) fn table(&self) -> &Table {
        match self {
            TableHandle::Shared(table) => table,
            TableHandle::Own(table, _) => table,
        }
    }

    /// Makes more room where there is need of it.
    pub(super) fn grow_if_crowded(&mut self) {
        if let TableHandle::Own(table, most_bytes) = self
            && let bytes = (GROWTH * table.bytes()).min(*most_bytes)
            && bytes > table.bytes()
            && table.is_crowded()
        {
            **table = Arc::new(table.resized(bytes));
        }
    }
}

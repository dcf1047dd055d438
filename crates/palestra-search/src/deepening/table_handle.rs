//! A transposition table that grows on demand.

use crate::table::Table;
use std::sync::Arc;

/// Initial size of a table, unless its maximum is smaller. A table that fits the processor's cache is faster, and a
/// short search need not clear memory that it never uses.
const FIRST_BYTES: usize = 1 << 20;
/// Growth factor of a crowded table. Each ply needs several times as many entries as the one before.
const GROWTH: usize = 16;

/// The table of a new search.
pub(super) fn initial_table(max_bytes: usize) -> Table {
    Table::new(max_bytes.min(FIRST_BYTES))
}

/// A thread's access to the table.
pub(super) enum TableHandle<'a> {
    /// Other threads use it too.
    Shared(&'a Table),
    /// No other thread uses it: it may grow up to this number of bytes.
    Own(&'a mut Arc<Table>, usize),
}

impl TableHandle<'_> {
    pub(super) fn table(&self) -> &Table {
        match self {
            TableHandle::Shared(table) => table,
            TableHandle::Own(table, _) => table,
        }
    }

    /// Replaces a crowded table by a larger one, up to the maximum.
    pub(super) fn grow_if_crowded(&mut self) {
        if let TableHandle::Own(table, max_bytes) = self
            && let bytes = (GROWTH * table.bytes()).min(*max_bytes)
            && bytes > table.bytes()
            && table.is_crowded()
        {
            **table = Arc::new(table.resized(bytes));
        }
    }
}
